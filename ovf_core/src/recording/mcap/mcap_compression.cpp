#include "recording/mcap/mcap_compression.hpp"

#include <fmt/format.h>
#include <lz4frame.h>
#include <zstd.h>

#include <algorithm>
#include <memory>
#include <stdexcept>

#include "ovf/config/printable.hpp"

namespace ovf::mcap {
namespace {

/// One call of a decoder: takes from the front of the one, puts to the front of the other.
struct Progress {
  std::size_t taken = 0;
  std::size_t put = 0;
  bool whole = false;  ///< a frame has just ended
  const char* error = nullptr;
};

class ZstdDecoder {
 public:
  Progress step(std::span<const std::byte> in, std::span<std::byte> out) {
    ZSTD_inBuffer input{in.data(), in.size(), 0};
    ZSTD_outBuffer output{out.data(), out.size(), 0};
    const std::size_t hint = ZSTD_decompressStream(context_.get(), &output, &input);
    if (ZSTD_isError(hint) != 0) return {.error = ZSTD_getErrorName(hint)};
    return {input.pos, output.pos, hint == 0, nullptr};
  }

 private:
  struct Free {
    void operator()(ZSTD_DCtx* context) const { ZSTD_freeDCtx(context); }
  };
  std::unique_ptr<ZSTD_DCtx, Free> context_{ZSTD_createDCtx()};
};

class Lz4Decoder {
 public:
  Lz4Decoder() {
    LZ4F_dctx* context = nullptr;
    if (LZ4F_isError(LZ4F_createDecompressionContext(&context, LZ4F_VERSION)) != 0) {
      throw std::bad_alloc();
    }
    context_.reset(context);
  }

  Progress step(std::span<const std::byte> in, std::span<std::byte> out) {
    std::size_t taken = in.size();
    std::size_t put = out.size();
    const std::size_t hint =
        LZ4F_decompress(context_.get(), out.data(), &put, in.data(), &taken, nullptr);
    if (LZ4F_isError(hint) != 0) return {.error = LZ4F_getErrorName(hint)};
    return {taken, put, hint == 0, nullptr};
  }

 private:
  struct Free {
    void operator()(LZ4F_dctx* context) const { LZ4F_freeDecompressionContext(context); }
  };
  std::unique_ptr<LZ4F_dctx, Free> context_;
};

template <typename Decoder>
std::string decode(std::uint64_t size, std::vector<std::byte>& bytes) {
  constexpr std::uint64_t kFirstGuess = 1U << 16;
  Decoder decoder;
  std::span<const std::byte> in = bytes;
  std::vector<std::byte> out(std::min(size, std::max<std::uint64_t>(kFirstGuess, 4 * in.size())));
  std::size_t done = 0;
  const char* error = nullptr;
  for (bool whole = false; error == nullptr && !(whole && in.empty());) {
    if (done == out.size()) out.resize(std::min<std::uint64_t>(size, 2 * out.size()));
    const Progress progress = decoder.step(in, std::span(out).subspan(done));
    error = progress.error;
    whole = progress.whole;
    done += progress.put;
    in = in.subspan(progress.taken);
    if (error == nullptr && progress.taken == 0 && progress.put == 0) error = "it breaks off";
  }
  out.resize(done);
  bytes = std::move(out);
  if (error != nullptr) {
    return fmt::format("it cannot be unpacked beyond {} of {} bytes: {}", done, size, error);
  }
  if (done == size) return {};
  return fmt::format("it unpacks to {} bytes, not the {} it states", done, size);
}

}  // namespace

std::string_view compression_name(Compression compression) {
  switch (compression) {
    case Compression::kLz4:
      return "lz4";
    case Compression::kZstd:
      return "zstd";
    case Compression::kNone:
      break;
  }
  return "";
}

std::vector<std::byte> pack(Compression compression, std::span<const std::byte> bytes) {
  std::vector<std::byte> out;
  const char* error = nullptr;
  std::size_t size = 0;
  if (compression == Compression::kZstd) {
    out.resize(ZSTD_compressBound(bytes.size()));
    size = ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), ZSTD_CLEVEL_DEFAULT);
    if (ZSTD_isError(size) != 0) error = ZSTD_getErrorName(size);
  } else if (compression == Compression::kLz4) {
    LZ4F_preferences_t preferences{};
    preferences.frameInfo.contentSize = bytes.size();
    out.resize(LZ4F_compressFrameBound(bytes.size(), &preferences));
    size = LZ4F_compressFrame(out.data(), out.size(), bytes.data(), bytes.size(), &preferences);
    if (LZ4F_isError(size) != 0) error = LZ4F_getErrorName(size);
  } else {
    out.assign(bytes.begin(), bytes.end());
    size = out.size();
  }
  if (error != nullptr) throw std::runtime_error(fmt::format("cannot pack a chunk: {}", error));
  out.resize(size);
  return out;
}

std::string unpack(std::string_view compression, std::uint64_t size,
                   std::vector<std::byte>& bytes) {
  if (compression == "zstd") return decode<ZstdDecoder>(size, bytes);
  if (compression == "lz4") return decode<Lz4Decoder>(size, bytes);
  if (!compression.empty()) {
    bytes.clear();
    return fmt::format("its compression \"{}\" is none of lz4 and zstd",
                       printable(compression, 20));
  }
  if (bytes.size() == size) return {};
  return fmt::format("it has {} bytes, not the {} it states", bytes.size(), size);
}

}  // namespace ovf::mcap
