//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/triad-gpu/triad/waitpool/internal/twins"
)

// A short operation (10 µs) waited for along each road, beside the blocking call
// made directly.
func BenchmarkShort(b *testing.B) {
	for _, road := range roads {
		for _, cancellable := range []bool{false, true} {
			b.Run(fmt.Sprintf("%s/cancellable=%v", road, cancellable), func(b *testing.B) {
				k := newKind(b, newPool(b, Options{}), road)
				o, o2 := newOp(b), newOp(b)
				ctx := context.Background()
				if cancellable {
					ctx = b.Context()
				}
				const length = 10 * time.Microsecond
				rounds(b, func(n int) {
					for range n {
						o.Reset()
						o.Submit(length)
						k.Wait(ctx, o)
					}
				}, []string{"direct"}, func(n int) {
					for range n {
						o2.Reset()
						o2.Submit(length)
						o2.Block()
					}
				})
			})
		}
	}
}

// How much later than a C thread that spins a goroutine goes on that was parked, by
// the length of the operation, and whether waits learn from each other.
func BenchmarkSeen(b *testing.B) {
	for _, length := range []time.Duration{50 * time.Microsecond, 100 * time.Microsecond, time.Millisecond, 5 * time.Millisecond} {
		for _, paced := range []bool{false, true} {
			b.Run(fmt.Sprintf("%v/paced=%v", length, paced), func(b *testing.B) {
				k := newKind(b, newPool(b, Options{}), "word")
				k.pool.opt.Spin = 0
				if paced {
					var pace Pace
					word := k.spec.Word
					k.spec.Word = func(o op) Word { w := word(o); w.Pace = &pace; return w }
				}
				o, o2 := newOp(b), newOp(b)
				ctx := context.Background()
				rounds(b, func(n int) {
					for range n {
						o.Reset()
						o.Submit(length)
						k.Wait(ctx, o)
					}
				}, []string{"spin"}, func(n int) {
					for range n {
						o2.Reset()
						o2.Submit(length)
						o2.Spin()
					}
				})
			})
		}
	}
}

// Waits per second with more and more waiters, of operations that have ended
// when the worker or poller looks.
func BenchmarkThroughput(b *testing.B) {
	for _, road := range []string{"nothing", "go", "poll"} {
		for _, waiters := range []int{1, 8, 64, 512} {
			b.Run(fmt.Sprintf("%s/waiters=%d", road, waiters), func(b *testing.B) {
				k := newKind(b, newPool(b, Options{}), road)
				if road == "poll" {
					k.pool.opt.Spin = 0
				}
				b.ReportAllocs()
				var left atomic.Int64
				left.Store(int64(b.N))
				var wg sync.WaitGroup
				for range waiters {
					wg.Add(1)
					o := newOp(b)
					go func() {
						defer wg.Done()
						for left.Add(-1) >= 0 {
							if road == "poll" {
								o.Reset()
								o.After(5 * time.Microsecond)
							}
							k.Wait(context.Background(), o)
						}
					}()
				}
				wg.Wait()
				b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "waits/s")
			})
		}
	}
}

// 20,000 goroutines at once, and beside it a bounded number of direct calls.
func BenchmarkHerd(b *testing.B) {
	for _, road := range []string{"word", "poll", "subscribe+poll", "wait+poll", "gopoll"} {
		b.Run(road, func(b *testing.B) {
			for range b.N {
				r := herd(b, 20000, road, time.Second)
				b.ReportMetric(float64(r.threads), "threads")
				b.ReportMetric(float64(r.late)/1e6, "ms-late")
				b.ReportMetric(float64(r.wakeups), "wakeups")
			}
		})
	}
	b.Run("direct-1000", func(b *testing.B) {
		for range b.N {
			base, _ := threads(b, "")
			ops := make([]op, 1000)
			var wg sync.WaitGroup
			for i := range ops {
				ops[i] = newOp(b)
				wg.Add(1)
				go func() { defer wg.Done(); ops[i].Block() }()
			}
			time.Sleep(time.Second)
			all, _ := threads(b, "")
			for _, o := range ops {
				o.Finish(1)
			}
			start := time.Now()
			wg.Wait()
			b.ReportMetric(float64(all-base), "threads")
			b.ReportMetric(float64(time.Since(start))/1e6, "ms-late")
		}
	})
}

