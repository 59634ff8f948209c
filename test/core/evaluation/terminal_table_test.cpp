#include "ovf/evaluation/terminal_table.hpp"

#include <gtest/gtest.h>

namespace ovf {
namespace {

TEST(TerminalTable, AlignsTextLeftAndNumbersRightByCharacters) {
  const Table table{"Errors",
                    "Mean ± standard error.",
                    {"Method", "RMSE", "Time"},
                    {{"OVF", "0.1 ± 0.02", "41 µs"}, {"Kalman", "−1.25", "105 ms"}}};
  EXPECT_EQ(terminal_table(table),
            "Errors\n"
            "\n"
            "Method        RMSE    Time\n"
            "──────  ──────────  ──────\n"
            "OVF     0.1 ± 0.02   41 µs\n"
            "Kalman       −1.25  105 ms\n"
            "\n"
            "Mean ± standard error.\n");
}

TEST(TerminalTable, AcceptsRowsThatEndEarlyOrGoOn) {
  const Table table{"", "", {"A", "B"}, {{"x"}, {"y", "z", "more"}}};
  EXPECT_EQ(terminal_table(table),
            "A  B\n"
            "─  ─  ────\n"
            "x\n"
            "y  z  more\n");
}

TEST(TerminalTable, CountsCombiningAccentsAsNothing) {
  const Table table{"", "", {}, {{"e\xCC\x81", "b"}, {"é", "b"}, {"ee", "b"}}};
  EXPECT_EQ(terminal_table(table), "e\xCC\x81   b\né   b\nee  b\n");
}

TEST(TerminalTable, LetsNoControlCharacterThrough) {
  const Table table{"", "", {}, {{"a\x1b[31m\nb", "c"}}};
  EXPECT_EQ(terminal_table(table), "a\\x1b[31m\\x0ab  c\n");
}

TEST(TerminalTable, OfNothingIsEmpty) { EXPECT_EQ(terminal_table({}), ""); }

}  // namespace
}  // namespace ovf
