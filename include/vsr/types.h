/* Types shared by every vsr header: version, status codes, errors, strings, callbacks. C11 and C++. */
#ifndef VSR_TYPES_H
#define VSR_TYPES_H

#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define VSR_API __attribute__((visibility("default")))
#else
#define VSR_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

/** Grows by one whenever a released declaration changes meaning or layout. Equals the SONAME's number. */
#define VSR_ABI_VERSION 1

/**
 * UTF-8 text by pointer and size, passed and returned by value: the two words are all that a text ever is, so this one
 * struct never grows.
 *
 * Given to the library, it may contain NUL, and `data` may be NULL when `size` is 0. Each maximal ill-formed part is read
 * as one U+FFFD and counted in the result; nothing is rejected or dropped for it.
 *
 * Given by the library, it is borrowed, and a NUL that `size` does not count comes after it, so that `data` is a C string
 * of what holds no NUL. `data` is NULL where there is no text, which is not the same as an empty one.
 */
typedef struct vsr_str {
  const char *data;
  size_t size; /**< in bytes */
} vsr_str;

/** A vsr_str of a string literal, which may contain NUL: VSR_STR("where is my card?"). */
#ifdef __cplusplus
#define VSR_STR(literal) (vsr_str{"" literal, sizeof(literal) - 1})
#else
#define VSR_STR(literal) ((vsr_str){"" literal, sizeof(literal) - 1})
#endif

/**
 * The ABI version of the loaded library. A binding compares it with VSR_ABI_VERSION before any other call.
 * @since 0.2
 * Thread-safe.
 */
VSR_API uint32_t vsr_abi_version(void);

/**
 * The library's version, "major.minor.patch". Borrowed for the life of the process.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_str vsr_version(void);

/**
 * The version of LibTorch that the library was built with, such as "2.13.0". Borrowed for the life of the process.
 * A process that also loads another LibTorch has to load this very version.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_str vsr_torch_version(void);

/** What a call returns: VSR_OK or one of the codes below. Numbers are never reused. */
typedef int32_t vsr_status;

enum {
  VSR_OK = 0,
  VSR_ERR_INVALID_ARGUMENT = 1, /**< an argument is NULL, out of range, or contradicts another */
  VSR_ERR_NOT_FOUND = 2,        /**< a file, task, label or token that was named does not exist */
  VSR_ERR_IO = 3,               /**< a file exists and cannot be read or written */
  VSR_ERR_PARSE = 4,            /**< a file's text is not what its format demands */
  VSR_ERR_WEIGHTS = 5,          /**< tensors are missing, superfluous, misshapen or not finite */
  VSR_ERR_UNSUPPORTED = 6,      /**< well formed, and not something this build runs */
  VSR_ERR_STATE = 7, /**< not now: before vsr_init, after vsr_shutdown, already initialised otherwise, while the
                                     process ends, or in a child forked in the midst of calls */
  VSR_ERR_LIMIT = 8, /**< longer or larger than the limit that the caller or the model sets */
  VSR_ERR_OUT_OF_MEMORY = 9,
  VSR_ERR_CANCELLED = 10, /**< a callback asked to stop, or vsr_cancel_trigger() did */
  VSR_ERR_INTERNAL = 11,  /**< a defect of vsr; the message helps to report it */
  VSR_ERR_DEADLINE = 12   /**< the deadline of the call passed before it was done */
};

/**
 * The name of a status, such as "VSR_ERR_IO"; "VSR_ERR_UNKNOWN" for a number that is none. Static.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_str vsr_status_name(vsr_status status);

/**
 * Says why a call failed. Owned by the caller, passed as the last argument, may be NULL; holds no pointers and needs
 * no freeing. After VSR_OK its contents are unchanged. No more than struct_size bytes are written.
 */
typedef struct vsr_error {
  uint32_t struct_size; /**< set by VSR_ERROR_INIT */
  vsr_status code;      /**< the status that the call returned */
  char message[512];    /**< one line of NUL-terminated UTF-8, cut at a character's end */
} vsr_error;

#define VSR_ERROR_INIT {(uint32_t)sizeof(vsr_error), VSR_OK, {0}}

/** A text that the library made, and that the caller owns. Caller frees with vsr_string_free(). */
typedef struct vsr_string vsr_string;

/** What `string` holds; "" for NULL. Borrowed until `string` is freed. @since 0.2 Thread-safe. */
VSR_API vsr_str vsr_string_text(const vsr_string *string);
/** Frees `string`; NULL is allowed. @since 0.2 One thread at a time per `string`. */
VSR_API void vsr_string_free(vsr_string *string);

/**
 * Called between batches of a long call, on the thread that made the call, with the number of texts done so far and of
 * all. A non-zero return ends the call with VSR_ERR_CANCELLED. Must not throw.
 */
typedef int32_t (*vsr_progress_callback)(size_t done, size_t total, void *user_data);

#ifdef __cplusplus
}
#endif
#endif
