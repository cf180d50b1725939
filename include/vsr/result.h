/* Results: what a call found, with the numbers that say how it read the texts. */
#ifndef VSR_RESULT_H
#define VSR_RESULT_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * The outcome of vsr_embed(), vsr_classify(), vsr_token_probs() or vsr_entities(), or of one task of
 * vsr_classify_all(). Immutable; holds its own strings
 * and outlives the engine. An index out of range gives 0, NULL, or a text whose data is NULL; so does a NULL result.
 */
typedef struct vsr_result vsr_result;

/** Rows of the matrix: texts, or tokens for vsr_token_probs(). @since 0.2 Thread-safe. */
VSR_API size_t vsr_result_row_count(const vsr_result *result);
/** Columns of the matrix: dimensions of a vector, or labels. @since 0.2 Thread-safe. */
VSR_API size_t vsr_result_col_count(const vsr_result *result);
/** The matrix, float32 row-major [rows, cols]. Borrowed until `result` is freed. @since 0.2 Thread-safe. */
VSR_API const float *vsr_result_data(const vsr_result *result);

/** The label of a column, in the order of the checkpoint's id2label; none for embeddings. Borrowed until `result` is
 * freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_result_label(const vsr_result *result, size_t col);
/** The column with the highest score in a row; the first of equals; vsr_result_col_count(), where there is no label, for a row
 * that was not read (see vsr_multi_result_outcome()). @since 0.2 Thread-safe. */
VSR_API size_t vsr_result_best(const vsr_result *result, size_t row);

/** The number of texts that were read: the length of the four counts below. @since 0.2 Thread-safe. */
VSR_API size_t vsr_result_text_count(const vsr_result *result);
/** Tokens of a text's full encoding, special tokens counted once. @since 0.2 Thread-safe. */
VSR_API size_t vsr_result_token_count(const vsr_result *result, size_t text);
/** Windows in which a text was read; 1 when it fits the model. @since 0.2 Thread-safe. */
VSR_API size_t vsr_result_window_count(const vsr_result *result, size_t text);
/** Tokens of a text that no window read. @since 0.2 Thread-safe. */
VSR_API size_t vsr_result_dropped_count(const vsr_result *result, size_t text);
/** Bytes of a text that were not UTF-8 and were read as U+FFFD. @since 0.2 Thread-safe. */
VSR_API size_t vsr_result_replaced_size(const vsr_result *result, size_t text);

/** Part of a text with a label. */
typedef struct vsr_entity {
  uint32_t struct_size; /**< bytes that the library filled */
  float score;          /**< in [0, 1] */
  size_t text;          /**< index of the text, or the pair */
  size_t start;         /**< first byte in the caller's text; of a pair in its second one */
  size_t end;           /**< byte after the last */
  vsr_str label;        /**< without its BIO prefix */
} vsr_entity;

/** The number of entities, of all texts. @since 0.2 Thread-safe. */
VSR_API size_t vsr_result_entity_count(const vsr_result *result);
/** Entity `index`, ordered by text and then start; NULL out of range. Borrowed until `result` is freed.
 * @since 0.2 Thread-safe. */
VSR_API const vsr_entity *vsr_result_entity(const vsr_result *result, size_t index);

/** Frees `result`; NULL is allowed. @since 0.2 One thread at a time per `result`. */
VSR_API void vsr_result_free(vsr_result *result);

#ifdef __cplusplus
}
#endif
#endif
