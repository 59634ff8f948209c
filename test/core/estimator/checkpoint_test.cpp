#include "ovf/estimator/checkpoint.hpp"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdint>
#include <cstring>
#include <fstream>
#include <span>
#include <stdexcept>

#include "evaluation/temporary_folder.hpp"
#include "math/random_inputs.hpp"
#include "ovf/math/checksum.hpp"
#include "ovf/math/random.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using Bytes = std::vector<std::byte>;

const std::string kFingerprint = "planar motion; sensors uwb, imu";

class CheckpointFile : public testing::Test {
 protected:
  std::string refusal(const std::string& fingerprint = kFingerprint) const {
    return test::message_of<std::runtime_error>([&] { read_checkpoint(path_, fingerprint); });
  }
  std::string refusal_to_write() const {
    return test::message_of<std::runtime_error>([&] { write_checkpoint(path_, example_); });
  }
  void put(std::span<const std::byte> bytes) const {
    std::ofstream file(path_, std::ios::binary | std::ios::trunc);
    file.write(reinterpret_cast<const char*>(bytes.data()),
               static_cast<std::streamsize>(bytes.size()));
  }
  Bytes content() const {
    const std::string text = test::read_text(path_);
    const auto* begin = reinterpret_cast<const std::byte*>(text.data());
    return {begin, begin + text.size()};
  }
  /// Names in the folder.
  std::vector<std::string> names() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(folder_.path())) {
      found.push_back(entry.path().filename().string());
    }
    return found;
  }

  test::TemporaryFolder folder_;
  fs::path path_ = folder_.path() / "robot.ovf";
  fs::path temporary_ = folder_.path() / ".robot.ovf.part";
  Checkpoint example_{kFingerprint, {std::byte{1}, std::byte{0}, std::byte{255}}};
};

TEST_F(CheckpointFile, BringsBackWhatWasWritten) {
  write_checkpoint(path_, example_);
  EXPECT_EQ(read_checkpoint(path_, kFingerprint).bytes, example_.bytes);
  EXPECT_EQ(read_checkpoint(path_, kFingerprint).fingerprint, kFingerprint);
  const Checkpoint empty{"", {}};
  write_checkpoint(path_, empty);
  EXPECT_TRUE(read_checkpoint(path_, "").bytes.empty());
  const Checkpoint large{kFingerprint, Bytes(3'000'000, std::byte{7})};
  write_checkpoint(path_, large);
  EXPECT_EQ(read_checkpoint(path_, kFingerprint).bytes, large.bytes);
  EXPECT_EQ(names(), std::vector<std::string>{"robot.ovf"});
}

TEST_F(CheckpointFile, WorksInTheCurrentFolder) {
  const fs::path before = fs::current_path();
  fs::current_path(folder_.path());
  write_checkpoint("robot.ovf", example_);
  EXPECT_EQ(read_checkpoint("robot.ovf", kFingerprint).bytes, example_.bytes);
  fs::current_path(before);
}

TEST_F(CheckpointFile, RefusesEveryTruncationAndEveryFlippedByte) {
  write_checkpoint(path_, example_);
  const Bytes sound = content();
  for (std::size_t length = 0; length < sound.size(); ++length) {
    put({sound.data(), length});
    EXPECT_PRED2(test::contains, refusal(), path_.string()) << length;
  }
  for (std::size_t i = 0; i < sound.size(); ++i) {
    for (const std::byte flip : {std::byte{1} << (i % 8), std::byte{255}}) {
      Bytes damaged = sound;
      damaged[i] ^= flip;
      put(damaged);
      EXPECT_PRED2(test::contains, refusal(), path_.string()) << i;
    }
  }
  Bytes longer = sound;
  longer.push_back({});
  put(longer);
  EXPECT_PRED2(test::contains, refusal(), "is damaged");
}

TEST_F(CheckpointFile, SaysWhatIsWrongWithAFile) {
  EXPECT_PRED2(test::contains, refusal(), "cannot be opened (No such file or directory)");
  put({});
  EXPECT_PRED2(test::contains, refusal(), "is not a checkpoint: expected OVFCHKPT");
  const Bytes other(200, std::byte{'x'});
  put(other);
  EXPECT_PRED2(test::contains, refusal(), "is not a checkpoint: expected OVFCHKPT");
}

TEST_F(CheckpointFile, RefusesAnotherVersionByNumber) {
  write_checkpoint(path_, example_);
  Bytes bytes = content();
  bytes[8] = std::byte{1};
  const std::uint64_t sum = checksum({bytes.data(), bytes.size() - 8});
  std::memcpy(bytes.data() + bytes.size() - 8, &sum, 8);
  put(bytes);
  EXPECT_PRED2(test::contains, refusal(), "has format version 1, expected 3");
}

