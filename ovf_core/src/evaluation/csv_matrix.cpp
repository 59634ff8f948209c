#include "ovf/evaluation/csv_matrix.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <fstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "ovf/config/printable.hpp"

namespace ovf {
namespace {

constexpr std::uintmax_t kLargestFile = std::uintmax_t{1} << 30;

[[noreturn]] void fail(const std::filesystem::path& path, const std::string& reason) {
  throw std::runtime_error(fmt::format("{}: {}", path.string(), reason));
}

// One number of a row, with the spaces around it; moves `at` behind it.
double parse_number(const std::filesystem::path& path, int line, const char*& at, const char* end) {
  while (at != end && *at == ' ') ++at;
  double value = 0.0;
  const auto [stop, error] = std::from_chars(at, end, value);
  if (error != std::errc() || !std::isfinite(value)) {
    const std::string_view rest(at, static_cast<std::size_t>(end - at));
    fail(path, fmt::format("line {}: \"{}\" is not a finite number", line, printable(rest, 20)));
  }
  at = stop;
  while (at != end && (*at == ' ' || *at == '\r')) ++at;
  return value;
}

}  // namespace

Eigen::MatrixXd read_csv_matrix(const std::filesystem::path& path) {
  std::error_code error;
  const auto bytes = std::filesystem::file_size(path, error);
  if (error) fail(path, fmt::format("cannot be read ({})", error.message()));
  if (bytes > kLargestFile) fail(path, "is larger than 1 GiB");
  std::ifstream file(path);
  if (!file) fail(path, "cannot be opened");

  std::vector<double> numbers;
  Eigen::Index rows = 0;
  std::size_t columns = 0;
  std::string text;
  for (int line = 1; std::getline(file, text); ++line) {
    if (text.empty() || text == "\r") continue;
    const std::size_t before = numbers.size();
    const char* at = text.data();
    const char* end = at + text.size();
    for (;;) {
      numbers.push_back(parse_number(path, line, at, end));
      if (at == end) break;
      if (*at++ != ',') fail(path, fmt::format("line {}: expected a comma", line));
    }
    const std::size_t count = numbers.size() - before;
    if (rows == 0) columns = count;
    if (count != columns) {
      fail(path, fmt::format("line {} has {} numbers; expected {}", line, count, columns));
    }
    ++rows;
  }
  if (rows == 0) fail(path, "is empty");
  using RowMajor = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  return Eigen::Map<const RowMajor>(numbers.data(), rows, static_cast<Eigen::Index>(columns));
}

}  // namespace ovf
