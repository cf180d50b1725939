/* vsr::Router: from chat requests to models. Included by vsr/vsr.hpp. */
#ifndef VSR_HPP_ROUTER_HPP
#define VSR_HPP_ROUTER_HPP

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "cancel.hpp"
#include "engine.hpp"
#include "enums.hpp"
#include "guard.hpp"

namespace vsr {

/** See vsr_log_callback. Must not throw. */
using Log = std::function<void(LogLevel level, std::string_view message)>;

/** See vsr_router_options. */
struct RouterOptions {
  bool lenient = false;
  const Engine* engine = nullptr; /**< null: the models of the config */
  Log log;
  bool validate_models = false;
};

/** See vsr_route_options. */
struct RouteOptions {
  bool explain = false;
  bool evaluate_all = false;
  std::string user;
  std::string tenant;
  std::vector<std::string> groups;
  std::map<std::string, std::string> headers;
  std::map<std::string, std::string> metadata;
  int64_t deadline_ms = 0;        /**< 0: never */
  const Cancel* cancel = nullptr; /**< borrowed for the call */
};

namespace detail {

/** The C form of options, valid while the C++ options are. */
class CRouteOptions {
 public:
  explicit CRouteOptions(const RouteOptions& options)
      : headers_(options.headers, "header"), metadata_(options.metadata, "metadata") {
    for (const std::string& group : options.groups) groups_.push_back(c_string(group, "group"));
    c_.explain = options.explain ? 1 : 0;
    c_.evaluate_all = options.evaluate_all ? 1 : 0;
    c_.user = c_string_or_null(options.user, "user");
    c_.tenant = c_string_or_null(options.tenant, "tenant");
    c_.groups = groups_.data();
    c_.group_count = groups_.size();
    c_.header_names = headers_.names.data();
    c_.header_values = headers_.values.data();
    c_.header_count = headers_.names.size();
    c_.metadata_names = metadata_.names.data();
    c_.metadata_values = metadata_.values.data();
    c_.metadata_count = metadata_.names.size();
    c_.deadline_ms = options.deadline_ms;
    c_.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
  }
  CRouteOptions(const CRouteOptions&) = delete;
  CRouteOptions& operator=(const CRouteOptions&) = delete;
  const vsr_route_options* get() const { return &c_; }

 private:
  struct Fields {
    Fields(const std::map<std::string, std::string>& fields, const char* what) {
      for (const auto& [name, value] : fields) {
        names.push_back(c_string(name, what));
        values.push_back(to_c(value));
      }
    }
    std::vector<const char*> names;
    std::vector<vsr_str> values;
  };

  std::vector<const char*> groups_;
  Fields headers_;
  Fields metadata_;
  vsr_route_options c_ = VSR_ROUTE_OPTIONS_INIT;
};

}  // namespace detail

/** A signal of a request, borrowed from its Decision. */
struct Signal {
  std::string_view name;
  bool matched;
  double confidence;
  double value;
  double milliseconds;
  std::string_view detail;
};

/** A change of the request's headers, borrowed from its Decision. */
struct Header {
  std::string_view name;
  std::optional<std::string_view> value; /**< none: remove it */
};

/** What a decision asks of the answer, borrowed from it; see vsr_answer_policy. */
struct AnswerPolicy {
  GuardOptions guard; /**< for Guard */
  std::string nli;    /**< for Router::facts() */
  std::vector<std::string_view> sources;
  std::optional<std::string_view> hallucination_action, unverified_action, jailbreak_action;
  bool include_details = false;
};

/** See vsr_decision. Immutable. */
class Decision {
 public:
  explicit Decision(vsr_decision* handle) : handle_(handle) {}

