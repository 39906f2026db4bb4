#define _GNU_SOURCE
#include "twins.h"

#include <linux/futex.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static void futex_wait(uint32_t *w, uint32_t v, uint64_t ns) {
    struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    syscall(SYS_futex, w, FUTEX_WAIT_PRIVATE, v, ns ? &t : NULL, NULL, 0);
}
static void futex_wake(uint32_t *w, int n) { syscall(SYS_futex, w, FUTEX_WAKE_PRIVATE, n, NULL, NULL, 0); }

static void pause_cpu(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield" ::: "memory");
#endif
}

uint64_t now_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

uint64_t cpu_ns(void) {
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (uint64_t)t.tv_sec * 1000000000u + (uint64_t)t.tv_nsec;
}

op *op_new(void) { return calloc(1, sizeof(op)); }

/* A waiter may be done with an operation while finish() still has things to do
 * for other roads. */
static void idle(op *o) {
    while (__atomic_load_n(&o->busy, __ATOMIC_ACQUIRE))
        pause_cpu();
}

void op_free(op *o) {
    idle(o);
    free(o);
}

void op_reset(op *o) {
    idle(o);
    memset(o, 0, sizeof *o);
}
uint64_t op_polls(op *o) { return __atomic_load_n(&o->polls, __ATOMIC_RELAXED); }

static void finish(op *o) {
    __atomic_store_n(&o->busy, 1, __ATOMIC_RELAXED);
    __atomic_store_n(&o->word32, o->word32 + 1, __ATOMIC_RELEASE);
    __atomic_store_n(&o->word64, o->word64 + 1, __ATOMIC_RELEASE);
    int keep = o->mode == SUB_KEEP || o->mode == SUB_TWICE;
    int twice = o->mode == SUB_TWICE;
    int64_t result = o->result;
    triad_signal *s = NULL;
    if (keep)
        s = __atomic_exchange_n(&o->signal, (triad_signal *)1, __ATOMIC_ACQ_REL);
    __atomic_store_n(&o->done, 1, __ATOMIC_RELEASE);
    futex_wake(&o->done, 1);
    if (s)
        triad_signal_fire(s, result);
    if (s && twice)
        triad_signal_fire(s, result + 1);
    __atomic_store_n(&o->busy, 0, __ATOMIC_RELEASE);
}

void op_finish(op *o, int64_t result) {
    o->result = result;
    finish(o);
}

void op_fire_again(op *o, int64_t result) { triad_signal_fire(o->last, result); }

int op_subscribed(op *o) { return __atomic_load_n(&o->signal, __ATOMIC_ACQUIRE) != NULL; }

int op_poll(void *object, int64_t *result) {
    op *o = object;
    __atomic_fetch_add(&o->polls, 1, __ATOMIC_RELAXED);
    if (!__atomic_load_n(&o->done, __ATOMIC_ACQUIRE) && (!o->due || now_ns() < o->due))
        return 0;
    *result = o->result;
    return 1;
}

int64_t op_wait(void *object) {
    op *o = object;
    for (;;) {
        if (__atomic_load_n(&o->done, __ATOMIC_ACQUIRE))
            return o->result;
        uint64_t now = now_ns();
        if (o->due && now >= o->due)
            return o->result;
        futex_wait(&o->done, 0, o->due ? o->due - now : 0);
    }
}

void op_spin(op *o) {
    while (!__atomic_load_n(&o->done, __ATOMIC_ACQUIRE))
        sched_yield();
}

int64_t op_wait_nothing(void *object) {
    (void)object;
    return 7;
}

