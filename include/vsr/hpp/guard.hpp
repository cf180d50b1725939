/* vsr::Facts and vsr::Guard: answers checked while they stream. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_GUARD_HPP
#define VSR_HPP_GUARD_HPP

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "engine.hpp"
#include "enums.hpp"

namespace vsr {

/** See vsr_guard_options. */
struct GuardOptions {
  Policy policy = Policy::kObserve;
  StreamFormat format = StreamFormat::kAuto;
  std::string question;
  bool hold = false;
  bool fail_closed = false;
  bool grounding = true;
  bool pii = false;
  std::string pii_task;
  std::string jailbreak_task;
  float threshold = 0;
  float safety_threshold = 0; /**< 0: 0.5 */
  std::string marker;         /**< empty: the default */
  std::string replacement;    /**< empty: the default */
  int64_t deadline_ms = 0;
  int64_t max_hold_ms = 0;
  std::optional<Policy> safety_policy = {}; /**< of personal data and jailbreaks; none: `policy` */
};

/** Something wrong in an answer, borrowed from its GuardStep. */
struct GuardEvent {
  size_t start, end;      /**< bytes of the answer's text */
  std::string_view text;  /**< what is wrong */
  std::string_view claim; /**< where it was found */
  std::string_view kind;  /**< number, date, ...: see vsr_guard_kind_name() */
  float score;
  int32_t fact; /**< -1: none */
  double milliseconds;
  int32_t choice, field, index;
};

/** What came of one piece. Immutable. */
class GuardStep {
 public:
  explicit GuardStep(vsr_guard_step* handle) : handle_(handle) {
    for (size_t i = 0; i < vsr_guard_step_event_count(handle); ++i) {
      const vsr_guard_event& e = *vsr_guard_step_event(handle, i);
      events_.push_back({e.start, e.end, detail::view(e.text), detail::view(e.claim),
                         detail::view(vsr_guard_kind_name(e.kind)), e.score, e.fact, e.milliseconds, e.choice, e.field,
                         e.index});
    }
  }
  std::string_view forward() const { return detail::view(vsr_guard_step_forward(handle_.get())); }
  const std::vector<GuardEvent>& events() const { return events_; }
  size_t checked() const { return vsr_guard_step_checked_size(handle_.get()); }
  bool ended() const { return vsr_guard_step_ended(handle_.get()) != 0; }
  bool overloaded() const { return vsr_guard_step_overloaded(handle_.get()) != 0; }

 private:
  detail::Handle<vsr_guard_step, vsr_guard_step_free> handle_;
  std::vector<GuardEvent> events_;
};

namespace detail {

/** Says that a constructor takes a handle over. */
struct Taken {};

/** The C form; borrows from `options`. */
inline vsr_guard_options to_c(const GuardOptions& options) {
  vsr_guard_options c = VSR_GUARD_OPTIONS_INIT;
  c.policy = static_cast<int32_t>(options.policy);
  c.format = static_cast<int32_t>(options.format);
  c.hold = options.hold ? 1 : 0;
  c.fail_closed = options.fail_closed ? 1 : 0;
  c.no_grounding = options.grounding ? 0 : 1;
  c.pii = options.pii ? 1 : 0;
  c.threshold = options.threshold;
  c.safety_threshold = options.safety_threshold;
  if (!options.question.empty()) c.question = to_c(std::string_view(options.question));
  if (!options.marker.empty()) c.marker = to_c(std::string_view(options.marker));
  if (!options.replacement.empty()) c.replacement = to_c(std::string_view(options.replacement));
  c.pii_task = c_string_or_null(options.pii_task, "pii_task");
  c.jailbreak_task = c_string_or_null(options.jailbreak_task, "jailbreak_task");
  c.deadline_ms = options.deadline_ms;
  c.max_hold_ms = options.max_hold_ms;
  if (options.safety_policy) {
    c.own_safety_policy = 1;
    c.safety_policy = static_cast<int32_t>(*options.safety_policy);
  }
  return c;
}

inline GuardOptions from_c(const vsr_guard_options& c) {
  const auto text = [](vsr_str given) { return std::string(view(given)); };
  GuardOptions options;
  options.policy = static_cast<Policy>(c.policy);
  options.format = static_cast<StreamFormat>(c.format);
  options.question = text(c.question);
  options.hold = c.hold != 0;
  options.fail_closed = c.fail_closed != 0;
  options.grounding = c.no_grounding == 0;
  options.pii = c.pii != 0;
  options.pii_task = c.pii_task == nullptr ? "" : c.pii_task;
  options.jailbreak_task = c.jailbreak_task == nullptr ? "" : c.jailbreak_task;
  options.threshold = c.threshold;
  options.safety_threshold = c.safety_threshold;
  options.marker = text(c.marker);
  options.replacement = text(c.replacement);
  options.deadline_ms = c.deadline_ms;
  options.max_hold_ms = c.max_hold_ms;
  if (c.own_safety_policy != 0) options.safety_policy = static_cast<Policy>(c.safety_policy);
  return options;
}

}  // namespace detail

