//go:build cgo && linux

package control

/*
#cgo CFLAGS: -I${SRCDIR}/../src/engine
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>
#include "fake_control.h"

static int make_pipe(int *fds) { return pipe2(fds, O_CLOEXEC) ? errno : 0; }
static void call_ended(void *f, fake_called *c, int code) { ((void (*)(fake_called *, int))f)(c, code); }
static int64_t call_room(void *f, uint64_t addr) { return ((int64_t (*)(uint64_t))f)(addr); }
static int call_devices(void *f, const char *model, int n, uint64_t memory) {
	return ((int (*)(const char *, int, uint64_t))f)(model, n, memory);
}
*/
import "C"

import (
	"fmt"
	"io"
	"os"
	"syscall"
	"unsafe"
)

// Called begins the texts of images whose kernels are functions of the program.
const Called = C.FAKE_CALLED

// Launch is a launch of a kernel that is a function of the program. Its memory is
// C's and is there until the function has returned.
type Launch struct {
	ID          uint64 // of the kernel, as its image has it
	Grid, Block [3]uint32
	Shared      []byte // dynamic shared memory of a block
	params      []unsafe.Pointer
}

// Params is how many parameters there are.
func (l *Launch) Params() int { return len(l.params) }

// Param copies a parameter's value.
func (l *Launch) Param(i int, to []byte) {
	copy(to, unsafe.Slice((*byte)(l.params[i]), len(to)))
}

// Serve has launches run by a function, each in a goroutine of its own: the
// driver's threads call no Go, they write to a pipe and wait. The function returns
// 0, or the code of a fault. It is called once for a driver, which it serves to the
// end of the process.
func (d *Driver) Serve(run func(*Launch) int) error {
	var fds [2]C.int
	if code := C.make_pipe(&fds[0]); code != 0 {
		return fmt.Errorf("fake driver: no pipe: %w", syscall.Errno(code))
	}
	// The end that Go reads from goes by way of its poller; the other may wait.
	if err := syscall.SetNonblock(int(fds[0]), true); err != nil {
		return fmt.Errorf("fake driver: %w", err)
	}
	launches := os.NewFile(uintptr(fds[0]), "launches of the fake driver")
	d.setInt("fake_serve", int(fds[1]))
	ended := d.function("fake_ended")
	go func() {
		for {
			var c *C.fake_called // of C's memory
			if _, err := io.ReadFull(launches, unsafe.Slice((*byte)(unsafe.Pointer(&c)), unsafe.Sizeof(c))); err != nil {
				panic(fmt.Sprintf("fake driver: reading launches: %v", err))
			}
			go serve(c, ended, run)
		}
	}()
	return nil
}

// fault is CUDA_ERROR_LAUNCH_FAILED, for functions that end without returning.
const fault = 719

func serve(c *C.fake_called, ended unsafe.Pointer, run func(*Launch) int) {
	code := fault
	defer func() { C.call_ended(ended, c, C.int(code)) }()
	code = run(&Launch{
		ID:   uint64(c.id),
		Grid: dim(c.grid), Block: dim(c.block),
		Shared: unsafe.Slice((*byte)(c.shared), c.shared_size),
		params: unsafe.Slice((*unsafe.Pointer)(unsafe.Pointer(c.params)), c.n_params),
	})
}

func dim(d C.fake_dim3) [3]uint32 { return [3]uint32{uint32(d.x), uint32(d.y), uint32(d.z)} }

// Room is how many bytes there are from an address to the end of the memory that it
// lies in; 0 outside of all memory of the driver's.
func (d *Driver) Room(addr uint64) int64 {
	return int64(C.call_room(d.function("fake_room"), C.uint64_t(addr)))
}

// Devices changes the devices while nothing of theirs exists: their model, how many
// there are, and the memory of each; 0 bytes are the model's own.
func (d *Driver) Devices(model string, n int, memory uint64) error {
	s := C.CString(model)
	defer C.free(unsafe.Pointer(s))
	if C.call_devices(d.function("fake_devices"), s, C.int(n), C.uint64_t(memory)) != 0 {
		return fmt.Errorf("fake driver: there are no %d devices of a model %q", n, model)
	}
	return nil
}
