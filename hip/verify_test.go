package hip

import (
	"slices"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/hip/codeobject"
)

// needMetadata skips where images are no code objects.
func needMetadata(t *testing.T) {
	t.Helper()
	if overCUDA() {
		drivertest.Lacks(t, "hip-metadata", "the runtime that is here has images without metadata")
	}
}

type mixArgs struct {
	A byte
	B struct {
		A byte
		_ [7]byte
		B float64
	}
	Out driver.Ptr[uint32]
	C   uint16
}

// bindsNot binds a kernel to a struct that does not fit, and wants these words.
func bindsNot[A any](t *testing.T, m *Module, name string, words ...string) {
	t.Helper()
	sig, err := driver.SignatureOf[A]()
	check(t, err)
	k, err := m.Bind(t.Context(), name, sig)
	if err == nil {
		_ = k.Close()
	}
	wantIs(t, name+" as "+sig.String(), err, driver.ErrSignature, append(words, name)...)
}

var verifyTests = []onDevice{
	{"SignaturesAreComparedWithMetadata", func(t *testing.T, d *Device) {
		needMetadata(t)
		m := functions(t, d)
		for _, k := range []*Kernel{bind[mixArgs](t, m, "mix"), bind[storeArgs](t, m, "store"), bind[struct{}](t, m, "nothing")} {
			if !k.Verified() || k.Unverified() != "" {
				t.Errorf("%s is not verified: %s", k.Name(), k.Unverified())
			}
		}
		bindsNot[struct {
			Out   uint64
			Value uint32
		}](t, m, "store", "parameter 0", "a pointer to global memory", "field Out (uint64)", "is a value")
		bindsNot[struct{ Out, Value driver.Ptr[uint32] }](t, m, "store", "parameter 1", "4 bytes", "field Value (driver.Ptr[uint32])", "is a pointer to device memory")
		bindsNot[struct {
			Out   driver.Ptr[uint32]
			Value uint64
		}](t, m, "store", "parameter 1", "4 bytes at byte 8", "has 8")
		bindsNot[struct {
			A   byte
			B   float64
			Out driver.Ptr[uint32]
			C   uint16
		}](t, m, "mix", "parameter 1", "16 bytes at byte 8", "has 8")
		// Of the same size, but in another place.
		bindsNot[struct {
			A byte
			B driver.Float4
			C driver.Ptr[uint32]
			D uint16
		}](t, m, "mix", "parameter 1", "16 bytes at byte 8", "belongs at byte 16, being aligned to 16")
		bindsNot[outArgs](t, m, "nothing", "has 0 parameters (none)", "gives it 1")
	}},
	{"KernelsTellTheirParameters", func(t *testing.T, d *Device) {
		needMetadata(t)
		m := functions(t, d)
		names, err := m.KernelNames()
		check(t, err)
		if want := []string{"bounded", "ends", "large", "mix", "nothing", "store", "sum"}; !slices.Equal(names, want) {
			t.Errorf("the kernels are %v, want %v", names, want)
		}
		var got []driver.ParamKind
		var sizes []uint32
		for _, p := range untyped(t, m, "mix").Signature().Params {
			got, sizes = append(got, p.Kind), append(sizes, p.Size)
		}
		if !slices.Equal(got, []driver.ParamKind{driver.ParamAny, driver.ParamAny, driver.ParamPointer, driver.ParamAny}) || !slices.Equal(sizes, []uint32{1, 16, 8, 2}) {
			t.Errorf("the parameters are of the kinds %v, of %v bytes", got, sizes)
		}
		_, err = m.Bind(t.Context(), "stores", nil)
		wantIs(t, "no such kernel", err, driver.ErrNotFound, `"stores"`, "functions.cu", "it has bounded, ends, large, mix")
		k := m.facts.object.Kernels
		at := slices.IndexFunc(k, func(k codeobject.Kernel) bool { return k.Name == "bounded" })
		if k[at].MaxThreads != 64 || k[at].WavefrontSize != int(d.info.WarpSize) {
			t.Errorf("the metadata of bounded is %+v", k[at])
		}
		// Of HIP 6 and later, compilers have the runtime give more, which are no parameters.
		if isFake() && (len(k[at].Hidden) > 0) != (load().version >= 60000) {
			t.Errorf("of %s, the metadata of bounded has the hidden parameters %+v", versionText(load().version), k[at].Hidden)
		}
	}},
}
