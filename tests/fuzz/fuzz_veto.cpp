// routing::veto: any two texts conflict or do not, the same way round and back, and no text conflicts with itself. A NUL
// or the middle divides the input.
#include "fuzz_target.h"
#include "routing/facts/cache_veto.h"

using namespace vsr;

std::vector<std::string> fuzz::seeds() {
  const auto pair = [](std::string_view a, std::string_view b) {
    return std::string(a).append(1, '\0').append(b);
  };
  return {pair("Transfer 1,000.50 EUR from Alice to Bob", "transfer 1000.5 euros from Bob to Alice"),
          pair("How do I enable GPT4 in os.path?", "How do I disable gpt-4 in os.path, please"),
          pair("It isn't 5 km or twenty-two miles", "It is 5 kilometers, not 22 mi"),
          pair("Wie hoch ist die Dosis f\xC3\xBCr Kinder?", "Wie hoch ist die Dosis f\xC3\xBCr Erwachsene?"),
          pair("\"Quoted Name\" snake_case a@b.c \xE3\x82\xAB\xE3\x83\xBC\xE3\x83\x89 -3e5 1/2 50%", "never NONE of 0x1F")};
}

int fuzz::runs() { return 40000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view input = fuzz::text_of(data, size);
  const size_t nul = input.find('\0');
  const size_t middle = nul == std::string_view::npos ? size / 2 : nul;
  const routing::VetoTerms left = routing::veto_terms(input.substr(0, middle));
  const routing::VetoTerms right = routing::veto_terms(input.substr(nul == middle ? middle + 1 : middle));
  const auto conflict = routing::veto(left, right);
  fuzz::demand(!conflict || !conflict->empty(), "a conflict has a reason");
  fuzz::demand(conflict.has_value() == routing::veto(right, left).has_value(), "a conflict is one both ways");
  fuzz::demand(!routing::veto(left, left) && !routing::veto(right, right), "no text conflicts with itself");
  fuzz::demand(left.bytes() >= left.words.size() * sizeof(uint64_t), "terms count their memory");
  return 0;
}
