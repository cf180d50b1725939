#include "guard/checks/spelling.h"

#include <algorithm>
#include <array>
#include <string>
#include <vector>

#include "base/utf8.h"

namespace vsr::guard {
namespace {

constexpr size_t kLongest = 48;

std::vector<char32_t> letters_of(std::string_view text) {
  std::vector<char32_t> letters;
  while (!text.empty() && letters.size() < kLongest) {
    const base::Decoded c = base::decode_utf8(text);
    letters.push_back(c.code_point);
    text.remove_prefix(c.size);
  }
  return letters;
}

char32_t without_umlaut(char32_t c) { return c == U'ä' ? U'a' : c == U'ö' ? U'o' : c == U'ü' ? U'u' : c; }

}  // namespace

size_t edit_distance(std::string_view first, std::string_view second, size_t most) {
  const auto a = letters_of(first), b = letters_of(second);
  if ((a.size() > b.size() ? a.size() - b.size() : b.size() - a.size()) > most) return most + 1;
  std::array<std::array<size_t, kLongest + 1>, 3> rows{};
  for (size_t j = 0; j <= b.size(); ++j) rows[0][j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    auto& row = rows[i % 3];
    const auto& above = rows[(i + 2) % 3];
    const auto& before = rows[(i + 1) % 3];
    row[0] = i;
    size_t least = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({above[j] + 1, row[j - 1] + 1, above[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) row[j] = std::min(row[j], before[j - 2] + 1);
      least = std::min(least, row[j]);
    }
    if (least > most) return most + 1;
  }
  return rows[a.size() % 3][b.size()];
}

bool inflection(std::string_view first, std::string_view second) {
  const auto a = letters_of(first), b = letters_of(second);
  size_t common = 0;
  while (common < a.size() && common < b.size() &&
         (a[common] == b[common] || (without_umlaut(a[common]) == without_umlaut(b[common]) && a.size() != b.size())))
    ++common;
  if (common < 3) return false;
  static constexpr std::u32string_view kEndings[] = {
      U"",    U"s",    U"es",    U"e",      U"en",  U"n",    U"er",  U"ern", U"em",    U"ed",
      U"d",   U"ing",  U"in",    U"innen",  U"ish", U"ian",  U"an",  U"ese", U"ic",    U"al",
      U"ly",  U"isch", U"ische", U"ischen", U"ais", U"aise", U"ois", U"ien", U"ienne", U"x",
      U"aux", U"ns",   U"ans",   U"ians",   U"y",   U"ies",  U"st",  U"t",   U"ers",   U"or",
      U"ion", U"ung",  U"ungen", U"ment",   U"se",  U"sen",  U"ée",  U"é",   U"és"};
  const auto is_ending = [&](const std::vector<char32_t>& word) {
    const std::u32string_view rest(word.data() + common, word.size() - common);
    return std::find(std::begin(kEndings), std::end(kEndings), rest) != std::end(kEndings);
  };
  return is_ending(a) && is_ending(b) && std::min(a.size(), b.size()) >= 3 && a.size() != b.size();
}

bool near_miss(std::string_view a, std::string_view b) {
  if (a == b) return false;
  const size_t length = std::min(letters_of(a).size(), letters_of(b).size());
  if (length < 3) return false;
  const size_t most = length >= 7 ? 2 : 1;
  return edit_distance(a, b, most) <= most && !inflection(a, b);
}

}  // namespace vsr::guard