  Outcome outcome() const { return static_cast<Outcome>(vsr_decision_outcome(get())); }
  std::optional<std::string_view> name() const { return detail::view_or_none(vsr_decision_name(get())); }
  double confidence() const { return vsr_decision_confidence(get()); }
  std::optional<std::string_view> model() const { return detail::view_or_none(vsr_decision_model(get())); }
  std::optional<std::string_view> lora() const { return detail::view_or_none(vsr_decision_lora(get())); }
  bool reasoning() const { return vsr_decision_reasoning(get()) != 0; }
  std::optional<std::string_view> effort() const { return detail::view_or_none(vsr_decision_effort(get())); }
  std::string_view request() const { return detail::view(vsr_decision_request(get())); }
  std::string_view response() const { return detail::view(vsr_decision_response(get())); }
  /** The cached answer that was not given; see vsr_decision_held_back(). */
  std::string_view held_back() const { return detail::view(vsr_decision_held_back(get())); }
  /** JSON, see vsr_decision_plan(). */
  std::string_view plan() const { return detail::view(vsr_decision_plan(get())); }
  /** JSON, see vsr_decision_explanation(). */
  std::string_view explanation() const { return detail::view(vsr_decision_explanation(get())); }

  std::vector<Signal> signals() const {
    std::vector<Signal> all;
    for (size_t i = 0; i < vsr_decision_signal_count(get()); ++i) {
      const vsr_signal& s = *vsr_decision_signal(get(), i);
      all.push_back(
          {detail::view(s.name), s.matched != 0, s.confidence, s.value, s.duration_ms, detail::view(s.detail)});
    }
    return all;
  }

  std::vector<Header> headers() const {
    std::vector<Header> all;
    for (size_t i = 0; i < vsr_decision_header_count(get()); ++i) {
      const vsr_header& h = *vsr_decision_header(get(), i);
      all.push_back({detail::view(h.name), detail::view_or_none(h.value)});
    }
    return all;
  }

  /** None: nothing is asked of the answer; see vsr_decision_answer_policy(). */
  std::optional<AnswerPolicy> answer() const {
    const vsr_answer_policy* c = vsr_decision_answer_policy(get());
    if (c == nullptr) return std::nullopt;
    AnswerPolicy policy;
    policy.guard = detail::from_c(*c->guard);
    if (c->facts->nli != nullptr) policy.nli = c->facts->nli;
    for (size_t i = 0; i < c->source_count; ++i) policy.sources.push_back(detail::view(c->sources[i]));
    policy.hallucination_action = detail::view_or_none(c->hallucination_action);
    policy.unverified_action = detail::view_or_none(c->unverified_action);
    policy.jailbreak_action = detail::view_or_none(c->jailbreak_action);
    policy.include_details = c->include_details != 0;
    return policy;
  }

  const vsr_decision* get() const { return handle_.get(); }

 private:
  detail::Handle<vsr_decision, vsr_decision_free> handle_;
};

/** See vsr_router. All functions are thread-safe. */
class Router {
 public:
  explicit Router(const std::string& config_path, const RouterOptions& options = {})
      : log_(options.log ? std::make_unique<Log>(options.log) : nullptr),
        handle_(detail::make<Owner>([&](vsr_router** out, vsr_error* error) {
          vsr_router_options c = VSR_ROUTER_OPTIONS_INIT;
          c.lenient = options.lenient ? 1 : 0;
          c.validate_models = options.validate_models ? 1 : 0;
          c.own_models = options.engine == nullptr ? 1 : 0;
          c.engine = options.engine == nullptr ? nullptr : options.engine->get();
          if (log_) {
            c.log = &Router::write_log;
            c.user_data = log_.get();
          }
          return vsr_router_open(detail::c_string(config_path, "config_path"), &c, out, error);
        })) {}

  /** Routes by the file as it is now; throws, and goes on as before, if it is broken. See vsr_router_reload(). */
  void reload() const {
    detail::call([&](vsr_error* error) { return vsr_router_reload(handle_.get(), error); });
  }

  /** `request` is an OpenAI chat request as JSON, or plain text. */
  Decision route(std::string_view request, const RouteOptions& options = {}) const {
    const detail::CRouteOptions c(options);
    vsr_decision* out = nullptr;
    detail::call(
        [&](vsr_error* error) { return vsr_router_route(handle_.get(), detail::to_c(request), c.get(), &out, error); });
    return Decision(out);
  }

