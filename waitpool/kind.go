package waitpool

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"time"
)

// Wait waits until the operation that obj stands for has ended and returns what
// it yielded. It may be called from any goroutine, also from a wait function
// that runs on a worker (which then makes the blocking call itself) and from a
// finalizer or cleanup (which it holds up).
//
// When ctx is done first, Wait returns its error at once; the operation goes on,
// and obj stays alive and unreleased until it ends. Operations that have ended
// already yield their result even so. A wait that makes the blocking call itself
// can't be cancelled.
//
// A panic of a wait, poll or subscribe function, wherever it ran, panics here, as a
// *PanicError; Object, Word and Result run on this goroutine and panic as they
// are. Wait allocates nothing, except when it is abandoned or when more
// waits are under way than ever before.
func (k *Kind[O, R]) Wait(ctx context.Context, obj O) (R, error) {
	p := k.pool
	var zero R
	if p == nil {
		return zero, errors.New("waitpool: Wait: the kind was not made with NewKind")
	}
	if ctx == nil {
		return zero, errors.New("waitpool: Wait: the context is nil; use context.Background()")
	}
	if p.closed.Load() {
		return zero, ErrClosed
	}
	object := k.object(obj)
	var word Word
	var o outcome
	switch {
	case k.poll != 0:
		looked := false
		if o, looked = k.look(ctx, object, k.budget()); !looked {
			p.counters.add(countAbandoned)
			go k.lookLater(obj, object)
			return zero, ctx.Err()
		}
	case k.spec.Word != nil:
		word = k.spec.Word(obj)
		if err := k.check(&word, true); err != nil {
			return k.conclude(obj, result[R]{err: err})
		}
		if word.reached() {
			o.done = true
		} else {
			o = tryWord(&word, k.budget())
		}
	case k.spec.Poll != nil:
		return k.lookGo(ctx, obj, object)
	}
	if !o.done && k.poll != 0 && k.spec.Word != nil {
		word = k.spec.Word(obj)
		if err := k.check(&word, false); err != nil {
			return k.conclude(obj, result[R]{err: err})
		}
	}
	if !o.done {
		return k.handOver(ctx, obj, object, word)
	}
	if o.spun {
		p.counters.add(countSpun)
		k.hit()
	} else {
		p.counters.add(countIdle)
	}
	return k.concludeCoded(obj, o.result)
}

// check refuses a Word with two counters, and, where one is needed, without any.
func (k *Kind[O, R]) check(w *Word, needed bool) error {
	if w.Addr32 != nil && w.Addr64 != nil || needed && !w.there() {
		return fmt.Errorf("waitpool: Wait: %q: set one of Word.Addr32 and Word.Addr64", k.spec.Name)
	}
	return nil
}

// lookGo is stage 1 with a Go poll function: one look, since spinning in Go
// holds up others.
func (k *Kind[O, R]) lookGo(ctx context.Context, obj O, object uintptr) (R, error) {
	var r result[R]
	looked := false
	defer func() { // for Goexit
		if !looked && k.spec.Release != nil {
			k.spec.Release(obj)
		}
	}()
	done := guardPoll(k.spec.Poll, obj, &r)
	looked = true
	if !done {
		return k.handOver(ctx, obj, object, Word{})
	}
	k.pool.counters.add(countIdle)
	return k.conclude(obj, r)
}

// conclude ends a wait whose result is known.
func (k *Kind[O, R]) conclude(obj O, r result[R]) (R, error) {
	if k.spec.Release != nil {
		defer k.spec.Release(obj)
	}
	if r.panic != nil {
		panic(r.panic)
	}
	return r.value, r.err
}

// concludeCoded ends a wait whose outcome is still to be turned into a result.
func (k *Kind[O, R]) concludeCoded(obj O, outcome int64) (r R, err error) {
	if k.spec.Release != nil {
		defer k.spec.Release(obj)
	}
	acquireRace()
	if k.spec.Result != nil {
		return k.spec.Result(obj, outcome)
	}
	return r, nil
}

// budget is how long a waiter may spin: nothing like the full time for kinds
// whose operations have kept outlasting it, except for a try now and then.
func (k *Kind[O, R]) budget() time.Duration {
	spin := k.pool.opt.Spin
	if spin == 0 || load.pressed.Load() {
		return 0
	}
	if n := k.misses.Load(); n >= 8 && n%16 != 0 {
		return spin / 16
	}
	return spin
}

func (k *Kind[O, R]) hit() {
	if k.misses.Load() != 0 {
		k.misses.Store(0)
	}
}

// handOver is what follows stage 1.
func (k *Kind[O, R]) handOver(ctx context.Context, obj O, object uintptr, word Word) (R, error) {
	p := k.pool
	var zero R
	done := ctx.Done() // the caller's code, which may panic: before the wait is counted
	if !p.enter() {
		return zero, ErrClosed
	}
	if k.spec.DeferCancel {
		done = nil
	}
	r := k.take()
	r.obj = obj
	handled := false
	defer func() { // for Goexit in a function that ran on this goroutine
		if !handled {
			k.scrap(r)
		}
	}()
	k.start(r, object, word)
	if !r.ended && !k.await(r, done) {
		handled = true
		p.counters.add(countAbandoned)
		go k.keep(r)
		return zero, ctx.Err()
	}
	handled = true
	return k.finish(ctx, r)
}

