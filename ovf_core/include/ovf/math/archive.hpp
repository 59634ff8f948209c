#pragma once

#include <Eigen/Core>
#include <bit>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace ovf {

/// The state of objects as bytes. One function serves both ways:
///     void Point::archive(Archive& archive) {
///       archive.number("x", x_);
///       archive.number("y", y_);
///     }
/// Reading checks every length, and throws std::invalid_argument that names the value and says what
/// was expected; what was read up to there has changed by then. Numbers are little-endian, of fixed
/// width, and come back bit for bit.
class Archive {
 public:
  using Bytes = std::vector<std::byte>;
  /// Stands for any size of a vector or matrix.
  static constexpr Eigen::Index kAnySize = -1;

  /// Appends to the bytes; allocates nothing once their capacity suffices.
  static Archive writer(Bytes& bytes) { return {&bytes, {}, false}; }
  static Archive reader(std::span<const std::byte> bytes) { return {nullptr, bytes, true}; }
  /// For what this process wrote itself: lengths are checked, values are not, so that every state
  /// comes back, be it as odd as it may.
  static Archive memory_reader(std::span<const std::byte> bytes) { return {nullptr, bytes, false}; }

  bool reading() const { return out_ == nullptr; }
  /// Whether the values that are read are checked.
  bool checking() const { return checking_; }

  void flag(const char* name, bool& value);
  /// Any double, NaN and infinities too.
  void number(const char* name, double& value) { plain(name, value); }
  void bits(const char* name, std::uint64_t& value) { plain(name, value); }
  /// Reading refuses what lies outside [lowest, highest].
  template <std::integral Integer>
  void integer(const char* name, Integer& value, std::type_identity_t<Integer> lowest,
               std::type_identity_t<Integer> highest) {
    auto wide = static_cast<std::int64_t>(value);
    plain(name, wide);
    if (!reading()) return;
    check_range(name, wide, static_cast<std::int64_t>(lowest), static_cast<std::int64_t>(highest));
    value = static_cast<Integer>(wide);
  }
  /// An enumerator; they count from 0 to `last`.
  template <typename Enum>
  void choice(const char* name, Enum& value, Enum last) {
    auto number = static_cast<int>(value);
    integer(name, number, 0, static_cast<int>(last));
    value = static_cast<Enum>(number);
  }
  /// Reading refuses more than `longest` characters.
  void text(const char* name, std::string& value, std::size_t longest);

  /// With its size; reading refuses any other than the given one.
  template <typename Derived>
  void matrix(const char* name, Eigen::PlainObjectBase<Derived>& value, Eigen::Index rows,
              Eigen::Index cols) {
    using Scalar = typename Derived::Scalar;
    static_assert(std::is_floating_point_v<Scalar> && !Derived::IsRowMajor);
    Eigen::Index value_rows = value.rows();
    Eigen::Index value_cols = value.cols();
    size(name, value_rows, value_cols, rows, cols, sizeof(Scalar));
    if (reading()) value.resize(value_rows, value_cols);
    raw(name, value.data(), static_cast<std::size_t>(value.size()) * sizeof(Scalar));
  }
  template <typename Derived>
  void vector(const char* name, Eigen::PlainObjectBase<Derived>& value, Eigen::Index length) {
    matrix(name, value, length, 1);
  }
  /// Numbers whose count both sides know.
  void numbers(const char* name, std::span<double> values) {
    raw(name, values.data(), values.size_bytes());
  }

  /// `archive_value(value)` archives the value, if there is one.
  template <typename Value, typename Function>
  void optional(const char* name, std::optional<Value>& value, const Function& archive_value) {
    bool present = value.has_value();
    flag(name, present);
    if (!present) {
      value.reset();
    } else {
      archive_value(value ? *value : value.emplace());
    }
  }

  /// A number that must be the same where it is read: sizes, settings.
  void expect(const char* name, std::int64_t value);
  /// A reader refuses a state for which this does not hold; a memory_reader and a writer take it.
  void require(bool holds, const char* name, const char* expected) const {
    if (checking_ && !holds) refuse(name, expected);
  }
  template <typename Derived>
  void require_finite(const char* name, const Eigen::DenseBase<Derived>& value) const {
    if (checking_ && !value.allFinite()) refuse(name, "finite numbers");
  }
  void require_finite(const char* name, double value) const {
    require(std::isfinite(value), name, "a finite number");
  }

  /// What `body` archives, with length and checksum: damaged bytes are refused before any is read.
  template <typename Body>
  void sealed(const char* name, const Body& body) {
    const std::size_t mark = open_seal(name);
    body();
    close_seal(name, mark);
  }
  /// Reading refuses bytes that are left over.
  void finish() const;

 private:
  static_assert(std::endian::native == std::endian::little && sizeof(double) == 8);

  Archive(Bytes* out, std::span<const std::byte> in, bool checking)
      : out_(out), in_(in), checking_(checking) {}

  template <typename Value>
  void plain(const char* name, Value& value) {
    raw(name, &value, sizeof(Value));
  }
  void raw(const char* name, void* data, std::size_t count) {
    if (count == 0) return;
    if (!reading()) {
      const auto* bytes = static_cast<const std::byte*>(data);
      out_->insert(out_->end(), bytes, bytes + count);
      return;
    }
    if (count > in_.size() - at_) refuse_end(name, count);
    std::memcpy(data, in_.data() + at_, count);
    at_ += count;
  }
  void size(const char* name, Eigen::Index& rows, Eigen::Index& cols, Eigen::Index expected_rows,
            Eigen::Index expected_cols, std::size_t entry);
  void check_range(const char* name, std::int64_t value, std::int64_t lowest,
                   std::int64_t highest) const;
  /// Returns where the body starts if it is written, where it ends if it is read.
  std::size_t open_seal(const char* name);
  void close_seal(const char* name, std::size_t mark);
  [[noreturn]] void refuse(const char* name, const std::string& expected) const;
  [[noreturn]] void refuse_end(const char* name, std::size_t count) const;

  Bytes* out_;
  std::span<const std::byte> in_;
  bool checking_;
  std::size_t at_ = 0;  // where the next value is read
};

}  // namespace ovf
