#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zstd.h>

#include "evaluation/temporary_folder.hpp"
#include "recording/mcap_file.hpp"

namespace ovf {
namespace {

using test::McapText;
using testing::HasSubstr;

constexpr std::size_t kMiB = std::size_t{1} << 20;

std::string packed(const std::string& bytes) {
  std::string out(ZSTD_compressBound(bytes.size()), '\0');
  out.resize(ZSTD_compress(out.data(), out.size(), bytes.data(), bytes.size(), 1));
  return out;
}

/// A chunk with one message of so many zeros at this time.
std::string zeros(std::uint64_t time, std::size_t size) {
  const std::string records = McapText::message(1, time, std::string(size, '\0'));
  return McapText::chunk(packed(records), "zstd", records.size());
}

class UnpackBudgetOfMcap : public testing::Test {
 protected:
  void add_file(const std::string& name, const std::string& chunks) {
    test::write_bytes(folder_.path() / name, McapText::head() + McapText::schema(1, "t/msg/A") +
                                                 McapText::channel(1, 1, "/a") + chunks +
                                                 McapText::data_end() + McapText::footer());
  }
  std::size_t read() {
    const auto reader = open_recording(folder_.path());
    RecordedMessage message;
    std::size_t count = 0;
    while (reader->next(message)) ++count;
    said_ = testing::PrintToString(reader->warnings());
    return count;
  }

  test::TemporaryFolder folder_;
  std::string said_;
};

TEST_F(UnpackBudgetOfMcap, WhatSensorDataComeToIsRead) {
  std::string chunks;
  for (std::uint64_t k = 0; k < 8; ++k) chunks += zeros(k, 10 * kMiB);
  add_file("a.mcap", chunks);
  EXPECT_EQ(read(), 8U);
  EXPECT_EQ(said_, "{}");
}

// A few kilobytes that would keep a reader busy with a gigabyte of zeros.
TEST_F(UnpackBudgetOfMcap, AFileThatUnpacksToFarMoreThanItsSizeEndsThere) {
  std::string chunks;
  for (std::uint64_t k = 0; k < 10; ++k) chunks += zeros(k, 60 * kMiB);
  add_file("a.mcap", chunks);
  ASSERT_LT(std::filesystem::file_size(folder_.path() / "a.mcap"), 100'000U);
  EXPECT_EQ(read(), 4U);
  EXPECT_THAT(said_, HasSubstr("as many as its size warrants"));
  EXPECT_THAT(said_, HasSubstr("decompress it first"));
}

TEST_F(UnpackBudgetOfMcap, AChunkThatUnpacksToFarMoreThanItsSizeIsLeftOut) {
  add_file("a.mcap", zeros(1, 200 * kMiB) + zeros(2, kMiB));
  EXPECT_EQ(read(), 1U);
  EXPECT_THAT(said_, HasSubstr("and a chunk of them to at most"));
}

// Each of the files is within its own budget.
TEST_F(UnpackBudgetOfMcap, ManyFilesShareOne) {
  for (int k = 0; k < 12; ++k) {
    add_file("a" + std::to_string(k) + ".mcap", zeros(static_cast<std::uint64_t>(k), 100 * kMiB));
  }
  EXPECT_EQ(read(), 10U);
  EXPECT_THAT(said_, HasSubstr("as many as its size warrants"));
}

}  // namespace
}  // namespace ovf
