#include "display_width.h"

#include <catch2/catch.hpp>
#include <string>

using namespace vsr::cli;

TEST_CASE("display_width: a cell for a letter, two for wide characters and emoji, none for marks", "[cli]") {
  CHECK(display_width("") == 0);
  CHECK(display_width("where is my card?") == 17);
  CHECK(display_width("caf\u00e9") == 4);
  CHECK(display_width("cafe\u0301") == 4);
  CHECK(display_width("\u6211\u60f3\u9884\u8ba2") == 8);                    // Chinese
  CHECK(display_width("\uc548\ub155") == 4);                                // Hangul syllables
  CHECK(display_width("\U0001F621") == 2);                                  // a face
  CHECK(display_width("\u2614") == 2);                                      // umbrella, an emoji by itself
  CHECK(display_width("\u2764\ufe0f") == 2);                                // a heart that asks to be an emoji
  CHECK(display_width("\U0001F44D\U0001F3FD") == 2);                        // with a skin tone
  CHECK(display_width("\U0001F468\u200D\U0001F469\u200D\U0001F467") == 2);  // a family of three
  CHECK(display_width("\U0001F1F5\U0001F1F9") == 2);                        // a flag
  CHECK(display_width("\U0001F1F5\U0001F1F9\U0001F1F3\U0001F1F4") == 4);
}

TEST_CASE("for_display: what does not fit ends in an ellipsis and keeps within the cells", "[cli]") {
  CHECK(for_display("question", 8) == "question");
  CHECK(for_display("questions", 8) == "questio\u2026");
  CHECK(for_display("questions", 1) == "\u2026");
  CHECK(for_display("questions", 0) == "");
  CHECK(for_display("\u6211\u60f3\u9884\u8ba2", 5) == "\u6211\u60f3\u2026");
  CHECK(for_display("\u6211\u60f3\u9884\u8ba2", 6) == "\u6211\u60f3\u2026");
  CHECK(for_display("ab\U0001F468\u200D\U0001F469\u200D\U0001F467", 3) == "ab\u2026");
}

TEST_CASE("for_display: nothing that steers a terminal gets through", "[cli]") {
  CHECK(for_display("a\x1b[31mb", 80) == "a [31mb");
  CHECK(for_display("a\r\nb\tc", 80) == "a  b c");
  CHECK(for_display(std::string("a\0b", 3), 80) == "a b");
  CHECK(for_display("a\u202eb\u2066c", 80) == "abc");
  CHECK(for_display("a\u009bb\u2028c", 80) == "a b c");
}

TEST_CASE("for_display: ill-formed UTF-8 is shown as U+FFFD", "[cli]") {
  CHECK(for_display("a\xff"
                    "b",
                    80) ==
        "a\ufffd"
        "b");
  CHECK(for_display("\xe6\x88", 80) == "\ufffd\ufffd");
  CHECK(display_width("\xff\xfe") == 2);
}

TEST_CASE("for_display: a text without an end of marks is cut", "[cli]") {
  std::string marks = "a";
  for (int i = 0; i < 1000000; ++i) marks += "\u0301";
  CHECK(for_display(marks, 10).size() < 100);
  std::string invisible;
  for (int i = 0; i < 1000000; ++i) invisible += "\u200b";
  CHECK(for_display(invisible, 10).size() < 1000);
}

TEST_CASE("padded: fills up to the cells on the side that the alignment leaves free", "[cli]") {
  CHECK(padded("ab", 4) == "ab  ");
  CHECK(padded("ab", 4, Align::kRight) == "  ab");
  CHECK(padded("\u6211", 4) == "\u6211  ");
  CHECK(padded("abcde", 4) == "abcde");
}
