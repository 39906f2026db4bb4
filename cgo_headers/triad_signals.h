/* triad_signals.h: keeping a driver library's signal handlers out of a Go program.
 *
 * Drivers that bring a compiler of their own install signal handlers: LLVM's
 * print a backtrace and end the process, PoCL's makes up for divisions by zero in
 * kernels. With those in place an interrupt ends a Go program at once, and a nil
 * dereference is no panic any more. So calls that may install handlers are
 * bracketed by the two functions here, which put back what was there. Brackets may
 * overlap, on any threads.
 */
#ifndef TRIAD_SIGNALS_H
#define TRIAD_SIGNALS_H

#include <pthread.h>
#include <signal.h>

enum { TRIAD_SIGNALS = 64 };

/* One for the process, whichever packages include this: the bracket of one must
 * not take the handlers that a call within another's installs for the program's.
 * Being weak, the definitions of all C files are one. */
__attribute__((weak)) struct {
    pthread_mutex_t lock;
    int calls; /* bracketed calls under way */
    struct sigaction was[TRIAD_SIGNALS + 1];
    char known[TRIAD_SIGNALS + 1]; /* glibc keeps two signals to itself */
} triad_signals = {.lock = PTHREAD_MUTEX_INITIALIZER};

/* Notes the handlers, unless a call is under way that may have changed them. */
static inline void triad_signals_save(void) {
    pthread_mutex_lock(&triad_signals.lock);
    if (triad_signals.calls++ == 0)
        for (int i = 1; i <= TRIAD_SIGNALS; i++) triad_signals.known[i] = sigaction(i, 0, &triad_signals.was[i]) == 0;
    pthread_mutex_unlock(&triad_signals.lock);
}

static inline void triad_signals_put_back(int i) {
    const struct sigaction *was = triad_signals.was;
    struct sigaction now;
    if (!triad_signals.known[i] || sigaction(i, 0, &now) != 0 || now.sa_handler == was[i].sa_handler) return;
    /* What the program did in the meantime stays: Go has one handler for all. */
    if (now.sa_handler == SIG_DFL || now.sa_handler == SIG_IGN || now.sa_handler == was[SIGSEGV].sa_handler) return;
    if (i == SIGFPE && was[i].sa_handler == was[SIGSEGV].sa_handler) {
        /* Kernels need the driver's, and Go does without: it compares divisors
         * with 0. But it must run on the stack that Go's threads have for it. */
        now.sa_flags |= SA_ONSTACK;
        sigaction(i, &now, 0);
        return;
    }
    sigaction(i, &was[i], 0);
}

static inline void triad_signals_restore(void) {
    pthread_mutex_lock(&triad_signals.lock);
    for (int i = 1; i <= TRIAD_SIGNALS; i++) triad_signals_put_back(i);
    triad_signals.calls--;
    pthread_mutex_unlock(&triad_signals.lock);
}

#endif
