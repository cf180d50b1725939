/* Private intents: routing by a few examples each, without training (nearest neighbours over embeddings). */
#ifndef VSR_INTENTS_H
#define VSR_INTENTS_H

#include "cancel.h"
#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A set of intents, each a label with example texts, that may change while others route: a reader never waits, and
 * sees the set as it was before or after a change, never between.
 */
typedef struct vsr_intents vsr_intents;

/** How neighbours decide: VSR_RULE_DEFAULT is VSR_RULE_VOTE. */
enum {
  VSR_RULE_DEFAULT = 0,
  VSR_RULE_VOTE = 1, /**< the top_k nearest examples vote, near ones with much more weight */
  VSR_RULE_BEST = 2, /**< the intent of the nearest example wins */
  VSR_RULE_BLEND = 3 /**< nearness to an intent's nearest example and to the mean of its examples count alike */
};

/** Zero means default in every field. */
typedef struct vsr_intents_options {
  uint32_t struct_size; /**< set by VSR_INTENTS_OPTIONS_INIT */
  int32_t rule;         /**< VSR_RULE_... */
  int32_t top_k;        /**< examples that vote, 1 to 1024; 0: 5. Other rules do not use it. */
  float threshold;      /**< least score of a match, in [-1, 1], for intents without their own */
  const char *task;     /**< the embedding task; NULL: the only one */
} vsr_intents_options;

#define VSR_INTENTS_OPTIONS_INIT {(uint32_t)sizeof(vsr_intents_options), 0, 0, 0.0f, NULL}

