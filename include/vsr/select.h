/* Choosing among the embedding models of an engine, by a policy. */
#ifndef VSR_SELECT_H
#define VSR_SELECT_H

#include "infer.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * The rule. It is the same for every call: load, time and earlier calls have no part in it. One model is chosen for all
 * texts of a call, so that their vectors can be compared.
 *
 * 1. Every model of the engine is a candidate. Rejected is one that
 *    - is a classifier: it has a head and no modules.json;
 *    - has vectors of another length than `dim`, and does not list it in `matryoshka_dims`; or fewer than `layer` blocks;
 *    - does not list the policy's language. A language covers its regions and scripts: "pt" is enough for "pt-BR";
 *    - has no prompt of that name.
 * 2. Those that must read some text in windows, prompt included, are rejected too, unless all of them must.
 * 3. The others are scored: score = (quality_priority * quality + latency_priority * speed) / (sum of both priorities).
 *    quality is that of the config; without one it is log10(P / 1e6) / 3, between 0 and 1, with P the parameters
 *    outside the table of token embeddings: 0.34 for MiniLM-L6, 0.64 for BERT-base, 0.88 for Qwen3-Embedding-0.6B.
 *    speed is W_least / W with W = P * tokens of all windows, and W_least that of the cheapest candidate left.
 * 4. The highest score wins; of equals the least W, then the order in which the engine lists its models.
 *
 * What the config file says of a model, all of it optional:
 *
 *   vsr:
 *     models:
 *       gemma: {path: models/gemma, languages: [de, en], quality: 0.7, matryoshka_dims: [128, 256, 512]}
 *       mmbert: {path: models/mmbert, languages: ["*"]}
 */

/** What a call wants of a model beside its vsr_embed_options. Zero means default in every field. */
typedef struct vsr_policy_options {
  uint32_t struct_size;   /**< set by VSR_POLICY_OPTIONS_INIT */
  float quality_priority; /**< 0 to 1; only its proportion to the other counts, and both 0 count alike */
  float latency_priority; /**< 0 to 1 */
  uint32_t reserved;      /**< 0 */
  const char *language;   /**< BCP 47 tag of the texts, such as "de" or "pt-BR"; NULL: not asked for */
} vsr_policy_options;

#define VSR_POLICY_OPTIONS_INIT {(uint32_t)sizeof(vsr_policy_options), 0.0f, 0.0f, 0, NULL}

/** Which model was chosen, and why. Immutable; holds its own strings and outlives the engine. */
typedef struct vsr_selection vsr_selection;

/** One model of the engine, and what speaks for and against it. */
typedef struct vsr_candidate {
  uint32_t struct_size; /**< bytes that the library filled */
  int32_t chosen;       /**< 1: it is the one */
  vsr_str model;        /**< its name */
  vsr_str rejected;     /**< why it could not be chosen, as in "lists no languages"; none: it could */
  float quality;
  float speed;         /**< 0 of a rejected one */
  float score;         /**< 0 of a rejected one */
  uint32_t reserved;   /**< 0 */
  size_t token_count;  /**< of the longest text, prompt included; 0 where the texts did not matter */
  size_t window_count; /**< in which all texts are read */
} vsr_candidate;

/**
 * Says which model vsr_embed_select() would choose.
 *
 * @param policy  NULL for defaults.
 * @param options  dim, layer, prompt and instruction count; `task` must be NULL. NULL for defaults.
 * @param out_selection  Caller frees with vsr_selection_free().
 * @return VSR_OK, VSR_ERR_NOT_FOUND (no model qualifies; the message says why not, model by model), or what vsr_embed()
 *   returns.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_select_model(const vsr_engine *engine, const vsr_str *texts, size_t text_count,
                                    const vsr_policy_options *policy, const vsr_embed_options *options,
                                    vsr_selection **out_selection, vsr_error *error);

/**
 * Chooses a model and embeds with it: vsr_select_model(), then vsr_embed() with that model as the task.
 *
 * @param out_result  Caller frees with vsr_result_free().
 * @param out_selection  Caller frees with vsr_selection_free(); may be NULL.
 * @return VSR_OK, or what those two return.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_embed_select(const vsr_engine *engine, const vsr_str *texts, size_t text_count,
                                    const vsr_policy_options *policy, const vsr_embed_options *options,
                                    vsr_result **out_result, vsr_selection **out_selection, vsr_error *error);

/** The chosen model's name, which is that of its embedding task; none for NULL. Borrowed until `selection` is freed.
 * @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_selection_model(const vsr_selection *selection);
/** The reason in one line: the sum that made its score, and the runner-up. Borrowed until `selection` is freed.
 * @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_selection_reason(const vsr_selection *selection);
/** The number of candidates: the models of the engine. @since 0.2 Thread-safe. */
VSR_API size_t vsr_selection_candidate_count(const vsr_selection *selection);
/** Candidate `index`, in the engine's order; NULL out of range. Borrowed until `selection` is freed.
 * @since 0.2 Thread-safe. */
VSR_API const vsr_candidate *vsr_selection_candidate(const vsr_selection *selection, size_t index);

/** Frees `selection`; NULL is allowed. @since 0.2 One thread at a time per `selection`. */
VSR_API void vsr_selection_free(vsr_selection *selection);

#ifdef __cplusplus
}
#endif
#endif
