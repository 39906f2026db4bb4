/* signal.c: completion notifications.
 *
 * A driver keeps the pointer to a signal for as long as it likes and may fire
 * it at any time, also twice. So signals are apart from requests, their memory
 * is never freed, and one that has fired rests at the end of a queue until
 * QUARANTINE others have fired too: a second firing finds no request and is
 * counted. A signal that never fires is never used again.
 */
#include "engine_impl.h"

#include <pthread.h>
#include <stdlib.h>

enum { QUARANTINE = 256 };

struct tw_sig {
    triad_signal head; /* must come first: it is what the driver sees */
    tw_request *request; /* atomic; whoever takes it away finishes the request */
    tw_sig *next;
    tw_sig *made; /* made before this one: keeps lost signals in sight of leak checkers */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* guards the queue */
static tw_sig *oldest, *newest, *made;
static int resting;
static uint64_t ignored; /* atomic */

uint64_t tw_ignored_signals(void) { return __atomic_load_n(&ignored, __ATOMIC_RELAXED); }

static void retire(tw_sig *s) {
    pthread_mutex_lock(&lock);
    s->next = NULL;
    if (newest)
        newest->next = s;
    else
        oldest = s;
    newest = s;
    resting++;
    pthread_mutex_unlock(&lock);
}

static void fire(triad_signal *self, int64_t result) {
    tw_sig *s = (tw_sig *)self;
    tw_request *r = __atomic_exchange_n(&s->request, NULL, __ATOMIC_ACQ_REL);
    if (!r) {
        __atomic_fetch_add(&ignored, 1, __ATOMIC_RELAXED);
        return;
    }
    tw_batch b = {0};
    r->result = result;
    tw_finish(r, &b);
    tw_flush(&b);
    retire(s);
}

static tw_sig *take(void) {
    tw_sig *s = NULL;
    pthread_mutex_lock(&lock);
    if (resting > QUARANTINE) {
        s = oldest;
        oldest = s->next;
        if (!oldest)
            newest = NULL;
        resting--;
    }
    if (!s && (s = malloc(sizeof *s))) {
        s->head.fire = fire;
        s->made = made;
        made = s;
    }
    pthread_mutex_unlock(&lock);
    return s;
}

int tw_subscribe(uintptr_t request, uintptr_t subscribe, uint64_t spin) {
    tw_request *r = (tw_request *)request;
    tw_sig *s = take();
    if (!s)
        return TW_REFUSED;
    r->sig = s;
    r->subcode = 0;
    __atomic_store_n(&r->state, TW_PENDING, __ATOMIC_RELAXED);
    __atomic_store_n(&s->request, r, __ATOMIC_RELEASE);
    int code = ((triad_subscribe_fn)subscribe)(r->object, &s->head);
    if (code && tw_claim(request)) {
        r->subcode = (uint32_t)code;
        retire(s); /* it was promised not to be fired */
        return TW_REFUSED;
    }
    return tw_settle(r, spin);
}

/* Takes r away from its signal, for a waiter who knows by other means that the
 * operation has ended. 0 when the signal fired first: then r finishes soon. */
int tw_claim(uintptr_t request) {
    tw_request *r = (tw_request *)request;
    tw_request *mine = r;
    return __atomic_compare_exchange_n(&r->sig->request, &mine, NULL, 0, __ATOMIC_ACQ_REL,
                                       __ATOMIC_RELAXED);
}
