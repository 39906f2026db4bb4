//go:build cgo && linux

package cuda

import (
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/memorytest"
	"github.com/triad-gpu/triad/testdata/twins/cudatwin"
)

// Each benchmark takes turns with the same work in C, in the same process and
// context, and reports that as C-ns/op, and its own time over C's as ratio. On a fake
// driver the times are those of its locks and allocations.

const (
	benchBytes = 1 << 20 // of each memory
	benchEvery = 50      // commands, after which both sides wait, so that queues stay short
)

// Allocating and closing memory in the order of a stream: what the stream keeps, and
// what a pool does.
func BenchmarkAllocClose(b *testing.B) {
	d, twins := open(b), open(b)
	s, p := newStream(b, d), memorytest.NewPool(b, rig, d, PoolOptions{Keep: 64 << 20})
	pinned, err := twins.HostAlloc(benchBytes, 0)
	check(b, err)
	defer pinned.Close()
	_, context := twins.Native()
	twin, err := cudatwin.Open(cudatwin.Config{
		Library: load().Path, Context: context, Streams: []uintptr{newStream(b, twins).Native()}, Pinned: pinned.Bytes(), Bytes: benchBytes,
	})
	check(b, err)
	defer twin.Close()
	inC := func(n int) (time.Duration, error) { return twin.AllocFree(benchBytes, n, benchEvery) }
	versus(b, "stream", s, func() (*Memory, error) { return s.Alloc(benchBytes) }, inC)
	versus(b, "pool", s, func() (*Memory, error) { return p.AllocOn(s, benchBytes) }, inC)
}

// versus runs an allocation of ours and its end in turns with C's. Waits don't count.
func versus(b *testing.B, name string, s driver.Stream, alloc func() (*Memory, error), c func(n int) (time.Duration, error)) {
	b.Run(name, func(b *testing.B) {
		b.ReportAllocs()
		var ours, inC time.Duration
		for done := 0; done < b.N; done += benchEvery {
			n := min(benchEvery, b.N-done)
			begin := time.Now()
			for range n {
				m, err := alloc()
				if err != nil {
					b.Fatal(err)
				}
				_ = m.Close()
			}
			ours += time.Since(begin)
			check(b, s.Wait(b.Context()))
			took, err := c(n)
			check(b, err)
			inC += took
		}
		b.ReportMetric(float64(ours.Nanoseconds())/float64(b.N), "ns/op")
		b.ReportMetric(float64(inC.Nanoseconds())/float64(b.N), "C-ns/op")
		b.ReportMetric(float64(ours)/float64(inC), "ratio")
	})
}
