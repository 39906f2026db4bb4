/* poller.c: the one thread that watches words and polls on behalf of all. */
#include "engine_impl.h"

#include <sched.h>
#include <stdlib.h>

typedef struct {
    const void *word; /* NULL: only poll */
    uint64_t target;
    uint64_t born;  /* not later than now */
    uint64_t due;   /* when to look again, unless the poller is awake anyway */
    uint64_t watch; /* when to run the watchdog query of a word */
    uint64_t from;  /* when the lookout is to have it; 0: never */
    tw_request *request;
    uint32_t wide;
} entry;

typedef struct {
    entry *e;
    size_t n, cap;
} table;

/* A table of so many entries stays when there is nothing to watch: 64 KiB. */
enum { TABLE_KEPT = 1024 };

/* Sleeps before a word is due that kept a pace so far: the shortest, in nanoseconds, and
 * at most age >> EARLY_SHIFT. */
enum { EARLY_NAP = 200000, EARLY_SHIFT = 4 };

void tw_submit_poller(uintptr_t pool, uintptr_t request) {
    tw_request *r = (tw_request *)request;
    r->born = r->from = 0;
    __atomic_store_n(&r->state, TW_PENDING, __ATOMIC_RELAXED);
    tw_give_poller((tw_pool *)pool, r);
}

/* Has the poller take over a request that is under way. */
void tw_give_poller(tw_pool *p, tw_request *r) {
    tw_push(&p->inbox, r);
    /* The poller says that it sleeps, then looks at the inbox; this pushes,
     * then looks whether it sleeps. One of them sees the other. */
    if (__atomic_load_n(&p->poller_asleep, __ATOMIC_SEQ_CST) &&
        __atomic_exchange_n(&p->poller_asleep, 0, __ATOMIC_SEQ_CST))
        tw_futex_wake(&p->poller_asleep);
}

static uint64_t clamp(uint64_t v, uint64_t lo, uint64_t hi) { return v < lo ? lo : v > hi ? hi : v; }

/* Moves the inbox into the table, oldest first. When memory runs out the rest
 * goes back into the inbox, to be tried again. */
static void take_inbox(tw_pool *p, table *t, uint64_t now) {
    if (!__atomic_load_n(&p->inbox, __ATOMIC_RELAXED))
        return;
    tw_request *r = __atomic_exchange_n(&p->inbox, NULL, __ATOMIC_ACQUIRE), *list = NULL;
    while (r) {
        tw_request *next = r->next;
        r->next = list;
        list = r;
        r = next;
    }
    while (list) {
        if (t->n == t->cap) {
            size_t cap = t->cap ? t->cap * 2 : 64;
            entry *e = realloc(t->e, cap * sizeof *e);
            if (!e)
                break;
            t->e = e;
            t->cap = cap;
        }
        tw_request *next = list->next;
        /* It may have been submitted since. */
        uint64_t born = list->born && list->born < now ? list->born : now;
        t->e[t->n++] = (entry){list->word, list->target, born, now, now + p->policy.watch_min, list->from, list, list->wide};
        list = next;
    }
    while (list) {
        tw_request *next = list->next;
        tw_push(&p->inbox, list);
        list = next;
    }
}

/* Looks at one wait; 1 when it has ended, with the outcome stored. */
static int look(const tw_policy *c, entry *e, uint64_t now) {
    tw_request *r = e->request;
    uint64_t age = now - e->born;
    if (e->word) {
        if (tw_reached(e->word, e->target, (int)e->wide)) {
            r->result = 0;
            r->took = age;
            return 1;
        }
        if (r->poll && now >= e->watch) {
            e->watch = now + clamp(age >> 2, c->watch_min, c->watch_max);
            r->took = 0; /* a late answer says nothing of the pace */
            if (r->poll(r->object, &r->result))
                return 1;
        }
    } else if (age < c->poll_spin || now >= e->due) {
        if (r->poll(r->object, &r->result))
            return 1;
    }
    if (now >= e->due && e->from) /* not expected yet */
        e->due = now + clamp(age >> EARLY_SHIFT, EARLY_NAP, c->poll_max);
    else if (now >= e->due)
        e->due = now + clamp(age >> (e->word ? c->word_shift : c->age_shift), c->poll_min, c->poll_max);
    return 0;
}

/* Leaves a word to the lookout, which one that takes an expected time is due for. */
static void leave_to_lookout(tw_pool *p, tw_request *r, tw_batch *b) {
    if (tw_give_lookout(p, r))
        tw_batch_add(b, p->scout);
}

/* Whether the poller spins as long as there are words. */
static int never_sleeps(const tw_policy *c) { return c->word_spin >> 62 != 0; }

/* Sleeps until something is submitted or ns have passed (0: no limit). */
static void doze(tw_pool *p, uint64_t ns) {
    __atomic_store_n(&p->poller_asleep, 1, __ATOMIC_SEQ_CST);
    if (!__atomic_load_n(&p->inbox, __ATOMIC_SEQ_CST) && !__atomic_load_n(&p->stop, __ATOMIC_SEQ_CST))
        tw_futex_wait(&p->poller_asleep, 1, ns);
    __atomic_store_n(&p->poller_asleep, 0, __ATOMIC_RELAXED);
}

void tw_poller_run(tw_pool *p) {
    const tw_policy *c = &p->policy;
    table t = {0};
    tw_batch b = {0};
    uint64_t idle_since = tw_now();
    while (!__atomic_load_n(&p->stop, __ATOMIC_ACQUIRE)) {
        uint64_t now = tw_now();
        take_inbox(p, &t, now);
        if (t.n)
            idle_since = now;
        uint64_t next = UINT64_MAX;
        int keen = 0;
        for (size_t i = 0; i < t.n;) {
            entry *e = &t.e[i];
            if (look(c, e, now)) {
                tw_finish(e->request, &b);
                *e = t.e[--t.n];
                continue;
            }
            if (e->from && now >= e->from) {
                e->from = 0;
                if (tw_may_spin(now)) {
                    leave_to_lookout(p, e->request, &b);
                    *e = t.e[--t.n];
                    continue;
                }
            }
            keen |= (!e->from || never_sleeps(c)) && now - e->born < (e->word ? c->word_spin : c->poll_spin);
            if (e->due < next)
                next = e->due;
            if (e->from && e->from < next)
                next = e->from;
            i++;
        }
        tw_flush(&b);
        int spin = tw_may_spin(now);
        /* Spinning yields to waiters: one that was woken may be on this CPU. */
        if (t.n == 0) {
            if (spin && now - idle_since < c->linger) {
                sched_yield();
                continue;
            }
            if (t.cap > TABLE_KEPT) { /* a crowd has gone */
                free(t.e);
                t = (table){0};
            }
            doze(p, 0);
        } else if (spin && keen) {
            sched_yield();
        } else if (next > now) {
            doze(p, next - now);
        }
    }
    free(t.e);
    /* A lookout may have taken what was left to it and gone, before this thread looked
     * whether there was one: then a scout is under way, though nothing is in flight. The
     * pool stays until the lookout that it starts has come and gone. */
    while (__atomic_load_n(&p->looking, __ATOMIC_ACQUIRE))
        sched_yield();
}
