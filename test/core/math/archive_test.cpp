#include "ovf/math/archive.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <stdexcept>

#include "math/random_inputs.hpp"
#include "ovf/math/adam.hpp"
#include "ovf/math/checksum.hpp"
#include "ovf/math/gaussian.hpp"
#include "ovf/math/quadratic_functions.hpp"
#include "ovf/math/random.hpp"

namespace ovf {
namespace {

enum class Colour { kRed, kGreen, kBlue };

struct Everything {
  bool flag = false;
  int small = 0;
  std::int64_t large = 0;
  std::uint64_t bits = 0;
  double number = 0.0;
  Colour colour = Colour::kRed;
  std::string text;
  Eigen::VectorXd vector;
  Eigen::MatrixXf matrix;
  std::optional<double> present, absent = 1.0;

  void archive(Archive& archive) {
    archive.flag("flag", flag);
    archive.integer("small", small, -10, 10);
    archive.integer("large", large, std::numeric_limits<std::int64_t>::min(),
                    std::numeric_limits<std::int64_t>::max());
    archive.bits("bits", bits);
    archive.number("number", number);
    archive.choice("colour", colour, Colour::kBlue);
    archive.text("text", text, 20);
    archive.vector("vector", vector, Archive::kAnySize);
    archive.matrix("matrix", matrix, 2, 3);
    const auto number_of = [&](double& value) { archive.number("optional", value); };
    archive.optional("present", present, number_of);
    archive.optional("absent", absent, number_of);
  }
};

Everything example() {
  Everything e;
  e.flag = true;
  e.small = -7;
  e.large = -(std::int64_t{1} << 60);
  e.bits = ~std::uint64_t{0};
  e.number = -0.0;
  e.colour = Colour::kBlue;
  e.text = std::string("a\0b", 3);
  e.vector = Eigen::Vector3d(1.0, std::numeric_limits<double>::denorm_min(), -1e300);
  e.matrix = Eigen::MatrixXf::Random(2, 3);
  e.present = 2.5;
  e.absent.reset();
  return e;
}

template <typename Value>
Archive::Bytes bytes_of(Value value) {
  Archive::Bytes bytes;
  Archive archive = Archive::writer(bytes);
  value.archive(archive);
  return bytes;
}

// Why the bytes are refused; empty if they are not.
template <typename Function>
std::string refusal(const Archive::Bytes& bytes, const Function& read) {
  try {
    Archive archive = Archive::reader(bytes);
    read(archive);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return {};
}

TEST(Archive, BringsEveryKindOfValueBackBitForBit) {
  const Archive::Bytes bytes = bytes_of(example());
  Everything read;
  Archive archive = Archive::reader(bytes);
  read.archive(archive);
  archive.finish();
  EXPECT_EQ(bytes_of(read), bytes);
  EXPECT_EQ(read.small, -7);
  EXPECT_TRUE(std::signbit(read.number));
  EXPECT_EQ(read.text, example().text);
  EXPECT_EQ(read.vector, example().vector);
  EXPECT_EQ(read.present, 2.5);
  EXPECT_FALSE(read.absent.has_value());
}

TEST(Archive, IsLittleEndianWithoutPadding) {
  Archive::Bytes bytes;
  Archive archive = Archive::writer(bytes);
  bool flag = true;
  int integer = 258;
  archive.flag("flag", flag);
  archive.integer("integer", integer, 0, 1000);
  const Archive::Bytes expected{std::byte{1}, std::byte{2}, std::byte{1}, {}, {}, {}, {}, {}, {}};
  EXPECT_EQ(bytes, expected);
}

TEST(Archive, AllocatesNothingOnceTheCapacitySuffices) {
  Archive::Bytes bytes = bytes_of(example());
  const std::byte* data = bytes.data();
  bytes.clear();
  Archive archive = Archive::writer(bytes);
  example().archive(archive);
  EXPECT_EQ(bytes.data(), data);
}

TEST(Archive, RefusesEveryTruncationAndWhatIsLeftOver) {
  const Archive::Bytes bytes = bytes_of(example());
  for (std::size_t length = 0; length < bytes.size(); ++length) {
    Everything read;
    Archive archive = Archive::reader({bytes.data(), length});
    EXPECT_THROW(read.archive(archive), std::invalid_argument) << length;
  }
  Archive::Bytes longer = bytes;
  longer.push_back({});
  Everything read;
  Archive archive = Archive::reader(longer);
  read.archive(archive);
  EXPECT_THROW(archive.finish(), std::invalid_argument);
}

TEST(Archive, SaysWhatWasExpected) {
  const auto written = [](const auto& write) {
    Archive::Bytes bytes;
    Archive archive = Archive::writer(bytes);
    write(archive);
    return bytes;
  };
  int five = 5;
  const auto integer = written([&](Archive& a) { a.integer("n", five, 0, 9); });
  EXPECT_PRED2(test::contains,
               refusal(integer, [&](Archive& a) { a.integer("count", five, 0, 4); }),
               "count: expected an integer from 0 to 4, not 5");
  EXPECT_PRED2(test::contains, refusal(integer, [&](Archive& a) { a.expect("count", 7); }),
               "count: expected 7, not 5");
  Eigen::MatrixXd matrix = Eigen::MatrixXd::Ones(2, 3);
  const auto sized = written([&](Archive& a) { a.matrix("m", matrix, 2, 3); });
  EXPECT_PRED2(test::contains,
               refusal(sized, [&](Archive& a) { a.matrix("gain", matrix, Archive::kAnySize, 4); }),
               "gain: expected any x 4 numbers, not 2 x 3");
  std::string text = "abc";
  const auto named = written([&](Archive& a) { a.text("t", text, 9); });
  EXPECT_PRED2(test::contains, refusal(named, [&](Archive& a) { a.text("reason", text, 2); }),
               "reason: expected at most 2 characters, not 3");
}

// A length of four thousand million numbers must not be believed.
TEST(Archive, RefusesLengthsBeyondItsEndBeforeItAllocates) {
  Archive::Bytes bytes(24, std::byte{0xff});
  Eigen::MatrixXd matrix;
  std::string text;
  EXPECT_PRED2(
      test::contains,
      refusal(bytes,
              [&](Archive& a) { a.matrix("m", matrix, Archive::kAnySize, Archive::kAnySize); }),
      "16 bytes are left");
  EXPECT_PRED2(test::contains,
               refusal(bytes, [&](Archive& a) { a.text("t", text, ~std::size_t{0}); }),
               "16 are left");
  EXPECT_EQ(matrix.size(), 0);
}

TEST(Archive, RefusesEmptyMatricesThatHaveColumns) {
  Archive::Bytes bytes;
  Archive writer = Archive::writer(bytes);
  Eigen::MatrixXd matrix(0, 4'000'000'000);
  writer.matrix("m", matrix, Archive::kAnySize, Archive::kAnySize);
  EXPECT_PRED2(
      test::contains,
      refusal(bytes,
              [&](Archive& a) { a.matrix("m", matrix, Archive::kAnySize, Archive::kAnySize); }),
      "0 x 0 of them, not 0 x 4000000000");
}

TEST(Archive, ChecksValuesOnlyForAReader) {
  Archive::Bytes bytes;
  double nan = std::numeric_limits<double>::quiet_NaN();
  Archive writer = Archive::writer(bytes);
  const auto finite = [&](Archive& archive) {
    archive.number("x", nan);
    archive.require_finite("x", nan);
  };
  finite(writer);
  EXPECT_PRED2(test::contains, refusal(bytes, finite), "x: expected a finite number");
  Archive memory = Archive::memory_reader(bytes);
  EXPECT_NO_THROW(finite(memory));
}

TEST(Archive, SealsAgainstEveryFlippedBit) {
  Archive::Bytes bytes;
  Everything value = example();
  Archive writer = Archive::writer(bytes);
  writer.sealed("all", [&] { value.archive(writer); });
  const auto read = [&](Archive& archive) {
    Everything out;
    archive.sealed("all", [&] { out.archive(archive); });
    archive.finish();
  };
  EXPECT_EQ(refusal(bytes, read), "");
  for (std::size_t i = 0; i < 8 * bytes.size(); ++i) {
    Archive::Bytes damaged = bytes;
    damaged[i / 8] ^= std::byte{1} << (i % 8);
    EXPECT_NE(refusal(damaged, read), "") << "bit " << i;
  }
}

TEST(Checksum, SeesEveryBitAndEveryLength) {
  for (const std::size_t size : {0U, 1U, 7U, 8U, 31U, 32U, 33U, 100U}) {
    const Archive::Bytes zeros(size);
    EXPECT_NE(checksum(zeros), checksum(Archive::Bytes(size + 1)));
    for (std::size_t i = 0; i < 8 * size; ++i) {
      Archive::Bytes flipped = zeros;
      flipped[i / 8] ^= std::byte{1} << (i % 8);
      EXPECT_NE(checksum(flipped), checksum(zeros));
    }
  }
}

TEST(Archive, ContinuesARandomStream) {
  RandomStream stream(5);
  stream.normal();
  const Archive::Bytes bytes = bytes_of(stream);
  RandomStream other(6);
  Archive archive = Archive::reader(bytes);
  other.archive(archive);
  EXPECT_EQ(other.bits(), stream.bits());
  EXPECT_PRED2(test::contains, refusal(Archive::Bytes(32), [&](Archive& a) { other.archive(a); }),
               "not 0");
}

TEST(Archive, ContinuesAdam) {
  Adam adam(2), other(2);
  Eigen::VectorXd x = Eigen::Vector2d(1.0, 2.0), y = x;
  adam.step(Eigen::Vector2d(0.3, -4.0), 0.1, x);
  y = x;
  const Archive::Bytes bytes = bytes_of(adam);
  Archive archive = Archive::reader(bytes);
  other.archive(archive);
  adam.step(Eigen::Vector2d(1.0, 1.0), 0.1, x);
  other.step(Eigen::Vector2d(1.0, 1.0), 0.1, y);
  EXPECT_EQ(x, y);
}

TEST(Archive, KeepsTheFormOfACovarianceAndRefusesWhatIsNone) {
  for (const auto form : {CovarianceForm::kDiagonal, CovarianceForm::kFull}) {
    CovarianceFactor factor(3, form, 2.0);
    if (form == CovarianceForm::kFull) factor.lower()(2, 0) = 0.25;
    Archive::Bytes bytes;
    Archive writer = Archive::writer(bytes);
    factor.archive(writer, 3);
    CovarianceFactor read(3, CovarianceForm::kFull, 1.0);
    read.lower()(1, 0) = 7.0;
    Archive reader = Archive::reader(bytes);
    read.archive(reader, 3);
    EXPECT_EQ(read.form(), form);
    EXPECT_EQ(read.lower(), factor.lower());

    for (const double bad : {0.0, -1.0, std::numeric_limits<double>::quiet_NaN()}) {
      factor.lower()(1, 1) = bad;
      bytes.clear();
      Archive again = Archive::writer(bytes);
      factor.archive(again, 3);
      EXPECT_PRED2(test::contains, refusal(bytes, [&](Archive& a) { read.archive(a, 3); }),
                   "covariance factor: expected");
    }
    EXPECT_PRED2(test::contains, refusal(bytes, [&](Archive& a) { read.archive(a, 2); }),
                 "covariance dimension: expected 2, not 3");
  }
}

TEST(Archive, KeepsQuadraticFunctions) {
  QuadraticFunctions functions(2, 3);
  functions.constant().setRandom();
  functions.linear().setRandom();
  functions.quadratic().setRandom();
  const Archive::Bytes bytes = bytes_of(functions);
  QuadraticFunctions read(2, 3), other(3, 3);
  Archive archive = Archive::reader(bytes);
  read.archive(archive);
  EXPECT_EQ(read.constant(), functions.constant());
  EXPECT_EQ(read.linear(), functions.linear());
  EXPECT_EQ(read.quadratic(), functions.quadratic());
  EXPECT_PRED2(test::contains, refusal(bytes, [&](Archive& a) { other.archive(a); }),
               "linear terms: expected 3 x 3 numbers, not 2 x 3");
}

}  // namespace
}  // namespace ovf
