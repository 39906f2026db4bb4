package driver_test

import (
	"context"
	"fmt"
	"unsafe"

	"github.com/triad-gpu/triad/driver"
)

// fakeDevice allocates memory that is in Go. What it does not override panics.
type fakeDevice struct {
	driver.Device
	name string
	next uint64
	err  error // from Alloc and AllocHost
}

func (d *fakeDevice) Alloc(n uint64) (driver.Memory, error) {
	if d.err != nil {
		return nil, d.err
	}
	d.next += 0x1000
	return &fakeMemory{addr: d.next, data: make([]byte, n)}, nil
}

func (d *fakeDevice) AllocHost(n uint64) (driver.HostMemory, error) {
	m, err := d.Alloc(n)
	if err != nil {
		return nil, err
	}
	return m.(*fakeMemory), nil
}

type fakeMemory struct {
	driver.Memory
	addr   uint64
	data   []byte
	closed bool
}

func (m *fakeMemory) Size() uint64 { return uint64(len(m.data)) }
func (m *fakeMemory) Close() error { m.closed = true; return nil }

func (m *fakeMemory) Addr() uint64 {
	if m.closed {
		return 0
	}
	return m.addr
}

func (m *fakeMemory) Bytes() []byte {
	if m.closed {
		return nil
	}
	return m.data
}

func (m *fakeMemory) Slice(off, n uint64) (driver.Memory, error) {
	if off+n > m.Size() {
		return nil, fmt.Errorf("slice [%d:%d] of %d", off, off+n, m.Size())
	}
	return &fakeMemory{addr: m.addr + off, data: m.data[off : off+n]}, nil
}

// fakeStream runs copies and fills at once.
type fakeStream struct {
	driver.Stream
	calls int
}

func (s *fakeStream) Copy(dst driver.Memory, dstOff uint64, src driver.Memory, srcOff, n uint64) error {
	s.calls++
	copy(dst.(*fakeMemory).data[dstOff:dstOff+n], src.(*fakeMemory).data[srcOff:srcOff+n])
	return nil
}

func (s *fakeStream) CopyFromHost(_ context.Context, dst driver.Memory, off uint64, src []byte) error {
	s.calls++
	copy(dst.(*fakeMemory).data[off:off+uint64(len(src))], src)
	return nil
}

func (s *fakeStream) CopyToHost(_ context.Context, dst []byte, src driver.Memory, off uint64) error {
	s.calls++
	copy(dst, src.(*fakeMemory).data[off:off+uint64(len(dst))])
	return nil
}

func (s *fakeStream) Fill(dst driver.Memory, off, n uint64, p driver.Pattern) error {
	s.calls++
	if n%uint64(p.Len) != 0 {
		return fmt.Errorf("%d bytes with a pattern of %d", n, p.Len)
	}
	for i := range n {
		dst.(*fakeMemory).data[off+i] = p.Bytes[i%uint64(p.Len)]
	}
	return nil
}

// readKernel copies the arguments that it is launched with.
type readKernel struct {
	driver.Kernel
	got []byte
	// before runs in Launch before the arguments are read.
	before func()
}

func (k *readKernel) Launch(_ driver.Stream, _ driver.LaunchConfig, a driver.ArgRef) error {
	if k.before != nil {
		k.before()
	}
	k.got = append(k.got[:0], unsafe.Slice((*byte)(a.Pointer()), a.Size())...)
	return nil
}