// start sends r along the first open road.
func (k *Kind[O, R]) start(r *request[O, R], object uintptr, word Word) {
	s, p := &k.spec, k.pool
	spin := k.budget()
	if k.poll != 0 || word.there() {
		spin = 0 // done in stage 1
	}
	pollable := k.poll != 0 || s.Poll != nil
	var refusal error

	r.prepare(object, k.poll, k.wait, &word)
	r.coded = true
	if word.there() {
		r.pace = word.Pace
		var st status
		st, r.apart = p.engine.submitWord(&r.waiter)
		k.took(r, roadWord, st)
		return
	}
	if k.subscribe != 0 {
		st := r.subscribe(k.subscribe, spin)
		if st != refused {
			k.took(r, roadNotified, st)
			return
		}
		refusal = fmt.Errorf("waitpool: Wait: %q: CSubscribe returned %d and there is no other road", s.Name, r.subcode())
	}
	if s.Subscribe != nil {
		sig := r.arm()
		guardSubscribe(s.Subscribe, r.obj, sig, &r.result)
		if (r.result.err == nil && r.result.panic == nil) || !r.disarm() {
			r.result = result[R]{}
			k.took(r, roadSignal, pending)
			return
		}
		refusal = r.result.err
		if r.result.panic != nil || !errors.Is(refusal, ErrNotArranged) {
			r.road, r.ended, r.coded = roadFailed, true, false
			return
		}
		r.result = result[R]{}
	}
	if k.wait != 0 || s.Wait != nil {
		rather := p.opt.Policy != PolicyLatency || k.poll == 0
		if (!pollable || rather && p.mayBlock(&r.waiter)) && k.startBlocking(r, spin, pollable) {
			return
		}
	}
	switch {
	case k.poll != 0:
		r.coded = true
		k.took(r, roadPolled, p.engine.submitPoller(&r.waiter))
	case s.Poll != nil:
		r.coded = false
		k.took(r, roadSelf, pending)
	default:
		r.result.err = refusal
		r.road, r.ended, r.coded = roadFailed, true, false
	}
}

// startBlocking has the blocking call made: CWait by a worker, or, when none is
// free, by a goroutine started for it, and Wait by such a goroutine always. (A
// locked worker that goes back and forth between C and Go keeps its P while it
// is in C, and its waiter off it: 150 to 250 µs a wait with one P, where a
// goroutine takes 0.5 µs.)
//
// It returns false for a CWait that can be polled and finds no worker free.
func (k *Kind[O, R]) startBlocking(r *request[O, R], spin time.Duration, pollable bool) bool {
	on := roadServed
	if r.coded = k.wait != 0; r.coded {
		on = roadOverflow
		if st := k.pool.engine.submitWorker(&r.waiter, spin); st != refused {
			k.took(r, roadBlocking, st)
			return true
		}
		if pollable {
			k.pool.unblock(&r.waiter)
			return false
		}
	}
	if k.pool.full() && onServer() {
		k.took(r, roadDirect, pending)
		r.call()
		r.ended = true
		return true
	}
	k.took(r, on, pending)
	go r.serve()
	return true
}

// took notes the road that r is on.
func (k *Kind[O, R]) took(r *request[O, R], on road, st status) {
	r.road = on
	r.native = on == roadWord || on == roadNotified || on == roadBlocking || on == roadPolled
	c := &k.pool.counters
	c.add(roadCounter[on])
	if st == finished {
		c.add(countSpunAfter)
		k.hit()
		r.ended = true
	} else {
		k.misses.Add(1)
	}
}

// finish ends a wait that was handed over, and recycles its request.
func (k *Kind[O, R]) finish(ctx context.Context, r *request[O, R]) (R, error) {
	defer k.pool.exit()
	obj, res, coded, outcome := r.obj, r.result, r.coded, r.getOutcome()
	if r.pace != nil {
		r.pace.note(r.took())
	}
	k.put(r)
	var value R
	var err error
	if coded {
		value, err = k.concludeCoded(obj, outcome)
	} else {
		value, err = k.conclude(obj, res)
	}
	if err == nil && k.spec.DeferCancel {
		err = ctx.Err()
	}
	return value, err
}

// keep takes over a wait that its waiter has abandoned. The request is dropped.
func (k *Kind[O, R]) keep(r *request[O, R]) {
	defer k.scrap(r)
	k.await(r, nil)
	runtime.KeepAlive(r)
}

// scrap ends a wait that nobody waits for any more, without recycling.
func (k *Kind[O, R]) scrap(r *request[O, R]) {
	defer k.pool.exit()
	if !r.ended {
		// A Go function left through Goexit. Only these roads call one on the
		// waiter's goroutine while others may hold the request.
		switch r.road {
		case roadNotified:
			if !r.claim() {
				r.awaitToken()
			}
		case roadSignal, roadNone:
			r.disarm()
		}
	}
	k.detach(r)
	if r.timer != nil {
		r.timer.Stop()
	}
	if k.spec.Release != nil {
		k.spec.Release(r.obj)
	}
}
