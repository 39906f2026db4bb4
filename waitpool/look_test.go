package waitpool

import (
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
)

// No more look at once than may, none of those who queue is forgotten, and those who
// give up leave nothing behind.
func TestLooksAreBounded(t *testing.T) {
	for _, most := range []int64{1, 2, 5} {
		l := lookRoom{most: most, room: make(chan struct{}, 1)}
		given := make(chan struct{})
		close(given)
		var now, peak, looked, gaveUp atomic.Int64
		var all sync.WaitGroup
		for g := range 50 {
			all.Add(1)
			go func() {
				defer all.Done()
				for i := range 200 {
					var done <-chan struct{}
					if (g+i)%5 == 0 {
						done = given
					}
					if !l.enter() && !l.queue(done) {
						gaveUp.Add(1)
						continue
					}
					n := now.Add(1)
					for old := peak.Load(); n > old && !peak.CompareAndSwap(old, n); old = peak.Load() {
					}
					runtime.Gosched()
					looked.Add(1)
					now.Add(-1)
					l.leave()
				}
			}()
		}
		all.Wait()
		if peak.Load() > most || looked.Load()+gaveUp.Load() != 50*200 || looked.Load() < 50*200*4/5 {
			t.Errorf("at most %d: %d at once, %d looked, %d gave up", most, peak.Load(), looked.Load(), gaveUp.Load())
		}
		if l.now.Load() != 0 || l.queued.Load() != 0 {
			t.Errorf("at most %d: %d look and %d queue in the end", most, l.now.Load(), l.queued.Load())
		}
	}
}
