/* Personal data masked before a request leaves, and restored in its answer. */
#ifndef VSR_MASK_H
#define VSR_MASK_H

#include "cancel.h"
#include "guard.h"
#include "router.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Zero means default in every field; all is copied. */
typedef struct vsr_mask_options {
  uint32_t struct_size;    /**< set by VSR_MASK_OPTIONS_INIT */
  int32_t fail_on_unknown; /**< 1: what looks like a placeholder in an answer and is none ends it; 0: it stays */
  vsr_str key;             /**< of the placeholders, any bytes; none: a random one */
  vsr_str tenant;          /**< the same value of another tenant has another placeholder */
  const char *pii_task;    /**< entities that have no form, such as names; NULL: not asked */
  float threshold;         /**< least score of what is masked; 0: 0.5 */
  uint32_t reserved;       /**< 0 */
  const char *const *types; /**< type_count of them, such as EMAIL_ADDRESS; none: all but URL */
  size_t type_count;
} vsr_mask_options;

#define VSR_MASK_OPTIONS_INIT \
  {(uint32_t)sizeof(vsr_mask_options), 0, {NULL, 0}, {NULL, 0}, NULL, 0.0f, 0, NULL, 0}

/** Values of one tenant that were masked, by their placeholders, as in [EMAIL_ADDRESS_kfbmaopcdelg]: the same for the same
 * value while the key is. At most 100,000 values. Its functions are thread-safe. */
typedef struct vsr_mask vsr_mask;

/**
 * Makes an empty mask.
 *
 * @param engine  Has `pii_task`; kept alive. NULL: the default engine where a task is named.
 * @param options  NULL for defaults.
 * @param out_mask  Caller frees with vsr_mask_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_NOT_FOUND (task), VSR_ERR_STATE.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_mask_create(const vsr_engine *engine, const vsr_mask_options *options, vsr_mask **out_mask,
                                   vsr_error *error);

/**
 * Puts placeholders in the place of personal data.
 *
 * @param deadline_ms  0: none.
 * @param cancel  NULL: none.
 * @param out_text  Caller frees with vsr_string_free().
 * @return VSR_OK, VSR_ERR_LIMIT (too many values), or what vsr_entities() returns: then nothing may leave.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_mask_text(const vsr_mask *mask, vsr_str text, int64_t deadline_ms, const vsr_cancel *cancel,
                                 vsr_string **out_text, vsr_error *error);

/**
 * The same in a request as JSON, of any API: in every string and long number, but names of roles, types, models and ids,
 * and bytes of images, sounds and files. What is not masked stays byte for byte.
 *
 * @return As vsr_mask_text(); VSR_ERR_PARSE (no JSON in UTF-8).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_mask_request(const vsr_mask *mask, vsr_str request, int64_t deadline_ms, const vsr_cancel *cancel,
                                    vsr_string **out_request, vsr_error *error);

/** Puts the values back into a text. @param out_text  Caller frees with vsr_string_free(). @return VSR_OK,
 * VSR_ERR_INVALID_ARGUMENT. @since 0.2 Thread-safe. */
VSR_API vsr_status vsr_mask_restore(const vsr_mask *mask, vsr_str text, vsr_string **out_text, vsr_error *error);

/**
 * Puts the values back into an answer while it streams: vsr_guard_feed() takes its bytes, vsr_guard_finish() its end. No
 * more is held than what may begin a placeholder; events without one leave byte for byte. In a stream these are the
 * answer's texts and the arguments of its calls, in a JSON body all strings.
 *
 * @param format  VSR_STREAM_...
 * @param out_guard  Caller frees with vsr_guard_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_mask_stream(const vsr_mask *mask, int32_t format, vsr_guard **out_guard, vsr_error *error);

/**
 * The mask of a routed request, whose decision has the plugin pii_mask: vsr_decision_request() holds its placeholders
 * already, and the answer is to go through vsr_mask_stream() or vsr_mask_restore() of it. A gateway that does not look at
 * it shows placeholders, never values.
 *
 * @param out_mask  Caller frees with vsr_mask_free().
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_STATE (the request is not masked).
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_decision_mask(const vsr_decision *decision, vsr_mask **out_mask, vsr_error *error);

/** What was masked, as JSON: {"masked", "types": {type: count}}. @param out_json  Caller frees with vsr_string_free().
 * @since 0.2 Thread-safe. */
VSR_API vsr_status vsr_mask_describe(const vsr_mask *mask, vsr_string **out_json, vsr_error *error);

/** Frees `mask`; NULL is allowed; streams go on. @since 0.2 One thread at a time per `mask`. */
VSR_API void vsr_mask_free(vsr_mask *mask);

#ifdef __cplusplus
}
#endif
#endif
