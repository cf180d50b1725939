/* Moderation: verdicts of a generative safety classifier, such as Qwen3Guard-Gen. */
#ifndef VSR_MODERATE_H
#define VSR_MODERATE_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Zero means default in every field. */
typedef struct vsr_moderate_options {
  uint32_t struct_size;  /**< set by VSR_MODERATE_OPTIONS_INIT */
  uint32_t reserved;     /**< 0 */
  const char *task;      /**< a generation task, which is a model's name; NULL: the only one */
  size_t max_new_tokens; /**< of the answer; 0: 128 */
  int64_t deadline_ms;   /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_moderate_options;

#define VSR_MODERATE_OPTIONS_INIT {(uint32_t)sizeof(vsr_moderate_options), 0, NULL, 0, 0, NULL}

/** How a text was judged. */
enum {
  VSR_SEVERITY_UNPARSED = 0, /**< the answer is no verdict: treat the text as unsafe */
  VSR_SEVERITY_SAFE = 1,
  VSR_SEVERITY_CONTROVERSIAL = 2,
  VSR_SEVERITY_UNSAFE = 3
};

/** Whether a response refuses. */
enum {
  VSR_REFUSAL_UNKNOWN = 0, /**< the answer does not say: a prompt was judged */
  VSR_REFUSAL_YES = 1,
  VSR_REFUSAL_NO = 2
};

/** The outcome of vsr_moderate(). Immutable. */
typedef struct vsr_verdict vsr_verdict;

/**
 * Judges a prompt, or the response to it. The texts are put into the checkpoint's own chat template as transformers
 * does it, the model answers with its most likely tokens, and the answer is read strictly: lines "Safety: Safe",
 * "Controversial" or "Unsafe", "Categories: ..." and "Refusal: Yes" or "No". Whatever else it says is
 * VSR_SEVERITY_UNPARSED, never safe. Texts that do not fit the model are VSR_ERR_LIMIT: nothing is left out. A deadline
 * or a cancellation ends the call while the template is run, or between two blocks of the model.
 *
 * A text that spells out special tokens can write parts of the question, or of its own answer, as in the reference;
 * vsr_verdict_control_token_count() says that one does.
 *
 * @param response  NULL: the prompt is judged.
 * @param out_verdict  Caller frees with vsr_verdict_free().
 * @return VSR_OK, VSR_ERR_LIMIT, VSR_ERR_UNSUPPORTED (no model generates, or it has no chat template, or one that vsr
 *   does not run; the message names line and construct), VSR_ERR_PARSE (a broken chat template),
 *   VSR_ERR_INVALID_ARGUMENT, VSR_ERR_NOT_FOUND (task), VSR_ERR_STATE (no default engine), VSR_ERR_CANCELLED,
 *   VSR_ERR_DEADLINE, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_moderate(const vsr_engine *engine, vsr_str prompt, const vsr_str *response,
                                const vsr_moderate_options *options, vsr_verdict **out_verdict, vsr_error *error);

/** VSR_SEVERITY_...; VSR_SEVERITY_UNPARSED for NULL. @since 0.2 Thread-safe. */
VSR_API int32_t vsr_verdict_severity(const vsr_verdict *verdict);
/** VSR_REFUSAL_... @since 0.2 Thread-safe. */
VSR_API int32_t vsr_verdict_refusal(const vsr_verdict *verdict);
/** The number of categories that the answer names. @since 0.2 Thread-safe. */
VSR_API size_t vsr_verdict_category_count(const vsr_verdict *verdict);
/** A category as the answer writes it; none out of range. Borrowed until `verdict` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_verdict_category(const vsr_verdict *verdict, size_t index);
/**
 * How likely a severity is: the model's probabilities of the three words after "Safety:", divided by their sum. They
 * are there whatever the answer says; 0 for VSR_SEVERITY_UNPARSED.
 * @since 0.2
 * Thread-safe.
 */
VSR_API float vsr_verdict_prob(const vsr_verdict *verdict, int32_t severity);
/** What the model wrote. Borrowed until `verdict` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_verdict_answer(const vsr_verdict *verdict);
/** What the model read. Borrowed until `verdict` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_verdict_prompt(const vsr_verdict *verdict);
/** Tokens of vsr_verdict_prompt(). @since 0.2 Thread-safe. */
VSR_API size_t vsr_verdict_prompt_token_count(const vsr_verdict *verdict);
/** Special tokens that the caller's own texts spell out. @since 0.2 Thread-safe. */
VSR_API size_t vsr_verdict_control_token_count(const vsr_verdict *verdict);
/** Bytes of the texts that were not UTF-8 and were read as U+FFFD. @since 0.2 Thread-safe. */
VSR_API size_t vsr_verdict_replaced_size(const vsr_verdict *verdict);
/** Frees `verdict`; NULL is allowed. @since 0.2 One thread at a time per `verdict`. */
VSR_API void vsr_verdict_free(vsr_verdict *verdict);

#ifdef __cplusplus
}
#endif
#endif
