/* triad_wait.h: how a backend's C code and waitpool meet.
 *
 * waitpool and the backends are separate cgo packages and never call each
 * other's C symbols by name: a backend hands waitpool function pointers of the
 * types below, and waitpool hands a backend a triad_signal, which carries the
 * function that fires it. Header only; no object file belongs to it.
 */
#ifndef TRIAD_WAIT_H
#define TRIAD_WAIT_H

#include <stdint.h>

/* Asks whether the operation behind object has finished. Returns 1 and stores
 * the outcome in *result when it has, else 0 and leaves *result alone. Must not
 * block and must not call into Go. Called from any thread, by one at a time for
 * one object; never again once it has returned 1. */
typedef int (*triad_poll_fn)(void *object, int64_t *result);

/* Blocks until the operation behind object has finished; returns its outcome.
 * Must not call into Go. Called at most once per object. */
typedef int64_t (*triad_wait_fn)(void *object);

/* A completion notification under way. The subscriber keeps the pointer and
 * fires it from any thread, once. Firing may happen before subscribe returns. A
 * second firing is ignored and counted. */
typedef struct triad_signal triad_signal;
struct triad_signal {
    void (*fire)(triad_signal *self, int64_t result);
};

static inline void triad_signal_fire(triad_signal *self, int64_t result) {
    self->fire(self, result);
}

/* Arranges that signal is fired with the outcome when the operation behind
 * object finishes. Returns 0 when arranged; anything else means that no
 * notification will come (the waiter takes another road), and then signal must
 * not be fired. Must not call into Go. */
typedef int (*triad_subscribe_fn)(void *object, triad_signal *signal);

#endif
