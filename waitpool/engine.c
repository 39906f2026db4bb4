/* engine.c: completion of requests, stage 1, and what the process shares. */
#define _GNU_SOURCE
#include "engine_impl.h"

#include <errno.h>
#include <linux/futex.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

int tw_cpus = 1;
uint64_t tw_pressed_until = 0;

static int dispatch_fd = -1;
static int spinners = 0;          /* atomic; waiters that spin right now */
static uint64_t posts = 0;        /* atomic; writes to eventfds */
static tw_request *finished = 0;  /* atomic; a stack, taken whole by the dispatcher */

void tw_init(int fd) {
    dispatch_fd = fd;
    tw_refresh_cpus();
}

int tw_refresh_cpus(void) {
    cpu_set_t set;
    int n = 1;
    if (sched_getaffinity(getpid(), sizeof set, &set) == 0)
        n = CPU_COUNT(&set);
    else if (errno == EINVAL) /* more CPUs than the set has room for */
        n = CPU_SETSIZE;
    __atomic_store_n(&tw_cpus, n, __ATOMIC_RELAXED);
    return n;
}

/* Says that goroutines wait for a P. It holds for 2 ms unless renewed, since
 * nobody samples while everybody is parked. */
void tw_set_pressure(int busy) {
    __atomic_store_n(&tw_pressed_until, busy ? tw_now() + 2000000u : 0, __ATOMIC_RELAXED);
}

uint64_t tw_posts(void) { return __atomic_load_n(&posts, __ATOMIC_RELAXED); }

void *tw_finished_list(void) { return &finished; }

tw_request *tw_request_new(uint32_t id) {
    tw_request *r = aligned_alloc(64, sizeof *r);
    if (r) {
        memset(r, 0, sizeof *r);
        r->id = id;
    }
    return r;
}

void tw_request_free(tw_request *r) { free(r); }

void tw_push(tw_request **stack, tw_request *r) {
    tw_request *head = __atomic_load_n(stack, __ATOMIC_RELAXED);
    do {
        r->next = head;
    } while (!__atomic_compare_exchange_n(stack, &head, r, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED));
}

void tw_futex_wait(uint32_t *word, uint32_t value, uint64_t ns) {
    struct timespec t = {(time_t)(ns / 1000000000u), (long)(ns % 1000000000u)};
    syscall(SYS_futex, word, FUTEX_WAIT_PRIVATE, value, ns ? &t : NULL, NULL, 0);
}

void tw_futex_wake(uint32_t *word) {
    syscall(SYS_futex, word, FUTEX_WAKE_PRIVATE, 1, NULL, NULL, 0);
}

/* Adds one to an eventfd. The netpoller watches it edge-triggered, and nobody
 * reads it: only the edge matters. */
static void post(int fd) {
    uint64_t one = 1;
    int saved = errno; /* may run on a driver's thread */
    __atomic_fetch_add(&posts, 1, __ATOMIC_RELAXED);
    while (write(fd, &one, sizeof one) < 0 && errno == EINTR) {
    }
    errno = saved;
}

/* Finishes r, whose result is stored, and wakes its waiter. After the exchange
 * the request belongs to the waiter, except when it is listed: then it belongs
 * to the batch until the dispatcher has taken it. */
void tw_finish(tw_request *r, tw_batch *b) {
    uint64_t old = __atomic_exchange_n(&r->state, TW_DONE, __ATOMIC_ACQ_REL);
    switch (old & 0xff) {
    case TW_EVENT:
        post((int)(old >> 8));
        break;
    case TW_LISTED:
        tw_batch_add(b, r);
        break;
    }
}

/* Hands the batch to the dispatcher, which is woken only when it had nothing. */
void tw_flush(tw_batch *b) {
    if (!b->first)
        return;
    tw_request *first = b->first, *last = b->last;
    tw_request *head = __atomic_load_n(&finished, __ATOMIC_RELAXED);
    do {
        last->next = head;
    } while (!__atomic_compare_exchange_n(&finished, &head, first, 1, __ATOMIC_RELEASE,
                                          __ATOMIC_RELAXED));
    b->first = b->last = NULL;
    if (!head)
        post(dispatch_fd);
}

