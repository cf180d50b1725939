/* The stream guard: an answer checked against pinned facts while it passes. */
#ifndef VSR_GUARD_H
#define VSR_GUARD_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Facts that answers are held against, read once. Immutable; shared by any number of guards. */
typedef struct vsr_facts vsr_facts;

/** Zero means default in every field. */
typedef struct vsr_facts_options {
  uint32_t struct_size; /**< set by VSR_FACTS_OPTIONS_INIT */
  uint32_t reserved;    /**< 0 */
  const char *nli;      /**< classification task for pairs (fact, claim): what symbols cannot settle; NULL: not asked */
  const char *tokens;   /**< token classification task for pairs; NULL: not asked */
} vsr_facts_options;

#define VSR_FACTS_OPTIONS_INIT {(uint32_t)sizeof(vsr_facts_options), 0, NULL, NULL}

/**
 * Reads facts: sentences or whole passages.
 *
 * @param engine  Has the tasks that `options`, or guards over these facts, name; kept alive. NULL: the default engine
 *   if one is open, else symbols alone.
 * @param texts  Copied.
 * @param options  NULL for defaults.
 * @param out_facts  Caller frees with vsr_facts_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_NOT_FOUND (task), VSR_ERR_LIMIT (too many facts).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_facts_create(const vsr_engine *engine, const vsr_str *texts, size_t text_count,
                                    const vsr_facts_options *options, vsr_facts **out_facts, vsr_error *error);

/** The number of facts. @since 0.2 Thread-safe. */
VSR_API size_t vsr_facts_text_count(const vsr_facts *facts);
/** Frees `facts`; NULL is allowed; guards over them go on. @since 0.2 One thread at a time per `facts`. */
VSR_API void vsr_facts_free(vsr_facts *facts);

/** What is done about a claim that is wrong. */
enum {
  VSR_POLICY_OBSERVE = 0,  /**< nothing: events alone */
  VSR_POLICY_ANNOTATE = 1, /**< an extra event `vsr.guard`, and a summary before the end, where the format allows it */
  VSR_POLICY_WARN = 2,     /**< a marker after the claim */
  VSR_POLICY_REPLACE = 3,  /**< another text in its place; claims are held */
  VSR_POLICY_TERMINATE = 4 /**< the answer ends, as if the server's own filter had stopped it */
};

/** How the bytes of an answer are read. */
enum {
  VSR_STREAM_AUTO = 0, /**< by the first bytes */
  VSR_STREAM_SSE = 1,  /**< server-sent events: OpenAI's chat, completions, Responses; Anthropic's messages */
  VSR_STREAM_TEXT = 2, /**< plain text */
  VSR_STREAM_JSON = 3  /**< one JSON object, an answer that is no stream; checked when it is whole */
};

/** What is wrong. */
enum {
  VSR_GUARD_NUMBER = 0,
  VSR_GUARD_DATE = 1,
  VSR_GUARD_AMOUNT = 2,
  VSR_GUARD_UNIT = 3,
  VSR_GUARD_PERCENT = 4,
  VSR_GUARD_NAME = 5,
  VSR_GUARD_IDENTIFIER = 6,
  VSR_GUARD_NEGATION = 7,
  VSR_GUARD_CONTRADICTION = 8,
  VSR_GUARD_UNSUPPORTED = 9,
  VSR_GUARD_PII = 10,
  VSR_GUARD_JAILBREAK = 11
};

/** The texts that an answer runs in. */
enum {
  VSR_FIELD_TEXT = 0,      /**< what is said; claims of it are held against the facts */
  VSR_FIELD_REFUSAL = 1,   /**< checked for personal data and jailbreaks alone, as are the next two */
  VSR_FIELD_REASONING = 2,
  VSR_FIELD_TOOL = 3       /**< arguments of a tool call, as their JSON is written */
};

/** Zero means default in every field. */
typedef struct vsr_guard_options {
  uint32_t struct_size;       /**< set by VSR_GUARD_OPTIONS_INIT */
  int32_t policy;             /**< VSR_POLICY_... */
  int32_t format;             /**< VSR_STREAM_... */
  int32_t hold;               /**< 1: a claim leaves only when it is checked */
  int32_t fail_closed;        /**< 1: what cannot be checked ends the answer; 0: it passes, and the step says so */
  int32_t no_grounding;       /**< 1: claims are not held against the facts */
  int32_t pii;                /**< 1: personal data is looked for by its form */
  float threshold;            /**< least score of an event that is acted upon; 0: all */
  float safety_threshold;     /**< least score of events of personal data and jailbreaks; 0: 0.5 */
  uint32_t reserved;          /**< 0 */
  vsr_str question;           /**< what was asked; its words are known; none: not known */
  const char *pii_task;       /**< entities, of the facts' engine; NULL: not asked */
  const char *jailbreak_task; /**< a classification; NULL: not asked */
  vsr_str marker;             /**< for VSR_POLICY_WARN; none: " [unverified]" */
  vsr_str replacement;        /**< for VSR_POLICY_REPLACE; none: "[removed: not supported by the facts]" */
  int64_t deadline_ms;        /**< of all checks, for each piece; beyond it text counts as unchecked; 0: none */
  int64_t max_hold_ms;        /**< how long text is held; 0: 10,000; below: no limit */
  size_t max_hold_size;       /**< bytes that are held; 0: 1 MiB */
  size_t max_event_size;      /**< bytes of one server-sent event that are read; 0: 1 MiB */
  size_t max_body_size;       /**< bytes of an answer that is no stream; 0: 8 MiB */
  int32_t own_safety_policy;  /**< 1: `safety_policy` is for events of personal data and jailbreaks; 0: `policy` is */
  int32_t safety_policy;      /**< VSR_POLICY_... */
} vsr_guard_options;

