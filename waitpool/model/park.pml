/* park.pml: waitpool's protocol, for the model checker spin. PROTOCOL.md
 * describes it; names are those of the code.
 *
 * Two waiters (with signals, one), the first of which uses its request ROUNDS
 * times, share a worker, the poller, the lookout, the dispatcher and a driver that
 * fires signals: early, late, twice or never. Every wait picks its road, whether it spins, how it parks and
 * whether it is cancelled. Checked are
 *
 *   no lost wake-up      no state without successors but the proper end
 *   one completion       the assertion in complete()
 *   one release          the assertions on releases
 *   no early reuse       the assertions in begin()
 *   no early close       the assertions on poller_gone
 *
 * ROADS says which roads there are: 1 worker, 2 poller, 4 signal, 8 lookout (with the
 * poller before it, or after), or a sum.
 * Sums take minutes and gigabytes, one at a time takes seconds; 8 takes two minutes,
 * and seconds with one round.
 *
 * MUTATE breaks the protocol in one place, which the checker has to notice:
 *   1  a waiter parks with a plain store
 *   2  a worker falls asleep with a plain store
 *   3  the poller sleeps without a second look at its inbox
 *   4  a backstop ends the wait without taking the request from the signal
 *   5  an abandoned request is used again at once
 *   6  the dispatcher is woken only when the list was not empty
 *   7  the lookout leaves without a second look at what is young
 *   8  the poller gives a request to the lookout without a scout
 *   9  the poller ends while a scout is under way
 */
#ifndef MUTATE
#define MUTATE 0
#endif
#ifndef ROADS
#define ROADS 7
#endif
#define N 2
#ifndef ROUNDS
#define ROUNDS 2
#endif

mtype = { PENDING, DONE, LISTED, EVENT };

/* What a worker's slot holds: one of these, or REQUEST + number. */
#define IDLE 0
#define ASLEEP 1
#define BUSY 2
#define REQUEST 3

mtype state[N];
bool touched[N];     /* a completer may still use the request */
bool token[N];       /* in the wake channel */
bool edge[N];        /* the netpoller's note about the event */
byte completions[N]; /* of the wait under way */
byte releases[N];

byte slot = IDLE;
bool worker_sleeps; /* in the futex */

bool inbox[N];
bool poller_asleep;  /* the futex word */
bool poller_sleeps;  /* in the futex */

bool young[N];
bool soon[N];        /* the poller is to leave it to the lookout */
bool looking;
bool lookout_begins; /* the goroutine was started */
bool lookout_runs;

bool listed[N];
bool scout;          /* in the list, too */
bool dispatcher_edge;

byte through;        /* waiters that are at their end */
bool stop;
bool poller_gone;

bool armed[ROUNDS + 1]; /* signal.request, for the signal of each round */

#define LIST_EMPTY (!listed[0] && !listed[1] && !scout)
#define INBOX_EMPTY (!inbox[0] && !inbox[1])
#define NONE_YOUNG (!young[0] && !young[1])

/* tw_finish and tw_flush, with a batch of one. Locals are cleared after their
 * last use, here and below, to keep states few. */
inline complete(r) {
    d_step {
        old = state[r];
        state[r] = DONE;
        completions[r]++;
        assert(completions[r] == 1);
        touched[r] = (old == LISTED)
    }
    if
    :: d_step { old == EVENT -> edge[r] = true; old = 0 }
    :: d_step { old == LISTED ->
           assert(!listed[r]);
#if MUTATE == 6
           was_empty = !LIST_EMPTY;
#else
           was_empty = LIST_EMPTY;
#endif
           listed[r] = true;
           old = 0
       }
       if
       :: d_step { was_empty -> dispatcher_edge = true; was_empty = false }
       :: else
       fi
    :: d_step { old == PENDING -> old = 0 }
    fi
}

proctype Worker() {
    mtype old;
    bool was_empty;
    byte r;
    do
    :: slot >= REQUEST ->
        d_step { r = slot - REQUEST; slot = BUSY } /* the blocking call */
        slot = IDLE; /* marked idle before the waiter is woken */
        complete(r);
        r = 0
    :: slot == IDLE ->
#if MUTATE == 2
        slot = ASLEEP;
#else
        d_step { if :: slot == IDLE -> slot = ASLEEP :: else fi }
#endif
        do
        :: slot == ASLEEP ->
            d_step { if :: slot == ASLEEP -> worker_sleeps = true :: else fi }
end_asleep: !worker_sleeps
        :: else -> break
        od
    od
}

