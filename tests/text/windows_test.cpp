#include "text/windows.h"

#include <catch2/catch.hpp>
#include <string>

#include "support/byte_tokenizer.h"
#include "support/failure.h"

using namespace vsr::text;
using vsr::base::Status;
using vsr::test::ByteTokenizer;
using vsr::test::Failure;
using vsr::test::failure_of;

namespace {

const ByteTokenizer kBytes;

WindowedInput read(std::string_view text, size_t limit, size_t max_tokens = 0) {
  return WindowedInput(kBytes, text, nullptr, limit, max_tokens);
}

WindowedInput read_pair(std::string_view text, std::string_view pair, size_t limit, size_t max_tokens = 0) {
  return WindowedInput(kBytes, text, &pair, limit, max_tokens);
}

std::string window_text(const WindowedInput& input, size_t i) {
  return kBytes.decode(input.encode_window(kBytes, i).ids, true);
}

std::vector<std::pair<size_t, size_t>> pairs(const std::vector<TokenRange>& ranges) {
  std::vector<std::pair<size_t, size_t>> result;
  for (const TokenRange& range : ranges) result.emplace_back(range.begin, range.end);
  return result;
}

}  // namespace

TEST_CASE("windows: they start half a window apart and the first that reaches the end is the last", "[text][windows]") {
  using Pairs = std::vector<std::pair<size_t, size_t>>;
  CHECK(pairs(window_ranges(0, 4)) == Pairs{{0, 0}});
  CHECK(pairs(window_ranges(4, 4)) == Pairs{{0, 4}});
  CHECK(pairs(window_ranges(5, 4)) == Pairs{{0, 4}, {2, 5}});
  CHECK(pairs(window_ranges(6, 4)) == Pairs{{0, 4}, {2, 6}});
  CHECK(pairs(window_ranges(7, 4)) == Pairs{{0, 4}, {2, 6}, {4, 7}});
  CHECK(pairs(window_ranges(8, 5)) == Pairs{{0, 5}, {2, 7}, {4, 8}});
  CHECK(pairs(window_ranges(3, 1)) == Pairs{{0, 1}, {1, 2}, {2, 3}});
}

TEST_CASE("windows: for all lengths they cover every token, overlap by at least half and end with the text",
          "[text][windows]") {
  for (size_t capacity = 1; capacity <= 17; ++capacity) {
    for (size_t length = 0; length <= 80; ++length) {
      const auto ranges = window_ranges(length, capacity);
      bool good = ranges.front().begin == 0 && ranges.back().end == length;
      for (size_t i = 0; i + 1 < ranges.size(); ++i) {
        good &= ranges[i].size() == capacity;
        good &= ranges[i + 1].begin == ranges[i].begin + std::max<size_t>(capacity / 2, 1);
        good &= ranges[i + 1].begin <= ranges[i].end && ranges[i].end < length;
      }
      if (!good) FAIL("length " << length << ", capacity " << capacity);
    }
  }
}

TEST_CASE("windows: a text within the limit is one window, whose encoding is the whole one", "[text][windows]") {
  const WindowedInput input = read("abcd", 6);
  CHECK(input.window_count() == 1);
  CHECK(input.token_count() == 6);
  CHECK(input.encoded_size(0) == 6);
  CHECK(input.encode_window(kBytes, 0).ids == input.encode_whole(kBytes).ids);
  CHECK(read("", 2).window_count() == 1);
  CHECK(read("", 2).encoded_size(0) == 2);
}

TEST_CASE("windows: each carries the special tokens and keeps offsets into the whole text", "[text][windows]") {
  const WindowedInput input = read("abcdefg", 6);  // capacity 4
  REQUIRE(input.window_count() == 3);
  CHECK(window_text(input, 0) == "abcd");
  CHECK(window_text(input, 1) == "cdef");
  CHECK(window_text(input, 2) == "efg");
  CHECK(input.token_count() == 9);
  const Encoding last = input.encode_window(kBytes, 2);
  CHECK(last.size() == input.encoded_size(2));
  CHECK(last.ids.front() == ByteTokenizer::kCls);
  CHECK(last.ids.back() == ByteTokenizer::kSep);
  CHECK(last.offsets[1] == Span{4, 5});
  CHECK(last.sides.front() == -1);
  CHECK(input.encode_whole(kBytes).size() == 9);
}

TEST_CASE("windows: of a pair only the longer side is cut, of equals the text", "[text][windows]") {
  const WindowedInput pair_cut = read_pair("ab", "cdefghij", 9);  // 3 specials and "ab" leave 4
  CHECK(pair_cut.windowed_side() == 1);
  REQUIRE(pair_cut.window_count() == 3);
  CHECK(window_text(pair_cut, 0) == "abcdef");
  CHECK(window_text(pair_cut, 1) == "abefgh");
  CHECK(window_text(pair_cut, 2) == "abghij");
  CHECK(pair_cut.token_count() == 13);

  const WindowedInput text_cut = read_pair("cdefghij", "ab", 9);
  CHECK(text_cut.windowed_side() == 0);
  CHECK(window_text(text_cut, 1) == "efghab");
  CHECK(read_pair("abcd", "efgh", 9).windowed_side() == 0);
  CHECK(read_pair("abcd", "efgh", 11).window_count() == 1);
}

TEST_CASE("windows: a shorter side that leaves less than an eighth of the limit is an error", "[text][windows]") {
  // limit 40: 5 tokens must be left beside 3 specials and the shorter side.
  const std::string longer(60, 'x');
  CHECK(read_pair(std::string(32, 'a'), longer, 40).encoded_size(0) == 40);
  const Failure failure = failure_of([&] { read_pair(std::string(33, 'a'), longer, 40); });
  CHECK(failure.status == Status::kLimit);
  CHECK(failure.message ==
        "the shorter side of the pair has 33 tokens, which leaves less than 5 of the model's 40 to the longer one");
}

TEST_CASE("windows: max_tokens rejects instead of cutting, and counts the whole encoding", "[text][windows]") {
  CHECK(read("abcd", 100, 6).token_count() == 6);
  CHECK(failure_of([] { read("abcde", 100, 6); }) == Failure{Status::kLimit, "text has 7 tokens, max_tokens is 6"});
  CHECK(failure_of([] { read_pair("abc", "de", 100, 7); }) ==
        Failure{Status::kLimit, "text has 8 tokens, max_tokens is 7"});
  CHECK(read("abcdefgh", 6, 10).window_count() == 3);
}
