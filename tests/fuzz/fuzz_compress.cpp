// routing::compress: of any bytes, within any budget, what is kept are ranges in order that fit.
#include "fuzz_target.h"
#include "routing/compress/compress.h"

using namespace vsr;

namespace {

void check(std::string_view text, const routing::CompressOptions& options) {
  const routing::Compressed result = routing::compress(text, options);
  std::string joined;
  size_t end = 0;
  for (const auto& [first, last] : result.kept) {
    fuzz::demand(first >= end && last > first && last <= text.size(), "ranges are in order, disjoint and not empty");
    if (!joined.empty()) joined += '\n';
    joined += text.substr(first, last - first);
    end = last;
  }
  fuzz::demand(result.text == joined, "the text is what the ranges say");
  fuzz::demand(result.text.empty() || result.tokens_after <= options.max_tokens, "the budget holds");
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {std::string("\x00\x05\x00\x02\x00\x09\x00", 7) +
              "# Title\n\nThe cat sat. Why? Mr. X said \"no.\" 42.\n\n- one\n- two",
          std::string("\x00\x09\x00\x02\x00\x01\x01", 7) +
              "```c\nint x;\n```\n{\"a\": [1, \"}\"]}\n\n你好。你是谁？ ภาษาไทย ภาษาไทย",
          std::string("\x00\x40\x00\x00\x00\x00\x02", 7) + std::string(300, 'a') + "\nпривет. Как дела?\n\n\n"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Bytes bytes(data, size);
  const size_t limit = bytes.below(200);
  const size_t first = bytes.below(size + 1), last = bytes.below(size + 1);
  const unsigned kind = bytes.next() % 3;
  const std::string_view all = fuzz::text_of(data, size);
  const std::string_view text = all.substr(std::min<size_t>(7, size));
  routing::CompressOptions options{.max_tokens = limit, .protected_ranges = {{first, last}, {0, first}}};
  if (kind == 1) options.focus = 0.6;
  if (kind == 2) options.count_tokens = [](std::string_view part) { return part.size() / 3; };
  fuzz::accept_errors([&] { check(text, options); });
  options.protected_ranges.clear();
  fuzz::accept_errors([&] { check(text, options); });
  return 0;
}
