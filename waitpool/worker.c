/* worker.c: threads that sit in blocking waits, and how work reaches them. */
#include "engine_impl.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__, "the slot's low half is its futex word");

tw_pool *tw_pool_new(int workers, const tw_policy *policy, uint32_t scout) {
    tw_pool *p = aligned_alloc(128, sizeof *p);
    tw_worker *w = aligned_alloc(128, sizeof *w * (size_t)workers);
    tw_request *s = tw_request_new(scout);
    if (!p || !w || !s) {
        free(p);
        free(w);
        free(s);
        return NULL;
    }
    memset(p, 0, sizeof *p);
    p->scout = s;
    p->policy = *policy;
    p->nworkers = workers;
    p->workers = w;
    for (int i = 0; i < workers; i++) {
        w[i].slot = TW_ABSENT;
        w[i].stamp = 0;
    }
    return p;
}

void tw_pool_free(tw_pool *p) {
    free(p->workers);
    tw_request_free(p->scout);
    free(p);
}

static uint32_t *futex_of(tw_worker *w) { return (uint32_t *)&w->slot; }

/* Puts value into the slot of an idle worker; 0 when it isn't idle. */
static int claim(tw_worker *w, uint64_t value) {
    uint64_t v = __atomic_load_n(&w->slot, __ATOMIC_RELAXED);
    while (v == TW_IDLE || v == TW_ASLEEP) {
        if (__atomic_compare_exchange_n(&w->slot, &v, value, 0, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            if (v == TW_ASLEEP)
                tw_futex_wake(futex_of(w));
            return 1;
        }
    }
    return 0;
}

/* The idle worker that became idle last, hands it r. The first look goes to the
 * one that is remembered as such; only when it is taken are all compared. */
static int hand_over(tw_pool *p, tw_request *r) {
    tw_worker *w = __atomic_load_n(&p->hot, __ATOMIC_ACQUIRE);
    if (w && claim(w, (uint64_t)(uintptr_t)r))
        return 1;
    for (;;) {
        tw_worker *best = NULL;
        uint64_t stamp = 0;
        for (int i = 0; i < p->nworkers; i++) {
            w = &p->workers[i];
            uint64_t v = __atomic_load_n(&w->slot, __ATOMIC_ACQUIRE);
            uint64_t s = __atomic_load_n(&w->stamp, __ATOMIC_RELAXED);
            if (v <= TW_ASLEEP && s >= stamp) {
                best = w;
                stamp = s;
            }
        }
        if (!best)
            return 0;
        if (claim(best, (uint64_t)(uintptr_t)r))
            return 1;
    }
}

int tw_submit_worker(uintptr_t pool, uintptr_t request, uint64_t spin) {
    tw_request *r = (tw_request *)request;
    __atomic_store_n(&r->state, TW_PENDING, __ATOMIC_RELAXED);
    if (!hand_over((tw_pool *)pool, r))
        return TW_REFUSED;
    return tw_settle(r, spin);
}

void tw_worker_start(tw_pool *p, int index, tw_request *first) {
    __atomic_store_n(&p->workers[index].slot, (uint64_t)(uintptr_t)first, __ATOMIC_RELEASE);
}

/* A worker is marked idle before the waiter is woken, so that a waiter who
 * comes straight back finds it. */
static void become_idle(tw_pool *p, tw_worker *w) {
    if (__atomic_load_n(&p->hot, __ATOMIC_RELAXED) != w) {
        uint64_t s = __atomic_add_fetch(&p->stamps, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&w->stamp, s, __ATOMIC_RELAXED);
        __atomic_store_n(&p->hot, w, __ATOMIC_RELEASE);
    }
    __atomic_store_n(&w->slot, TW_IDLE, __ATOMIC_RELEASE);
}

/* Waits until the slot holds a request or TW_STOP. Spins only while this worker
 * is the one that became idle last: one spinning thread a pool is enough. */
static uint64_t next_work(tw_pool *p, tw_worker *w) {
    uint64_t end = 0, v;
    for (int i = 1;; i++) {
        v = __atomic_load_n(&w->slot, __ATOMIC_ACQUIRE);
        if (v >= TW_REQUESTS || v == TW_STOP)
            return v;
        tw_pause();
        if (i % 32)
            continue;
        uint64_t now = tw_now();
        if (!end)
            end = now + p->policy.linger;
        if (now < end && tw_may_spin(now) && __atomic_load_n(&p->hot, __ATOMIC_RELAXED) == w) {
            /* The waiter that was woken may be on this CPU. On a busy machine a
             * hand-over takes 5 us with this line, 58 us without. */
            sched_yield();
            continue;
        }
        v = TW_IDLE;
        if (!__atomic_compare_exchange_n(&w->slot, &v, TW_ASLEEP, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
            continue;
        while (__atomic_load_n(&w->slot, __ATOMIC_ACQUIRE) == TW_ASLEEP)
            tw_futex_wait(futex_of(w), TW_ASLEEP, 0);
    }
}

void tw_worker_run(tw_pool *p, int index) {
    tw_worker *w = &p->workers[index];
    tw_batch b = {0};
    uint64_t v;
    while ((v = next_work(p, w)) != TW_STOP) {
        tw_request *r = (tw_request *)(uintptr_t)v;
        __atomic_store_n(&w->slot, TW_BUSY, __ATOMIC_RELAXED);
        r->result = r->wait(r->object);
        become_idle(p, w);
        tw_finish(r, &b);
        tw_flush(&b);
    }
}

int tw_worker_state(tw_pool *p, int index) {
    uint64_t v = __atomic_load_n(&p->workers[index].slot, __ATOMIC_RELAXED);
    return v <= TW_ASLEEP ? (int)v : TW_BUSY;
}

/* Called once nothing is in flight: every worker is idle or about to be. */
void tw_pool_stop(tw_pool *p, int workers) {
    for (int i = 0; i < workers; i++)
        while (!claim(&p->workers[i], TW_STOP))
            sched_yield();
    __atomic_store_n(&p->stop, 1, __ATOMIC_SEQ_CST);
    __atomic_store_n(&p->poller_asleep, 0, __ATOMIC_SEQ_CST);
    tw_futex_wake(&p->poller_asleep);
}
