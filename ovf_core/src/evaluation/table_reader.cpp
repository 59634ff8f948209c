#include "evaluation/table_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>

#include "ovf/config/printable.hpp"

namespace ovf {
namespace {

constexpr std::string_view kBlanks = " \t\r";

std::string_view trimmed(std::string_view text) {
  const auto first = text.find_first_not_of(kBlanks);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

std::string shown(std::string_view text) { return printable(text, 20); }

// The whole text as a number.
template <typename Number>
std::optional<Number> parsed(std::string_view text) {
  Number value = 0;
  const char* end = text.data() + text.size();
  const auto [stop, error] = std::from_chars(text.data(), end, value);
  if (error != std::errc() || stop != end) return std::nullopt;
  return value;
}

std::optional<double> parsed_number(std::string_view text) {
  const auto value = parsed<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

constexpr Stamp kSecond = 1'000'000'000;
constexpr Stamp kFarthestSecond = kFarthestStamp / kSecond;

// Digits, a point and digits, without a detour over a double.
std::optional<Stamp> parsed_decimal_seconds(std::string_view text) {
  const bool negative = !text.empty() && text.front() == '-';
  if (negative) text.remove_prefix(1);
  const auto point = std::min(text.find('.'), text.size());
  const std::string_view whole = text.substr(0, point);
  const std::string_view fraction = text.substr(std::min(point + 1, text.size()));
  const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
  if (whole.empty() || whole.size() > 10 || !std::all_of(whole.begin(), whole.end(), is_digit) ||
      !std::all_of(fraction.begin(), fraction.end(), is_digit)) {
    return std::nullopt;
  }
  Stamp stamp = parsed<Stamp>(whole).value_or(0);
  if (stamp >= kFarthestSecond) return std::nullopt;
  for (std::size_t i = 0; i < 9; ++i) {
    stamp = 10 * stamp + (i < fraction.size() ? fraction[i] - '0' : 0);
  }
  if (fraction.size() > 9 && fraction[9] >= '5') ++stamp;
  return negative ? -stamp : stamp;
}

}  // namespace

TableReader::TableReader(std::filesystem::path path, const TableFormat& format,
                         std::vector<std::string> columns)
    : path_(std::move(path)),
      format_(format),
      columns_(std::move(columns)),
      expected_columns_(fmt::format("{}", fmt::join(columns_, ","))) {
  if (format_.further != nullptr) expected_columns_ += std::string(",") + format_.further;
  const auto refuse = [&](const std::string& reason) {
    throw std::runtime_error(fmt::format("{}: {}", path_.string(), reason));
  };
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path_, error);
  if (error) refuse(fmt::format("cannot be read ({})", error.message()));
  if (bytes > kLargestTableBytes) {
    refuse(fmt::format("is larger than {} MiB", kLargestTableBytes >> 20));
  }
  file_.open(path_);
  if (!file_) refuse("cannot be opened");
  if (format_.header != TableFormat::Header::kNone) read_header();
}

bool TableReader::next() {
  do {
    if (!read_line()) return false;
  } while (trimmed(line_text_).empty() || (format_.comments && trimmed(line_text_)[0] == '#'));
  if (++rows_ > kMostTableRows) fail(fmt::format("expected at most {} rows", kMostTableRows));
  split();
  const auto expected = static_cast<int>(columns_.size());
  const bool open_end = format_.further != nullptr;
  if (fields() < expected || (fields() > expected && !open_end)) {
    fail(fmt::format("has {} fields; expected {}{} ({})", fields(), open_end ? "at least " : "",
                     expected, expected_columns_));
  }
  return true;
}

bool TableReader::read_line() {
  if (!std::getline(file_, line_text_)) {
    if (file_.bad()) fail("cannot be read to its end");
    return false;
  }
  ++line_;
  if (line_text_.size() > kLongestTableLine) {
    fail(fmt::format("is longer than {} characters", kLongestTableLine));
  }
  return true;
}

void TableReader::split() {
  fields_.clear();
  std::string_view rest = trimmed(line_text_);
  const std::string_view separators = format_.commas ? "," : kBlanks;
  for (;;) {
    const auto end = std::min(rest.find_first_of(separators), rest.size());
    fields_.push_back(trimmed(rest.substr(0, end)));
    if (end == rest.size()) return;
    rest.remove_prefix(end + 1);
    if (!format_.commas) rest = trimmed(rest);
  }
}

void TableReader::read_header() {
  if (!read_line()) {
    ++line_;
    fail(fmt::format("is missing; expected a header such as {}", expected_columns_));
  }
  split();
  // A header that is missing would cost the first row without a word.
  const bool exact = format_.header == TableFormat::Header::kExact;
  const bool matches = exact ? trimmed(line_text_) == expected_columns_
                             : fields_.size() == columns_.size() && !parsed<double>(fields_[0]);
  if (!matches) {
    fail(fmt::format("is \"{}\"; expected {} {}", shown(line_text_),
                     exact ? "the header" : "a header such as", expected_columns_));
  }
}

double TableReader::number(int column) const {
  const auto value = parsed_number(text(column));
  if (!value) fail(column, "a finite number");
  return *value;
}

int TableReader::integer(int column, int lowest, int highest) const {
  const auto value = parsed_number(text(column));
  if (!value || *value != std::floor(*value) || *value < lowest || *value > highest) {
    fail(column, fmt::format("an integer from {} to {}", lowest, highest));
  }
  return static_cast<int>(*value);
}

Stamp TableReader::nanoseconds(int column) const {
  const auto value = parsed<Stamp>(text(column));
  if (!value || *value < -kFarthestStamp || *value > kFarthestStamp) {
    fail(column, fmt::format("nanoseconds, within {} seconds of zero", kFarthestSecond));
  }
  return *value;
}

Stamp TableReader::seconds(int column) const {
  if (const auto stamp = parsed_decimal_seconds(text(column))) return *stamp;
  const auto value = parsed_number(text(column));
  if (!value || std::abs(*value) > static_cast<double>(kFarthestSecond)) {
    fail(column, fmt::format("a time in seconds, within {} of zero", kFarthestSecond));
  }
  return std::llround(*value * static_cast<double>(kSecond));
}

void TableReader::fail(int column, const std::string& expected) const {
  const auto name = static_cast<std::size_t>(column) < columns_.size()
                        ? columns_[static_cast<std::size_t>(column)]
                        : fmt::format("field {}", column + 1);
  fail(fmt::format("{} is \"{}\"; expected {}", name, shown(text(column)), expected));
}

void TableReader::fail(const std::string& reason) const {
  throw std::runtime_error(fmt::format("{}: line {}: {}", path_.string(), line_, reason));
}

}  // namespace ovf
