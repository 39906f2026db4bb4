//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/triad-gpu/triad/waitpool/internal/twins"
)

// rounds runs ours and its twins in turn and reports the time per operation of
// each and the median of the ratios ours/twin of the rounds: what else the
// machine does meanwhile hits both.
func rounds(b *testing.B, ours func(n int), names []string, twin ...func(n int)) {
	b.Helper()
	b.ReportAllocs()
	const most = 15
	n := min(b.N, most)
	per := b.N / n
	times := make([][]float64, len(twin)+1)
	b.ResetTimer()
	for range n {
		start := time.Now()
		ours(per)
		mine := float64(time.Since(start)) / float64(per)
		b.StopTimer()
		times[0] = append(times[0], mine)
		for i, f := range twin {
			start := time.Now()
			f(per)
			times[i+1] = append(times[i+1], float64(time.Since(start))/float64(per))
		}
		b.StartTimer()
	}
	b.StopTimer()
	for i := range twin {
		ratio := make([]float64, n)
		for j := range ratio {
			ratio[j] = times[0][j] / times[i+1][j]
		}
		b.ReportMetric(median(times[i+1]), names[i]+"-ns")
		b.ReportMetric(median(ratio), "x"+names[i])
	}
	b.ReportMetric(median(times[0]), "median-ns")
}

func median(v []float64) float64 {
	v = slices.Clone(v)
	slices.Sort(v)
	return v[len(v)/2]
}

// twinSpin makes the round trips between two spinning C threads.
func twinSpin(n int) { twins.SpinPair(n) }

func twinFutex(n int) { twins.FutexPair(n) }

func twinCall(n int) {
	for range n {
		twins.BlockNothing()
	}
}

// twinChannel hands the call to a goroutine through a channel.
func twinChannel(lock bool) (run func(n int), stop func()) {
	req, rep := make(chan int64), make(chan int64)
	go func() {
		if lock {
			runtime.LockOSThread()
		}
		for range req {
			rep <- twins.BlockNothing()
		}
	}()
	return func(n int) {
		for range n {
			req <- 1
			<-rep
		}
	}, func() { close(req) }
}

// An idle wait: the first look finds the operation ended.
func BenchmarkIdle(b *testing.B) {
	o := newOp(b)
	o.Finish(1)
	for _, road := range []string{"poll", "word"} {
		b.Run(road, func(b *testing.B) {
			k := newKind(b, newPool(b, Options{}), road)
			rounds(b, func(n int) {
				for range n {
					k.Wait(context.Background(), o)
				}
			}, []string{"call"}, twinCall)
		})
	}
}

// An operation that has ended already, handed to a worker that still spins, by a
// waiter that spins.
func BenchmarkHandOver(b *testing.B) {
	k := newKind(b, newPool(b, Options{}), "nothing")
	o := newOp(b)
	channel, stop := twinChannel(false)
	defer stop()
	locked, stop2 := twinChannel(true)
	defer stop2()
	for range 1000 {
		k.Wait(context.Background(), o)
	}
	rounds(b, func(n int) {
		for range n {
			k.Wait(context.Background(), o)
		}
	}, []string{"spin", "chan", "locked"}, twinSpin, channel, locked)
}

// The same when the waiter parks at once.
func BenchmarkParked(b *testing.B) {
	for _, policy := range []Policy{PolicyDefault, PolicyEconomy} {
		for _, cancellable := range []bool{false, true} {
			for _, road := range []string{"nothing", "go"} {
				b.Run(fmt.Sprintf("%v/cancellable=%v/%s", policy, cancellable, road), func(b *testing.B) {
					k := newKind(b, newPool(b, Options{Policy: policy, Spin: 1}), road)
					k.pool.opt.Spin = 0
					o := newOp(b)
					ctx := context.Background()
					if cancellable {
						ctx = b.Context()
					}
					rounds(b, func(n int) {
						for range n {
							k.Wait(ctx, o)
						}
					}, []string{"futex"}, twinFutex)
				})
			}
		}
	}
}
