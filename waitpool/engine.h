/* engine.h: the C half of waitpool. PROTOCOL.md describes the states.
 *
 * Everything shared between threads is reached through the __atomic builtins
 * with explicit orders; fields without one belong to whoever owns the request.
 * Plain integer types are used (not _Atomic) because cgo has to read this file.
 */
#ifndef TRIAD_WAITPOOL_ENGINE_H
#define TRIAD_WAITPOOL_ENGINE_H

#include <stdint.h>
#include <triad_wait.h>

/* Low byte of tw_request.state. */
enum {
    TW_PENDING = 0, /* under way; its waiter is not parked */
    TW_DONE = 1,    /* finished; result is valid */
    TW_LISTED = 2,  /* waiter parked, woken through the dispatcher's list */
    TW_EVENT = 3    /* waiter parked on the eventfd in the bits above */
};

/* What the submitting functions return; TW_PENDING too. */
enum {
    TW_FINISHED = TW_DONE, /* the waiter owns the request again */
    TW_REFUSED = 4         /* not taken: no worker is free, or subscribe said no */
};

/* What a worker's slot holds besides a pointer to the request handed to it.
 * The low half of the slot is also its futex word; a request is aligned to 64
 * bytes, so that no pointer's low half equals TW_ASLEEP. */
enum { TW_IDLE = 0, TW_ASLEEP = 1, TW_BUSY = 2, TW_STOP = 3, TW_ABSENT = 4, TW_REQUESTS = 64 };

typedef struct tw_sig tw_sig;
typedef struct tw_pool tw_pool;

typedef struct tw_request {
    uint64_t state; /* atomic */
    int64_t result;
    void *object;
    triad_wait_fn wait;
    triad_poll_fn poll;
    struct tw_request *next;
    uint32_t id;      /* index into the Go side's table of waiters */
    uint32_t subcode; /* what a refusing subscribe returned */
    tw_sig *sig;
    const void *word; /* a second cache line, used by the poller alone */
    uint64_t target;
    uint64_t born;  /* when its word was submitted; 0 leaves that to the poller */
    uint64_t from;  /* when the poller leaves it to the lookout; 0: never */
    uint64_t until; /* when the lookout leaves it to the poller */
    uint64_t took;  /* how long its word took */
    uint32_t wide;
} __attribute__((aligned(64))) tw_request;

typedef struct {
    int64_t result;
    int32_t done;
    int32_t spun;
} tw_outcome;

/* How a pool behaves; times in nanoseconds. */
typedef struct {
    uint64_t linger;    /* an idle thread spins so long before it sleeps */
    uint64_t young;     /* a wait for a word younger than this is the lookout's */
    uint64_t poll_spin; /* a polled wait younger than this keeps the poller awake */
    uint64_t word_spin; /* the same for a wait for a word, which costs a load to look at */
    uint64_t poll_min;  /* shortest and longest sleep between two polls */
    uint64_t poll_max;
    uint64_t watch_min; /* the same for the watchdog query of a word */
    uint64_t watch_max;
    uint32_t age_shift; /* sleep at most age >> age_shift */
    uint32_t word_shift; /* the same for words */
    uint32_t slack;     /* timer slack of the threads; 0 leaves the system's */
} tw_policy;

/* Process-wide. */
void tw_init(int dispatch_fd);
int tw_refresh_cpus(void);
void tw_set_pressure(int busy);
uint64_t tw_ignored_signals(void);
uint64_t tw_posts(void);
void *tw_finished_list(void);

/* Requests. */
tw_request *tw_request_new(uint32_t id);
void tw_request_free(tw_request *r);

/* Stage 1. */
tw_outcome tw_try_poll(uintptr_t poll, uintptr_t object, uint64_t spin);
tw_outcome tw_try_word(uintptr_t word, uint64_t target, int wide, uint64_t spin);

/* Roads. A request that is still pending is parked by the Go side, which moves
 * its state on. */
int tw_submit_worker(uintptr_t pool, uintptr_t request, uint64_t spin);
void tw_submit_poller(uintptr_t pool, uintptr_t request);
int tw_submit_word(uintptr_t pool, uintptr_t request, uint64_t expect);
int tw_subscribe(uintptr_t request, uintptr_t subscribe, uint64_t spin);
int tw_claim(uintptr_t request);
int64_t tw_call_wait(uintptr_t wait, uintptr_t object);

/* What a lookout has seen: requests whose waiters are to be woken, in a list, how
 * long that took, and whether it is to look again. */
typedef struct {
    tw_request *ended;
    uint64_t ns;
    int more;
} tw_sight;

tw_sight tw_look_out(uintptr_t pool);

/* Pools and their threads. */
tw_pool *tw_pool_new(int workers, const tw_policy *policy, uint32_t scout);
void tw_pool_free(tw_pool *p);
void tw_pool_stop(tw_pool *p, int workers);
int tw_worker_state(tw_pool *p, int index); /* TW_IDLE, TW_ASLEEP or TW_BUSY */
int tw_first_thread(void);
void tw_thread_begin(const char *name, uint32_t slack);
void tw_worker_start(tw_pool *p, int index, tw_request *first);
void tw_worker_run(tw_pool *p, int index);
void tw_poller_run(tw_pool *p);

#endif
