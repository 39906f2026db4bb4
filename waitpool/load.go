package waitpool

import (
	"runtime"
	"runtime/metrics"
	"sync"
	"sync/atomic"
	"time"
)

// load knows whether spinning would take a processor from somebody. It is
// sampled by waits that are handed over, which have the time: reading the metric
// takes 80 ns. Before Go 1.26, which introduced it, nothing is ever pressed.
var load sampler

type sampler struct {
	pressed atomic.Bool       // goroutines queue for processors
	spare   atomic.Bool       // there is a processor for a lookout
	next    atomic.Int64      // when to sample again, on the clock of since
	mu      sync.Mutex        // guards what follows
	sample  [2]metrics.Sample // goroutines that queue for processors, and that run
	procs   int
	renew   time.Duration // when to look at the number of processors again
}

const (
	samplePeriod = 200 * time.Microsecond
	renewPeriod  = time.Second
)

func (s *sampler) observe() {
	now := since()
	if int64(now) < s.next.Load() || !s.mu.TryLock() {
		return
	}
	defer s.mu.Unlock()
	s.next.Store(int64(now + samplePeriod))
	if now >= s.renew {
		s.renew = now + renewPeriod
		s.procs = runtime.GOMAXPROCS(0)
		s.sample[0].Name = "/sched/goroutines/runnable:goroutines"
		s.sample[1].Name = "/sched/goroutines/running:goroutines"
		refreshCPUs()
	}
	metrics.Read(s.sample[:])
	if s.sample[0].Value.Kind() != metrics.KindUint64 {
		s.spare.Store(s.procs > 1)
		return
	}
	// A goroutine that has just been woken is runnable for a moment: a few of
	// them say nothing when there are many Ps.
	pressed := int(s.sample[0].Value.Uint64()) > s.procs/2
	// This goroutine is one of those that run. Where half of the processors are taken a
	// lookout may have to queue, and nobody looks meanwhile.
	taken := s.sample[1].Value.Kind() == metrics.KindUint64 && int(s.sample[1].Value.Uint64()) > s.procs/2
	s.spare.Store(s.procs > 1 && !pressed && !taken)
	if pressed || s.pressed.Load() {
		s.pressed.Store(pressed)
		setPressure(pressed)
	}
}
