// vsr/guard.h: facts, and guards of streams over them.
#include "vsr/guard.h"

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "c_api/boundary.h"
#include "c_api/guard_handle.h"
#include "c_api/handles.h"
#include "c_api/views.h"
#include "engine/inference/engine_inference.h"
#include "guard/fact_set.h"
#include "guard/stream/stream.h"

using vsr::guard::FactSet;
using vsr::guard::Stream;
using vsr::guard::StreamOptions;
using vsr::guard::StreamStep;

// Moved, never copied: `views` point to the strings of `step`.
struct vsr_guard_step {
  explicit vsr_guard_step(StreamStep made) : step(std::move(made)) {
    views.reserve(step.events.size());
    for (const vsr::guard::StreamEvent& from : step.events) {
      vsr_guard_event& to = views.emplace_back(vsr::c_api::sized<vsr_guard_event>());
      to.kind = static_cast<int32_t>(from.kind);
      to.start = from.begin;
      to.end = from.end;
      to.claim_start = from.claim_begin;
      to.claim_end = from.claim_end;
      to.text = vsr::c_api::view(from.text);
      to.claim = vsr::c_api::view(from.claim);
      to.score = from.score;
      to.fact = from.fact;
      to.milliseconds = from.milliseconds;
      to.choice = from.lane.choice;
      to.field = static_cast<int32_t>(from.lane.field);
      to.index = from.lane.index;
    }
  }
  vsr_guard_step(vsr_guard_step&&) = default;

  StreamStep step;
  std::vector<vsr_guard_event> views;
};

using vsr::c_api::read_guard_options;

namespace {

using vsr::base::fail;
using vsr::base::Status;
using vsr::c_api::guard;
using vsr::c_api::guard_new;
using vsr::c_api::optional_string;
using vsr::c_api::read_bool;
using vsr::c_api::read_text;
using vsr::c_api::require;
using vsr::guard::EventKind;
using vsr::guard::Policy;
using vsr::guard::StreamFormat;

static_assert(static_cast<int32_t>(Policy::kTerminate) == VSR_POLICY_TERMINATE);
static_assert(static_cast<int32_t>(StreamFormat::kJson) == VSR_STREAM_JSON);
static_assert(static_cast<int32_t>(EventKind::kNumber) == VSR_GUARD_NUMBER);
static_assert(static_cast<int32_t>(EventKind::kUnsupported) == VSR_GUARD_UNSUPPORTED);
static_assert(static_cast<int32_t>(EventKind::kJailbreak) == VSR_GUARD_JAILBREAK);
static_assert(static_cast<int32_t>(vsr::chat::LaneField::kTool) == VSR_FIELD_TOOL);

int32_t read_choice(int32_t value, int32_t last, const char* name) {
  if (value < 0 || value > last) fail(Status::kInvalidArgument, name, " is ", value, ", expected 0 to ", last);
  return value;
}

float read_score(float value, const char* name) {
  if (!(value >= 0 && value <= 1)) fail(Status::kInvalidArgument, name, " is ", value, ", expected 0 to 1");
  return value;
}

void take_text(const vsr_str& given, const char* name, std::string& text) {
  if (given.data != nullptr || given.size != 0) text = read_text(given, name);
}

// The default engine is asked only where one is open, so that facts need none.
std::shared_ptr<const vsr::inference::Inference> models_of(const vsr_engine* engine) {
  if (engine != nullptr) return vsr::engine::inference_of(engine->engine);
  try {
    return vsr::engine::inference_of(vsr::engine::default_engine());
  } catch (const vsr::base::Error& error) {
    if (error.status() != Status::kState) throw;
    return nullptr;
  }
}

}  // namespace

StreamOptions vsr::c_api::read_guard_options(const vsr_guard_options* options) {
  const auto given = vsr::c_api::read_options(options, "vsr_guard_options");
  vsr::c_api::check_reserved(given.reserved, "vsr_guard_options.reserved");
  StreamOptions read;
  read.policy = static_cast<Policy>(read_choice(given.policy, VSR_POLICY_TERMINATE, "options.policy"));
  read.format = static_cast<StreamFormat>(read_choice(given.format, VSR_STREAM_JSON, "options.format"));
  read.hold = read_bool(given.hold, "options.hold");
  read.closed = read_bool(given.fail_closed, "options.fail_closed");
  read.grounding = !read_bool(given.no_grounding, "options.no_grounding");
  read.pii = read_bool(given.pii, "options.pii");
  read.threshold = read_score(given.threshold, "options.threshold");
  if (read_score(given.safety_threshold, "options.safety_threshold") > 0)
    read.safety_threshold = given.safety_threshold;
  take_text(given.question, "options.question", read.question);
  take_text(given.marker, "options.marker", read.marker);
  take_text(given.replacement, "options.replacement", read.replacement);
  read.pii_task = optional_string(given.pii_task);
  read.jailbreak_task = optional_string(given.jailbreak_task);
  if (read_bool(given.own_safety_policy, "options.own_safety_policy")) {
    const int32_t own = read_choice(given.safety_policy, VSR_POLICY_TERMINATE, "options.safety_policy");
    read.safety_policy = static_cast<Policy>(own);
  }
  read.deadline_ms = given.deadline_ms;
  constexpr int64_t kDay = 86'400'000;  // longer is no other thing, and nanoseconds of it fit
  if (given.max_hold_ms != 0) read.hold_ms = std::min(given.max_hold_ms, kDay);
  if (given.max_hold_size != 0) read.hold_bytes = given.max_hold_size;
  if (given.max_event_size != 0) read.event_bytes = given.max_event_size;
  if (given.max_body_size != 0) read.body_bytes = given.max_body_size;
  return read;
}