/* tw_give_poller */
inline give_poller(r) {
    inbox[r] = true;
    if
    :: poller_asleep ->
        d_step { was = poller_asleep; poller_asleep = false }
        if :: d_step { was -> poller_sleeps = false; was = false } :: else fi
    :: else
    fi
}

/* tw_give_lookout: was tells whether nobody looked, as long as it isn't cleared. */
inline give_lookout(r) {
    young[r] = true;
    was = false;
    if
    :: !looking -> d_step { was = !looking; looking = true }
    :: else
    fi
}

/* The poller leaves a request to the lookout, and has the dispatcher start one. */
inline leave_to_lookout(r) {
    d_step { mine[r] = false; soon[r] = false }
    give_lookout(r);
    if
    :: was ->
        was = false;
#if MUTATE != 8
        d_step { assert(!scout); was_empty = LIST_EMPTY; scout = true }
        if
        :: d_step { was_empty -> dispatcher_edge = true; was_empty = false }
        :: else
        fi
#endif
    :: else
    fi
}

inline saw(r) {
    d_step {
        old = state[r];
        state[r] = DONE;
        completions[r]++;
        assert(completions[r] == 1 && old != EVENT);
        touched[r] = (old == LISTED);
        seen[r] = false
    }
    if
    :: d_step { old == LISTED -> touched[r] = false; token[r] = true; old = 0 }
    :: d_step { old == PENDING -> old = 0 }
    fi
}

proctype Lookout() {
    mtype old;
    bool seen[N];
    bool was;
end: do
    :: lookout_begins ->
        d_step { lookout_begins = false; lookout_runs = true }
        do
        :: young[0] -> d_step { young[0] = false; seen[0] = true }
        :: young[1] -> d_step { young[1] = false; seen[1] = true }
        :: seen[0] -> saw(0)
        :: seen[1] -> saw(1)
        :: seen[0] -> seen[0] = false; give_poller(0) /* it has grown old; the other never does */
        :: !seen[0] && !seen[1] ->
            looking = false;
#if MUTATE != 7
            if
            :: NONE_YOUNG -> break
            :: else ->
                d_step { was = looking; looking = true }
                if :: d_step { was -> was = false } -> break :: else fi
            fi
#else
            break
#endif
        od;
        lookout_runs = false
    od
}

proctype Poller() {
    mtype old;
    bool was_empty, was;
    bool mine[N];
    do
    :: inbox[0] -> d_step { inbox[0] = false; mine[0] = true }
    :: inbox[1] -> d_step { inbox[1] = false; mine[1] = true }
    :: mine[0] -> soon[0] = false; complete(0); mine[0] = false /* its poll said so */
    :: mine[1] -> soon[1] = false; complete(1); mine[1] = false
    :: mine[1] && soon[1] -> leave_to_lookout(1)
    :: !mine[0] && !mine[1] -> /* doze */
        poller_asleep = true;
#if MUTATE != 3
        if
        :: INBOX_EMPTY && !stop ->
#endif
            d_step { if :: poller_asleep -> poller_sleeps = true :: else fi }
end_asleep: !poller_sleeps
#if MUTATE != 3
        :: else
        fi
#endif
        ; poller_asleep = false
    :: stop -> break
    od;
#if MUTATE != 9
    !looking;
#endif
    poller_gone = true
}

/* Close: the poller's thread is counted, and what it starts is counted before it goes. */
proctype Closer() {
    through == (ROADS & 4 -> 1 : 2);
    stop = true;
    d_step { poller_asleep = false; poller_sleeps = false }
    poller_gone && !lookout_begins && !lookout_runs;
    assert(!scout && !looking && INBOX_EMPTY && NONE_YOUNG)
}

proctype Dispatcher() {
    bool got[N];
    bool start;
end: do
    :: dispatcher_edge ->
        dispatcher_edge = false;
        do
        :: d_step { !LIST_EMPTY -> /* the swap */
               got[0] = listed[0]; listed[0] = false;
               got[1] = listed[1]; listed[1] = false;
               start = scout; scout = false
           }
           if :: d_step { start -> assert(!lookout_begins && !poller_gone); lookout_begins = true; start = false } :: else fi;
           if :: d_step { got[0] -> touched[0] = false; token[0] = true; got[0] = false } :: else fi;
           if :: d_step { got[1] -> touched[1] = false; token[1] = true; got[1] = false } :: else fi
        :: LIST_EMPTY -> break
        od
    od
}

