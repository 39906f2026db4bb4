//go:build linux

package drivertest

import (
	"encoding/binary"
	"syscall"
	"testing"
	"unsafe"
)

// signalAction is the kernel's record of a signal's handler: its address, flags and
// mask.
func signalAction(t testing.TB, signal int) [32]byte {
	t.Helper()
	var buf [32]byte
	if _, _, errno := syscall.RawSyscall6(syscall.SYS_RT_SIGACTION, uintptr(signal), 0, uintptr(unsafe.Pointer(&buf)), 8, 0, 0); errno != 0 {
		t.Fatalf("rt_sigaction of %d: %v", signal, errno)
	}
	return buf
}

// OnStack is SA_ONSTACK, without which a handler breaks Go programs.
const OnStack = 0x08000000

// SignalsStay fails when f, which loads and uses a driver for the first time in this
// process, changes how signals are handled. excused, which may be nil, tells of
// handlers that a driver needs, by the signal and the handler's flags.
func SignalsStay(t *testing.T, f func(), excused func(s syscall.Signal, flags uint64) bool) {
	t.Helper()
	const signals = 64
	var before [signals + 1][32]byte
	for i := 1; i <= signals; i++ {
		before[i] = signalAction(t, i)
	}
	f()
	for i := 1; i <= signals; i++ {
		after := signalAction(t, i)
		if excused != nil && excused(syscall.Signal(i), binary.NativeEndian.Uint64(after[8:])) {
			continue
		}
		// Of a signal that is ignored or left to the system, as SIGHUP is under nohup,
		// nothing else counts.
		if was := binary.NativeEndian.Uint64(before[i][:]); was <= 1 && was == binary.NativeEndian.Uint64(after[:]) {
			continue
		}
		if before[i] != after {
			t.Errorf("signal %d (%v): the handler was %x and is %x", i, syscall.Signal(i), before[i], after)
		}
	}
	// Go's own handling of what these signals mean still works.
	panics(t, "a nil dereference", func() {
		var p *int
		_ = *p
	})
	panics(t, "a division by zero", func() {
		zero := len(t.Name()) - len(t.Name())
		_ = 1 / zero
	})
}

func panics(t *testing.T, what string, f func()) {
	t.Helper()
	defer func() {
		if recover() == nil {
			t.Errorf("%s went by", what)
		}
	}()
	f()
}
