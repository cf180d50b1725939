/* Generation: text that goes on from a prompt, by a causal language model. */
#ifndef VSR_GENERATE_H
#define VSR_GENERATE_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * Called with each new token, on the thread that made the call, before the next one is computed. `text` is what the
 * token completes, and ends with a whole character: empty while a character is not complete, and
 * together equal to vsr_generation_text(). Borrowed for the call. A non-zero return ends the call with
 * VSR_ERR_CANCELLED. Must not throw.
 */
typedef int32_t (*vsr_token_callback)(int32_t id, vsr_str text, void *user_data);

/** Zero means default in every field. */
typedef struct vsr_generate_options {
  uint32_t struct_size;  /**< set by VSR_GENERATE_OPTIONS_INIT */
  int32_t no_eos;        /**< 1: goes on after an end-of-text token; 0: stops after one */
  size_t max_new_tokens; /**< 0: 128. The prompt and as many tokens must fit the model, or the call is VSR_ERR_LIMIT */
  const char *task;      /**< a generation task, which is a model's name; NULL: the only one */
  float temperature;     /**< divides the logits, and then a token is drawn; 0: the most likely token is taken */
  int32_t top_k;         /**< draw from the k most likely tokens and those as likely as the last of them; 0: all */
  float top_p;           /**< draw from the most likely tokens that together have this probability; 0: all */
  uint32_t reserved;     /**< 0 */
  uint64_t seed;         /**< of the draws: the same seed gives the same tokens */
  vsr_token_callback on_token; /**< or NULL */
  void *user_data;             /**< for `on_token` */
  int64_t deadline_ms;         /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_generate_options;

#define VSR_GENERATE_OPTIONS_INIT \
  {(uint32_t)sizeof(vsr_generate_options), 0, 0, NULL, 0.0f, 0, 0.0f, 0, 0, NULL, NULL, 0, NULL}

/** Why generation ended. */
enum {
  VSR_FINISH_LENGTH = 1, /**< max_new_tokens */
  VSR_FINISH_EOS = 2     /**< an end-of-text token, the last of the ids */
};

/** The outcome of vsr_generate(). Immutable. */
typedef struct vsr_generation vsr_generation;

/**
 * Generates text after `prompt`, which is read as it is: no special tokens are added, and those that it spells out
 * count as such. End-of-text tokens are those of generation_config.json, else of config.json. Logits are processed as
 * transformers does it: temperature, top_k, top_p. Draws use SplitMix64 of the seed, the upper 53 bits as a fraction,
 * and the first token by id at which the sum of probabilities exceeds it.
 *
 * A deadline or a cancellation ends the call between two blocks of the model, also while the prompt is read.
 *
 * @param options  NULL: the most likely tokens, 128 at most.
 * @param out_generation  Caller frees with vsr_generation_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT (a prompt without tokens, an option out of range), VSR_ERR_LIMIT,
 *   VSR_ERR_UNSUPPORTED (no model generates), VSR_ERR_NOT_FOUND (task), VSR_ERR_STATE (no default engine),
 *   VSR_ERR_CANCELLED, VSR_ERR_DEADLINE, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_generate(const vsr_engine *engine, vsr_str prompt, const vsr_generate_options *options,
                                vsr_generation **out_generation, vsr_error *error);

/** The new text, without special tokens. Borrowed until `generation` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_generation_text(const vsr_generation *generation);
/** The number of new tokens. @since 0.2 Thread-safe. */
VSR_API size_t vsr_generation_token_count(const vsr_generation *generation);
/** The ids of the new tokens. Borrowed until `generation` is freed. @since 0.2 Thread-safe. */
VSR_API const int32_t *vsr_generation_ids(const vsr_generation *generation);
/** VSR_FINISH_LENGTH or VSR_FINISH_EOS; 0 for NULL. @since 0.2 Thread-safe. */
VSR_API int32_t vsr_generation_finish(const vsr_generation *generation);
/** Tokens of the prompt. @since 0.2 Thread-safe. */
VSR_API size_t vsr_generation_prompt_token_count(const vsr_generation *generation);
/** Bytes of the prompt that were not UTF-8 and were read as U+FFFD. @since 0.2 Thread-safe. */
VSR_API size_t vsr_generation_replaced_size(const vsr_generation *generation);
/** Frees `generation`; NULL is allowed. @since 0.2 One thread at a time per `generation`. */
VSR_API void vsr_generation_free(vsr_generation *generation);

#ifdef __cplusplus
}
#endif
#endif
