// facts::veto: any two texts have a verdict, the same in both directions, and no text conflicts with itself. An input
// is two texts with a byte 1 between them.
#include "facts/cache_veto.h"
#include "fuzz_target.h"

using namespace vsr;

std::vector<std::string> fuzz::seeds() {
  return {
      "How do I transfer 200 $ from savings to checking?\1How do I move two hundred dollars to checking, Bob's one?",
      "log out of the \"portal\"\1log in to the portal, don't you", "der Hund beißt\1ein Mann von 5 km, nicht 6",
      "東京タワーはどこ\1東京ホテルはない", "a_b c++ GPT4 os.path\1A. B! unfold fold folding"};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view bytes = fuzz::text_of(data, size);
  const size_t between = std::min(bytes.find('\1'), bytes.size());
  const auto one = facts::veto_terms(bytes.substr(0, between));
  const auto other = facts::veto_terms(bytes.substr(std::min(between + 1, bytes.size())));
  const auto there = facts::veto(one, other), back = facts::veto(other, one);
  fuzz::demand(there.has_value() == back.has_value(), "the verdict is the same in both directions");
  fuzz::demand(!there || there->doubt == back->doubt, "a doubt is one in both directions");
  fuzz::demand(!there || !there->reason.empty(), "a verdict has a reason");
  for (const auto& terms : {one, other}) {
    const auto self = facts::veto(terms, terms);
    fuzz::demand(!self || self->doubt, "no text conflicts with itself");
    fuzz::demand(terms.bytes() <= 160 * size + 4096, "what is kept of a text is bounded by it");
  }
  return 0;
}
