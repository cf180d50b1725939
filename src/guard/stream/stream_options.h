// What is done about an answer, and how its stream is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "chat/answers/answer_format.h"
#include "guard/event.h"
#include "guard/mask/mask.h"

namespace vsr::guard {

enum class Policy : uint8_t {
  kObserve,   // nothing is changed
  kAnnotate,  // an event `vsr.guard` in the stream, and a summary at its end, where the format allows it
  kWarn,      // a marker after the claim
  kReplace,   // another text in the claim's place; holds
  kTerminate  // the answer ends before the claim, or where it is found
};
enum class StreamFormat : uint8_t { kAuto, kSse, kText, kJson };

struct StreamOptions {
  Policy policy = Policy::kObserve;
  std::optional<Policy> safety_policy = std::nullopt;  // of pii and jailbreak events; absent: `policy`
  StreamFormat format = StreamFormat::kAuto;
  std::string question = {};
  bool hold = false;                // a claim leaves only when it is checked
  bool closed = false;              // what cannot be checked ends the answer; else it passes, flagged
  bool grounding = true;            // text lanes against the facts
  bool pii = false;                 // personal data by its form
  std::string pii_task = {};        // and by a task for entities; empty: not asked
  std::string jailbreak_task = {};  // a classification; empty: not asked
  float threshold = 0;              // least score that is acted upon
  float safety_threshold = 0.5F;    // least score of pii and jailbreak events
  int64_t deadline_ms = 0;          // of all checks, for each piece; 0: none
  size_t hold_bytes = size_t{1} << 20;
  int64_t hold_ms = 10'000;
  size_t event_bytes = size_t{1} << 20;  // of one server-sent event
  size_t body_bytes = size_t{8} << 20;   // of an answer that is no stream
  std::string marker = " [unverified]";
  // Placeholders are put back (mask/mask.h); null: there are none. Only what may begin one is held.
  std::shared_ptr<const Restoring> restoring = nullptr;
  std::string replacement = "[removed: not supported by the facts]";
};

struct StreamEvent : Event {
  chat::LaneKey lane = {};
  std::string text = {};   // what is wrong
  std::string claim = {};  // where it was found
};

inline Policy safety_policy(const StreamOptions& options) { return options.safety_policy.value_or(options.policy); }
inline bool does(const StreamOptions& options, Policy policy) {
  return options.policy == policy || safety_policy(options) == policy;
}
inline bool only_observes(const StreamOptions& options) {
  return !options.restoring && options.policy == Policy::kObserve && safety_policy(options) == Policy::kObserve;
}
// Nothing of the answer's own text is ever changed.
inline bool changes_no_text(const StreamOptions& options) {
  return !does(options, Policy::kWarn) && !does(options, Policy::kReplace) && !does(options, Policy::kTerminate);
}

// What came of one piece.
struct StreamStep {
  std::string forward = {};  // bytes to send on
  std::vector<StreamEvent> events = {};
  size_t checked = 0;       // bytes of the answer's text that are judged; never goes back
  bool ended = false;       // nothing more is sent on: cancel upstream
  bool overloaded = false;  // some of this piece went, or was stopped, unchecked
};

}  // namespace vsr::guard