/**
 * Makes an empty set over an engine's embedding task. The set keeps the engine alive; a set over the default engine
 * (NULL) stays on the one that is open now.
 *
 * @param out_intents  Caller frees with vsr_intents_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_NOT_FOUND (task), VSR_ERR_STATE.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_intents_create(const vsr_engine *engine, const vsr_intents_options *options,
                                      vsr_intents **out_intents, vsr_error *error);

/** Zero means default in every field. */
typedef struct vsr_intents_add_options {
  uint32_t struct_size;   /**< set by VSR_INTENTS_ADD_OPTIONS_INIT */
  uint32_t reserved;      /**< 0 */
  const float *threshold; /**< the intent's own least score in [-1, 1], replacing an earlier one; NULL: as it is */
  int64_t deadline_ms;    /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_intents_add_options;

#define VSR_INTENTS_ADD_OPTIONS_INIT {(uint32_t)sizeof(vsr_intents_add_options), 0, NULL, 0, NULL}

/** Adds examples to an intent, which begins with its first example. An example that the intent already has is kept
 * once. All are added, or on failure none. A deadline or a cancellation ends the call while the examples are embedded.
 * @param label  The intent: UTF-8, not empty.
 * @param examples  Copied. None, for an intent that exists, changes only its threshold.
 * @param options  NULL for defaults.
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_CANCELLED, VSR_ERR_DEADLINE, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_intents_add(vsr_intents *intents, const char *label, const vsr_str *examples,
                                   size_t example_count, const vsr_intents_add_options *options, vsr_error *error);

/** Removes an intent with all its examples.
 * @return VSR_OK, VSR_ERR_NOT_FOUND.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_intents_remove(vsr_intents *intents, const char *label, vsr_error *error);

/** What a set holds, as JSON: {"rule", "top_k", "threshold", "dim", "index": "exact"|"hnsw", "intents":
 * [{"label", "examples", "threshold"}]}, "threshold" null where the set's own counts.
 * @param out_json  Caller frees with vsr_string_free().
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_intents_describe(const vsr_intents *intents, vsr_string **out_json, vsr_error *error);

/** Writes the set, examples and vectors included, to one file; an existing file is replaced in one step and keeps its
 * permissions, a new one is readable by its owner alone, and where `path` is a link, what it leads to is written.
 * @return VSR_OK, VSR_ERR_NOT_FOUND (the folder), VSR_ERR_IO.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_intents_save(const vsr_intents *intents, const char *path, vsr_error *error);

/** Reads a set that vsr_intents_save() wrote. Its vectors are those of the file: they are not computed again.
 * @param out_intents  Caller frees with vsr_intents_free().
 * @return VSR_OK, VSR_ERR_NOT_FOUND, VSR_ERR_IO, VSR_ERR_PARSE, VSR_ERR_UNSUPPORTED (written by a later vsr),
 *   VSR_ERR_INVALID_ARGUMENT (written with a model whose embeddings differ; the message names both).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_intents_load(const vsr_engine *engine, const char *path, const char *task,
                                    vsr_intents **out_intents, vsr_error *error);

/** Zero means default in every field. What is given here counts in place of what the file says. */
typedef struct vsr_intents_read_file_options {
  uint32_t struct_size;   /**< set by VSR_INTENTS_READ_FILE_OPTIONS_INIT */
  int32_t rule;           /**< VSR_RULE_...; VSR_RULE_DEFAULT: the file's */
  int32_t top_k;          /**< 0: the file's */
  uint32_t reserved;      /**< 0 */
  const float *threshold; /**< of all intents, in place of each one's own; NULL: the file's */
  const char *task;       /**< the embedding task; NULL: the only one */
  int64_t deadline_ms;    /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_intents_read_file_options;

#define VSR_INTENTS_READ_FILE_OPTIONS_INIT \
  {(uint32_t)sizeof(vsr_intents_read_file_options), 0, 0, 0, NULL, NULL, 0, NULL}

/** Makes a set of what people write, a YAML file of intents or a CSV of texts and labels (docs/intents.md says how), and
 * embeds its examples. The end of the name tells which it is: .yaml, .yml or .csv.
 * @param options  NULL for defaults.
 * @param out_intents  Caller frees with vsr_intents_free().
 * @return VSR_OK, VSR_ERR_NOT_FOUND (the file, or the task), VSR_ERR_IO, VSR_ERR_PARSE (the message names file, line and
 *   what is wrong), VSR_ERR_INVALID_ARGUMENT, VSR_ERR_STATE, VSR_ERR_CANCELLED, VSR_ERR_DEADLINE,
 *   VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_intents_read_file(const vsr_engine *engine, const char *path,
                                         const vsr_intents_read_file_options *options, vsr_intents **out_intents,
                                         vsr_error *error);

/** Frees `intents`; NULL is allowed. @since 0.2 One thread at a time per `intents`. */
VSR_API void vsr_intents_free(vsr_intents *intents);

/** The outcome of vsr_intents_route() and vsr_intents_route_vectors(). Immutable; holds its own strings. */
typedef struct vsr_matches vsr_matches;

/** Zero means default in every field. */
typedef struct vsr_intents_route_options {
  uint32_t struct_size; /**< set by VSR_INTENTS_ROUTE_OPTIONS_INIT */
  uint32_t reserved;    /**< 0 */
  int64_t deadline_ms;  /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_intents_route_options;

#define VSR_INTENTS_ROUTE_OPTIONS_INIT {(uint32_t)sizeof(vsr_intents_route_options), 0, 0, NULL}

/**
 * Finds each text's intent.
 *
 * Similarity is the cosine of embeddings. VSR_RULE_VOTE: each of the top_k nearest examples adds e^(10 * similarity) to
 * its intent; the intent with the largest sum wins (ties: the one with the nearest example), and its score is its
 * highest similarity. VSR_RULE_BEST: the intent of the nearest example wins, and that similarity is the score. Of
 * equally near examples the one added first counts as nearer. VSR_RULE_BLEND: an intent's score is the mean of two
 * similarities, to its nearest example and to the mean of its examples; the highest wins; intents without an example
 * among the 64 nearest are left out.
 *
 * The runner-up is the next other intent under the same rule; where all votes went to the winner, the intent of the
 * next nearest example, looked for among the 64 (top_k if more) nearest. A winner whose score is below its threshold
 * gives no intent.
 *
 * Up to some 16,000 examples all are compared. Beyond that most are found through an index that may miss one in a few
 * hundred, and a call to vsr_intents_add() that completes such a batch takes seconds to build it, while others route on.
 *
 * @param options  NULL for defaults. Deadline and cancellation end the call while the texts are embedded or compared.
 * @param out_matches  Caller frees with vsr_matches_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_CANCELLED, VSR_ERR_DEADLINE, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_intents_route(const vsr_intents *intents, const vsr_str *texts, size_t text_count,
                                     const vsr_intents_route_options *options, vsr_matches **out_matches,
                                     vsr_error *error);

/**
 * As vsr_intents_route(), for texts that were embedded before: vectors of the set's own embedding task, as vsr_embed()
 * without options and vsr_classify_all() give them. So one pass of a model answers tasks and finds intents.
 *
 * @param vectors  Row i at vectors[i * dim], of length 1.
 * @param dim  That of the set's embedding task; another is VSR_ERR_INVALID_ARGUMENT.
 * @param options  NULL for defaults. Deadline and cancellation end the call between vectors.
 * @param out_matches  Caller frees with vsr_matches_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT (also for a vector that is not finite or not of length 1),
 *   VSR_ERR_CANCELLED, VSR_ERR_DEADLINE, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_intents_route_vectors(const vsr_intents *intents, const float *vectors, size_t vector_count,
                                             size_t dim, const vsr_intents_route_options *options,
                                             vsr_matches **out_matches, vsr_error *error);

/** A text's match. */
typedef struct vsr_match {
  uint32_t struct_size;  /**< bytes that the library filled */
  float score;           /**< of `nearest`, in [-1, 1]; 0 for an empty set */
  float runner_up_score; /**< of `runner_up`; 0 where there is none */
  uint32_t reserved;     /**< 0 */
  vsr_str label;         /**< the intent; none: none of these (below the threshold, or an empty set) */
  vsr_str nearest;       /**< the winner before the threshold; none: an empty set */
  vsr_str runner_up;     /**< the next other intent; none: there is none among the neighbours */
} vsr_match;

/** The number of texts. @since 0.2 Thread-safe. */
VSR_API size_t vsr_matches_match_count(const vsr_matches *matches);
/** The match of a text; NULL out of range. Borrowed until `matches` is freed. @since 0.2 Thread-safe. */
VSR_API const vsr_match *vsr_matches_match(const vsr_matches *matches, size_t text);
/** Frees `matches`; NULL is allowed. @since 0.2 One thread at a time per `matches`. */
VSR_API void vsr_matches_free(vsr_matches *matches);

#ifdef __cplusplus
}
#endif
#endif
