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

namespace vsr {

enum class LogLevel : int32_t { kInfo = VSR_LOG_INFO, kWarning = VSR_LOG_WARNING, kError = VSR_LOG_ERROR };

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

/** What the gateway should do, see vsr/router.h. */
enum class Outcome : int32_t {
  kNone = VSR_OUTCOME_NONE,
  kForward = VSR_OUTCOME_FORWARD,
  kRespond = VSR_OUTCOME_RESPOND,
  kCached = VSR_OUTCOME_CACHED,
  kPassthrough = VSR_OUTCOME_PASSTHROUGH
};

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

  /** `request` is an OpenAI chat request as JSON, or plain text. */
  Decision route(std::string_view request, const RouteOptions& options = {}) const {
    std::vector<const char*> groups;
    for (const std::string& group : options.groups) groups.push_back(detail::c_string(group, "group"));
    const Fields headers(options.headers, "header");
    const Fields metadata(options.metadata, "metadata");
    vsr_route_options c = VSR_ROUTE_OPTIONS_INIT;
    c.explain = options.explain ? 1 : 0;
    c.evaluate_all = options.evaluate_all ? 1 : 0;
    c.user = detail::c_string_or_null(options.user, "user");
    c.tenant = detail::c_string_or_null(options.tenant, "tenant");
    c.groups = groups.data();
    c.group_count = groups.size();
    c.header_names = headers.names.data();
    c.header_values = headers.values.data();
    c.header_count = headers.names.size();
    c.metadata_names = metadata.names.data();
    c.metadata_values = metadata.values.data();
    c.metadata_count = metadata.names.size();
    c.deadline_ms = options.deadline_ms;
    c.cancel = options.cancel == nullptr ? nullptr : options.cancel->get();
    vsr_decision* out = nullptr;
    detail::call(
        [&](vsr_error* error) { return vsr_router_route(handle_.get(), detail::to_c(request), &c, &out, error); });
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

  struct Fields {
    Fields(const std::map<std::string, std::string>& fields, const char* what) {
      for (const auto& [name, value] : fields) {
        names.push_back(detail::c_string(name, what));
        values.push_back(detail::to_c(value));
      }
    }
    std::vector<const char*> names;
    std::vector<vsr_str> values;
  };
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
