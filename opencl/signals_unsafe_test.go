//go:build linux

package opencl

import (
	"bytes"
	"encoding/binary"
	"syscall"
	"testing"
	"unsafe"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// action is the kernel's record of a signal's handler: its address, flags and
// mask, as bytes to be compared.
func action(t *testing.T, signal int) [32]byte {
	t.Helper()
	var buf [32]byte
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal), 0, uintptr(unsafe.Pointer(&buf)), 8, 0, 0); errno != 0 {
		t.Fatalf("rt_sigaction of %d: %v", signal, errno)
	}
	return buf
}

// onStack is SA_ONSTACK, without which a handler breaks Go programs.
const onStack = 0x08000000

func TestInitializationLeavesSignalHandlersAlone(t *testing.T) {
	testDevice(t, DeviceOptions{})
	drivertest.RunChild(t, "TestSignalTable")
}

func TestSignalTable(t *testing.T) {
	drivertest.OnlyAsChild(t)
	const signals = 64
	var before [signals + 1][32]byte
	for i := 1; i <= signals; i++ {
		before[i] = action(t, i)
	}
	if _, err := Platforms(); err != nil {
		t.Fatal(err)
	}
	d := testDevice(t, DeviceOptions{})
	s := testStream(t, d, driver.StreamOptions{})
	k := kernel[storeArgs](t, d, storeSource, "store")
	x := buffer(t, s, []uint32{0})
	a := storeArgs{x.Ptr(), 1}
	check(t, k.Launch(s, one, driver.ArgsOf(&a)))
	check(t, s.Wait(t.Context()))
	for i := 1; i <= signals; i++ {
		after := action(t, i)
		if flags := binary.NativeEndian.Uint64(after[8:]); i == int(syscall.SIGFPE) && flags&onStack != 0 {
			continue // PoCL's kernels need a handler; see triad_signals.h
		}
		// Of a signal that is ignored or left to the system, as SIGHUP is under nohup,
		// nothing else counts.
		if was := binary.NativeEndian.Uint64(before[i][:]); was <= 1 && was == binary.NativeEndian.Uint64(after[:]) {
			continue
		}
		if !bytes.Equal(before[i][:], after[:]) {
			t.Errorf("signal %d (%v): the handler was %x and is %x", i, syscall.Signal(i), before[i], after)
		}
	}
	// Go's own handling of what these signals mean still works.
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a nil dereference went by")
			}
		}()
		var p *int
		_ = *p
	}()
	func() {
		defer func() {
			if recover() == nil {
				t.Error("a division by zero went by")
			}
		}()
		zero := len(t.Name()) - len("TestSignalTable")
		_ = 1 / zero
	}()
}
