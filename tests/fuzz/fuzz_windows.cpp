// text::WindowedInput: windows of any text, pair and limit cover every token within the limit, or are refused.
#include "fuzz_target.h"
#include "support/byte_tokenizer.h"
#include "text/windows.h"

using namespace vsr;

namespace {

void check(const text::WindowedInput& input, const text::Tokenizer& tokenizer, size_t limit) {
  const size_t whole = input.encode_whole(tokenizer, true).size();
  fuzz::demand(whole == input.token_count(), "token_count is the whole encoding's");
  size_t covered = 0;
  for (size_t i = 0; i < input.window_count(); ++i) {
    const text::TokenRange range = input.range(i);
    fuzz::demand(range.begin <= covered && range.end >= covered, "windows leave no gap and go on");
    covered = range.end;
    fuzz::demand(input.encoded_size(i) <= limit || input.window_count() == 1, "a window fits the limit");
    fuzz::demand(input.encode_window(tokenizer, i).size() == input.encoded_size(i), "encoded_size is the window's");
  }
  fuzz::demand(input.window_count() > 1 || input.encoded_size(0) == whole, "one window is the whole");
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {std::string("\x00\x10\x00\x05", 4) + std::string(60, 'a'),
          std::string("\x00\x28\x01\x20", 4) + std::string(90, 'b'), std::string("\x00\x03\x00\x00", 4) + "abc"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::Bytes bytes(data, size);
  const size_t limit = 3 + bytes.below(600);  // an engine refuses limits without room for a token
  const size_t split = bytes.below(size + 1);
  const std::string_view all = fuzz::text_of(data, size).substr(0, 4000);
  const std::string_view text = all.substr(0, split), pair = all.substr(std::min(split, all.size()));
  const test::ByteTokenizer tokenizer;
  fuzz::accept_errors([&] { check({tokenizer, text, nullptr, limit, 0}, tokenizer, limit); });
  fuzz::accept_errors([&] { check({tokenizer, text, &pair, limit, 0}, tokenizer, limit); });
  fuzz::accept_errors([&] { check({tokenizer, text, &pair, limit, bytes.below(700)}, tokenizer, limit); });
  return 0;
}
