/* Many tasks on the same texts in one call: one pass of each base model for all tasks that it answers. */
#ifndef VSR_MULTI_H
#define VSR_MULTI_H

#include "infer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What answers a task: a model of its own, or an adapter of another. Numbers are never reused. */
enum {
  VSR_PATH_AUTO = 0, /**< of a task that has both: see vsr_classify_all() */
  VSR_PATH_STANDARD = 1,
  VSR_PATH_LORA = 2
};

/** What a task answers with. Numbers are never reused. */
enum {
  VSR_TASK_NONE = 0,
  VSR_TASK_EMBEDDING = 1,               /**< vectors, as vsr_embed() without options */
  VSR_TASK_SEQUENCE_CLASSIFICATION = 2, /**< scores, as vsr_classify() */
  VSR_TASK_TOKEN_CLASSIFICATION = 3     /**< entities, as vsr_entities() */
};

/** Zero means default in every field. */
typedef struct vsr_multi_options {
  uint32_t struct_size;  /**< set by VSR_MULTI_OPTIONS_INIT */
  int32_t path;          /**< VSR_PATH_... for tasks that have both */
  float threshold;       /**< least score of an entity, 0 < threshold <= 1; 0: the task's own, else 0.5 */
  uint32_t reserved;     /**< 0 */
  const uint8_t *wanted; /**< which text each task reads: 0 or 1, [text_count, task_count] row-major; NULL: all */
  size_t max_tokens;     /**< longer texts are VSR_ERR_LIMIT instead of windowed; 0: no limit */
  vsr_progress_callback progress; /**< or NULL */
  void *user_data;                /**< for `progress` */
  int64_t deadline_ms; /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_multi_options;

#define VSR_MULTI_OPTIONS_INIT {(uint32_t)sizeof(vsr_multi_options), 0, 0.0f, 0, NULL, 0, NULL, NULL, 0, NULL}

/**
 * The outcome of vsr_classify_all(). Immutable; holds its own strings and outlives the engine.
 */
typedef struct vsr_multi_result vsr_multi_result;

/**
 * Runs many tasks on the same texts. Tasks are grouped by base model and each group is one pass: blocks that no
 * adapter of the group changes run once for all of them, and above those the rows of all tasks go through the base's
 * weights together. Models run in parallel; texts are tokenized once for each tokenizer. Answers are those of one call
 * for each task, apart from rounding.
 *
 * A task that has both a model of its own and an adapter takes the path of `options`. VSR_PATH_AUTO: the one that the
 * config prefers for it; else the adapter if its base runs anyway, for a task of this call that has no choice; else the
 * model. The choice depends on the names alone, never on load.
 *
 * A task that fails has an error instead of a result and leaves the others alone, so every outcome's status has to be
 * looked at. Pairs are for classification and embeddings: a task for entities has the error VSR_ERR_UNSUPPORTED with
 * them, as has an embedding task whose model puts a prompt in front of texts. The call itself fails where nothing can
 * be answered: for unknown names, names given twice, arguments out of range, or when it is cancelled.
 *
 * @param engine  NULL for the default engine; the call ends on the one it began with.
 * @param pairs  NULL, or text_count second sides.
 * @param tasks  Names; copied. NULL with task_count 0: every task of the engine that is for classification.
 * @param options  NULL for defaults.
 * @param out_result  Caller frees with vsr_multi_result_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_NOT_FOUND (task), VSR_ERR_STATE, VSR_ERR_LIMIT (queue
 *   is full), VSR_ERR_CANCELLED, VSR_ERR_DEADLINE, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_classify_all(const vsr_engine *engine, const vsr_str *texts, const vsr_str *pairs,
                                    size_t text_count, const char *const *tasks, size_t task_count,
                                    const vsr_multi_options *options, vsr_multi_result **out_result, vsr_error *error);

/** What one task answered. Strings and `result` are borrowed until the vsr_multi_result is freed. */
typedef struct vsr_task_outcome {
  uint32_t struct_size;     /**< bytes that the library filled */
  vsr_status status;        /**< VSR_OK, or why it failed */
  vsr_str task;             /**< its name */
  vsr_str model;            /**< name of the base model */
  vsr_str message;          /**< why it failed; none: it did not */
  const vsr_result *result; /**< NULL: it failed */
  int32_t kind;             /**< VSR_TASK_... */
  int32_t path;             /**< the one taken: VSR_PATH_STANDARD or VSR_PATH_LORA */
} vsr_task_outcome;

/** The number of tasks. @since 0.2 Thread-safe. */
VSR_API size_t vsr_multi_result_outcome_count(const vsr_multi_result *result);

/**
 * Task `index`, in the order of the call; NULL out of range. A text that the task did not have to read has
 * vsr_result_window_count() 0, a row of NaN, and no best label. Borrowed until `result` is freed.
 * @since 0.2
 * Thread-safe.
 */
VSR_API const vsr_task_outcome *vsr_multi_result_outcome(const vsr_multi_result *result, size_t index);

/** One pass of a base model. Strings are borrowed until the vsr_multi_result is freed. */
typedef struct vsr_pass {
  uint32_t struct_size; /**< bytes that the library filled */
  uint32_t reserved;    /**< 0 */
  vsr_str model;
  const vsr_str *tasks; /**< names of the tasks that it answered, task_count of them */
  size_t task_count;
  size_t block_count; /**< of the model */
  /** The first of them, which ran once for all tasks, in the batch where these were fewest. */
  size_t shared_block_count;
  size_t row_count;          /**< tokens times blocks that were run, the last block as if it ran for all of them */
  size_t separate_row_count; /**< what a pass for each adapter, and one for the model itself, would have run */
} vsr_pass;

/** The number of passes: one for each base model. @since 0.2 Thread-safe. */
VSR_API size_t vsr_multi_result_pass_count(const vsr_multi_result *result);
/** Pass `index`; NULL out of range. Borrowed until `result` is freed. @since 0.2 Thread-safe. */
VSR_API const vsr_pass *vsr_multi_result_pass(const vsr_multi_result *result, size_t index);

/** Frees `result` with the results of its tasks; NULL is allowed. @since 0.2 One thread at a time per `result`. */
VSR_API void vsr_multi_result_free(vsr_multi_result *result);

#ifdef __cplusplus
}
#endif
#endif
