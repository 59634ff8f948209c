#include "ovf/filter/replay_memory.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "math/random_inputs.hpp"

namespace ovf {
namespace {

constexpr int kDim = 2;

// Example k has k in its inputs and in the mean of its target.
void add(ReplayMemory& memory, int k) {
  memory.add(Eigen::VectorXd::Constant(3, k),
             {Eigen::VectorXd::Constant(kDim, k), CovarianceFactor(kDim, CovarianceForm::kFull)});
}

// What many draws find.
std::set<int> found_in(const ReplayMemory& memory) {
  RandomStream random(171);
  std::set<int> found;
  for (int i = 0; i < 200; ++i) {
    const ReplayMemory::Example& example = memory.draw(random);
    EXPECT_EQ(example.inputs.size(), 3);
    if (example.inputs.size() != 3) return {};
    EXPECT_EQ(example.target.mean, example.inputs.head(kDim));
    found.insert(static_cast<int>(example.inputs[0]));
  }
  return found;
}

bool has_three(const Eigen::VectorXd& inputs) { return inputs.size() == 3; }

Archive::Bytes bytes_of(ReplayMemory& memory) {
  Archive::Bytes bytes;
  Archive archive = Archive::writer(bytes);
  memory.archive(archive, kDim, CovarianceForm::kFull, has_three);
  return bytes;
}

void read(ReplayMemory& memory, const Archive::Bytes& bytes,
          CovarianceForm form = CovarianceForm::kFull) {
  Archive archive = Archive::reader(bytes);
  memory.archive(archive, kDim, form, has_three);
  archive.finish();
}

std::set<int> from_to(int first, int last) {
  std::set<int> all;
  for (int k = first; k <= last; ++k) all.insert(k);
  return all;
}

/// Whether they forget the beginning.
class ReplayMemories : public testing::TestWithParam<bool> {};

INSTANTIATE_TEST_SUITE_P(, ReplayMemories, testing::Bool(), [](const auto& tested) {
  return tested.param ? "ForgetTheBeginning" : "KeepAll";
});

TEST_P(ReplayMemories, AreEmptyUntilSomethingIsAdded) {
  ReplayMemory memory(4, GetParam());
  EXPECT_TRUE(memory.empty());
  add(memory, 1);
  EXPECT_FALSE(memory.empty());
  EXPECT_EQ(found_in(memory), (std::set<int>{1}));
}

TEST_P(ReplayMemories, HoldTheNewest) {
  for (const int capacity : {1, 2, 3, 6, 13}) {
    ReplayMemory memory(capacity, GetParam());
    for (int k = 1; k <= 30; ++k) {
      add(memory, k);
      const std::set<int> found = found_in(memory);
      EXPECT_EQ(found, from_to(*found.begin(), k)) << k << " of " << capacity;
      const double share = GetParam() ? 2.0 / 3.0 : 1.0;
      const double expected = std::min(share * k, 1.0 * capacity);
      EXPECT_NEAR(static_cast<double>(found.size()), expected, GetParam() ? 2.0 : 0.0)
          << k << " of " << capacity;
    }
  }
}

TEST_P(ReplayMemories, WithoutCapacityRememberNothing) {
  ReplayMemory memory(0, GetParam());
  add(memory, 1);
  EXPECT_TRUE(memory.empty());
  read(memory, bytes_of(memory));
  EXPECT_TRUE(memory.empty());
}

TEST_P(ReplayMemories, ContinueIdenticallyFromTheirBytes) {
  for (const int before : {0, 1, 3, 4, 5, 8}) {
    ReplayMemory memory(4, GetParam());
    for (int k = 1; k <= before; ++k) add(memory, k);
    const Archive::Bytes bytes = bytes_of(memory);
    // Into a new one, and into one that is full of other steps.
    ReplayMemory fresh(4, GetParam());
    ReplayMemory used(4, GetParam());
    for (int k = 100; k < 107; ++k) add(used, k);
    read(fresh, bytes);
    read(used, bytes);
    EXPECT_EQ(bytes_of(fresh), bytes);
    for (int k = 20; k < 27; ++k) {
      add(memory, k);
      add(fresh, k);
      add(used, k);
      ASSERT_EQ(bytes_of(fresh), bytes_of(memory)) << k << " after " << before;
      ASSERT_EQ(bytes_of(used), bytes_of(memory)) << k << " after " << before;
    }
  }
}

// Trained with one capacity, continued with a larger one.
TEST_P(ReplayMemories, FillTheRoomThatALargerOneHas) {
  for (int before = 3; before < 12; ++before) {
    ReplayMemory memory(3, GetParam());
    for (int k = 1; k <= before; ++k) add(memory, k);
    ReplayMemory larger(6, GetParam());
    read(larger, bytes_of(memory));
    EXPECT_EQ(found_in(larger), found_in(memory));
    for (int k = before + 1; k <= before + 8; ++k) {
      add(larger, k);
      const std::set<int> found = found_in(larger);
      EXPECT_EQ(found, from_to(*found.begin(), k));
    }
    EXPECT_EQ(found_in(larger).size(), 6U);
  }
}

TEST_P(ReplayMemories, RefuseBytesThatTheyCannotUse) {
  ReplayMemory memory(3, GetParam());
  for (int k = 1; k <= 4; ++k) add(memory, k);
  const Archive::Bytes bytes = bytes_of(memory);
  ReplayMemory smaller(2, GetParam());
  EXPECT_PRED2(test::contains, test::message_of([&] { read(smaller, bytes); }),
               "remembered steps: expected an integer from 0 to 2, not 3");
  ReplayMemory same(3, GetParam());
  EXPECT_PRED2(test::contains,
               test::message_of([&] { read(same, bytes, CovarianceForm::kDiagonal); }),
               "remembered posterior: expected a covariance of the same form");
  memory.add(Eigen::VectorXd::Zero(4), standard_gaussian(kDim, CovarianceForm::kFull));
  EXPECT_PRED2(test::contains, test::message_of([&] { read(same, bytes_of(memory)); }),
               "inputs of a remembered step: expected as many numbers as the network takes");
}

}  // namespace
}  // namespace ovf
