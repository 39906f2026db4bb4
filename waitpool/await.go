package waitpool

import "time"

// await parks until the operation has ended; false when done came first.
func (k *Kind[O, R]) await(r *request[O, R], done <-chan struct{}) bool {
	load.observe()
	if r.road == roadSelf {
		return k.pollSelf(r, done)
	}
	if r.native && !r.settled {
		r.settled = true
		if !r.settle(done == nil && !r.apart) {
			r.ended = true
			return true
		}
	}
	k.pool.counters.add(countParked)
	backstop := (r.road == roadNotified || r.road == roadSignal) && (k.poll != 0 || k.spec.Poll != nil)
	if r.event != nil {
		for d := firstBackstop; !r.parkEvent(backstop, d); d = min(2*d, lastBackstop) {
			if k.backstop(r) {
				break
			}
		}
		r.ended = true
		return true
	}
	if !backstop {
		if done == nil {
			<-r.wake
		} else {
			select {
			case <-r.wake:
			case <-done:
				return false
			}
		}
		r.ended = true
		return true
	}
	for d := firstBackstop; !r.ended; d = min(2*d, lastBackstop) {
		select {
		case <-r.wake:
			r.ended = true
		case <-done:
			return false
		case <-r.tick(d):
			r.ended = k.backstop(r)
		}
	}
	return true
}

// A notification that hasn't come is doubted after firstBackstop, and then at
// intervals that double up to lastBackstop.
const (
	firstBackstop = 20 * time.Millisecond
	lastBackstop  = time.Second
)

// backstop polls on behalf of a notification that may have been lost; true when
// the operation has ended. Whoever takes the request from the signal ends the
// wait: this, or a notification that comes at last.
func (k *Kind[O, R]) backstop(r *request[O, R]) bool {
	var o outcome
	var typed result[R]
	if k.poll != 0 {
		o = tryPoll(k.poll, r.object(), 0)
	} else {
		o.done = guardPoll(k.spec.Poll, r.obj, &typed)
	}
	if !o.done {
		return false
	}
	ours := false
	if r.road == roadNotified {
		ours = r.claim()
	} else {
		ours = r.disarm()
	}
	if !ours {
		r.awaitToken()
		return true
	}
	k.pool.counters.add(countBackstops)
	r.coded = k.poll != 0
	r.road = roadPolled
	if r.coded {
		r.setOutcome(o.result)
	} else {
		r.result = typed
	}
	return true
}

// pollSelf polls a Go function on the goroutine that waits.
func (k *Kind[O, R]) pollSelf(r *request[O, R], done <-chan struct{}) bool {
	k.pool.counters.add(countParked)
	least, most, part := 20*time.Microsecond, 2*time.Millisecond, time.Duration(16)
	switch k.pool.opt.Policy {
	case PolicyLatency:
		most = 50 * time.Microsecond
	case PolicyEconomy:
		// Every timer that fires in an idle program costs the runtime 0.2 ms.
		least, most, part = 5*time.Millisecond, 200*time.Millisecond, 3
	}
	for begin := since(); ; {
		if guardPoll(k.spec.Poll, r.obj, &r.result) {
			r.ended = true
			return true
		}
		d := min(max((since()-begin)/part, least), most)
		select {
		case <-r.tick(d):
		case <-done:
			return false
		}
	}
}
