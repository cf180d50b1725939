/* The router: from a chat request to the model that should answer it, the rewritten request, and why. */
#ifndef VSR_ROUTER_H
#define VSR_ROUTER_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A config file's signals and decisions, ready to route; what it means is told in docs/routing.md. Immutable apart from
 * its response cache and its counters.
 */
typedef struct vsr_router vsr_router;

/** Levels of vsr_log_callback. */
enum { VSR_LOG_INFO = 1, VSR_LOG_WARNING = 2, VSR_LOG_ERROR = 3 };

/** Told what a router has to say: one line, without a line feed. Called on the threads that call the router, before their
 * call returns, vsr_router_open() and vsr_router_free() included, and by one thread at a time; what threads of the
 * library have to say waits for the next call, and what exceeds 256 lines is counted and dropped. Must not throw, and
 * must not call the router. `user_data` has to live until calls that were in flight when the router was freed have
 * returned. */
typedef void (*vsr_log_callback)(int32_t level, vsr_str message, void *user_data);

/** Zero means default in every field. */
typedef struct vsr_router_options {
  uint32_t struct_size; /**< set by VSR_ROUTER_OPTIONS_INIT */
  int32_t lenient;      /**< 1: skip what the file uses and vsr does not run, and list it; 0: that is an error */
  int32_t own_models; /**< 1: the models of the file's `vsr:` section answer signals that need one, loaded when a signal
                             first does, and `engine` must be NULL; 0: `engine` answers them */
  int32_t validate_models; /**< 1: load the file's models, adapters and cache now, and ask each signal that a rule needs
                                about a short text; 0: when a request first needs them */
  const vsr_engine *engine; /**< kept alive; NULL: the default engine, which for this router stays the one open now */
  vsr_log_callback log;     /**< or NULL */
  void *user_data;          /**< for `log` */
} vsr_router_options;

#define VSR_ROUTER_OPTIONS_INIT {(uint32_t)sizeof(vsr_router_options), 0, 0, 0, NULL, NULL, NULL}

/**
 * Reads and checks a config file: everything in it, the folders of its models as far as config.json, and whether the
 * models, or those of the engine, have every task that a rule needs. Loads no model unless `validate_models` says so.
 *
 * A task that is missing is an error with the place of the rule. It is a warning of vsr_router_describe() with
 * `lenient`, for a classifier whose `on_error` answers, and where there is no model at all: the rules may be meant for
 * vsr_router_decide(), or for a call that gives an engine.
 *
 * @param options  NULL for defaults.
 * @param out_router  Caller frees with vsr_router_free().
 * @return VSR_OK, VSR_ERR_NOT_FOUND (the file, a model's folder, a task), VSR_ERR_IO, VSR_ERR_PARSE (the message
 *   begins with file:line:column), VSR_ERR_UNSUPPORTED (what `lenient` skips), VSR_ERR_INVALID_ARGUMENT,
 *   VSR_ERR_STATE (there is no default engine, and neither an engine nor `own_models` was given); with
 *   `validate_models` also what vsr_engine_open() and vsr_router_route() return.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_open(const char *config_path, const vsr_router_options *options, vsr_router **out_router,
                                   vsr_error *error);

/**
 * Reads the router's file again and routes by it from then on, in one step: calls in flight end by the file they began
 * with. Models of the file that did not change, neither there nor on disk, are not loaded again; where the old models
 * were loaded, the new ones are before they are used. The default engine is that of now. The response cache stays unless
 * `vsr.cache` or what embeds changed, and answers are given from it where nothing that decides changed; counters,
 * measurements and records stay.
 *
 * @return What vsr_router_open() returns for the file; then the router goes on as before. Several calls wait for each
 *   other.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_reload(const vsr_router *router, vsr_error *error);

/** Gives up the caller's hold on `router`; NULL is allowed. Calls in flight keep it alive. @since 0.2 Thread-safe. */
VSR_API void vsr_router_free(vsr_router *router);

