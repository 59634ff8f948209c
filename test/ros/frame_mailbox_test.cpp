#include "ovf_ros/camera/frame_mailbox.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>
#include <vector>

#include "ovf_ros/camera/fair_mutex.hpp"

namespace ovf_ros {
namespace {

Frame frame(ovf::Stamp stamp, const std::vector<double>& speeds = {}) {
  Frame out;
  out.stamp = stamp;
  for (const double speed : speeds) out.controls.emplace_back(speed, 0.0);
  return out;
}

TEST(FrameMailbox, GivesEachFrameOnce) {
  FrameMailbox mailbox;
  EXPECT_FALSE(mailbox.put(frame(1)));
  EXPECT_EQ(mailbox.take()->stamp, 1);
  EXPECT_FALSE(mailbox.put(frame(2)));
  EXPECT_EQ(mailbox.take()->stamp, 2);
}

TEST(FrameMailbox, TellsOfAFrameThatNobodySaw) {
  FrameMailbox mailbox;
  EXPECT_FALSE(mailbox.put(frame(1)));
  EXPECT_TRUE(mailbox.put(frame(2)));
  EXPECT_TRUE(mailbox.put(frame(3)));
  EXPECT_EQ(mailbox.take()->stamp, 3);
  EXPECT_FALSE(mailbox.put(frame(4)));
}

TEST(FrameMailbox, KeepsTheControlsOfFramesThatAreReplaced) {
  FrameMailbox mailbox;
  mailbox.put(frame(1, {1.0, 2.0}));
  mailbox.put(frame(2, {3.0}));
  const auto taken = mailbox.take();
  ASSERT_EQ(taken->controls.size(), 3U);
  for (int i = 0; i < 3; ++i) {
    EXPECT_EQ(taken->controls[static_cast<std::size_t>(i)].x(), i + 1.0);
  }
}

TEST(FrameMailbox, BoundsTheControlsAndKeepsTheNewest) {
  FrameMailbox mailbox;
  const int count = 5000;
  for (int i = 0; i < count; ++i) mailbox.put(frame(i, {static_cast<double>(i)}));
  const auto taken = mailbox.take();
  EXPECT_LE(taken->controls.size(), kMostControls);
  EXPECT_EQ(taken->controls.back().x(), count - 1.0);
}

TEST(FrameMailbox, GivesNothingOnceClosed) {
  FrameMailbox mailbox;
  mailbox.put(frame(1));
  mailbox.close();
  EXPECT_FALSE(mailbox.take());
  EXPECT_FALSE(mailbox.put(frame(2)));
  EXPECT_FALSE(mailbox.take());
}

TEST(FrameMailbox, EndsTheWaitWhenClosed) {
  FrameMailbox mailbox;
  std::thread waiting([&] { EXPECT_FALSE(mailbox.take()); });
  std::this_thread::sleep_for(std::chrono::milliseconds(20));
  mailbox.close();
  waiting.join();
}

TEST(FrameMailbox, LosesNoFrameUncountedBetweenThreads) {
  FrameMailbox mailbox;
  const int count = 20'000;
  int taken = 0;
  ovf::Stamp last = -1;
  std::thread worker([&] {
    while (const auto next = mailbox.take()) {
      EXPECT_GT(next->stamp, last);
      last = next->stamp;
      ++taken;
      if (last == count - 1) break;
    }
  });
  int replaced = 0;
  for (int i = 0; i < count; ++i) replaced += mailbox.put(frame(i)) ? 1 : 0;
  worker.join();
  EXPECT_EQ(last, count - 1);
  EXPECT_EQ(taken + replaced, count);
}

TEST(FairMutex, LetsOthersInWhileAThreadLocksItAgainAndAgain) {
  FairMutex mutex;
  std::atomic<bool> is_over = false;
  std::atomic<int> rounds = 0;
  std::thread greedy([&] {
    while (!is_over) {
      const std::lock_guard lock(mutex);
      ++rounds;
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  while (rounds == 0) std::this_thread::yield();
  int longest_wait = 0;
  for (int i = 0; i < 50; ++i) {
    const int before = rounds;
    const std::lock_guard lock(mutex);
    longest_wait = std::max(longest_wait, rounds - before);
  }
  is_over = true;
  greedy.join();
  // Whoever waits is the next, or the one after: a thread may lose the processor before it asks.
  EXPECT_LE(longest_wait, 5);
}

}  // namespace
}  // namespace ovf_ros