int op_subscribe(void *object, triad_signal *s) {
    op *o = object;
    o->last = s;
    switch (o->mode) {
    case SUB_REFUSE:
        return -59;
    case SUB_INSIDE:
        triad_signal_fire(s, o->result);
        return 0;
    case SUB_NEVER:
        __atomic_store_n(&o->signal, s, __ATOMIC_RELEASE);
        return 0;
    }
    int64_t result = o->result;
    triad_signal *none = NULL;
    if (!__atomic_compare_exchange_n(&o->signal, &none, s, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
        triad_signal_fire(s, result); /* has ended already */
    return 0;
}

/* The device. */

static op *submitted; /* atomic stack */
static uint32_t bell; /* atomic, futex word */

void device_submit(op *o, uint64_t after) {
    o->due = 0;
    __atomic_store_n(&o->busy, 1, __ATOMIC_RELAXED);
    uint64_t due = now_ns() + after;
    o->ends = due;
    op *head = __atomic_load_n(&submitted, __ATOMIC_RELAXED);
    do
        o->next = head;
    while (!__atomic_compare_exchange_n(&submitted, &head, o, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
    if (__atomic_exchange_n(&bell, 1, __ATOMIC_SEQ_CST) == 2)
        futex_wake(&bell, 1);
}

static void *device(void *arg) {
    (void)arg;
    pthread_setname_np(pthread_self(), "device");
    struct { op *o; uint64_t due; } *q = NULL;
    size_t n = 0, cap = 0;
    for (;;) {
        op *o = __atomic_exchange_n(&submitted, NULL, __ATOMIC_SEQ_CST);
        while (o) {
            if (n == cap)
                q = realloc(q, (cap = cap ? 2 * cap : 1024) * sizeof *q);
            q[n].o = o;
            q[n++].due = o->ends;
            o = o->next;
        }
        uint64_t now = now_ns(), next = UINT64_MAX;
        for (size_t i = 0; i < n;) {
            if (q[i].due <= now) {
                o = q[i].o;
                q[i] = q[--n];
                finish(o);
            } else {
                if (q[i].due < next)
                    next = q[i].due;
                i++;
            }
        }
        uint32_t zero = 0;
        if (n && next - now < 200000) {
            pause_cpu();
            continue;
        }
        if (__atomic_compare_exchange_n(&bell, &zero, 2, 0, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
            futex_wait(&bell, 2, n ? next - now - 100000 : 0);
        }
        __atomic_store_n(&bell, 0, __ATOMIC_SEQ_CST);
    }
    return NULL;
}

static void start_device(void) {
    pthread_t t;
    pthread_create(&t, NULL, device, NULL);
    pthread_detach(t);
}

void device_start(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, start_device);
}

/* Two threads that hand a number to and fro. */

typedef struct {
    uint64_t n;
    uint32_t ball __attribute__((aligned(128)));
    uint32_t back __attribute__((aligned(128)));
} pair;

static void *spin_server(void *arg) {
    pair *p = arg;
    for (uint64_t i = 1; i <= p->n; i++) {
        while (__atomic_load_n(&p->ball, __ATOMIC_ACQUIRE) != (uint32_t)i)
            pause_cpu();
        __atomic_store_n(&p->back, (uint32_t)i, __ATOMIC_RELEASE);
    }
    return NULL;
}

uint64_t spin_pair(uint64_t n) {
    pair p = {.n = n};
    pthread_t t;
    pthread_create(&t, NULL, spin_server, &p);
    uint64_t start = now_ns();
    for (uint64_t i = 1; i <= n; i++) {
        __atomic_store_n(&p.ball, (uint32_t)i, __ATOMIC_RELEASE);
        while (__atomic_load_n(&p.back, __ATOMIC_ACQUIRE) != (uint32_t)i)
            pause_cpu();
    }
    uint64_t took = now_ns() - start;
    pthread_join(t, NULL);
    return took;
}

static void *futex_server(void *arg) {
    pair *p = arg;
    for (uint64_t i = 1; i <= p->n; i++) {
        uint32_t v;
        while ((v = __atomic_load_n(&p->ball, __ATOMIC_ACQUIRE)) != (uint32_t)i)
            futex_wait(&p->ball, v, 0);
        __atomic_store_n(&p->back, (uint32_t)i, __ATOMIC_RELEASE);
        futex_wake(&p->back, 1);
    }
    return NULL;
}

uint64_t futex_pair(uint64_t n) {
    pair p = {.n = n};
    pthread_t t;
    pthread_create(&t, NULL, futex_server, &p);
    uint64_t start = now_ns();
    for (uint64_t i = 1; i <= n; i++) {
        uint32_t v;
        __atomic_store_n(&p.ball, (uint32_t)i, __ATOMIC_RELEASE);
        futex_wake(&p.ball, 1);
        while ((v = __atomic_load_n(&p.back, __ATOMIC_ACQUIRE)) != (uint32_t)i)
            futex_wait(&p.back, v, 0);
    }
    uint64_t took = now_ns() - start;
    pthread_join(t, NULL);
    return took;
}

void nap(uint64_t n, uint64_t ns) {
    struct timespec t = {(time_t)(ns / 1000000000), (long)(ns % 1000000000)};
    while (n--)
        clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
}