#define VSR_GUARD_OPTIONS_INIT                                                                                 \
  {                                                                                                            \
    (uint32_t)sizeof(vsr_guard_options), 0, 0, 0, 0, 0, 0, 0.0f, 0.0f, 0, {NULL, 0}, NULL, NULL, {NULL, 0},     \
        {NULL, 0}, 0, 0, 0, 0, 0, 0, 0                                                                         \
  }

/** The guard of one answer. Every function takes one thread at a time per guard; guards do not know of each other. */
typedef struct vsr_guard vsr_guard;

/**
 * Begins to guard an answer.
 *
 * @param facts  Kept alive.
 * @param options  NULL for defaults. Texts are copied.
 * @param out_guard  Caller frees with vsr_guard_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_NOT_FOUND (task).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_guard_create(const vsr_facts *facts, const vsr_guard_options *options, vsr_guard **out_guard,
                                    vsr_error *error);

/** What came of one piece of an answer. Immutable; holds its own bytes. */
typedef struct vsr_guard_step vsr_guard_step;

/**
 * Takes the next bytes of the answer. Pieces of any size: how an answer is cut changes neither the bytes that leave
 * nor the events, times aside. Bytes leave as they came while no policy acts; a server-sent event leaves with its last
 * byte, with VSR_POLICY_OBSERVE every byte at once. What a model fails at does not fail the call: it counts as
 * unchecked (vsr_guard_step_overloaded()).
 *
 * @param bytes  Any bytes. None: has text go that was held for too long.
 * @param out_step  Caller frees with vsr_guard_step_free().
 * @return VSR_OK, VSR_ERR_STATE (after vsr_guard_finish()), VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * One thread at a time per `guard`.
 */
VSR_API vsr_status vsr_guard_feed(vsr_guard *guard, vsr_str bytes, vsr_guard_step **out_step, vsr_error *error);

/** The answer is over: the rest is judged and leaves. As vsr_guard_feed().
 * @since 0.2
 * One thread at a time per `guard`.
 */
VSR_API vsr_status vsr_guard_finish(vsr_guard *guard, vsr_guard_step **out_step, vsr_error *error);

/** What was found so far, as JSON: {"claims", "claims_by_symbols", "checked", "events": {kind: count}, "overloads",
 * "reason" (of the last overload), "ended", "headers": {name: value}}; the headers are for answers that are no streams.
 * @param out_json  Caller frees with vsr_string_free().
 * @since 0.2
 * One thread at a time per `guard`.
 */
VSR_API vsr_status vsr_guard_describe(const vsr_guard *guard, vsr_string **out_json, vsr_error *error);

/** Frees `guard`; NULL is allowed. @since 0.2 One thread at a time per `guard`. */
VSR_API void vsr_guard_free(vsr_guard *guard);

/**
 * Checks a whole text at once: the events that a guard of plain text would give.
 *
 * @param options  Of a guard; policy, format and hold do not count. NULL for defaults.
 * @param out_step  Caller frees with vsr_guard_step_free(). It forwards nothing.
 * @return As vsr_guard_create().
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_facts_check(const vsr_facts *facts, vsr_str text, const vsr_guard_options *options,
                                   vsr_guard_step **out_step, vsr_error *error);

/** Something wrong in an answer. Positions are bytes of the text of one choice and field, end exclusive. */
typedef struct vsr_guard_event {
  uint32_t struct_size; /**< bytes that the library filled */
  int32_t kind;         /**< VSR_GUARD_... */
  size_t start;         /**< of what is wrong */
  size_t end;
  size_t claim_start; /**< of the claim it was found in */
  size_t claim_end;
  vsr_str text;        /**< what is wrong */
  vsr_str claim;       /**< the claim */
  float score;         /**< a probability; 1 where symbols decide */
  int32_t fact;        /**< index of the fact that contradicts, or comes nearest; -1: none */
  double milliseconds; /**< from the byte that finished the claim to the event */
  int32_t choice;      /**< of the answer: the choice, content block or output item */
  int32_t field;       /**< VSR_FIELD_... */
  int32_t index;       /**< of the tool call or content part */
  uint32_t reserved;   /**< 0 */
} vsr_guard_event;

/** The bytes to send on. Borrowed until `step` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_guard_step_forward(const vsr_guard_step *step);
/** The number of events. @since 0.2 Thread-safe. */
VSR_API size_t vsr_guard_step_event_count(const vsr_guard_step *step);
/** An event; NULL out of range. Borrowed until `step` is freed. @since 0.2 Thread-safe. */
VSR_API const vsr_guard_event *vsr_guard_step_event(const vsr_guard_step *step, size_t event);
/** Bytes of the answer's text that are judged so far, of all choices together; never goes back. @since 0.2 Thread-safe.
 */
VSR_API size_t vsr_guard_step_checked_size(const vsr_guard_step *step);
/** 1: nothing more will leave, cancel upstream. @since 0.2 Thread-safe. */
VSR_API int32_t vsr_guard_step_ended(const vsr_guard_step *step);
/** 1: some of this piece went, or was stopped, unchecked. @since 0.2 Thread-safe. */
VSR_API int32_t vsr_guard_step_overloaded(const vsr_guard_step *step);
/** Frees `step`; NULL is allowed. @since 0.2 One thread at a time per `step`. */
VSR_API void vsr_guard_step_free(vsr_guard_step *step);

/** The name of a VSR_GUARD_...: number, date, amount, unit, percent, name, identifier, negation, contradiction,
 * unsupported, pii, jailbreak; "" for another number. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_guard_kind_name(int32_t kind);

#ifdef __cplusplus
}
#endif
#endif
