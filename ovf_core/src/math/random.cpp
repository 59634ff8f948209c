#include "ovf/math/random.hpp"

#include <algorithm>
#include <cmath>

namespace ovf {
namespace {

// Seeds the 256-bit state from two words (splitmix64).
std::uint64_t splitmix(std::uint64_t& word) {
  word += 0x9e3779b97f4a7c15ULL;
  std::uint64_t z = word;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

// The ziggurat of Marsaglia and Tsang (2000) with 128 layers of equal area, in doubles.
class Ziggurat {
 public:
  static constexpr int kLayers = 128;
  static constexpr double kTailStart = 3.442619855899;
  static constexpr double kLayerArea = 9.91256303526217e-3;

  Ziggurat() {
    const auto density = [](double x) { return std::exp(-0.5 * x * x); };
    edge_[0] = kLayerArea / density(kTailStart);
    edge_[1] = kTailStart;
    for (int i = 2; i < kLayers; ++i) {
      edge_[i] = std::sqrt(-2.0 * std::log(kLayerArea / edge_[i - 1] + density(edge_[i - 1])));
    }
    edge_[kLayers] = 0.0;
    for (int i = 0; i <= kLayers; ++i) density_[i] = density(edge_[i]);
  }

  double draw(RandomStream& random) const {
    for (;;) {
      const std::uint64_t bits = random.bits();
      const auto layer = static_cast<int>(bits & (kLayers - 1));
      // 53 high bits as a number in [-1, 1).
      const double u = static_cast<double>(bits >> 11) * 0x1p-52 - 1.0;
      const double x = u * edge_[layer];
      if (std::abs(x) < edge_[layer + 1]) return x;
      if (layer == 0) return tail(random, u < 0.0);
      const double height =
          density_[layer] + random.uniform() * (density_[layer + 1] - density_[layer]);
      if (height < std::exp(-0.5 * x * x)) return x;
    }
  }

 private:
  static double tail(RandomStream& random, bool negative) {
    for (;;) {
      const double x = -std::log1p(-random.uniform()) / kTailStart;
      const double y = -std::log1p(-random.uniform());
      if (2.0 * y > x * x) return negative ? -(kTailStart + x) : kTailStart + x;
    }
  }

  std::array<double, kLayers + 1> edge_{};
  std::array<double, kLayers + 1> density_{};
};

// Built at the first use: streams may be drawn from before main().
const Ziggurat& ziggurat() {
  static const Ziggurat kTables;
  return kTables;
}

}  // namespace

RandomStream::RandomStream(std::uint64_t seed, std::uint64_t stream) {
  std::uint64_t word = seed;
  word = splitmix(word) ^ (stream * 0xd1342543de82ef95ULL);
  for (auto& s : state_) s = splitmix(word);
}

int RandomStream::uniform_index(int count) {
  return static_cast<int>(uniform() * static_cast<double>(count));
}

double RandomStream::normal() { return ziggurat().draw(*this); }

void RandomStream::fill_normal(Eigen::Ref<Eigen::MatrixXd> out) {
  const Ziggurat& tables = ziggurat();
  RandomStream local = *this;  // kept in registers; `out` might alias the state
  for (Eigen::Index j = 0; j < out.cols(); ++j) {
    for (Eigen::Index i = 0; i < out.rows(); ++i) out(i, j) = tables.draw(local);
  }
  *this = local;
}

void RandomStream::fill_normal_antithetic(Eigen::Ref<Eigen::MatrixXd> out) {
  const Eigen::Index half = out.cols() / 2;
  fill_normal(out.leftCols(half));
  out.middleCols(half, half) = -out.leftCols(half);
  if (out.cols() % 2 == 1) fill_normal(out.rightCols(1));
}

void RandomStream::archive(Archive& archive) {
  for (auto& word : state_) archive.bits("random stream", word);
  const auto zero = [](std::uint64_t word) { return word == 0; };
  // From zeros it would never come away.
  archive.require(!std::all_of(state_.begin(), state_.end(), zero), "random stream",
                  "a word that is not 0");
}

}  // namespace ovf
