#include "ovf/evaluation/result_folder.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "evaluation/temporary_folder.hpp"

namespace ovf {
namespace {

namespace fs = std::filesystem;
using test::read_text;
using test::TemporaryFolder;

const auto kNow = std::chrono::system_clock::time_point(std::chrono::seconds(1'700'000'000));

template <typename Action>
std::string message_of(Action action) {
  try {
    action();
  } catch (const std::exception& error) {
    return error.what();
  }
  return "";
}

TEST(ResultFolder, IsNamedAfterTheExperimentAndTheTime) {
  const TemporaryFolder out;
  const ResultFolder folder(out.path() / "new" / "results", "demo", kNow);
  EXPECT_TRUE(fs::is_directory(folder.path()));
  // The digits depend on the time zone.
  std::string name = folder.path().filename().string();
  std::replace_if(
      name.begin(), name.end(), [](char c) { return c >= '0' && c <= '9'; }, '0');
  EXPECT_EQ(name, "demo-00000000-000000");
}

TEST(ResultFolder, IsUniqueWithinTheSameSecond) {
  const TemporaryFolder out;
  const ResultFolder first(out.path(), "demo", kNow);
  const ResultFolder second(out.path(), "demo", kNow);
  const ResultFolder third(out.path(), "demo", kNow);
  EXPECT_EQ(second.path().string(), first.path().string() + "-2");
  EXPECT_EQ(third.path().string(), first.path().string() + "-3");
}

TEST(ResultFolder, SkipsAFileThatHasItsName) {
  const TemporaryFolder out;
  const ResultFolder first(out.path(), "demo", kNow);
  fs::remove(first.path());
  std::ofstream(first.path()) << "a file";
  const ResultFolder second(out.path(), "demo", kNow);
  EXPECT_EQ(second.path().string(), first.path().string() + "-2");
}

TEST(ResultFolder, WritesAndReplacesFilesWithoutLeavingTemporaries) {
  const TemporaryFolder out;
  const ResultFolder folder(out.path(), "demo");
  folder.write("a.txt", "first");
  folder.write("a.txt", "second");
  EXPECT_EQ(read_text(folder.path() / "a.txt"), "second");
  EXPECT_EQ(std::distance(fs::directory_iterator(folder.path()), {}), 1);
}

TEST(ResultFolder, KeepsFilesInsideTheFolder) {
  const TemporaryFolder out;
  const ResultFolder folder(out.path(), "demo");
  EXPECT_THROW(folder.write("../a.txt", ""), std::invalid_argument);
  EXPECT_THROW(folder.write("", ""), std::invalid_argument);
  EXPECT_THROW(ResultFolder(out.path(), "../demo"), std::invalid_argument);
}

TEST(ResultFolder, SaysWhatAndWhereWhenThePathIsBelowAFile) {
  const TemporaryFolder out;
  std::ofstream(out.path() / "file") << "text";
  for (const fs::path& path : {out.path() / "file", out.path() / "file" / "below"}) {
    const std::string message = message_of([&] { ResultFolder(path, "demo"); });
    EXPECT_NE(message.find("cannot create the result folder " + path.string()), std::string::npos)
        << message;
    EXPECT_NE(message.find("Choose another output folder"), std::string::npos) << message;
  }
}

TEST(ResultFolder, SaysWhatAndWhereWhenAFileCannotBeWritten) {
  const TemporaryFolder out;
  const ResultFolder folder(out.path(), "demo");
  fs::create_directory(folder.path() / "a.txt");
  fs::create_directory(folder.path() / "a.txt" / "full");
  const std::string message = message_of([&] { folder.write("a.txt", "text"); });
  EXPECT_NE(message.find("cannot write " + (folder.path() / "a.txt").string()), std::string::npos)
      << message;
  EXPECT_FALSE(fs::exists(folder.path() / ".a.txt.part"));
  fs::remove_all(folder.path());
  EXPECT_NE(message_of([&] { folder.write("b.txt", "text"); }).find("No such file"),
            std::string::npos);
}

TEST(LatestLink, IsRelativeAndMovesToTheNewestFolder) {
  const TemporaryFolder out;
  const ResultFolder first(out.path(), "demo", kNow);
  EXPECT_EQ(first.link_latest(), std::nullopt);
  EXPECT_EQ(fs::read_symlink(out.path() / "latest"), first.path().filename());
  const ResultFolder second(out.path(), "other", kNow);
  EXPECT_EQ(second.link_latest(), std::nullopt);
  EXPECT_EQ(fs::read_symlink(out.path() / "latest"), second.path().filename());
  EXPECT_EQ(std::distance(fs::directory_iterator(out.path()), {}), 3);
}

TEST(LatestLink, ReplacesALinkThatLeadsNowhere) {
  const TemporaryFolder out;
  fs::create_symlink("gone", out.path() / "latest");
  const ResultFolder folder(out.path(), "demo");
  EXPECT_EQ(folder.link_latest(), std::nullopt);
  EXPECT_TRUE(fs::equivalent(out.path() / "latest", folder.path()));
}

TEST(LatestLink, LeavesARealFolderAloneAndSaysSo) {
  const TemporaryFolder out;
  fs::create_directory(out.path() / "latest");
  std::ofstream(out.path() / "latest" / "precious") << "data";
  const ResultFolder folder(out.path(), "demo");
  const auto message = folder.link_latest();
  ASSERT_TRUE(message.has_value());
  EXPECT_NE(message->find("is not a link and was left as it is"), std::string::npos) << *message;
  EXPECT_EQ(read_text(out.path() / "latest" / "precious"), "data");
}

}  // namespace
}  // namespace ovf