  /** The decision that follows from confidences of signals, "type:name"; those left out do not match. */
  Decision decide(const std::map<std::string, double>& signals) const {
    std::vector<const char*> names;
    std::vector<double> confidences;
    for (const auto& [name, confidence] : signals) {
      names.push_back(detail::c_string(name, "signal"));
      confidences.push_back(confidence);
    }
    vsr_decision* out = nullptr;
    detail::call([&](vsr_error* error) {
      return vsr_router_decide(handle_.get(), names.data(), confidences.data(), names.size(), &out, error);
    });
    return Decision(out);
  }

  /** Facts over the models that answer the router's signals; see vsr_router_facts(). */
  Facts facts(const Texts& texts, const std::string& nli = {}, const std::string& tokens = {}) const {
    vsr_facts_options c = VSR_FACTS_OPTIONS_INIT;
    c.nli = detail::c_string_or_null(nli, "nli");
    c.tokens = detail::c_string_or_null(tokens, "tokens");
    vsr_facts* out = nullptr;
    detail::call(
        [&](vsr_error* error) { return vsr_router_facts(handle_.get(), texts.data(), texts.size(), &c, &out, error); });
    return Facts::owning(out);
  }

  /** Begins to guard the answer as the decision asks for: against `facts`, or the request's own tool results. */
  Guard guard(const Decision& decision, const Facts* facts = nullptr) const {
    vsr_guard* out = nullptr;
    detail::call([&](vsr_error* error) {
      return vsr_router_guard(handle_.get(), decision.get(), facts == nullptr ? nullptr : facts->get(), &out, error);
    });
    return Guard::owning(out);
  }

  /** Keeps the answer to a routed request in the response cache, unless it is empty, cut off or an error. */
  void store(const Decision& decision, std::string_view response) const {
    detail::call([&](vsr_error* error) {
      return vsr_router_store(handle_.get(), decision.get(), detail::to_c(response), error);
    });
  }

  /** Says whether a cached answer was right, or one that was held back would have been. */
  void feedback(const Decision& decision, bool right) const {
    detail::call(
        [&](vsr_error* error) { return vsr_router_feedback(handle_.get(), decision.get(), right ? 1 : 0, error); });
  }

  /** What was measured of a model; negative: not known. See vsr_router_measure(). */
  void measure(const std::string& model, double ttft_ms, double tpot_ms = -1, int64_t in_flight = -1) const {
    detail::call([&](vsr_error* error) {
      return vsr_router_measure(handle_.get(), model.c_str(), ttft_ms, tpot_ms, in_flight, error);
    });
  }

  /** The JSON of vsr_router_replay(). */
  std::string replay() const {
    vsr_string* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_router_replay(handle_.get(), &out, error); });
    return detail::take_string(out);
  }

  /** The JSON of vsr_router_describe(). */
  std::string describe() const {
    vsr_string* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_router_describe(handle_.get(), &out, error); });
    return detail::take_string(out);
  }

  /** OpenMetrics text. */
  std::string metrics() const {
    vsr_string* out = nullptr;
    detail::call([&](vsr_error* error) { return vsr_router_metrics(handle_.get(), &out, error); });
    return detail::take_string(out);
  }

 private:
  using Owner = detail::Handle<vsr_router, vsr_router_free>;

  static void write_log(int32_t level, vsr_str message, void* user_data) {
    (*static_cast<const Log*>(user_data))(static_cast<LogLevel>(level), detail::view(message));
  }

  std::unique_ptr<Log> log_;  // before the handle, which calls it
  Owner handle_;
};

/** The JSON Schema of config files. */
inline std::string router_schema() {
  vsr_string* out = nullptr;
  detail::call([&](vsr_error* error) { return vsr_router_schema(&out, error); });
  return detail::take_string(out);
}

}  // namespace vsr

#endif
