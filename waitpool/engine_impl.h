/* engine_impl.h: what the C files of waitpool share with each other only. */
#ifndef TRIAD_WAITPOOL_ENGINE_IMPL_H
#define TRIAD_WAITPOOL_ENGINE_IMPL_H

#include "engine.h"
#include <stddef.h>
#include <time.h>

/* Requests that finished in one sweep and whose waiters the dispatcher wakes. */
typedef struct {
    tw_request *first, *last;
} tw_batch;

static inline void tw_batch_add(tw_batch *b, tw_request *r) {
    r->next = NULL;
    if (b->last)
        b->last->next = r;
    else
        b->first = r;
    b->last = r;
}

typedef struct {
    uint64_t slot;  /* atomic */
    uint64_t stamp; /* atomic; when it last became idle, on the pool's count */
} __attribute__((aligned(128))) tw_worker;

struct tw_pool {
    tw_policy policy;
    int nworkers;
    tw_worker *workers;
    tw_worker *hot __attribute__((aligned(128))); /* atomic; became idle last */
    uint64_t stamps;                              /* atomic */
    tw_request *inbox __attribute__((aligned(128))); /* atomic; new for the poller */
    uint32_t poller_asleep;                          /* atomic; futex word */
    uint32_t stop;                                   /* atomic */
    tw_request *young __attribute__((aligned(128))); /* atomic; new for the lookout */
    uint32_t looking;                                /* atomic; there is one */
    tw_request *watched;                             /* the lookout's own */
    tw_request *scout; /* stands for no wait: has the dispatcher start a lookout */
};

extern int tw_cpus;         /* atomic; CPUs that this process may use */
extern uint64_t tw_pressed_until; /* atomic; goroutines wait for a P */

void tw_finish(tw_request *r, tw_batch *b);
void tw_flush(tw_batch *b);
int tw_settle(tw_request *r, uint64_t spin);
int tw_may_spin(uint64_t now);
void tw_push(tw_request **stack, tw_request *r);
void tw_give_poller(tw_pool *p, tw_request *r);
int tw_give_lookout(tw_pool *p, tw_request *r);
void tw_futex_wait(uint32_t *word, uint32_t value, uint64_t ns);
void tw_futex_wake(uint32_t *word);

static inline uint64_t tw_now(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

static inline void tw_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield" ::: "memory");
#endif
}

/* Whether a rising counter has reached target; it may have wrapped around. */
static inline int tw_reached(const void *word, uint64_t target, int wide) {
    if (wide)
        return (int64_t)(__atomic_load_n((const uint64_t *)word, __ATOMIC_ACQUIRE) - target) >= 0;
    return (int32_t)(__atomic_load_n((const uint32_t *)word, __ATOMIC_ACQUIRE) - (uint32_t)target) >= 0;
}

#endif
