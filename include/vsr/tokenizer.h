/* Tokenizers: texts to token ids with byte offsets, and back. */
#ifndef VSR_TOKENIZER_H
#define VSR_TOKENIZER_H

#include "engine.h"

#ifdef __cplusplus
extern "C" {
#endif

/** A tokenizer. Immutable: every function that reads one is thread-safe. */
typedef struct vsr_tokenizer vsr_tokenizer;

/**
 * Loads a tokenizer from a folder that holds tokenizer.json (or vocab.txt, or a sentencepiece model), from a
 * tokenizer.json under any file name, from a WordPiece vocab.txt, or from a sentencepiece model (.model, .spm), which adds
 * no special tokens. `truncation` and `padding` stored in a tokenizer.json are ignored. A component that
 * vsr does not implement exactly is VSR_ERR_UNSUPPORTED and named.
 *
 * @param out_tokenizer  Caller frees with vsr_tokenizer_free().
 * @return VSR_OK, VSR_ERR_NOT_FOUND, VSR_ERR_IO, VSR_ERR_PARSE, VSR_ERR_UNSUPPORTED.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_tokenizer_load(const char *path, vsr_tokenizer **out_tokenizer, vsr_error *error);

/**
 * The tokenizer of one of an engine's models.
 *
 * @param model  The model's name; NULL: the only model.
 * @param out_tokenizer  Caller frees with vsr_tokenizer_free(); may outlive the engine.
 * @return VSR_OK, VSR_ERR_NOT_FOUND (the message lists the models), VSR_ERR_STATE.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_engine_tokenizer(const vsr_engine *engine, const char *model, vsr_tokenizer **out_tokenizer,
                                        vsr_error *error);

/** Frees `tokenizer`; NULL is allowed. @since 0.2 One thread at a time per `tokenizer`. */
VSR_API void vsr_tokenizer_free(vsr_tokenizer *tokenizer);

/** Ids in the vocabulary, added tokens included. @since 0.2 Thread-safe. */
VSR_API size_t vsr_tokenizer_id_count(const vsr_tokenizer *tokenizer);

/** The outcome of vsr_tokenizer_encode(). Immutable. */
typedef struct vsr_encoding vsr_encoding;

/**
 * Encodes a text, or a pair, to its full length.
 *
 * @param pair  NULL, or the second side; joined by the tokenizer's own template.
 * @param add_special_tokens  0 leaves out what the template adds.
 * @param out_encoding  Caller frees with vsr_encoding_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_LIMIT (a pair that the tokenizer's model cannot read in windows,
 *   see infer.h).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_tokenizer_encode(const vsr_tokenizer *tokenizer, vsr_str text, const vsr_str *pair,
                                        int32_t add_special_tokens, vsr_encoding **out_encoding, vsr_error *error);

/** The number of tokens. @since 0.2 Thread-safe. */
VSR_API size_t vsr_encoding_token_count(const vsr_encoding *encoding);
/** Token ids, one per token. Borrowed until `encoding` is freed. @since 0.2 Thread-safe. */
VSR_API const int32_t *vsr_encoding_ids(const vsr_encoding *encoding);
/** Token type ids (BERT's segments), one per token. Borrowed until `encoding` is freed. @since 0.2 Thread-safe. */
VSR_API const int32_t *vsr_encoding_type_ids(const vsr_encoding *encoding);
/** Start and end byte of each token in its side of the caller's text: 2 * size values; 0, 0 for what the template
 * added. Borrowed until `encoding` is freed. @since 0.2 Thread-safe. */
VSR_API const size_t *vsr_encoding_offsets(const vsr_encoding *encoding);
/** Which side each token belongs to: 0 the text, 1 the pair, -1 what the template added. Borrowed until `encoding` is
 * freed. @since 0.2 Thread-safe. */
VSR_API const int32_t *vsr_encoding_sides(const vsr_encoding *encoding);
/** The vocabulary entry of token `index`; none out of range. Borrowed until `encoding` is freed. @since 0.2
 * Thread-safe. */
VSR_API vsr_str vsr_encoding_token(const vsr_encoding *encoding, size_t index);
/** Bytes of the input that were not UTF-8 and were read as U+FFFD. @since 0.2 Thread-safe. */
VSR_API size_t vsr_encoding_replaced_size(const vsr_encoding *encoding);
/** Windows in which the tokenizer's model reads the input; 1 for a tokenizer of vsr_tokenizer_load(), which belongs to
 * no model. @since 0.2 Thread-safe. */
VSR_API size_t vsr_encoding_window_count(const vsr_encoding *encoding);
/** Frees `encoding`; NULL is allowed. @since 0.2 One thread at a time per `encoding`. */
VSR_API void vsr_encoding_free(vsr_encoding *encoding);

/**
 * Turns ids back into text with the tokenizer's own decoder.
 *
 * @param skip_special_tokens  1 leaves special tokens out of the text.
 * @param out_text  Caller frees with vsr_string_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT (an id outside the vocabulary; the message says which and where).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_tokenizer_decode(const vsr_tokenizer *tokenizer, const int32_t *ids, size_t id_count,
                                        int32_t skip_special_tokens, vsr_string **out_text, vsr_error *error);

#ifdef __cplusplus
}
#endif
#endif
