/* Inference: embeddings, classification of texts and of tokens, entities, similarity. */
#ifndef VSR_INFER_H
#define VSR_INFER_H

#include "cancel.h"
#include "engine.h"
#include "result.h"

#ifdef __cplusplus
extern "C" {
#endif

/*
 * Rules that hold for every function here.
 *
 * Long texts. A text beyond the model's limit (max_tokens of vsr_engine_describe()) is read in windows, each with the
 * tokenizer's special tokens; a window holds as many tokens of the text as fit, the next starts half of that later,
 * and the last one ends with the text. Nothing is dropped unless a result says so. Of a pair the longer side is
 * windowed; a shorter side that leaves less than an eighth of the limit to the longer one is VSR_ERR_LIMIT.
 *
 * Texts. `texts` is an array of `text_count` strings, copied where needed; text_count 0 gives a result without rows. Rows
 * follow the order of `texts`; apart from rounding, a row does not depend on its neighbours.
 *
 * Calls at the same time. While a core is free a call runs at once; what comes while all are busy waits and is run
 * together, in batches of many calls without padding. Calls take turns by tokens, so that a long text or a long list
 * does not hold up short ones. One call uses all cores, many use one each. What one call does wrong, its deadline or
 * its end do not touch the others.
 *
 * Errors of all: VSR_ERR_INVALID_ARGUMENT (NULL where none is allowed, a value out of range), VSR_ERR_STATE (no
 * default engine), VSR_ERR_NOT_FOUND (task), VSR_ERR_LIMIT (max_tokens, or "queue is full": more calls or tokens than
 * vsr_engine_options allows), VSR_ERR_CANCELLED, VSR_ERR_DEADLINE, VSR_ERR_OUT_OF_MEMORY.
 */

/** Zero means default in every field. */
typedef struct vsr_embed_options {
  uint32_t struct_size; /**< set by VSR_EMBED_OPTIONS_INIT */
  int32_t dim;          /**< keep the first `dim` values (Matryoshka, arXiv:2205.13147); 0: all */
  int32_t layer;        /**< output of the first `layer` blocks and the final norm; 0: all */
  int32_t no_normalize; /**< 1: leave vectors as the model's modules make them (without modules: not normalised); 0:
                             length 1 */
  const char *task;               /**< an embedding task, which is a model's name; NULL: the only one */
  const char *prompt;             /**< name of one of the checkpoint's prompts; NULL: its default prompt, if any */
  const char *instruction;        /**< free text put in front of each text instead of a prompt; NULL: none */
  size_t max_tokens;              /**< longer texts are VSR_ERR_LIMIT instead of windowed; 0: no limit */
  vsr_progress_callback progress; /**< or NULL */
  void *user_data;                /**< for `progress` */
  int64_t deadline_ms; /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_embed_options;

#define VSR_EMBED_OPTIONS_INIT {(uint32_t)sizeof(vsr_embed_options), 0, 0, 0, NULL, NULL, NULL, 0, NULL, NULL, 0, NULL}

/** Zero means default in every field. */
typedef struct vsr_classify_options {
  uint32_t struct_size;           /**< set by VSR_CLASSIFY_OPTIONS_INIT */
  float threshold;                /**< entities only: least score of one, 0 < threshold <= 1; 0: 0.5 */
  const char *task;               /**< the task to run; NULL: the only one of the kind that the call needs */
  size_t max_tokens;              /**< longer texts are VSR_ERR_LIMIT instead of windowed; 0: no limit */
  vsr_progress_callback progress; /**< or NULL */
  void *user_data;                /**< for `progress` */
  int64_t deadline_ms; /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_classify_options;

#define VSR_CLASSIFY_OPTIONS_INIT {(uint32_t)sizeof(vsr_classify_options), 0.0f, NULL, 0, NULL, NULL, 0, NULL}

/**
 * Embeds each text: the matrix of the result is float32 [text_count, dim]. The pooling is that of the checkpoint's
 * modules.json, or the mean over tokens. Windows are joined by their mean, weighted with their tokens of the text, and
 * normalised again.
 *
 * @param out_result  Caller frees with vsr_result_free().
 * @return VSR_OK or one of the codes above.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_embed(const vsr_engine *engine, const vsr_str *texts, size_t text_count,
                             const vsr_embed_options *options, vsr_result **out_result, vsr_error *error);

/**
 * As vsr_embed(), into memory of the caller: row i at out_vectors[i * dim].
 *
 * @param capacity  Size of `out_vectors` in floats; less than text_count * dim is VSR_ERR_INVALID_ARGUMENT.
 * @param out_dim  Set to the length of a row; may be NULL.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_embed_into(const vsr_engine *engine, const vsr_str *texts, size_t text_count,
                                  const vsr_embed_options *options, float *out_vectors, size_t capacity,
                                  size_t *out_dim, vsr_error *error);

/**
 * Scores each text, or pair of texts, against every label of a sequence-classification head. The matrix of the result
 * is float32 [text_count, labels]: softmax over labels, or one sigmoid per label where the checkpoint's config says
 * multi-label or has one label. Windows are joined by their mean, label by label.
 *
 * @param pairs  NULL, or text_count second sides; joined by the tokenizer's own template.
 * @param out_result  Caller frees with vsr_result_free().
 * @return VSR_OK, VSR_ERR_UNSUPPORTED (no such head), or one of the codes above.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_classify(const vsr_engine *engine, const vsr_str *texts, const vsr_str *pairs, size_t text_count,
                                const vsr_classify_options *options, vsr_result **out_result, vsr_error *error);

/**
 * Scores every token of one text with a token-classification head. The matrix of the result is float32
 * [tokens, labels], special tokens included; of a long text each token's row is from the window in which it lies most
 * centrally.
 *
 * @param out_result  Caller frees with vsr_result_free().
 * @return VSR_OK, VSR_ERR_UNSUPPORTED (no such head), or one of the codes above.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_token_probs(const vsr_engine *engine, vsr_str text, const vsr_classify_options *options,
                                   vsr_result **out_result, vsr_error *error);

/**
 * Finds the entities in each text with a token-classification head. Each token's best label counts; BIO (also BIOES
 * and BILOU) prefixes in the labels' text join tokens to spans, plain labels join neighbours of one label, "O" is none.
 * An entity's score is the mean of its tokens' scores; spans never cross a change of label. See
 * vsr_result_entity_count().
 *
 * @param out_result  Caller frees with vsr_result_free(). Its matrix is empty.
 * @return VSR_OK, VSR_ERR_UNSUPPORTED (no such head), or one of the codes above.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_entities(const vsr_engine *engine, const vsr_str *texts, size_t text_count,
                                const vsr_classify_options *options, vsr_result **out_result, vsr_error *error);

/**
 * As vsr_token_probs(), for a pair of texts in the tokenizer's own template: one row per token of both, special tokens
 * included. Of a pair in several windows, each token of the side that all of them hold has the mean of its rows.
 *
 * @param out_result  Caller frees with vsr_result_free(). Its counts are of the pair.
 * @return As vsr_token_probs().
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_token_probs_of_pair(const vsr_engine *engine, vsr_str text, vsr_str pair,
                                           const vsr_classify_options *options, vsr_result **out_result,
                                           vsr_error *error);

/**
 * As vsr_entities(), for pairs of texts: finds the entities in pairs[i], which is read together with texts[i], as models
 * do that check an answer (`pairs`) against facts (`texts`). Spans are of pairs[i] alone; of a pair in several windows
 * the result has what any of them finds.
 *
 * @param pairs  text_count second sides; not NULL unless text_count is 0.
 * @param out_result  Caller frees with vsr_result_free(). An entity's `text` is the index of its pair, its `start` and
 *   `end` are bytes of pairs[text].
 * @return As vsr_entities().
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_entities_of_pairs(const vsr_engine *engine, const vsr_str *texts, const vsr_str *pairs,
                                         size_t text_count, const vsr_classify_options *options,
                                         vsr_result **out_result, vsr_error *error);

/**
 * Cosine similarity of a[i] and b[i], in [-1, 1], into out_scores[i]. Texts that occur twice are embedded once.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_similarity(const vsr_engine *engine, const vsr_str *a, const vsr_str *b, size_t pair_count,
                                  const vsr_embed_options *options, float *out_scores, vsr_error *error);

/**
 * Cosine similarity of every a[i] with every b[j], into out_scores[i * b_count + j].
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_similarity_matrix(const vsr_engine *engine, const vsr_str *a, size_t a_count, const vsr_str *b,
                                         size_t b_count, const vsr_embed_options *options, float *out_scores,
                                         vsr_error *error);

/**
 * The `k` candidates most similar to `query`, best first, equal scores in the candidates' order.
 *
 * @param out_indices, out_scores  Room for k values each; out_scores may be NULL.
 * @param out_count  Set to min(k, candidate_count).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_nearest(const vsr_engine *engine, vsr_str query, const vsr_str *candidates,
                               size_t candidate_count, size_t k, const vsr_embed_options *options, size_t *out_indices,
                               float *out_scores, size_t *out_count, vsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
