/* lookout.c: watches words while their operations are likely to end: when they have
 * just begun, and when one is due that kept a pace so far. It is called by a goroutine,
 * which tells the waiters itself what was seen, on the thread that is awake already. One
 * at a time looks; `watched` is its own. */
#include "engine_impl.h"

#include <sched.h>

/* A thread that sleeps until then is late, and so is the goroutine that it starts. */
enum { LATE = 80000, MOST_EARLY = 1000000 };

/* Puts the request where the lookout finds it. True when nobody looks: then one has to
 * begin. */
int tw_give_lookout(tw_pool *p, tw_request *r) {
    tw_push(&p->young, r);
    /* The lookout says that it leaves, then looks at what is new; this pushes, then
     * looks whether it has left. One of them sees the other. */
    return !__atomic_load_n(&p->looking, __ATOMIC_SEQ_CST) &&
           !__atomic_exchange_n(&p->looking, 1, __ATOMIC_SEQ_CST);
}

/* Has a word watched, of an operation that may end after `expect` nanoseconds; 0: one
 * knows nothing. True when a lookout has to begin. */
int tw_submit_word(uintptr_t pool, uintptr_t request, uint64_t expect) {
    tw_pool *p = (tw_pool *)pool;
    tw_request *r = (tw_request *)request;
    uint64_t early = LATE + expect / 32;
    if (early > MOST_EARLY)
        early = MOST_EARLY;
    __atomic_store_n(&r->state, TW_PENDING, __ATOMIC_RELAXED);
    r->born = tw_now();
    r->until = r->born + p->policy.young;
    r->from = 0;
    if (expect && r->until < r->born + expect + early)
        r->until = r->born + expect + early;
    if (expect > 2 * early) {
        r->from = r->born + expect - early;
        tw_give_poller(p, r);
        return 0;
    }
    return tw_give_lookout(p, r);
}

static void take_young(tw_pool *p) {
    if (!__atomic_load_n(&p->young, __ATOMIC_RELAXED))
        return;
    tw_request *r = __atomic_exchange_n(&p->young, NULL, __ATOMIC_ACQUIRE);
    while (r) {
        tw_request *next = r->next;
        r->next = p->watched;
        p->watched = r;
        r = next;
    }
}

/* Finishes what has reached its word. */
static int sweep(tw_pool *p, tw_batch *b) {
    int ended = 0;
    for (tw_request **at = &p->watched, *r; (r = *at);) {
        if (!tw_reached(r->word, r->target, (int)r->wide)) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        r->result = 0;
        r->took = tw_now() - r->born;
        tw_finish(r, b);
        ended = 1;
    }
    return ended;
}

/* Leaves to the poller what does not end as soon as it might have, or all. */
static void pass_on(tw_pool *p, uint64_t now, int all) {
    for (tw_request **at = &p->watched, *r; (r = *at);) {
        if (now < r->until && !all) {
            at = &r->next;
            continue;
        }
        *at = r->next;
        r->from = 0;
        tw_give_poller(p, r);
    }
}

/* Looks until something has ended, or nothing is left, or for about a millisecond. */
tw_sight tw_look_out(uintptr_t pool) {
    tw_pool *p = (tw_pool *)pool;
    tw_batch b = {0};
    uint64_t begin = tw_now(), now = begin;
    for (int i = 1;; i++) {
        take_young(p);
        if (sweep(p, &b) || !p->watched)
            break;
        tw_pause();
        if (i % 8)
            continue;
        now = tw_now();
        pass_on(p, now, !tw_may_spin(now));
        if (now - begin > 1000000)
            break;
        /* What ends the operations may have to run on this CPU. */
        if (i % 64 == 0)
            sched_yield();
    }
    tw_sight s = {b.first, tw_now() - begin, 1};
    if (!p->watched) {
        __atomic_store_n(&p->looking, 0, __ATOMIC_SEQ_CST);
        s.more = __atomic_load_n(&p->young, __ATOMIC_SEQ_CST) &&
                 !__atomic_exchange_n(&p->looking, 1, __ATOMIC_SEQ_CST);
    }
    return s;
}