// The 99th percentile of short waits beside 64 long ones, over that without.
func BenchmarkLongBesideShort(b *testing.B) {
	for _, road := range []string{"poll", "wait", "word", "subscribe+poll", "gowait"} {
		b.Run(road, func(b *testing.B) {
			p := newPool(b, Options{})
			k := newKind(b, p, road)
			o := newOp(b)
			measure := func(n int) float64 {
				times := make([]time.Duration, n)
				for i := range times {
					o.Reset()
					o.Submit(20 * time.Microsecond)
					start := time.Now()
					k.Wait(context.Background(), o)
					times[i] = time.Since(start)
				}
				slices.Sort(times)
				return float64(times[n*99/100])
			}
			const n = 1000
			var alone, beside, ratio []float64
			for range b.N {
				measure(100)
				a := measure(n)
				var wg sync.WaitGroup
				before := p.Stats().Parked
				var long []op
				for range 64 {
					o := newOp(b)
					long = append(long, o)
					wg.Add(1)
					go func() { defer wg.Done(); k.Wait(context.Background(), o) }()
				}
				for p.Stats().Parked < before+64 {
					runtime.Gosched()
				}
				measure(100)
				c := measure(n)
				for _, o := range long {
					o.Finish(1)
				}
				wg.Wait()
				alone, beside, ratio = append(alone, a), append(beside, c), append(ratio, c/a)
			}
			b.ReportMetric(median(alone), "p99-alone-ns")
			b.ReportMetric(median(beside), "p99-beside-ns")
			b.ReportMetric(median(ratio), "ratio")
		})
	}
}

// Processor time while one wait of a second is pending, in percent of a core; with -short
// of 50 ms, to see that it runs.
func BenchmarkCPU(b *testing.B) {
	length := time.Second
	if testing.Short() {
		length = 50 * time.Millisecond
	}
	for _, policy := range []Policy{PolicyLatency, PolicyDefault, PolicyEconomy} {
		for _, road := range roads {
			b.Run(fmt.Sprintf("%v/%s", policy, road), func(b *testing.B) {
				k := newKind(b, newPool(b, Options{Policy: policy}), road)
				o := newOp(b)
				cpu := twins.CPU()
				for range b.N {
					o.Reset()
					o.Submit(length)
					k.Wait(context.Background(), o)
				}
				b.ReportMetric(100*float64(twins.CPU()-cpu)/float64(b.Elapsed()), "%cpu")
			})
		}
	}
}

// Many waits along all roads; memory must not grow. With -benchtime 10000000x it
// is a soak of 10⁷ waits.
func BenchmarkSoak(b *testing.B) {
	p := newPool(b, Options{})
	var kinds []*Kind[op, int64]
	for _, road := range append([]string{"nothing", "go"}, roads...) {
		if road != "gopoll" { // a millisecond each
			kinds = append(kinds, newKind(b, p, road))
		}
	}
	ctx, cancel := context.WithCancel(b.Context())
	defer cancel()
	part := func(n int) {
		var wg sync.WaitGroup
		for w := range 8 {
			wg.Add(1)
			o := newOp(b)
			go func() {
				defer wg.Done()
				for i := range n / 8 {
					o.Reset()
					o.Submit(time.Duration(i % 8 * 1000))
					c := context.Background()
					if i%2 == 0 {
						c = ctx
					}
					kinds[(i+w)%len(kinds)].Wait(c, o)
				}
			}()
		}
		wg.Wait()
	}
	part(8000)
	before := resident(b)
	b.ReportAllocs()
	b.ResetTimer()
	part(b.N)
	b.StopTimer()
	b.ReportMetric(float64(resident(b)-before)/1024, "KiB-grown")
	b.ReportMetric(float64(p.Stats().Parked), "parked")
}
