// Where a request goes, and why.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "routing/rewrite/request_headers.h"
#include "routing/signals/signal.h"

namespace vsr::routing {

// Numbers equal VSR_OUTCOME_...
enum class RouteOutcome : int32_t { kNone = 0, kForward = 1, kRespond = 2, kCached = 3, kPassthrough = 4 };
const char* outcome_name(RouteOutcome outcome);

struct EvaluatedSignal {
  std::string name;  // "type:name"
  SignalValue value;
  double milliseconds = 0;
};

struct AnswerGuards;

// Where the answer of a request belongs in the response cache.
struct CacheTicket;

class RequestMask;

struct Routed {
  RouteOutcome outcome = RouteOutcome::kNone;
  std::string recipe;  // by which it was decided; empty: the file's own routing
  std::optional<std::string> decision;
  double confidence = 0;
  std::optional<std::string> model;
  std::optional<std::string> lora;
  bool reasoning = false;
  std::optional<std::string> effort;
  std::string request;
  std::string response;
  std::string held_back;  // a cached answer that was not given
  std::vector<EvaluatedSignal> signals;
  std::vector<HeaderChange> headers;
  std::string plan;         // JSON: what the gateway does besides one call to the model; empty: nothing
  std::string explanation;  // JSON; empty unless asked for
  std::shared_ptr<const CacheTicket> ticket;
  std::shared_ptr<const AnswerGuards> answer;  // what is asked of the model's answer; null: nothing
  std::shared_ptr<const RequestMask> mask;     // of `request`, which holds placeholders; null: nothing is masked
  uint64_t replay = 0;                         // its record (replay_log.h); 0: none
};

}  // namespace vsr::routing
