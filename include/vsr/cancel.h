/* Ending calls from another thread. */
#ifndef VSR_CANCEL_H
#define VSR_CANCEL_H

#include "types.h"

#ifdef __cplusplus
extern "C" {
#endif

/**
 * A switch that ends calls: those that were given it in their options, and are running or start later, return
 * VSR_ERR_CANCELLED. One switch may be given to many calls. It stays on once it is on.
 */
typedef struct vsr_cancel vsr_cancel;

/**
 * Makes a switch that is off.
 *
 * @param out_cancel  Caller frees with vsr_cancel_free(), when no call that has it is about to start. Calls that are
 *   running may go on without it.
 * @return VSR_OK, VSR_ERR_INVALID_ARGUMENT, VSR_ERR_OUT_OF_MEMORY.
 * @since 0.2
 * Thread-safe.
 */
VSR_API vsr_status vsr_cancel_create(vsr_cancel **out_cancel, vsr_error *error);

/**
 * Ends the calls that have `cancel`, and does not wait for them: what waits returns at once, what computes at the next
 * pause between blocks of layers. Other calls of the same batch are not disturbed. NULL is allowed.
 * @since 0.2
 * Thread-safe.
 */
VSR_API void vsr_cancel_trigger(vsr_cancel *cancel);

/** Frees `cancel`; NULL is allowed. @since 0.2 One thread at a time per `cancel`. */
VSR_API void vsr_cancel_free(vsr_cancel *cancel);

#ifdef __cplusplus
}
#endif
#endif
