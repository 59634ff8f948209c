#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <vector>

#include "ovf/config/printable.hpp"
#include "ovf/recording/recording_info.hpp"

namespace ovf {
namespace {

constexpr std::size_t kLongestLine = 2000;
constexpr std::size_t kColumns = 6;
using Row = std::array<std::string, kColumns>;

// Characters, not bytes (UTF-8).
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xc0U) != 0x80U;
  }));
}

std::string size_text(std::uint64_t bytes) {
  constexpr std::array<const char*, 4> kUnits{"kB", "MB", "GB", "TB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double value = static_cast<double>(bytes) / 1e3;
  std::size_t unit = 0;
  for (; value >= 1e3 && unit + 1 < kUnits.size(); ++unit) value /= 1e3;
  return fmt::format("{:.1f} {}", value, kUnits[unit]);
}

Row row_of(const TopicInfo& topic, const RecordingInfo& info) {
  Row row{printable(topic.name), printable(topic.type), fmt::format("{}", topic.count)};
  if (topic.rate > 0.0) row[3] = fmt::format("{:.2f}", topic.rate);
  if (topic.longest_gap > 0.0) {
    const auto since_start = static_cast<std::uint64_t>(topic.longest_gap_start) -
                             static_cast<std::uint64_t>(info.first_time);
    row[4] = fmt::format("{:.3f}", topic.longest_gap);
    row[5] = fmt::format("{:.3f}", static_cast<double>(since_start) * 1e-9);
  }
  return row;
}

std::string table_text(const std::vector<Row>& rows) {
  constexpr std::size_t kFirstNumber = 2;
  std::array<std::size_t, kColumns> widths{};
  for (const Row& row : rows) {
    for (std::size_t j = 0; j < kColumns; ++j) widths[j] = std::max(widths[j], width_of(row[j]));
  }
  std::string text;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    std::string line;
    std::string rule;
    for (std::size_t j = 0; j < kColumns; ++j) {
      const std::string padding(widths[j] - width_of(rows[i][j]), ' ');
      if (j > 0) line += "  ";
      line += j >= kFirstNumber ? padding + rows[i][j] : rows[i][j] + padding;
      if (j > 0) rule += "  ";
      for (std::size_t k = 0; k < widths[j]; ++k) rule += "─";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    text += line + '\n';
    if (i == 0) text += rule + '\n';
  }
  return text;
}

}  // namespace

std::string utc_text(std::int64_t nanoseconds) {
  using std::chrono::days;
  const std::chrono::sys_time<std::chrono::nanoseconds> time{std::chrono::nanoseconds(nanoseconds)};
  const auto day = std::chrono::floor<days>(time);
  const std::chrono::year_month_day date(day);
  // The first day of all begins before the first nanosecond of all: no subtraction of time points.
  constexpr std::int64_t kDay = 86'400'000'000'000;
  const std::int64_t in_day = (nanoseconds % kDay + kDay) % kDay;
  const std::int64_t second = in_day / 1'000'000'000;
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}.{:09}Z", static_cast<int>(date.year()),
                     static_cast<unsigned>(date.month()), static_cast<unsigned>(date.day()),
                     second / 3600, second / 60 % 60, second % 60, in_day % 1'000'000'000);
}

std::string to_text(const RecordingInfo& info) {
  std::string text =
      fmt::format("recording  {} ({} {}, {})\n", printable(info.path, kLongestLine), info.files,
                  info.files == 1 ? "file" : "files", size_text(info.bytes));
  if (info.count > 0) {
    text += fmt::format("start      {}\nend        {}\nduration   {:.3f} s\n",
                        utc_text(info.first_time), utc_text(info.last_time), info.duration);
  }
  text += fmt::format("messages   {}\n", info.count);
  std::vector<Row> rows{{"topic", "type", "messages", "rate [Hz]", "longest gap [s]", "after [s]"}};
  for (const TopicInfo& topic : info.topics) rows.push_back(row_of(topic, info));
  if (rows.size() > 1) text += fmt::format("\n{}", table_text(rows));
  if (!info.warnings.empty()) text += '\n';
  for (const std::string& warning : info.warnings) {
    text += fmt::format("warning: {}\n", printable(warning, kLongestLine));
  }
  return text;
}

}  // namespace ovf
