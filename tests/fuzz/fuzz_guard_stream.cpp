// Streams under a guard: any bytes pass unchanged where nothing acts, and any cut gives the same.
#include "chat/sse_reader.h"
#include "fuzz_target.h"
#include "guard/fact_set.h"
#include "guard/stream/stream.h"

using namespace vsr;
using guard::Policy;

namespace {

std::shared_ptr<const guard::FactSet> facts() {
  static const std::string_view text = "The rent is GBP 1,350.";
  static const auto set = guard::FactSet::make({&text, 1}, nullptr, {});
  return set;
}

struct Ran {
  std::string bytes, events;
  bool ended = false, overloaded = false;
  bool operator==(const Ran&) const = default;
};

Ran run(std::string_view body, const guard::StreamOptions& options, size_t piece) {
  guard::Stream stream(facts(), options);
  Ran ran;
  const auto take = [&](const guard::StreamStep& step) {
    ran.bytes += step.forward;
    for (const auto& event : step.events) {
      ran.events += std::to_string(event.begin) + "-" + std::to_string(event.end) + event.text + "\n";
    }
    ran.ended = step.ended;
    ran.overloaded |= step.overloaded;
  };
  for (size_t i = 0; i < body.size(); i += piece) take(stream.feed(body.substr(i, piece)));
  take(stream.finish());
  return ran;
}

}  // namespace

std::vector<std::string> fuzz::seeds() {
  return {"data: {\"choices\":[{\"index\":0,\"delta\":{\"content\":\"The rent is GBP 9.\"}}]}\n\ndata: [DONE]\n\n",
          ": x\r\n\r\nevent: content_block_delta\r\ndata: {\"type\":\"content_block_delta\",\"index\":0,\r\n"
          "data: \"delta\":{\"type\":\"text_delta\",\"text\":\"Rent: GBP 7. Ok? \"}}\r\n\r\n",
          "data: {\"type\":\"response.output_text.delta\",\"delta\":\"GBP 5. The end. \",\"sequence_number\":3}\n\n"
          "data: {\"type\":\"response.output_text.done\",\"text\":\"GBP 5. The end. \",\"sequence_number\":4}\n\n"
          "data: {\"type\":\"response.completed\",\"response\":{\"output\":[]},\"sequence_number\":5}\n\n",
          "The rent is GBP 77. It is due. \xE2\x82\xAC 5 \xF0\x9F",
          "{\"choices\":[{\"message\":{\"content\":\"The rent is GBP 9. Yes.\"}}]}",
          "data: {\"choices\":[{\"text\":\"GBP 3. A\",\"finish_reason\":\"stop\"}]}\r\rdata: {}\r\r"};
}

int fuzz::runs() { return 1500; }

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  if (size < 2) return 0;
  const size_t piece = 1 + data[0] % 16;
  const auto policy = static_cast<Policy>(data[1] % 5);
  const bool hold = (data[1] & 32) != 0, closed = (data[1] & 64) != 0;
  for (const size_t skip : {size_t{0}, size_t{2}}) {  // seeds begin with their text
    const std::string_view body = fuzz::text_of(data + skip, size - skip);
    guard::StreamOptions options{.policy = policy, .hold = hold, .closed = closed, .hold_ms = 0, .event_bytes = 600};
    const Ran whole = run(body, options, body.size() + 1);
    fuzz::demand(run(body, options, piece) == whole, "any cut gives the same");
    options.policy = Policy::kObserve;
    fuzz::demand(run(body, options, piece).bytes == body, "what is observed is unchanged");
    fuzz::demand(policy == Policy::kAnnotate || whole.ended || !whole.events.empty() || whole.bytes == body,
                 "what no policy touches is unchanged");
  }
  return 0;
}
