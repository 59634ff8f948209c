#include "ovf/config/printable.hpp"

#include <gtest/gtest.h>

namespace ovf {
namespace {

TEST(Printable, EscapesWhatATerminalActsOn) {
  EXPECT_EQ(printable("a\x1b[31m\x07\nb\r\tc\x7f"), "a\\x1b[31m\\x07\\x0ab\\x0d\\x09c\\x7f");
  EXPECT_EQ(printable(std::string_view("\0", 1)), "\\x00");
  // Beyond ASCII: the control sequence introducer in one character, and as a byte that is no UTF-8.
  EXPECT_EQ(printable("\xc2\x9b"
                      "2J"),
            "\\xc2\\x9b2J");
  EXPECT_EQ(printable("\x9b"
                      "2J"),
            "\\x9b2J");
  // What turns the direction of writing, or ends a line.
  EXPECT_EQ(printable("\u202egpj.exe\u2028"), "\\xe2\\x80\\xaegpj.exe\\xe2\\x80\\xa8");
}

TEST(Printable, LeavesTextAsItIs) {
  EXPECT_EQ(printable("/camera/imäge ±1σ ─"), "/camera/imäge ±1σ ─");
  EXPECT_EQ(printable(""), "");
}

TEST(Printable, CutsBetweenCharacters) {
  EXPECT_EQ(printable(std::string(300, 'x')), std::string(200, 'x') + "...");
  EXPECT_EQ(printable("aéé", 2), "a...");
  EXPECT_EQ(printable("aé", 3), "aé");
}

TEST(Printable, LinesOfForeignTextDoNotLookLikeLinesOfTheProgram) {
  EXPECT_EQ(printable_lines("topic /a\nresult: /etc\x1b[2J has no type"),
            "topic /a\n  result: /etc\\x1b[2J has no type");
  EXPECT_EQ(printable_lines("one\n"), "one");
}

}  // namespace
}  // namespace ovf
