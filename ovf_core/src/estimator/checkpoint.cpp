#include "ovf/estimator/checkpoint.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <span>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "ovf/math/archive.hpp"
#include "ovf/math/checksum.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

constexpr std::array<char, 8> kMagic{'O', 'V', 'F', 'C', 'H', 'K', 'P', 'T'};
constexpr std::uint64_t kVersion = 3;
constexpr std::size_t kWord = sizeof(std::uint64_t);
// Magic, version, sizes of fingerprint and bytes; then both of them; then the checksum of it all.
constexpr std::size_t kHeader = 4 * kWord;

[[noreturn]] void fail(const fs::path& path, const std::string& what, const std::string& advice) {
  throw std::runtime_error(fmt::format("checkpoint {}: {}. {}", path.string(), what, advice));
}

[[noreturn]] void fail_to_write(const fs::path& path, const std::string& action, int error) {
  fail(path, fmt::format("cannot {} ({})", action, std::generic_category().message(error)),
       "Check that its folder exists and is writable, and the free space; a checkpoint that was "
       "there before is kept.");
}

/// An open file, closed at the end.
class File {
 public:
  File(const fs::path& path, int flags)
      : descriptor_(open(path.c_str(), flags | O_CLOEXEC, 0644)) {}
  ~File() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  File(File&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  File& operator=(File&&) = delete;

  bool is_open() const { return descriptor_ >= 0; }
  int descriptor() const { return descriptor_; }

  bool write_all(std::span<const std::byte> bytes) const {
    while (!bytes.empty()) {
      const ssize_t count = write(descriptor_, bytes.data(), bytes.size());
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return false;
      bytes = bytes.subspan(static_cast<std::size_t>(count));
    }
    return true;
  }
  /// As many bytes as there are, at most the given ones; -1 on an error.
  ssize_t read_some(std::span<std::byte> bytes) const {
    std::size_t done = 0;
    while (done < bytes.size()) {
      const ssize_t count = read(descriptor_, bytes.data() + done, bytes.size() - done);
      if (count < 0 && errno == EINTR) continue;
      if (count < 0) return -1;
      if (count == 0) break;
      done += static_cast<std::size_t>(count);
    }
    return static_cast<ssize_t>(done);
  }
  bool sync() const { return fsync(descriptor_) == 0; }

 private:
  int descriptor_;
};

fs::path folder_of(const fs::path& path) {
  return path.has_parent_path() ? path.parent_path() : fs::path(".");
}

// The temporary file, locked against a second writer. Another one may have renamed it between open
// and lock: then it is the checkpoint itself, and not to be touched.
File open_locked(const fs::path& path, const fs::path& temporary) {
  constexpr int kAttempts = 100;
  for (int attempt = 0; attempt < kAttempts; ++attempt) {
    File file(temporary, O_WRONLY | O_CREAT | O_NOFOLLOW | O_NONBLOCK);
    if (!file.is_open()) fail_to_write(path, "open " + temporary.string(), errno);
    // A file system without locks has to do without.
    if (flock(file.descriptor(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK) break;
    struct stat opened {};
    struct stat named {};
    if (fstat(file.descriptor(), &opened) == 0 && stat(temporary.c_str(), &named) == 0 &&
        opened.st_ino == named.st_ino && opened.st_dev == named.st_dev) {
      return file;
    }
  }
  fail(path, "another writer is at work on it", "Give each program a checkpoint of its own.");
}

void put(Bytes& out, std::uint64_t word) { Archive::writer(out).bits("word", word); }

std::uint64_t word_at(const Bytes& bytes, std::size_t at) {
  std::uint64_t word = 0;
  Archive::reader(std::span(bytes).subspan(at)).bits("word", word);
  return word;
}

void append(Bytes& out, const void* data, std::size_t count) {
  const auto* begin = static_cast<const std::byte*>(data);
  out.insert(out.end(), begin, begin + count);
}

Bytes pack(const Checkpoint& checkpoint) {
  Bytes out;
  out.reserve(kHeader + checkpoint.fingerprint.size() + checkpoint.bytes.size() + kWord);
  append(out, kMagic.data(), kMagic.size());
  put(out, kVersion);
  put(out, checkpoint.fingerprint.size());
  put(out, checkpoint.bytes.size());
  append(out, checkpoint.fingerprint.data(), checkpoint.fingerprint.size());
  append(out, checkpoint.bytes.data(), checkpoint.bytes.size());
  put(out, checksum(out));
  return out;
}

Bytes read_file(const fs::path& path) {
  // O_NONBLOCK: a named pipe would otherwise wait for its other end.
  const File file(path, O_RDONLY | O_NONBLOCK);
  if (!file.is_open()) {
    fail(path, fmt::format("cannot be opened ({})", std::generic_category().message(errno)),
         "Check the path, or start without a checkpoint.");
  }
  struct stat status {};
  if (fstat(file.descriptor(), &status) != 0 || !S_ISREG(status.st_mode)) {
    fail(path, "is not a regular file", "Check the path, or start without a checkpoint.");
  }
  if (status.st_size < 0 || static_cast<std::uint64_t>(status.st_size) > kLargestCheckpoint) {
    fail(path, fmt::format("has {} bytes, expected at most {}", status.st_size, kLargestCheckpoint),
         "This is no checkpoint: check the path.");
  }
  Bytes bytes(static_cast<std::size_t>(status.st_size));
  const ssize_t count = file.read_some(bytes);
  if (count < 0) {
    fail(path, fmt::format("cannot be read ({})", std::generic_category().message(errno)),
         "Check the disk, or start without a checkpoint.");
  }
  bytes.resize(static_cast<std::size_t>(count));
  return bytes;
}

// Where two texts begin to differ, with a little around it: fingerprints may be long.
std::string excerpt(const std::string& text, std::size_t at) {
  constexpr std::size_t kBefore = 40;
  constexpr std::size_t kLength = 160;
  const std::size_t begin = at > kBefore ? at - kBefore : 0;
  std::string shown = text.substr(std::min(begin, text.size()), kLength);
  for (char& c : shown) {
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = ' ';
  }
  return fmt::format("{}{}{}", begin > 0 ? "..." : "", shown,
                     begin + kLength < text.size() ? "..." : "");
}

}  // namespace

void write_checkpoint(const fs::path& path, const Checkpoint& checkpoint) {
  const std::size_t size = checkpoint.fingerprint.size() + checkpoint.bytes.size();
  if (size > kLargestCheckpoint - kHeader - kWord) {
    fail(path, fmt::format("has {} bytes, expected at most {}", size, kLargestCheckpoint),
         "Choose a smaller model or regression.");
  }
  const Bytes packed = pack(checkpoint);
  const fs::path folder = folder_of(path);
  // One name for all times, so that what a stopped program left is written over, not piled up.
  const fs::path temporary = folder / fmt::format(".{}.part", path.filename().string());
  const auto abandon = [&](const std::string& action) {
    const int error = errno;
    unlink(temporary.c_str());
    fail_to_write(path, action, error);
  };
  const File file = open_locked(path, temporary);
  if (ftruncate(file.descriptor(), 0) != 0 || !file.write_all(packed)) {
    abandon("write " + temporary.string());
  }
  // The content has to be on the disk before the name is.
  if (!file.sync()) abandon("sync " + temporary.string());
  if (rename(temporary.c_str(), path.c_str()) != 0) abandon("rename " + temporary.string());
  const File directory(folder, O_RDONLY | O_DIRECTORY);
  if (!directory.is_open() || !directory.sync()) {
    fail_to_write(path, "sync the folder " + folder.string(), errno);
  }
}

Checkpoint read_checkpoint(const fs::path& path, const std::string& fingerprint) {
  const Bytes bytes = read_file(path);
  const std::string unusable = "It cannot be used: start without it, or from another copy.";
  if (bytes.size() < kHeader + kWord ||
      std::memcmp(bytes.data(), kMagic.data(), kMagic.size()) != 0) {
    fail(path, "is not a checkpoint: expected OVFCHKPT at its beginning",
         "Check the path, or start without a checkpoint.");
  }
  const std::uint64_t version = word_at(bytes, kWord);
  if (version != kVersion) {
    fail(path, fmt::format("has format version {}, expected {}", version, kVersion),
         "It was written by another version of this program: use that one, or start without it.");
  }
  const std::uint64_t text_size = word_at(bytes, 2 * kWord);
  const std::uint64_t state_size = word_at(bytes, 3 * kWord);
  const std::size_t content = bytes.size() - kHeader - kWord;
  if (text_size > content || state_size != content - text_size) {
    fail(path,
         fmt::format("is damaged: expected {} and {} bytes of content, it has {}", text_size,
                     state_size, content),
         unusable);
  }
  const std::span<const std::byte> sealed(bytes.data(), bytes.size() - kWord);
  if (word_at(bytes, sealed.size()) != checksum(sealed)) {
    fail(path, "is damaged: it does not agree with its checksum", unusable);
  }
  const std::string found(reinterpret_cast<const char*>(bytes.data() + kHeader), text_size);
  if (found != fingerprint) {
    const auto [expected_at, found_at] =
        std::mismatch(fingerprint.begin(), fingerprint.end(), found.begin(), found.end());
    const auto at = static_cast<std::size_t>(found_at - found.begin());
    fail(path,
         fmt::format("is of another model or configuration: expected \"{}\", it has \"{}\"",
                     excerpt(fingerprint, at), excerpt(found, at)),
         "Use the configuration that it was written with, or start without it.");
  }
  const auto state = std::span(bytes).subspan(kHeader + text_size, state_size);
  return {found, Bytes(state.begin(), state.end())};
}

}  // namespace ovf