TEST_F(CheckpointFile, ShowsWhereAFingerprintDiffers) {
  write_checkpoint(path_, example_);
  const std::string message = refusal("planar motion; sensors uwb, gnss");
  EXPECT_PRED2(test::contains, message, "expected \"planar motion; sensors uwb, gnss\"");
  EXPECT_PRED2(test::contains, message, "it has \"" + kFingerprint + "\"");
  EXPECT_PRED2(test::contains, message, "Use the configuration that it was written with");

  example_.fingerprint = std::string(10'000, 'a') + "tail A";
  write_checkpoint(path_, example_);
  const std::string long_message = refusal(std::string(10'000, 'a') + "tail B");
  EXPECT_PRED2(test::contains, long_message, "tail A");
  EXPECT_PRED2(test::contains, long_message, "tail B");
  EXPECT_LT(long_message.size(), 1000U);
}

TEST_F(CheckpointFile, SaysThatTheFolderIsMissing) {
  path_ = folder_.path() / "nowhere" / "robot.ovf";
  EXPECT_PRED2(test::contains, refusal_to_write(), path_.string());
  EXPECT_PRED2(test::contains, refusal_to_write(), "No such file or directory");
  EXPECT_PRED2(test::contains, refusal_to_write(), "Check that its folder exists");
}

TEST_F(CheckpointFile, RefusesWhatIsNotARegularFile) {
  fs::create_directory(path_);
  EXPECT_PRED2(test::contains, refusal(), "is not a regular file");
  EXPECT_PRED2(test::contains, refusal_to_write(), "Is a directory");
  EXPECT_FALSE(fs::exists(temporary_));
  fs::remove(path_);
  ASSERT_EQ(mkfifo(path_.c_str(), 0600), 0);
  EXPECT_PRED2(test::contains, refusal(), "is not a regular file");
}

TEST_F(CheckpointFile, RefusesFilesBeyondTheLimitUnread) {
  put({});
  fs::resize_file(path_, kLargestCheckpoint + 1);  // sparse: takes no space
  EXPECT_PRED2(test::contains, refusal(), "expected at most 268435456");
}

TEST_F(CheckpointFile, ReusesWhatAStoppedProgramLeft) {
  {
    std::ofstream left(temporary_);
    left << std::string(100'000, 'x');
  }
  write_checkpoint(path_, example_);
  EXPECT_EQ(read_checkpoint(path_, kFingerprint).bytes, example_.bytes);
  EXPECT_EQ(names(), std::vector<std::string>{"robot.ovf"});
}

TEST_F(CheckpointFile, DoesNotFollowALinkInPlaceOfItsTemporaryFile) {
  const fs::path precious = folder_.path() / "precious";
  std::ofstream(precious) << "text";
  fs::create_symlink(precious, temporary_);
  EXPECT_PRED2(test::contains, refusal_to_write(), temporary_.string());
  EXPECT_EQ(test::read_text(precious), "text");
}

TEST_F(CheckpointFile, RefusesASecondWriterAndKeepsTheOldFile) {
  write_checkpoint(path_, example_);
  const int other = open(temporary_.c_str(), O_WRONLY | O_CREAT, 0600);
  ASSERT_GE(other, 0);
  ASSERT_EQ(flock(other, LOCK_EX), 0);
  EXPECT_PRED2(test::contains, refusal_to_write(), "another writer is at work on it");
  close(other);
  EXPECT_EQ(read_checkpoint(path_, kFingerprint).bytes, example_.bytes);
  EXPECT_NO_THROW(write_checkpoint(path_, example_));
}

// Contents that differ from write to write, in length too, and say themselves which they are.
Checkpoint numbered(std::uint64_t number) {
  Checkpoint checkpoint{kFingerprint, Bytes(1000 + 7919 * (number % 40))};
  for (std::size_t i = 0; i < checkpoint.bytes.size(); ++i) {
    checkpoint.bytes[i] = static_cast<std::byte>((number + i) & 255);
  }
  std::memcpy(checkpoint.bytes.data(), &number, sizeof(number));
  return checkpoint;
}

// The child is killed while it writes; what it left must be one of its checkpoints, never a mix.
TEST(CheckpointKilledSlow, LeavesTheOldOrTheNewFileAtAnyMoment) {
  test::TemporaryFolder folder;
  const fs::path path = folder.path() / "robot.ovf";
  write_checkpoint(path, numbered(0));
  RandomStream random(95);
  std::uint64_t last = 0;
  int interrupted = 0;
  for (int kill_count = 0; kill_count < 100; ++kill_count) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      try {
        for (std::uint64_t number = last + 1;; ++number) write_checkpoint(path, numbered(number));
      } catch (...) {
        _exit(1);
      }
    }
    usleep(static_cast<useconds_t>(1000.0 + 30'000.0 * random.uniform()));
    ASSERT_EQ(kill(child, SIGKILL), 0);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    ASSERT_TRUE(WIFSIGNALED(status)) << "the child could not write";
    interrupted += fs::exists(folder.path() / ".robot.ovf.part") ? 1 : 0;

    const Bytes bytes = read_checkpoint(path, kFingerprint).bytes;
    std::uint64_t number = 0;
    ASSERT_GE(bytes.size(), sizeof(number));
    std::memcpy(&number, bytes.data(), sizeof(number));
    ASSERT_GE(number, last);
    ASSERT_EQ(bytes, numbered(number).bytes);
    last = number;
  }
  EXPECT_GT(last, 0U);
  EXPECT_GT(interrupted, 0);  // otherwise the test has tested nothing
}

}  // namespace
}  // namespace ovf
