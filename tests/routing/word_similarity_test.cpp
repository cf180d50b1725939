#include "routing/signals/word_similarity.h"

#include <algorithm>
#include <catch2/catch.hpp>
#include <random>

using namespace vsr::routing;

namespace {

size_t edit_distance(const std::u32string& a, const std::u32string& b) {
  std::vector<std::vector<size_t>> d(a.size() + 1, std::vector<size_t>(b.size() + 1));
  for (size_t i = 0; i <= a.size(); ++i) {
    for (size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        d[i][j] = i + j;
        continue;
      }
      d[i][j] = std::min({d[i - 1][j] + 1, d[i][j - 1] + 1, d[i - 1][j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
    }
  }
  return d[a.size()][b.size()];
}

}  // namespace

TEST_CASE("word similarity: the band agrees with the whole table", "[routing]") {
  std::mt19937 random(11);
  const auto word = [&] {
    std::u32string text(random() % 9, U' ');
    for (char32_t& c : text) c = U'a' + random() % 3;
    return text;
  };
  for (int round = 0; round < 20000; ++round) {
    const std::u32string a = word(), b = word();
    const size_t limit = random() % 6;
    REQUIRE(within_edit_distance(a, b, limit) == (edit_distance(a, b) <= limit));
  }
}

TEST_CASE("word similarity: edits count characters, not bytes", "[routing]") {
  CHECK(within_edit_distance(code_points("срочно"), code_points("срачно"), 1));
  CHECK(within_edit_distance(code_points("😀a"), code_points("😁a"), 1));
  CHECK_FALSE(within_edit_distance(code_points("ab"), code_points("ba"), 1));
}

TEST_CASE("word similarity: short words allow fewer edits", "[routing]") {
  CHECK(allowed_edits(2, 5) == 0);
  CHECK(allowed_edits(3, 5) == 1);
  CHECK(allowed_edits(5, 5) == 1);
  CHECK(allowed_edits(6, 5) == 2);
  CHECK(allowed_edits(9, 2) == 2);
  CHECK(allowed_edits(9, 0) == 0);
}

TEST_CASE("word similarity: n-grams are a multiset between blanks", "[routing]") {
  const auto similarity = [](std::u32string_view a, std::u32string_view b, size_t n) {
    return Ngrams(a, n).similarity(Ngrams(b, n));
  };
  CHECK(similarity(U"urgent", U"urgent", 3) == 1);
  CHECK(similarity(U"urgent", U"urgently", 3) == Approx(6.0 / 12));  // 8 and 10 trigrams, 6 shared
  CHECK(similarity(U"aa", U"aaa", 1) == Approx(2.0 / 3));
  CHECK(similarity(U"abc", U"xyz", 2) == 0);
  CHECK(similarity(U"", U"", 1) == 0);
}
