/* spare.c: threads take and keep what one stream has; see spare_test.go. */
#include <pthread.h>
#include <stdio.h>

#include "triad_spare.h"

#ifndef ROUNDS
#define ROUNDS 300000
#endif
enum { THREADS = 4, PIECES = TRIAD_SPARES };

static triad_spares spares;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static _Atomic uint32_t taken[PIECES + 1]; /* by address, which is from 1 */
static uint32_t plain[PIECES + 1];         /* that of who has taken it */
static _Atomic int wrong;

static uint64_t size_of(uint64_t at) { return 4096 * (1 + at % 2); }

static void *work(void *seed) {
    uint64_t random = (uintptr_t)seed;
    for (int i = 0; i < ROUNDS; i++) {
        random = random * 6364136223846793005u + 1442695040888963407u;
        uint64_t size = random >> 63 ? 4096 : 8192, at;
        if (random >> 56 & 1) at = triad_spares_take(&spares, size);
        else {
            pthread_mutex_lock(&lock);
            at = triad_spares_oldest(&spares);
            pthread_mutex_unlock(&lock);
            size = at ? size_of(at) : size;
        }
        if (!at) continue;
        if (at > PIECES || size_of(at) != size || atomic_fetch_add(&taken[at], 1)) {
            wrong = 1;
            break;
        }
        plain[at]++;
        atomic_fetch_sub(&taken[at], 1);
        pthread_mutex_lock(&lock);
        if (!triad_spares_put(&spares, at, size_of(at))) wrong = 1;
        pthread_mutex_unlock(&lock);
    }
    return 0;
}

int main(void) {
    pthread_t threads[THREADS];
    for (uint64_t at = 1; at <= PIECES; at++) triad_spares_put(&spares, at, size_of(at));
    for (uintptr_t i = 0; i < THREADS; i++) pthread_create(&threads[i], 0, work, (void *)(i + 1));
    for (int i = 0; i < THREADS; i++) pthread_join(threads[i], 0);
    uint64_t bytes = triad_spares_bytes(&spares);
    for (uint64_t at; (at = triad_spares_oldest(&spares));) bytes -= size_of(at);
    if (wrong || bytes) printf("one was given out twice, or had no room: %d; bytes that nothing has: %lld\n", wrong, (long long)bytes);
    return wrong || bytes;
}
