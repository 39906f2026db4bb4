package driver_test

import (
	"bytes"
	"encoding/binary"
	"math"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// setters are those of an ArgPack, with how many bytes each sets.
var setters = []struct {
	size int
	set  func(p *driver.ArgPack, i int, v uint64) error
}{
	{1, func(p *driver.ArgPack, i int, v uint64) error { return p.Int8(i, int8(v)) }},
	{1, func(p *driver.ArgPack, i int, v uint64) error { return p.Uint8(i, uint8(v)) }},
	{2, func(p *driver.ArgPack, i int, v uint64) error { return p.Int16(i, int16(v)) }},
	{2, func(p *driver.ArgPack, i int, v uint64) error { return p.Half(i, driver.Half(v)) }},
	{4, func(p *driver.ArgPack, i int, v uint64) error { return p.Int32(i, int32(v)) }},
	{4, func(p *driver.ArgPack, i int, v uint64) error { return p.Uint32(i, uint32(v)) }},
	{8, func(p *driver.ArgPack, i int, v uint64) error { return p.Int64(i, int64(v)) }},
	{8, func(p *driver.ArgPack, i int, v uint64) error { return p.Uint64(i, v) }},
	{8, func(p *driver.ArgPack, i int, v uint64) error { return p.Ptr(i, v) }},
	{8, func(p *driver.ArgPack, i int, v uint64) error { return p.Local(i, v) }},
	{8, func(p *driver.ArgPack, i int, v uint64) error {
		return driver.SetPtr(p, i, driver.PtrFrom[float32](v))
	}},
	{8, func(p *driver.ArgPack, i int, v uint64) error {
		return driver.SetPtr(p, i, driver.PtrFrom[[3]int8](v))
	}},
}

// Whatever is set, in whatever order, the pack has the bytes of what was accepted,
// and launches once every parameter has a value.
func FuzzArgPackSetters(f *testing.F) {
	f.Add([]byte{3, 13, 255}, []byte{4, 0, 7, 8, 1, 9})
	f.Add([]byte{5, 5, 255}, []byte{4, 0, 1, 4, 255, 1, 4, 2, 1, 200, 1, 4})
	f.Add([]byte{15, 14, 2, 1, 255}, []byte{9, 0, 64, 10, 1, 255, 2, 2, 3, 0, 3, 4})
	f.Add([]byte{}, []byte{1, 1, 1})
	f.Fuzz(func(t *testing.T, form, steps []byte) {
		sig, err := driver.SignatureOfType(randomStruct(&form, 0))
		if err != nil {
			wantErr(t, err, driver.ErrSignature)
			return
		}
		p, want := driver.NewArgPack(sig), make([]byte, sig.Size)
		set := make(map[int]bool)
		for ; len(steps) >= 3; steps = steps[3:] {
			how, i, v := int(steps[0]), int(int8(steps[1])), uint64(steps[2])
			if v == 255 {
				v = math.MaxUint64
			}
			var value []byte
			if how >= 128 {
				value = bytes.Repeat([]byte{byte(v)}, how-128)
				err = p.Bytes(i, value)
			} else {
				s := setters[how%len(setters)]
				value = binary.LittleEndian.AppendUint64(nil, v)[:s.size] // every byte alike, or one in front
				err = s.set(p, i, v)
			}
			if err != nil {
				wantErr(t, err, driver.ErrSignature)
				continue
			}
			if i < 0 || i >= len(sig.Params) || int(sig.Params[i].Size) != len(value) {
				t.Fatalf("%d bytes were set as parameter %d of %s", len(value), i, sig)
			}
			copy(want[sig.Params[i].Offset:], value)
			set[i] = true
		}
		if missing := p.Missing(); len(missing) != len(sig.Params)-len(set) {
			t.Fatalf("%v are missing of %d parameters with %v set", missing, len(sig.Params), set)
		}
		ref, err := p.Ref()
		if len(set) < len(sig.Params) {
			wantErr(t, err, driver.ErrSignature)
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		k := &readKernel{}
		if err := k.Launch(nil, driver.LaunchConfig{}, ref); err != nil || !bytes.Equal(k.got, want) {
			t.Fatalf("got  % x, %v\nwant % x", k.got, err, want)
		}
	})
}
