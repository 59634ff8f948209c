#include "ovf/evaluation/progress.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>
#include <thread>

namespace ovf {
namespace {

long lines(const std::string& text) { return std::count(text.begin(), text.end(), '\n'); }

TEST(Progress, WritesALineForEachTenthWithRateAndTimeLeft) {
  std::ostringstream out;
  double now = 100.0;
  Progress progress("run", 1000, out, ProgressMode::kLines, [&] { return now; });
  for (int i = 0; i < 1000; ++i) {
    now += 0.02;
    progress.advance();
  }
  progress.finish();
  EXPECT_EQ(lines(out.str()), 10) << out.str();
  EXPECT_NE(out.str().find("run:  20 % (200 of 1000), 50/s, 16 s left\n"), std::string::npos)
      << out.str();
  EXPECT_NE(out.str().find("run: 1000 done in 20 s, 50/s\n"), std::string::npos) << out.str();
}

TEST(Progress, RewritesOneLineAtMostTenTimesASecondOnATerminal) {
  std::ostringstream out;
  double now = 0.0;
  Progress progress("run", 100'000, out, ProgressMode::kTerminal, [&] { return now; });
  for (int i = 0; i < 100'000; ++i) {
    now += 1e-5;
    progress.advance();
  }
  progress.finish();
  const std::string text = out.str();
  EXPECT_EQ(lines(text), 1);
  EXPECT_LE(std::count(text.begin(), text.end(), '\r'), 11);
  EXPECT_GE(std::count(text.begin(), text.end(), '\r'), 9);
}

TEST(Progress, IsSilentWhenTold) {
  std::ostringstream out;
  {
    Progress progress("run", 10, out, ProgressMode::kSilent);
    progress.advance(10);
    progress.finish();
  }
  EXPECT_EQ(out.str(), "");
}

TEST(Progress, SaysWhereAnAbandonedRunStopped) {
  std::ostringstream out;
  {
    Progress progress("run", 10, out, ProgressMode::kLines, [] { return 0.0; });
    progress.advance(0);
  }
  EXPECT_EQ(out.str(), "run: 0 of 10 stopped after 0.0 s\n");
}

TEST(Progress, EndsOnce) {
  std::ostringstream out;
  {
    Progress progress("run", 1, out, ProgressMode::kLines, [] { return 0.0; });
    progress.advance();
    progress.finish();
    progress.finish();
    progress.advance();
  }
  EXPECT_EQ(out.str(), "run: 1 done in 0.0 s\n");
}

TEST(Progress, CountsWithoutATotal) {
  std::ostringstream out;
  double now = 0.0;
  Progress progress("run", 0, out, ProgressMode::kLines, [&] { return now; });
  progress.advance(50);
  now = 10'000.0;
  progress.finish();
  EXPECT_EQ(out.str(), "run: 50 done in 2 h 46 min, 0.005/s\n");
}

TEST(Progress, CountsStepsOfSeveralThreads) {
  std::ostringstream out;
  Progress progress("run", 2000, out, ProgressMode::kLines, [] { return 0.0; });
  const auto work = [&] {
    for (int i = 0; i < 1000; ++i) progress.advance();
  };
  std::thread first(work);
  std::thread second(work);
  first.join();
  second.join();
  progress.finish();
  EXPECT_TRUE(out.str().ends_with("run: 2000 done in 0.0 s\n")) << out.str();
}

}  // namespace
}  // namespace ovf