std::shared_ptr<const FactSet> vsr::c_api::read_facts(std::shared_ptr<const vsr::inference::Inference> models,
                                                      const vsr_str* texts, size_t text_count,
                                                      const vsr_facts_options* options) {
  const auto given = vsr::c_api::read_options(options, "vsr_facts_options");
  vsr::c_api::check_reserved(given.reserved, "vsr_facts_options.reserved");
  const auto views = vsr::c_api::read_texts(texts, text_count, "texts", "text_count");
  return FactSet::make(views, std::move(models), {optional_string(given.nli), optional_string(given.tokens)});
}

vsr_status vsr_facts_create(const vsr_engine* engine, const vsr_str* texts, size_t text_count,
                            const vsr_facts_options* options, vsr_facts** out_facts, vsr_error* error) {
  return guard_new(out_facts, "out_facts", error,
                   [&] { return vsr::c_api::read_facts(models_of(engine), texts, text_count, options); });
}

size_t vsr_facts_text_count(const vsr_facts* facts) { return facts == nullptr ? 0 : facts->set->size(); }

void vsr_facts_free(vsr_facts* facts) { vsr::c_api::free_handle(facts); }

vsr_status vsr_guard_create(const vsr_facts* facts, const vsr_guard_options* options, vsr_guard** out_guard,
                            vsr_error* error) {
  return guard_new(out_guard, "out_guard", error,
                   [&] { return std::make_unique<Stream>(require(facts, "facts").set, read_guard_options(options)); });
}

vsr_status vsr_guard_feed(vsr_guard* guard_handle, vsr_str bytes, vsr_guard_step** out_step, vsr_error* error) {
  return guard_new(out_step, "out_step", error, [&] {
    Stream& stream = *require(guard_handle, "guard").stream;
    return stream.feed(read_text(bytes, "bytes"));
  });
}

vsr_status vsr_guard_finish(vsr_guard* guard_handle, vsr_guard_step** out_step, vsr_error* error) {
  return guard_new(out_step, "out_step", error, [&] { return require(guard_handle, "guard").stream->finish(); });
}

vsr_status vsr_guard_describe(const vsr_guard* guard_handle, vsr_string** out_json, vsr_error* error) {
  return guard_new(out_json, "out_json", error, [&] { return require(guard_handle, "guard").stream->describe(); });
}

void vsr_guard_free(vsr_guard* guard_handle) { vsr::c_api::free_handle(guard_handle); }

vsr_status vsr_facts_check(const vsr_facts* facts, vsr_str text, const vsr_guard_options* options,
                           vsr_guard_step** out_step, vsr_error* error) {
  return guard_new(out_step, "out_step", error, [&] {
    StreamOptions read = read_guard_options(options);
    read.policy = Policy::kObserve;
    read.safety_policy.reset();
    read.format = StreamFormat::kText;
    Stream stream(require(facts, "facts").set, std::move(read));
    StreamStep step = stream.feed(read_text(text, "text"));
    StreamStep last = stream.finish();
    std::move(last.events.begin(), last.events.end(), std::back_inserter(step.events));
    step.forward.clear();
    step.checked = last.checked;
    step.overloaded = step.overloaded || last.overloaded;
    return step;
  });
}

vsr_str vsr_guard_step_forward(const vsr_guard_step* step) {
  return step == nullptr ? VSR_STR("") : vsr::c_api::view(step->step.forward);
}

size_t vsr_guard_step_event_count(const vsr_guard_step* step) { return step == nullptr ? 0 : step->views.size(); }

const vsr_guard_event* vsr_guard_step_event(const vsr_guard_step* step, size_t event) {
  return step == nullptr ? nullptr : vsr::c_api::element(step->views, event);
}

size_t vsr_guard_step_checked_size(const vsr_guard_step* step) { return step == nullptr ? 0 : step->step.checked; }
int32_t vsr_guard_step_ended(const vsr_guard_step* step) { return step != nullptr && step->step.ended ? 1 : 0; }
int32_t vsr_guard_step_overloaded(const vsr_guard_step* step) {
  return step != nullptr && step->step.overloaded ? 1 : 0;
}
void vsr_guard_step_free(vsr_guard_step* step) { vsr::c_api::free_handle(step); }

vsr_str vsr_guard_kind_name(int32_t kind) {
  if (kind < VSR_GUARD_NUMBER || kind > VSR_GUARD_JAILBREAK) return VSR_STR("");
  const std::string_view name = vsr::guard::event_kind_name(static_cast<EventKind>(kind));
  return {name.data(), name.size()};
}