/** See vsr_facts. Shared by any number of guards. */
class Facts {
 public:
  explicit Facts(const Texts& texts) : Facts(nullptr, texts, {}, {}) {}
  /** `nli` and `tokens` are tasks of the engine; empty: not asked. */
  Facts(const Engine& engine, const Texts& texts, const std::string& nli = {}, const std::string& tokens = {})
      : Facts(engine.get(), texts, nli, tokens) {}

  size_t size() const { return vsr_facts_text_count(handle_.get()); }
  GuardStep check(std::string_view text, const GuardOptions& options = {}) const {
    const vsr_guard_options c = detail::to_c(options);
    vsr_guard_step* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_facts_check(handle_.get(), detail::to_c(text), &c, &out, error); });
    return GuardStep(out);
  }
  const vsr_facts* get() const { return handle_.get(); }
  /** Takes the handle over. */
  static Facts owning(vsr_facts* handle) { return Facts(detail::Taken{}, handle); }

 private:
  using Owner = detail::Handle<vsr_facts, vsr_facts_free>;
  Facts(detail::Taken, vsr_facts* handle) : handle_(handle) {}
  Facts(const vsr_engine* engine, const Texts& texts, const std::string& nli, const std::string& tokens)
      : handle_(detail::make<Owner>([&](vsr_facts** out, vsr_error* error) {
          vsr_facts_options c = VSR_FACTS_OPTIONS_INIT;
          c.nli = detail::c_string_or_null(nli, "nli");
          c.tokens = detail::c_string_or_null(tokens, "tokens");
          return vsr_facts_create(engine, texts.data(), texts.size(), &c, out, error);
        })) {}
  Owner handle_;
};

/** See vsr_guard. One thread at a time. */
class Guard {
 public:
  explicit Guard(const Facts& facts, const GuardOptions& options = {})
      : handle_(detail::make<Owner>([&](vsr_guard** out, vsr_error* error) {
          const vsr_guard_options c = detail::to_c(options);
          return vsr_guard_create(facts.get(), &c, out, error);
        })) {}

  /** Takes the handle over. */
  static Guard owning(vsr_guard* handle) { return Guard(detail::Taken{}, handle); }

  GuardStep feed(std::string_view bytes) {
    vsr_guard_step* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_guard_feed(handle_.get(), detail::to_c(bytes), &out, error); });
    return GuardStep(out);
  }
  GuardStep finish() {
    vsr_guard_step* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_guard_finish(handle_.get(), &out, error); });
    return GuardStep(out);
  }
  /** The JSON of vsr_guard_describe(). */
  std::string describe() const {
    vsr_string* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_guard_describe(handle_.get(), &out, error); });
    return detail::take_string(out);
  }

 private:
  using Owner = detail::Handle<vsr_guard, vsr_guard_free>;
  Guard(detail::Taken, vsr_guard* handle) : handle_(handle) {}
  Owner handle_;
};

}  // namespace vsr

#endif
