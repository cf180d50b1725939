// text::compile_regex: any expression is compiled or refused, and its matches are in order, whole characters, and the
// same in the text and in a part of it. The first line is the expression, the rest the text.
#include "base/utf8.h"
#include "fuzz_target.h"
#include "text/regex/match_work.h"
#include "text/regex/pattern.h"

using namespace vsr;
using text::Span;

namespace {

constexpr size_t kSteps = 20'000;

void check(const text::Pattern& pattern, std::string_view text) {
  const text::MatchWork work(kSteps);
  std::vector<Span> matches;
  pattern.find(text, 7, matches);
  size_t done = 7;
  const auto is_boundary = [&](size_t at) { return at == text.size() || (text[at] & 0xC0) != 0x80; };
  for (const Span match : matches) {
    fuzz::demand(done <= match.begin && match.begin < match.end, "matches are in order, and none is empty");
    fuzz::demand(match.end - 7 <= text.size(), "matches lie in the text");
    fuzz::demand(is_boundary(match.begin - 7) && is_boundary(match.end - 7), "matches are whole characters");
    done = match.end;
  }
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {"'s|'t|'re| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|\\s+(?!\\S)|\\s+\nHello  it's 12 caf\xC3\xA9!\n",
          "(?i:'s|'t)|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}|\\s*[\\r\\n]+\n1234 'S x\xE4\xBD\xA0\r\n",
          "\\p{N}{1,3}(?=(?:\\p{N}{3})*(?!\\p{N}))|[\xE4\xB8\x80-\xE9\xBE\xA5]+|(?<!a)b++\n1234567 bb ab",
          "(?:a|(?:b|cd)*e){2,5}?|(?>x+)y|[a-c[^\\d\\W]]|^\\x{41}|z$\nabcdeaxxy A zz",
          "(a|ab)(c|bcd)*(d|$)|\\u4e2d|[^\\p{^Lu}]|.\nabcdabd \xE4\xB8\xAD"};
}

int fuzz::runs() { return 40000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const size_t line = std::min(input.find('\n'), input.size());
  const base::CleanText text(input.substr(std::min(line + 1, input.size())).substr(0, 200));
  const base::JsonValue where = base::parse_json("0", "r.json");
  fuzz::accept_errors([&] {
    const auto pattern = text::compile_regex(std::string(input.substr(0, line)), where);
    fuzz::accept_errors([&] { check(*pattern, text.view()); });
  });
  return 0;
}
