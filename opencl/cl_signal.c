#include "triad_opencl.h"

/* Drivers that bring a compiler of their own install signal handlers: LLVM's
 * print a backtrace and end the process, PoCL's makes up for divisions by zero in
 * kernels. With those in place an interrupt ends a Go program at once, and a nil
 * dereference is no panic any more. So calls that may install handlers are
 * bracketed by the two functions here, which put back what was there. */

enum { SIGNALS = 64 };

static pthread_mutex_t guard = PTHREAD_MUTEX_INITIALIZER;
static int calls; /* bracketed calls under way */
static struct sigaction was[SIGNALS + 1];
static char known[SIGNALS + 1]; /* glibc keeps two signals to itself */

/* Notes the handlers, unless a call is under way that may have changed them. */
void triad_cl_signals_save(void) {
    pthread_mutex_lock(&guard);
    if (calls++ == 0)
        for (int i = 1; i <= SIGNALS; i++) known[i] = sigaction(i, 0, &was[i]) == 0;
    pthread_mutex_unlock(&guard);
}

static void put_back(int i) {
    struct sigaction now;
    if (!known[i] || sigaction(i, 0, &now) != 0 || now.sa_handler == was[i].sa_handler) return;
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

void triad_cl_signals_restore(void) {
    pthread_mutex_lock(&guard);
    for (int i = 1; i <= SIGNALS; i++) put_back(i);
    calls--;
    pthread_mutex_unlock(&guard);
}
