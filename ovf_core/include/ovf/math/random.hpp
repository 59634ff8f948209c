#pragma once

#include <Eigen/Core>
#include <array>
#include <bit>
#include <cstdint>

#include "ovf/math/archive.hpp"

namespace ovf {

/// A seeded random stream (xoshiro256++ and the ziggurat): the same seed and stream number give the
/// same draws on every platform. Each purpose takes a stream of its own, so that adding draws for
/// one never changes another.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0);

  // This and uniform() are inline so that a loop of draws keeps the state in registers.
  std::uint64_t bits() {
    const std::uint64_t result = std::rotl(state_[0] + state_[3], 23) + state_[0];
    const std::uint64_t t = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= t;
    state_[3] = std::rotl(state_[3], 45);
    return result;
  }
  /// Uniform on [0, 1).
  double uniform() { return static_cast<double>(bits() >> 11) * 0x1p-53; }
  /// Uniform on {0, ..., count - 1}; count must be positive.
  int uniform_index(int count);
  double normal();

  void fill_normal(Eigen::Ref<Eigen::MatrixXd> out);
  /// Column i + N/2 is minus column i: odd moments of the sample vanish. An odd last column is
  /// free.
  void fill_normal_antithetic(Eigen::Ref<Eigen::MatrixXd> out);

  void archive(Archive& archive);

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace ovf