/* A driver's thread with a signal. A reliable one fires at least once. */
proctype Driver(byte r; byte s; bool reliable) {
    mtype old;
    bool was_empty;
    bool took;
    byte fired = 0;
    do
    :: fired < 2 ->
        d_step { took = armed[s]; armed[s] = false; fired++ }
        if :: took -> took = false; complete(r) :: else fi
    :: fired > 0 || !reliable -> break
    od
}

inline begin() {
    d_step {
        assert(!touched[r] && !token[r] && !listed[r] && !inbox[r] && !young[r] && !soon[r]);
        assert(slot != REQUEST + r);
        state[r] = PENDING;
        completions[r] = 0;
        releases[r] = 0
    }
}

inline submit_worker() {
    do
    :: d_step { slot == IDLE -> slot = REQUEST + r } break
    :: d_step { slot == ASLEEP -> slot = REQUEST + r }
       worker_sleeps = false; /* futex wake */
       break
    :: slot >= BUSY && (ROADS & 2) -> taken = false; break
    od
}

inline release() {
    d_step {
        releases[r]++;
        assert(releases[r] == 1 && completions[r] == 1)
    }
}

proctype Waiter(byte r; byte rounds) {
    byte round = 0;
    byte s;
    bool taken = true;
    bool was, lossy, cancelled, alone, claimed;
    do
    :: round < rounds && !cancelled ->
        atomic {
            begin();
            s = (r == 0 -> round : ROUNDS);
            round++;
            if :: alone = true :: alone = false fi;
            if
            :: ROADS & 1 -> goto to_worker
            :: ROADS & 2 -> goto to_poller
            :: ROADS & 8 -> alone = false; goto to_lookout
            :: (ROADS & 8) && r == 1 -> alone = false; soon[r] = true; goto to_poller
            :: ROADS & 4 -> armed[s] = true; run Driver(r, s, true); goto settle
            :: ROADS & 4 -> lossy = true; armed[s] = true; run Driver(r, s, false); goto settle
            fi
        }
to_worker: skip;
        submit_worker();
        if :: d_step { !taken -> taken = true } :: else -> goto settle fi;
to_poller: skip;
        give_poller(r);
        goto settle;
to_lookout: skip;
        give_lookout(r);
        if :: d_step { was -> was = false; assert(!lookout_begins); lookout_begins = true } :: else fi;
settle: skip;
#if MUTATE == 1
        if
        :: state[r] == DONE -> goto ended
        :: else -> state[r] = (alone -> EVENT : LISTED)
        fi;
#else
        d_step {
            was = (state[r] == PENDING);
            if :: was -> state[r] = (alone -> EVENT : LISTED) :: else fi
        }
        if :: !was -> goto ended :: else -> was = false fi;
#endif
        /* park */
        if
        :: alone ->
            edge[r] = false; /* an edge of an earlier wait, perhaps */
            do
            :: state[r] == DONE -> goto ended
            :: state[r] != DONE ->
                if
                :: edge[r] -> edge[r] = false
                :: lossy -> goto backstop
                fi
            od
        :: else
        fi;
listening:
        if
        :: token[r] -> token[r] = false
        :: !cancelled -> /* the context is done: a keeper goes on here */
            cancelled = true;
#if MUTATE == 5
            cancelled = false;
            goto next
#endif
            goto listening
        :: lossy -> goto backstop
        fi;
        goto ended;

backstop: skip; /* the poll says that the operation has ended */
        d_step { claimed = armed[s]; armed[s] = false }
        if
#if MUTATE == 4
        :: true ->
#else
        :: claimed ->
#endif
            d_step { completions[r]++; assert(completions[r] == 1) }
        :: !claimed -> /* the signal was first: its token is on its way */
            if
            :: alone -> state[r] == DONE
            :: else -> token[r]; token[r] = false
            fi
        fi;
ended:  atomic {
            release();
            lossy = false; alone = false; was = false; claimed = false
        }
next:   skip
    :: else -> break
    od;
    /* What is left is what a dropped request may have: nothing. */
    assert(!touched[r] && !listed[r] && !token[r]);
    through++
}

init {
    atomic {
        if :: ROADS & 1 -> run Worker() :: else fi;
        if :: ROADS & 10 -> run Poller(); run Closer() :: else fi;
        if :: ROADS & 8 -> run Lookout() :: else fi;
        run Dispatcher();
        run Waiter(0, ROUNDS);
        if :: !(ROADS & 4) -> run Waiter(1, 1) :: else fi
    }
}
