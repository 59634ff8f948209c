#pragma once

#include <Eigen/Core>
#include <array>
#include <cstdint>

namespace ovf {

/// A seeded random stream (xoshiro256++ and the ziggurat): the same seed and stream number give the
/// same draws on every platform. Each purpose takes a stream of its own, so that adding draws for
/// one never changes another.
class RandomStream {
 public:
  explicit RandomStream(std::uint64_t seed, std::uint64_t stream = 0);

  std::uint64_t bits();
  /// Uniform on [0, 1).
  double uniform();
  /// Uniform on {0, ..., count - 1}; count must be positive.
  int uniform_index(int count);
  double normal();

  void fill_normal(Eigen::Ref<Eigen::MatrixXd> out);
  /// Column i + N/2 is minus column i: odd moments of the sample vanish. An odd last column is
  /// free.
  void fill_normal_antithetic(Eigen::Ref<Eigen::MatrixXd> out);

 private:
  std::array<std::uint64_t, 4> state_{};
};

}  // namespace ovf
