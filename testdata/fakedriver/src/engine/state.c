/* state.c: the engine's state, its lock and its clock. */
#include <time.h>

#include "fk_internal.h"

struct fk_state fk = {.lock = PTHREAD_MUTEX_INITIALIZER};

static pthread_once_t once = PTHREAD_ONCE_INIT;

static void conditions(void) {
    pthread_condattr_t attr;
    pthread_condattr_init(&attr);
    pthread_condattr_setclock(&attr, CLOCK_MONOTONIC);
    pthread_cond_init(&fk.changed, &attr);
    pthread_condattr_destroy(&attr);
}

void fk_lock(void) {
    pthread_once(&once, conditions);
    pthread_mutex_lock(&fk.lock);
}

void fk_unlock(void) { pthread_mutex_unlock(&fk.lock); }

uint64_t fk_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}
