// base::utf8: repaired text is well-formed, positions map back in order, and nothing is repaired twice.
#include "base/utf8.h"
#include "fuzz_target.h"

using namespace vsr;

std::vector<std::string> fuzz::seeds() {
  return {"plain", "caf\xC3\xA9 \xE4\xBD\xA0 \xF0\x9F\x99\x82", "\xFF\xFE\xE2\x82\xED\xA0\x80\xF4\x90\x80\x80",
          std::string("nul\0inside", 10)};
}

int fuzz::runs() { return 50000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text = fuzz::text_of(data, size);
  const base::CleanText clean(text);
  const std::string_view view = clean.view();
  fuzz::demand((clean.replaced_bytes() == 0) == (view == text), "what is well-formed stays");
  fuzz::demand(base::CleanText(view).replaced_bytes() == 0, "a repaired text is well-formed");
  size_t before = 0;
  for (size_t at = 0; at < view.size();) {
    const base::Decoded character = base::decode_utf8(view.substr(at));
    const size_t original = clean.to_original(at);
    fuzz::demand(at == 0 ? original == 0 : original > before, "positions map back in order");
    before = original;
    at += character.size;
  }
  fuzz::demand(clean.to_original(view.size()) == size, "the end maps to the end");
  return 0;
}
