package driver_test

import (
	"runtime"
	"sync"
	"testing"
	"unsafe"

	"github.com/triad-gpu/triad/driver"
)

// argsFrom is a copy of the struct that b holds.
func argsFrom[A any](b []byte) A {
	var a A
	copy(unsafe.Slice((*byte)(unsafe.Pointer(&a)), unsafe.Sizeof(a)), b)
	return a
}

type someArgs struct {
	A    float32
	P    driver.Ptr[float32]
	N    uint32
	V    driver.Float4
	Tail [100]uint64
}

func sample(n int) someArgs {
	a := someArgs{A: float32(n), P: driver.PtrFrom[float32](uint64(n)), N: uint32(n), V: driver.Float4{W: float32(n)}}
	for i := range a.Tail {
		a.Tail[i] = uint64(n + i)
	}
	return a
}

//go:noinline
func launchByValue(k driver.Kernel, args someArgs) error {
	return k.Launch(nil, driver.LaunchConfig{}, driver.ArgsOf(&args))
}

func TestArgsOf(t *testing.T) {
	k := &readKernel{}
	for n := range 3 {
		if err := launchByValue(k, sample(n)); err != nil {
			t.Fatal(err)
		}
		if got := argsFrom[someArgs](k.got); got != sample(n) {
			t.Errorf("got  %v\nwant %v", got, sample(n))
		}
	}
	none := struct{}{}
	if ref := driver.ArgsOf(&none); ref.Size() != 0 {
		t.Errorf("an empty struct has %d bytes", ref.Size())
	}
}

func TestUnsafePointersAreRefused(t *testing.T) {
	refused[struct{ P unsafe.Pointer }](t, "struct.P ", "Go pointer (unsafe.Pointer)", "driver.Ptr")
}

func TestArgsStayOnTheStack(t *testing.T) {
	if instrumented {
		t.Skip("the race detector and AddressSanitizer allocate")
	}
	var k driver.Kernel = &readKernel{got: make([]byte, 0, 2000)}
	if n := testing.AllocsPerRun(100, func() { launchByValue(k, sample(7)) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

// deep uses n frames of some 1 KiB each, so that the stack grows and moves.
//
//go:noinline
func deep(n int) byte {
	var frame [1024]byte
	frame[n%len(frame)] = byte(n)
	if n > 0 {
		return deep(n-1) + frame[(n*7)%len(frame)]
	}
	return frame[0]
}

// The stack that holds the arguments moves between ArgsOf and the reading.
func TestArgsFollowAStackThatMoves(t *testing.T) {
	var wg sync.WaitGroup
	for n := range 50 {
		wg.Add(1)
		go func() { // a new goroutine, with a small stack
			defer wg.Done()
			k := &readKernel{}
			k.before = func() {
				deep(64)
				if n%10 == 0 {
					runtime.GC() // which may shrink it again
				}
				deep(512)
			}
			if err := launchByValue(k, sample(n)); err != nil {
				t.Error(err)
			}
			if got := argsFrom[someArgs](k.got); got != sample(n) {
				t.Errorf("got  %v\nwant %v", got, sample(n))
			}
		}()
	}
	wg.Wait()
}

// The same while other goroutines collect garbage and preempt all the time.
func TestArgsWhileStacksShrink(t *testing.T) {
	stop := make(chan struct{})
	var background, wg sync.WaitGroup
	background.Add(1)
	go func() {
		defer background.Done()
		for {
			select {
			case <-stop:
				return
			default:
				runtime.GC()
			}
		}
	}()
	for g := range 4 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			k := &readKernel{}
			for i := range 300 {
				if i%3 == 0 {
					k.before = func() { deep(i) }
				} else {
					k.before = runtime.Gosched
				}
				n := g*1000 + i
				launchByValue(k, sample(n))
				if got := argsFrom[someArgs](k.got); got != sample(n) {
					t.Errorf("launch %d got other arguments", n)
					return
				}
			}
		}()
	}
	wg.Wait()
	close(stop)
	background.Wait()
}

// descend calls f from n small frames down.
//
//go:noinline
func descend(n int, f func()) {
	if n == 0 {
		f()
		return
	}
	descend(n-1, f)
}

// The stack grows at each place where it can on the way into Launch: new
// goroutines come to the end of their first stacks in steps of a small frame.
func TestArgsAtEveryStackDepth(t *testing.T) {
	type small struct{ A, B, C uint64 }
	done := make(chan bool)
	for n := range 2000 {
		want := small{uint64(n), 1, 2}
		k := &readKernel{}
		go descend(n, func() {
			args := want
			k.Launch(nil, driver.LaunchConfig{}, driver.ArgsOf(&args))
			done <- argsFrom[small](k.got) == want
		})
		if !<-done {
			t.Errorf("at depth %d the arguments are %v", n, argsFrom[small](k.got))
		}
	}
}
