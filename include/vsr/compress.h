/* Prompt compression: the parts of a long text that say most about it, for deciding, never for answering. */
#ifndef VSR_COMPRESS_H
#define VSR_COMPRESS_H

#include "cancel.h"
#include "tokenizer.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Zero means default in every field. */
typedef struct vsr_compress_options {
  uint32_t struct_size;           /**< set by VSR_COMPRESS_OPTIONS_INIT */
  uint32_t reserved;              /**< 0 */
  const char *language;           /**< ISO 639-1, chooses the stop words; NULL: found out from the text */
  const vsr_tokenizer *tokenizer; /**< counts tokens; NULL: they are estimated, and the result says so */
  int64_t deadline_ms; /**< milliseconds until the call ends with VSR_ERR_DEADLINE; 0: never, below: at once */
  const struct vsr_cancel *cancel; /**< ends the call when triggered (vsr/cancel.h); NULL: none */
} vsr_compress_options;

#define VSR_COMPRESS_OPTIONS_INIT {(uint32_t)sizeof(vsr_compress_options), 0, NULL, NULL, 0, NULL}

/** A compressed text. Immutable; holds its own strings. */
typedef struct vsr_compressed vsr_compressed;

/**
 * Keeps the sentences of `text` that carry most information, whole and in their order, up to `max_tokens`. The same
 * text gives the same result always. How sentences are chosen is told in docs/compression.md.
 *
 * @param max_tokens  At least 1. A text that fits comes back as it is.
 * @param options  NULL for defaults.
 * @param out_compressed  Caller frees with vsr_compressed_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_CANCELLED, VSR_ERR_DEADLINE, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_compress(vsr_str text, size_t max_tokens, const vsr_compress_options *options,
                                vsr_compressed **out_compressed, vsr_error *error);

/** The kept parts, joined; "" for NULL. Borrowed until `compressed` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_compressed_text(const vsr_compressed *compressed);
/** The number of parts that were kept. @since 0.2 Thread-safe. */
VSR_API size_t vsr_compressed_range_count(const vsr_compressed *compressed);

/** A part of the caller's text, in bytes, end exclusive. */
typedef struct vsr_range {
  uint32_t struct_size; /**< bytes that the library filled */
  uint32_t reserved;    /**< 0 */
  size_t start;
  size_t end;
} vsr_range;

/** Part `index`, in the order of the text; NULL out of range. Borrowed until `compressed` is freed.
 * @since 0.2 Thread-safe. */
VSR_API const vsr_range *vsr_compressed_range(const vsr_compressed *compressed, size_t index);
/** Tokens of the whole text. @since 0.2 Thread-safe. */
VSR_API size_t vsr_compressed_given_token_count(const vsr_compressed *compressed);
/** Tokens of what was kept. @since 0.2 Thread-safe. */
VSR_API size_t vsr_compressed_kept_token_count(const vsr_compressed *compressed);
/** 1: tokens are estimates, made without a tokenizer. @since 0.2 Thread-safe. */
VSR_API int32_t vsr_compressed_estimated(const vsr_compressed *compressed);

/** Frees `compressed`; NULL is allowed. @since 0.2 One thread at a time per `compressed`. */
VSR_API void vsr_compressed_free(vsr_compressed *compressed);

#ifdef __cplusplus
}
#endif
#endif