/* Whether a thread of a pool may spin. */
int tw_may_spin(uint64_t now) {
    return __atomic_load_n(&tw_cpus, __ATOMIC_RELAXED) > 1 &&
           now >= __atomic_load_n(&tw_pressed_until, __ATOMIC_RELAXED);
}

/* At most one waiter fewer than there are CPUs spins at a time. (Under pressure
 * the Go side's budget is zero.) */
static int spin_begin(void) {
    if (__atomic_fetch_add(&spinners, 1, __ATOMIC_RELAXED) >=
        __atomic_load_n(&tw_cpus, __ATOMIC_RELAXED) - 1) {
        __atomic_fetch_sub(&spinners, 1, __ATOMIC_RELAXED);
        return 0;
    }
    return 1;
}

static void spin_end(void) { __atomic_fetch_sub(&spinners, 1, __ATOMIC_RELAXED); }

tw_outcome tw_try_poll(uintptr_t poll, uintptr_t object, uint64_t spin) {
    triad_poll_fn f = (triad_poll_fn)poll;
    tw_outcome o = {0, 0, 0};
    if ((o.done = f((void *)object, &o.result) != 0) || !spin || !spin_begin())
        return o;
    uint64_t end = tw_now() + spin;
    o.spun = 1;
    do {
        tw_pause();
        tw_pause();
    } while (!(o.done = f((void *)object, &o.result) != 0) && tw_now() < end);
    spin_end();
    return o;
}

tw_outcome tw_try_word(uintptr_t word, uint64_t target, int wide, uint64_t spin) {
    tw_outcome o = {0, 0, 0};
    if ((o.done = tw_reached((void *)word, target, wide)) || !spin || !spin_begin())
        return o;
    uint64_t end = tw_now() + spin;
    o.spun = 1;
    do {
        for (int i = 0; i < 8 && !o.done; i++) {
            tw_pause();
            o.done = tw_reached((void *)word, target, wide);
        }
    } while (!o.done && tw_now() < end);
    spin_end();
    return o;
}

/* Spins until r is done or the budget is used up. The first half microsecond is
 * free: it is when a worker that spins answers, and counting spinners and
 * reading the clock would cost as much again. */
int tw_settle(tw_request *r, uint64_t spin) {
    uint64_t end = 0, now = 0, before = 0;
    uint64_t until = __atomic_load_n(&tw_pressed_until, __ATOMIC_RELAXED);
    if (!spin || __atomic_load_n(&tw_cpus, __ATOMIC_RELAXED) == 1 || (until && tw_now() < until))
        return __atomic_load_n(&r->state, __ATOMIC_ACQUIRE) == TW_DONE ? TW_FINISHED : TW_PENDING;
    for (int i = 1; __atomic_load_n(&r->state, __ATOMIC_ACQUIRE) != TW_DONE; i++) {
        tw_pause();
        if (i % 32)
            continue;
        if (!end) {
            if (!spin_begin())
                return TW_PENDING;
            now = tw_now();
            end = now + spin;
        } else {
            before = now;
            now = tw_now();
            if (now - before > 100000) /* other programs take turns on this CPU */
                tw_set_pressure(1);
            if (now >= end)
                break;
        }
        /* The worker may share this CPU, be it that the scheduler put this
         * thread there when the worker woke it: 0.3 us a hand-over with this
         * line, 16 us without. */
        sched_yield();
    }
    if (end)
        spin_end();
    return __atomic_load_n(&r->state, __ATOMIC_ACQUIRE) == TW_DONE ? TW_FINISHED : TW_PENDING;
}

int64_t tw_call_wait(uintptr_t wait, uintptr_t object) {
    return ((triad_wait_fn)wait)((void *)object);
}

int tw_first_thread(void) { return syscall(SYS_gettid) == getpid(); }

void tw_thread_begin(const char *name, uint32_t slack) {
    prctl(PR_SET_NAME, name, 0, 0, 0);
    if (slack)
        prctl(PR_SET_TIMERSLACK, (unsigned long)slack, 0, 0, 0);
}
