//go:build cgo && linux

package hip

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/spares"
)

func TestSpares(t *testing.T) {
	drivertest.RunChild(t, "TestSparesInChild", withFake(t, "devices=1;memory="+spares.Memory)...)
}

func TestSparesInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	spares.Run(t, spares.Backend{
		Library: load().Path,
		Keep:    func() { keepsNothing = false },
		Alloc:   "hipMallocFromPoolAsync", Free: "hipFreeAsync", Begin: "hipStreamBeginCapture", Capturing: "hipStreamIsCapturing", Look: "hipGetDevice",
		Open:        func() (driver.Device, error) { return asDevice(Open(0, DeviceOptions{})) },
		AllocOn:     func(s driver.Stream, n uint64) (driver.Memory, error) { return asMemory(s.(*Stream).Alloc(n)) },
		PoolAllocOn: func(s driver.Stream, n uint64) (driver.Memory, error) { return poolAllocOn(s.(*Stream), n) },
		Plain:       func(d driver.Device, n uint64) (driver.Memory, error) { return asMemory(d.(*Device).AllocPlain(n)) },
		Used:        func(d driver.Device) (uint64, error) { return ownAttribute(d, PoolUsedCurrent) },
		High:        func(d driver.Device) (uint64, error) { return ownAttribute(d, PoolUsedHigh) },
		Restart: func(d driver.Device) error {
			return own(d, func(p *Pool) error { return p.SetAttribute(PoolUsedHigh, 0) })
		},
		Trim:    func(d driver.Device) error { return own(d, func(p *Pool) error { return p.Trim(0) }) },
		Native:  func(s driver.Stream) uintptr { return s.(*Stream).Native() },
		Capture: func(t *testing.T, s driver.Stream, f func()) { capture(t, s.(*Stream), captureGlobal, f) },
		Reset:   func(d driver.Device) error { return d.(*Device).Reset() },
	})
}

// asDevice is not a nil *Device in an interface.
func asDevice(d *Device, err error) (driver.Device, error) {
	if err != nil {
		return nil, err
	}
	return d, nil
}

// own does something with the opening's own pool.
func own(d driver.Device, f func(*Pool) error) error {
	p, err := d.(*Device).Pool()
	if err != nil {
		return err
	}
	defer p.Close()
	return f(p)
}

func ownAttribute(d driver.Device, a PoolAttribute) (v uint64, err error) {
	err = own(d, func(p *Pool) error {
		v, err = p.Attribute(a)
		return err
	})
	return v, err
}

// poolAllocOn allocates on a stream from a pool made for that.
func poolAllocOn(s *Stream, n uint64) (driver.Memory, error) {
	p, err := s.dev.NewPool(PoolOptions{})
	if err != nil {
		return nil, err
	}
	defer p.Close()
	return asMemory(p.AllocOn(s, n))
}
