#include "recording/bag/message_decompressor.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace ovf {
namespace {

constexpr std::uint64_t kLargestMessage = 1ULL << 30;
constexpr std::size_t kFirstGuess = 1U << 16;
// Frames of a damaged file may ask for windows of gigabytes; zstd itself allows this one by
// default.
constexpr int kLargestWindowLog = 27;

}  // namespace

bool is_zstd(std::span<const std::byte> bytes) {
  constexpr std::array<unsigned char, 4> kMagic{0x28, 0xb5, 0x2f, 0xfd};
  return bytes.size() >= kMagic.size() &&
         std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) == 0;
}

bool MessageDecompressor::decompress(std::span<const std::byte> frame, UnpackBudget& budget,
                                     std::span<const std::byte>& message) {
  const std::uint64_t largest =
      std::min({kLargestMessage, budget.largest_piece(frame.size()), budget.left()});
  if (!context_) {
    context_.reset(ZSTD_createDCtx());
    if (!context_) return false;
    ZSTD_DCtx_setParameter(context_.get(), ZSTD_d_windowLogMax, kLargestWindowLog);
  }
  ZSTD_DCtx_reset(context_.get(), ZSTD_reset_session_only);
  // The size a frame declares is not believed: memory grows with what comes out.
  if (message_.empty()) message_.resize(kFirstGuess);
  ZSTD_inBuffer in{frame.data(), frame.size(), 0};
  ZSTD_outBuffer out{message_.data(), std::min<std::size_t>(message_.size(), largest), 0};
  while (true) {
    const std::size_t status = ZSTD_decompressStream(context_.get(), &out, &in);
    if (ZSTD_isError(status) != 0) return false;
    if (status == 0) break;
    if (out.pos < out.size) return false;  // the frame ends too early
    if (out.size >= largest) {
      budget.spend(out.pos);
      return false;
    }
    message_.resize(std::min<std::size_t>(largest, message_.size() * 2));
    out = {message_.data(), message_.size(), out.pos};
  }
  budget.spend(out.pos);
  message = std::span(message_).first(out.pos);
  return true;
}

}  // namespace ovf
