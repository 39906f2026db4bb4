package codeobject

import (
	"bytes"
	"reflect"
	"testing"
)

func FuzzUnpack(f *testing.F) {
	f.Add(pack(map[string]any{"a": []any{1, -1, "text", nil, true, false, 1 << 40}, "b": map[string]any{}}))
	f.Add([]byte{0xca, 0x3f, 0x80, 0, 0})
	f.Add([]byte{0xdd, 0xff, 0xff, 0xff, 0xff})
	f.Add([]byte{0xdf, 0xff, 0xff, 0xff, 0xff, 0xa0})
	f.Add(bytes.Repeat([]byte{0x91}, 100))
	f.Fuzz(func(t *testing.T, in []byte) {
		v, err := unpack(in)
		if err != nil && v != nil && reflect.ValueOf(v).Kind() == reflect.Map {
			t.Errorf("%v with the error %v", v, err)
		}
		if n := count(v); n > len(in) {
			t.Errorf("%d values of %d bytes", n, len(in))
		}
	})
}

// count counts values.
func count(v any) int {
	n := 1
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			n += count(e)
		}
	case map[string]any:
		for _, e := range v {
			n += count(e)
		}
	case nil:
		return 0
	}
	return n
}

func FuzzParse(f *testing.F) {
	f.Add(file(f, "gfx90a.co"), "gfx90a")
	f.Add(file(f, "gfx1030.co"), "")
	f.Add(several(), "gfx942:sramecc+:xnack-")
	f.Add(elfFile(62, 0, nil, ".hip_fatbin", several()), "gfx906")
	f.Fuzz(func(t *testing.T, image []byte, arch string) {
		entries, err := List(image)
		if err != nil && entries != nil && len(entries) > 1 {
			t.Errorf("%d entries with the error %v", len(entries), err)
		}
		o, err := Parse(image, arch)
		if (o == nil) == (err == nil) {
			t.Fatalf("object %v, error %v", o, err)
		}
		if err != nil {
			return
		}
		for i := range o.Kernels {
			k := &o.Kernels[i]
			sig, err := k.Signature()
			if err != nil {
				continue
			}
			if err := k.Verify(sig); err == nil && len(sig.Params) != len(k.Args) {
				t.Errorf("kernel %s fits %d parameters and has %d", k.Name, len(sig.Params), len(k.Args))
			}
		}
	})
}

func TestUnpackReadsEveryForm(t *testing.T) {
	for _, x := range []struct {
		in   string
		want any
	}{
		{"\x05", uint64(5)}, {"\xff", int64(-1)}, {"\xcc\xff", uint64(255)}, {"\xcd\x01\x00", uint64(256)}, {"\xce\x00\x01\x00\x00", uint64(65536)},
		{"\xcf\x00\x00\x00\x01\x00\x00\x00\x00", uint64(1 << 32)}, {"\xd0\x80", int64(-128)}, {"\xd1\xff\x00", int64(-256)},
		{"\xd2\xff\xff\xff\xfe", int64(-2)}, {"\xd3\xff\xff\xff\xff\xff\xff\xff\xfd", int64(-3)}, {"\xc0", nil}, {"\xc2", false}, {"\xc3", true},
		{"\xca\x3f\x80\x00\x00", 1.0}, {"\xcb\x40\x00\x00\x00\x00\x00\x00\x00", 2.0}, {"\xa2ab", "ab"}, {"\xd9\x01a", "a"}, {"\xda\x00\x01a", "a"},
		{"\xdb\x00\x00\x00\x01a", "a"}, {"\xc4\x01a", "a"}, {"\x92\x01\x02", []any{uint64(1), uint64(2)}}, {"\xdc\x00\x01\x03", []any{uint64(3)}},
		{"\xdd\x00\x00\x00\x01\x03", []any{uint64(3)}}, {"\x81\xa1a\x01", map[string]any{"a": uint64(1)}},
		{"\xde\x00\x01\xa1a\x01", map[string]any{"a": uint64(1)}}, {"\xdf\x00\x00\x00\x01\xa1a\x01", map[string]any{"a": uint64(1)}},
	} {
		got, err := unpack([]byte(x.in))
		if err != nil || !reflect.DeepEqual(got, x.want) {
			t.Errorf("%q: %#v, error %v; want %#v", x.in, got, err, x.want)
		}
		for n := range len(x.in) {
			if v, err := unpack([]byte(x.in[:n])); err == nil {
				t.Errorf("%q: %#v", x.in[:n], v)
			}
		}
	}
	for _, in := range []string{"\xc1", "\xd4\x01\x02", "\x81\x01\x02", string(bytes.Repeat([]byte{0x91}, maxDepth+1)) + "\xc0"} {
		if v, err := unpack([]byte(in)); err == nil {
			t.Errorf("%q: %#v", in, v)
		}
	}
	if v, err := unpack([]byte(string(bytes.Repeat([]byte{0x91}, maxDepth)) + "\xc0")); err != nil {
		t.Errorf("as deep as is allowed: %v, error %v", v, err)
	}
}
