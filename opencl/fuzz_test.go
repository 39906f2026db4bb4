package opencl

import (
	"encoding/json"
	"errors"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// Whatever a binary's description holds, it is refused, or the signatures made of
// it are sound and fit the parameters that they were made of.
func FuzzDescription(f *testing.F) {
	add := func(d description) {
		b, err := json.Marshal(d)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(b)
	}
	add(description{Version: descriptionVersion})
	add(description{Version: descriptionVersion + 1})
	add(description{Version: descriptionVersion, Kernels: map[string][]kernelParam{
		"k": {{"a", "float", 0, true}, {"n", "uint", 0, false}, {"v", "double3", 0, false}, {"l", "int", argAddressLocal, true}},
		"s": {{"a", "struct particle", 0, true}, {"b", "real_t", 0, false}, {"c", "void", 0, true}, {"", "image2d_t", 0, false}},
	}, Measured: map[string]measured{"struct particle is ": {24, 8, false}, "real_t is ": {4, 4, true}}})
	add(description{Version: descriptionVersion, Measured: map[string]measured{"t is ": {1, 3, true}}})
	add(description{Version: descriptionVersion, Kernels: map[string][]kernelParam{"k": {{"a", "t", 0, false}, {"b", "t", 0, false}}}, Measured: map[string]measured{"t is ": {1 << 31, 8, false}}})
	f.Add([]byte("{"))
	f.Add([]byte(`{"Version":1,"Kernels":{"k":null},"Measured":{"":{"Size":4294967295}}}`))
	f.Fuzz(func(t *testing.T, b []byte) {
		m := &Module{name: "m", dev: &Device{info: &driver.DeviceInfo{Platform: "test"}}}
		if err := m.facts.read(driver.ModuleSource{Kind: driver.SourceBinary, Name: "m", Code: []byte{1}, Description: b}); err != nil {
			if !errors.Is(err, driver.ErrInvalidValue) {
				t.Errorf("%q: %v", b, err)
			}
			return
		}
		m.facts.Source = "" // nothing is compiled here
		for name, params := range m.facts.Kernels {
			sig, err := signatureOf("op", m, name, params, true)
			if err != nil {
				if e := (*driver.Error)(nil); !errors.As(err, &e) {
					t.Errorf("%q: %v", b, err)
				}
				continue
			}
			end := uint64(0)
			for i, p := range sig.Params {
				if uint64(p.Offset) < end || uint64(p.Offset)+uint64(p.Size) > uint64(sig.Size) {
					t.Fatalf("%q: parameter %d of %s is %+v", b, i, sig, p)
				}
				end = uint64(p.Offset) + uint64(p.Size)
			}
			if _, err := m.verify(t.Context(), name, sig, params, true); err != nil && !errors.Is(err, driver.ErrSignature) {
				t.Errorf("%q: %s does not fit what it was made of: %v", b, sig, err)
			}
		}
	})
}
