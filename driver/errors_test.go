package driver_test

import (
	"errors"
	"fmt"
	"io"
	"math"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

func TestErrorTexts(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{&driver.Error{Backend: "cuda", Op: "cuMemAlloc", Name: "out of memory", Code: 2, Detail: "4.0 GiB requested, 1.2 GiB free", Kind: driver.ErrOutOfMemory},
			"cuda: cuMemAlloc: out of memory (2): 4.0 GiB requested, 1.2 GiB free"},
		{&driver.Error{Backend: "opencl", Op: "clFinish", Name: "CL_INVALID_COMMAND_QUEUE", Code: -36}, "opencl: clFinish: CL_INVALID_COMMAND_QUEUE (-36)"},
		{driver.Errorf("driver", "Alloc", driver.ErrInvalidValue, "%d elements", -1), "driver: Alloc: invalid value: -1 elements"},
		{driver.Errorf("driver", "", driver.ErrNotReady, ""), "driver: not ready"},
		{&driver.Error{Backend: "driver", Op: "Open", Detail: "no", Err: io.EOF}, "driver: Open: no: EOF"},
		{driver.ClosedError("opencl", "Record", "event"), "opencl: Record: closed: the event was closed"},
		{driver.NilStreamError("driver", "Buffer.Fill"), "driver: Buffer.Fill: invalid value: the stream is nil; make one with Device.NewStream"},
		{&driver.BuildError{Backend: "opencl", Op: "clBuildProgram", Name: "CL_BUILD_PROGRAM_FAILURE", Code: -11, Device: "pthread", Options: "-w", Line: "3: retrun;", Log: "\n3:1: error: unknown\n"},
			"opencl: clBuildProgram: CL_BUILD_PROGRAM_FAILURE (-11): for pthread with options \"-w\"\n  3: retrun;\n3:1: error: unknown"},
		{&driver.BuildError{Backend: "cuda", Op: "nvrtcCompileProgram", Name: "NVRTC_ERROR_COMPILATION", Code: 6, Device: "H200"},
			"cuda: nvrtcCompileProgram: NVRTC_ERROR_COMPILATION (6): for H200"},
	} {
		if got := c.err.Error(); got != c.want {
			t.Errorf("reads\n%s\nwant\n%s", got, c.want)
		}
	}
}

func TestErrorsMatchTheirKindAndCause(t *testing.T) {
	cause := &driver.BuildError{Backend: "opencl", Log: "log"}
	err := fmt.Errorf("starting: %w", &driver.Error{Backend: "driver", Op: "Open", Kind: driver.ErrUnavailable, Err: cause})
	for _, want := range []error{driver.ErrUnavailable, driver.ErrBuild} {
		if !errors.Is(err, want) {
			t.Errorf("does not match %q", want)
		}
	}
	for _, other := range []error{driver.ErrClosed, driver.ErrNoDevice, driver.ErrLibraryNotFound, io.EOF} {
		if errors.Is(err, other) {
			t.Errorf("matches %q", other)
		}
	}
	var e *driver.Error
	var b *driver.BuildError
	if !errors.As(err, &e) || e.Op != "Open" || !errors.As(err, &b) || b.Log != "log" {
		t.Error("errors.As does not find both")
	}
	if !errors.Is(driver.Errorf("cuda", "load", driver.ErrLibraryNotFound, ""), driver.ErrUnavailable) {
		t.Error("a library that was not found is not an unavailable backend")
	}
	if errors.Is(&driver.Error{Backend: "x"}, driver.ErrClosed) {
		t.Error("an error of no kind matches one")
	}
}

func TestByteSize(t *testing.T) {
	for n, want := range map[uint64]string{
		0: "0 B", 1: "1 B", 1023: "1023 B", 1024: "1.0 KiB", 1536: "1.5 KiB",
		1<<20 - 1: "1.0 MiB", 1 << 20: "1.0 MiB", 4 << 30: "4.0 GiB", 1023 << 30: "1023.0 GiB",
		math.MaxUint64: "16.0 EiB",
	} {
		if got := driver.ByteSize(n); got != want {
			t.Errorf("%d bytes are %q; want %q", n, got, want)
		}
	}
}
