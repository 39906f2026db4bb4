//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"fmt"
	"os"
	"runtime"
	"testing"
	"unsafe"

	"github.com/triad-gpu/triad/waitpool/internal/twins"
)

type op = twins.Op

func newOp(tb testing.TB) op {
	o := twins.New()
	tb.Cleanup(o.Free)
	return o
}

func newPool(tb testing.TB, o Options) *Pool {
	tb.Helper()
	p, err := New(o)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		if err := p.Close(); err != nil {
			tb.Error(err)
		}
	})
	return p
}

// specs are kinds of waits for the make-believe device, by road. What they share
// is in base.
func spec(road string) Spec[op, int64] {
	s := Spec[op, int64]{
		Name:   road,
		Object: func(o op) unsafe.Pointer { return o.Object() },
		Result: func(o op, r int64) (int64, error) { return r, nil },
	}
	switch road {
	case "poll":
		s.CPoll = twins.Poll
	case "wait":
		s.CWait = twins.Wait
	case "nothing":
		s.CWait = twins.Nothing
	case "go":
		s.Wait = func(o op) (int64, error) { return twins.BlockNothing(), nil }
	case "subscribe":
		s.CSubscribe = twins.Subscribe
	case "subscribe+poll":
		s.CSubscribe, s.CPoll = twins.Subscribe, twins.Poll
	case "wait+poll":
		s.CWait, s.CPoll = twins.Wait, twins.Poll
	case "word":
		s.Word = func(o op) Word { return Word{Addr32: o.Word32(), Target: 1} }
	case "word64":
		s.Word = func(o op) Word { return Word{Addr64: o.Word64(), Target: 1} }
	case "gowait":
		s.Wait = func(o op) (int64, error) { return o.Block(), nil }
	case "gopoll":
		s.Poll = func(o op) (int64, bool, error) {
			r, ok := o.Look()
			return r, ok, nil
		}
	default:
		panic(road)
	}
	return s
}

var roads = []string{"poll", "wait", "subscribe", "subscribe+poll", "wait+poll", "word", "word64", "gowait", "gopoll"}

func newKind(tb testing.TB, p *Pool, road string) *Kind[op, int64] {
	tb.Helper()
	return mustKind(tb, p, spec(road))
}

func mustKind[O, R any](tb testing.TB, p *Pool, s Spec[O, R]) *Kind[O, R] {
	tb.Helper()
	k, err := NewKind(p, s)
	if err != nil {
		tb.Fatal(err)
	}
	return k
}

// resident is the process's resident memory in bytes.
func resident(tb testing.TB) int64 {
	runtime.GC()
	b, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		tb.Fatal(err)
	}
	var size, pages int64
	fmt.Sscan(string(b), &size, &pages)
	return pages * int64(os.Getpagesize())
}
