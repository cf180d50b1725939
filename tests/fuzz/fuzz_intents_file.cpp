// routing::read_intents: any bytes are a set of intents or an error; an accepted set routes, and written again it reads
// the same.
#include "fuzz_target.h"
#include "routing/intents/intents_file.h"

using namespace vsr;
using routing::IntentsState;
using routing::SavedIntents;

namespace {

constexpr size_t kDim = 2;
const std::string kFingerprint = "model dim=2";

SavedIntents read(std::string_view bytes) { return routing::read_intents(bytes, "f", kFingerprint, kDim); }

std::string sample(routing::NeighbourRule rule) {
  const std::vector<std::string_view> east = {"a", "bb", ""}, north = {"a"};
  const auto state = IntentsState(kDim)
                         .with("east", east, std::vector<float>{1, 0, 0.6f, 0.8f, 0, 0}, 0.5f)
                         .with("north", north, std::vector<float>{0, 1}, {});
  return routing::write_intents({{rule, 3, 0.25f}, kFingerprint, state});
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {sample(routing::NeighbourRule::kVote), sample(routing::NeighbourRule::kBlend),
          routing::write_intents({{}, kFingerprint, IntentsState(kDim)})};
}

int fuzz::runs() { return 20000; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::accept_errors([&] {
    const SavedIntents saved = read(fuzz::text_of(data, size));
    const auto matches = saved.state.match(std::vector<float>{0.6f, 0.8f, 0, 0}, saved.options);
    fuzz::demand(matches.size() == 2, "every text has a match");
    fuzz::demand(matches[0].nearest.empty() == saved.state.intents().empty(), "an intent is found where there is one");
    const std::string written = routing::write_intents(saved);
    fuzz::demand(routing::write_intents(read(written)) == written, "a written set reads the same");
  });
  return 0;
}