/**
 * Describes a router as JSON: {"path", "strategy", "decisions": [{"name", "priority", "tier", "models"}],
 * "signals": ["type:name"], "models": [{"name", "context_window"}], "default_model", "warnings", "skipped",
 * "for_gateway", "replaced", "cache"}, where the last is null without a cache. "for_gateway" lists keys of the file that
 * are not the router's to do, "replaced" those that have no effect because vsr has something else in their place.
 * @param out_json  Caller frees with vsr_string_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_describe(const vsr_router *router, vsr_string **out_json, vsr_error *error);

/** Who asks, and what the gateway knows besides the request. Zero means default in every field; all is copied. */
typedef struct vsr_route_options {
  uint32_t struct_size; /**< set by VSR_ROUTE_OPTIONS_INIT */
  int32_t explain;      /**< 1: fill vsr_decision_explanation() */
  int32_t evaluate_all; /**< 1: evaluate every signal, also those that cannot change the outcome */
  uint32_t reserved;    /**< 0 */
  const char *user;     /**< for role bindings and caches by user, as the gateway knows it; NULL: nobody */
  const char *tenant;   /**< tenants never share cached answers; NULL: "" */
  const char *const *groups;
  size_t group_count;
  const char *const *header_names; /**< header_count of them; compared without regard to case */
  const vsr_str *header_values;    /**< one for each name */
  size_t header_count;
  const char *const *metadata_names; /**< metadata_count of them; they count before headers, and these before the
                                          request's "metadata" */
  const vsr_str *metadata_values; /**< one for each name */
  size_t metadata_count;
  int64_t deadline_ms; /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_route_options;

#define VSR_ROUTE_OPTIONS_INIT \
  {(uint32_t)sizeof(vsr_route_options), 0, 0, 0, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL, NULL, 0, 0, NULL}

/** The outcome of routing. Immutable; holds its own strings and outlives the router. */
typedef struct vsr_decision vsr_decision;

/**
 * Decides where a request goes: evaluates the signals that can change the outcome, cheap ones first, chooses the
 * decision and its model, and rewrites the request for it.
 *
 * A request that names a model of its own instead of "auto" passes through untouched, and no signal is evaluated, unless
 * the config's vsr.passthrough is "check" (a decision with an answer of its own still answers) or "refuse" (an error).
 *
 * A deadline or a cancellation ends the call wherever it is: in parsing, in signals that only read the text, before its
 * models' work or in the midst of it. What all requests share and the first prepares, which is loading models and
 * embedding the rules' examples, is finished first.
 *
 * @param request  An OpenAI chat request as JSON, or plain text, which is one user message.
 * @param options  NULL for defaults.
 * @param out_decision  Caller frees with vsr_decision_free().
 * @return VSR_OK, VSR_ERR_PARSE (the request), VSR_ERR_LIMIT (its size, which `vsr.limits.request_bytes` of the config limits,
 *   or nesting), VSR_ERR_UNSUPPORTED (a part of it that a model may read and no safety signal can; the message has its path),
 *   VSR_ERR_INVALID_ARGUMENT (it names a model, which vsr.passthrough refuses), VSR_ERR_NOT_FOUND (no decision
 *   matches and there is no default model; a task or model that a signal needs does not exist), VSR_ERR_STATE,
 *   VSR_ERR_CANCELLED, VSR_ERR_DEADLINE, or what
 *   vsr_engine_open() and vsr_classify_all() return for a signal that could not be evaluated: an error is never taken
 *   for "does not match".
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_route(const vsr_router *router, vsr_str request, const vsr_route_options *options,
                                    vsr_decision **out_decision, vsr_error *error);

/** A signal of a request. Strings are borrowed from the decision. */
typedef struct vsr_signal {
  uint32_t struct_size; /**< bytes that the library filled */
  int32_t matched;      /**< 1: it did */
  vsr_str name;         /**< "type:name", as in "keyword:urgent" or "complexity:proof:hard" */
  vsr_str detail;       /**< what matched, for people; "" where there is nothing to say */
  double confidence;    /**< 0 to 1 */
  double value;         /**< what was measured, in the signal's own unit */
  double duration_ms;   /**< spent on it; signals evaluated together share the time */
} vsr_signal;

/**
 * The decision engine alone: what follows from given signals. Those that are not given do not match.
 *
 * @param names  "type:name" of each given signal.
 * @param confidences  One for each name, 0 to 1.
 * @param out_decision  Caller frees with vsr_decision_free(). It has no request.
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT (no such signal, with the nearest one; a confidence out of range; a signal
 *   given twice).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_decide(const vsr_router *router, const char *const *names, const double *confidences,
                                     size_t signal_count, vsr_decision **out_decision, vsr_error *error);

/** What the gateway should do. */
enum {
  VSR_OUTCOME_NONE = 0,
  VSR_OUTCOME_FORWARD = 1,    /**< send vsr_decision_request() to vsr_decision_model() */
  VSR_OUTCOME_RESPOND = 2,    /**< answer with vsr_decision_response(): the decision has an answer of its own */
  VSR_OUTCOME_CACHED = 3,     /**< answer with vsr_decision_response(): from the response cache */
  VSR_OUTCOME_PASSTHROUGH = 4 /**< the request names its model: send it as it is */
};

/** The outcome, VSR_OUTCOME_...; VSR_OUTCOME_NONE for NULL. @since 0.2 Thread-safe. */
VSR_API int32_t vsr_decision_outcome(const vsr_decision *decision);
/** The decision's name; none: none matched, or none was looked for. Borrowed until `decision` is freed.
 * @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_decision_name(const vsr_decision *decision);
/** Its confidence, 0 to 1. @since 0.2 Thread-safe. */
VSR_API double vsr_decision_confidence(const vsr_decision *decision);
/** The model's name in the config, without regard to an adapter, if there is one. Borrowed until `decision` is freed.
 * @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_decision_model(const vsr_decision *decision);
/** The LoRA adapter that the request names in the model's place, if there is one. Borrowed until `decision` is freed.
 * @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_decision_lora(const vsr_decision *decision);
/** 1: the request asks for reasoning. @since 0.2 Thread-safe. */
VSR_API int32_t vsr_decision_reasoning(const vsr_decision *decision);
/** The effort that goes with it, such as "high", if there is one. Borrowed until `decision` is freed.
 * @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_decision_effort(const vsr_decision *decision);
/** The rewritten request; empty after vsr_router_decide(). Borrowed until `decision` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_decision_request(const vsr_decision *decision);
/** The answer of VSR_OUTCOME_RESPOND, a chat.completion as JSON or, where the request says "stream": true, its
 * server-sent events up to [DONE]; and of VSR_OUTCOME_CACHED, the bytes that were stored for a request that streams alike;
 * else empty. Borrowed until `decision` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_decision_response(const vsr_decision *decision);
/** The answer to a similar question that the cache did not give, because too little is known of such matches
 * ("max_error_rate"); empty: there was none. vsr_router_feedback() takes whether it would have fitted. Borrowed until
 * `decision` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_decision_held_back(const vsr_decision *decision);
/** What the gateway does besides one call to vsr_decision_model(), as JSON: {"algorithm", "candidates": [{"model", "lora",
 * "reasoning", "effort", "weight"}], "steps": [{"calls": [...], "parallel", "join", ...}], "parameters", "gateway"}; see
 * docs/routing.md, "Plans". Empty: nothing. Borrowed until `decision` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_decision_plan(const vsr_decision *decision);
/** The number of signals that were evaluated. @since 0.2 Thread-safe. */
VSR_API size_t vsr_decision_signal_count(const vsr_decision *decision);
/** Signal `index`, in the order of evaluation; NULL out of range. Borrowed until `decision` is freed.
 * @since 0.2 Thread-safe. */
VSR_API const vsr_signal *vsr_decision_signal(const vsr_decision *decision, size_t index);
/**
 * Why, as JSON: {"decision", "confidence", "outcome", "model", "lora", "reasoning", "effort", "notes", "decisions":
 * [{"name", "truth", "confidence", "rule"}], "signals": [{"name", "matched", "confidence", "value", "milliseconds",
 * "detail"}], "read": [{"scope", "signals", "texts": [{"path", "bytes"}]}] (what safety signals read), "skipped":
 * [{"name", "why"}], "tokens", "tokens_estimated", "model_passes", "milliseconds"}, where a rule
 * is {"operator" or "signal", "truth", "confidence", "conditions"} and a truth is true, false or null for not evaluated.
 * "" unless options.explain was 1. Borrowed until `decision` is freed.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_str vsr_decision_explanation(const vsr_decision *decision);

/** A change of the request's headers. */
typedef struct vsr_header {
  uint32_t struct_size; /**< bytes that the library filled */
  uint32_t reserved;    /**< 0 */
  vsr_str name;         /**< in lower case */
  vsr_str value;        /**< what it is set to; none: remove the header */
} vsr_header;

/** The number of header changes. @since 0.2 Thread-safe. */
VSR_API size_t vsr_decision_header_count(const vsr_decision *decision);
/** Header change `index`; NULL out of range. Borrowed until `decision` is freed. @since 0.2 Thread-safe. */
VSR_API const vsr_header *vsr_decision_header(const vsr_decision *decision, size_t index);

/** Frees `decision`; NULL is allowed. @since 0.2 One thread at a time per `decision`. */
VSR_API void vsr_decision_free(vsr_decision *decision);

/**
 * Keeps the model's whole answer to a routed request in the response cache. Does nothing where the config has no cache,
 * or the decision was not VSR_OUTCOME_FORWARD.
 *
 * Nor does it keep what must not be given again, which is no error and counted (`vsr_cache_refused`): an empty answer;
 * markup; JSON that is cut, is an error, or is no chat completion with choices that are done and say something; for a
 * request that streams anything but events up to [DONE], none of them an error, that give each choice a finish_reason;
 * events for any other request; choices that end with "error", "abort" or "content_filter". Bytes of any other kind are
 * not judged, so only answers with status 200 should come here. Larger ones than 1 MiB are not kept either.
 *
 * @param response  The body as the gateway would send it again; copied.
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_store(const vsr_router *router, const vsr_decision *decision, vsr_str response,
                                    vsr_error *error);

/**
 * Says whether a cached answer was right, which the measured error rate counts. A wrong answer to its own question is
 * removed; one to a similar question stays for its own, and from then on only nearer questions find it. What is said of
 * similar questions, also of an answer that was held back, decides how often the cache answers them ("max_error_rate").
 * @param decision  One with VSR_OUTCOME_CACHED, or one with vsr_decision_held_back().
 * @param right  0 or 1.
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_feedback(const vsr_router *router, const vsr_decision *decision, int32_t right,
                                       vsr_error *error);

/**
 * Says what was measured of a model, for the algorithms latency_aware and multi_factor: each number or a negative one for
 * one that is not known. The last 256 of each model count.
 * @param model  One of the config's.
 * @param ttft_ms  The time to the first token of an answer.
 * @param tpot_ms  The time for each token after it.
 * @param in_flight  How many requests the model has now.
 * @return VSR_OK, VSR_ERR_NOT_FOUND (no such model), VSR_ERR_INVALID_ARGUMENT (a number that is not finite).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_measure(const vsr_router *router, const char *model, double ttft_ms, double tpot_ms,
                                      int64_t in_flight, vsr_error *error);

/**
 * What was decided about the last requests of decisions with the plugin router_replay, as JSON: {"records": [{"id",
 * "time" (milliseconds since 1970), "decision", "outcome", "model", "lora", "confidence", "signals", "request_bytes",
 * "request", "response_bytes", "response"}], "dropped"}, the oldest first. Bodies are there only where the plugin keeps
 * them; a response is there once vsr_router_store() had it.
 * @param out_json  Caller frees with vsr_string_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_replay(const vsr_router *router, vsr_string **out_json, vsr_error *error);

/**
 * Counters and latency histograms as OpenMetrics 1.0 text.
 * @param out_text  Caller frees with vsr_string_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_metrics(const vsr_router *router, vsr_string **out_text, vsr_error *error);

/**
 * The JSON Schema of config files, for editors.
 * @param out_json  Caller frees with vsr_string_free().
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_router_schema(vsr_string **out_json, vsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
