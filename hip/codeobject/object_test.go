package codeobject

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/triad-gpu/triad/driver"
)

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatalf("unexpected error: %v", err)
	}
}

// wantIs fails unless err matches want and holds the words.
func wantIs(t testing.TB, what string, err, want error, words ...string) {
	t.Helper()
	if !errors.Is(err, want) {
		t.Errorf("%s: error %v; it should match %q", what, err, want)
		return
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("%s: the error lacks %q: %v", what, w, err)
		}
	}
}

func file(t testing.TB, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(filepath.Join("testdata", name))
	check(t, err)
	return b
}

func parsed(t testing.TB, image []byte, arch string) *Object {
	t.Helper()
	o, err := Parse(image, arch)
	check(t, err)
	return o
}

func kernel(t testing.TB, o *Object, name string) *Kernel {
	t.Helper()
	k, err := o.Kernel(name)
	check(t, err)
	return k
}

func TestCodeObjectsOfTheRealCompiler(t *testing.T) {
	image := file(t, "gfx90a.co")
	o := parsed(t, image, "gfx90a:sramecc+:xnack-")
	if o.Target != "gfx90a:sramecc+:xnack-" || o.Version != [2]int{1, 1} || len(o.Kernels) != 3 || len(o.Code) != len(image) {
		t.Errorf("%s, version %v, %d kernels, %d bytes", o.Target, o.Version, len(o.Kernels), len(o.Code))
	}
	value := func(name string, offset, size uint32) Arg {
		return Arg{Name: name, Offset: offset, Size: size, Kind: KindValue}
	}
	pointer := func(name string, offset uint32) Arg {
		return Arg{Name: name, Offset: offset, Size: 8, Kind: KindPointer, AddressSpace: "global"}
	}
	want := &Kernel{
		Name: "mixed", Symbol: "mixed.kd", ArgBytes: 108, MaxThreads: 256, WavefrontSize: 64, SharedBytes: 256, SGPRs: 18, VGPRs: 5,
		Args: []Arg{
			value("c", 0, 1), value("s", 2, 2), value("i", 4, 4), value("l", 8, 8), value("f", 16, 4), value("d", 24, 8), pointer("p", 32), pointer("q", 40),
			value("v", 48, 16), value("t", 64, 12), value("v4", 80, 16), value("v2", 96, 8), value("b", 104, 1),
		},
	}
	if diff := cmp.Diff(want, kernel(t, o, "mixed")); diff != "" {
		t.Errorf("the kernel differs (-want +got):\n%s", diff)
	}
	if k := kernel(t, o, "empty"); len(k.Args) != 0 || k.MaxThreads != 1024 || k.ArgBytes != 0 {
		t.Errorf("%+v", k)
	}
	_, err := o.Kernel("mixt")
	wantIs(t, "a kernel that isn't there", err, driver.ErrNotFound, `"mixt"`, "empty, mixed, _Z5scaleIfEvPT_S0_j", "gfx90a")

	o = parsed(t, file(t, "gfx1030.co"), "")
	k := kernel(t, o, "mixed")
	if o.Target != "gfx1030" || k.WavefrontSize != 32 || k.Args[3].Name != "" || k.Args[3].Offset != 8 {
		t.Errorf("%s: %+v", o.Target, k)
	}
}

func TestImagesForAnotherArchitectureAreRefused(t *testing.T) {
	for _, arch := range []string{"gfx942", "gfx90a:xnack+", "gfx90a:sramecc-:xnack-", "gfx9"} {
		_, err := Parse(file(t, "gfx90a.co"), arch)
		wantIs(t, arch, err, driver.ErrNotFound, "no code for "+arch, "gfx90a:sramecc+:xnack-")
	}
	for _, arch := range []string{"gfx90a", "gfx90a:xnack-", "gfx90a:xnack-:sramecc+"} {
		parsed(t, file(t, "gfx90a.co"), arch)
	}
}

func TestEverythingOfTheMetadataIsRead(t *testing.T) {
	image := objectOf("gfx942", map[string]any{
		".name": "k", ".symbol": "k.kd", ".kernarg_segment_size": 300, ".max_flat_workgroup_size": 128, ".reqd_workgroup_size": []any{8, 4, 2, 9},
		".wavefront_size": 64, ".group_segment_fixed_size": 1000, ".private_segment_fixed_size": 16, ".sgpr_count": 20, ".vgpr_count": 30,
		".sgpr_spill_count": 1, ".vgpr_spill_count": 2, ".uses_dynamic_stack": true, ".uniform_work_group_size": 1, ".of_the_future": []any{nil, -5},
		".args": []any{
			map[string]any{".name": "x", ".type_name": "float*", ".offset": 0, ".size": 8, ".value_kind": "global_buffer", ".address_space": "global", ".access": "read_only"},
			map[string]any{".offset": 8, ".size": 4, ".value_kind": "dynamic_shared_pointer", ".address_space": "local", ".pointee_align": 4},
			map[string]any{".offset": 16, ".size": 8, ".value_kind": "hidden_global_offset_x"},
			map[string]any{".offset": 24, ".size": 8, ".value_kind": "hidden_none"},
		},
	})
	want := &Object{
		Target: "gfx942", Version: [2]int{1, 2}, Code: image,
		Kernels: []Kernel{{
			Name: "k", Symbol: "k.kd", ArgBytes: 300, MaxThreads: 128, RequiredBlock: [3]int{8, 4, 2}, WavefrontSize: 64, SharedBytes: 1000, PrivateBytes: 16,
			SGPRs: 20, VGPRs: 30, SGPRSpills: 1, VGPRSpills: 2, UsesDynamicStack: true, UniformBlocksAlone: true,
			Args: []Arg{
				{Name: "x", Type: "float*", Size: 8, Kind: KindPointer, AddressSpace: "global", Access: "read_only"},
				{Offset: 8, Size: 4, Kind: KindShared, AddressSpace: "local", PointeeAlign: 4},
			},
			Hidden: []Arg{{Offset: 16, Size: 8, Kind: "hidden_global_offset_x"}, {Offset: 24, Size: 8, Kind: "hidden_none"}},
		}},
	}
	if diff := cmp.Diff(want, parsed(t, image, "gfx942:sramecc+:xnack-")); diff != "" {
		t.Errorf("the object differs (-want +got):\n%s", diff)
	}
}

func TestCodeObjectsOfVersion3HaveTheirTargetInTheFlags(t *testing.T) {
	tree := pack(map[string]any{"amdhsa.version": []any{1, 0}, "amdhsa.kernels": []any{map[string]any{".name": "k"}}})
	o := parsed(t, elfFile(uint16(machineAMDGPU), 0x100|0x03f, noteOf("AMDGPU", noteMetadata, tree), ".text", nil), "gfx90a")
	if o.Target != "gfx90a" || o.Version != [2]int{1, 0} || len(o.Kernels) != 1 {
		t.Errorf("%+v", o)
	}
	entries, err := List(elfFile(uint16(machineAMDGPU), 0xfe, noteOf("AMDGPU", noteMetadata, tree), ".text", nil))
	if err != nil || len(entries) != 1 || entries[0].Target != "machine 0xfe" {
		t.Errorf("%v, error %v", entries, err)
	}
}

func TestWhatIsNoCodeObjectIsRefused(t *testing.T) {
	amd := uint16(machineAMDGPU)
	for _, x := range []struct {
		what  string
		image []byte
		kind  error
		word  string
	}{
		{"nothing", nil, driver.ErrInvalidValue, "neither an ELF file nor a bundle"},
		{"text", []byte("//\n// Generated by NVIDIA NVVM Compiler"), driver.ErrInvalidValue, "begins with"},
		{"half a header", []byte("\x7fELF\x02\x01\x01"), driver.ErrInvalidValue, "damaged"},
		{"a host's program", elfFile(62, 0, nil, ".text", nil), driver.ErrInvalidValue, "EM_X86_64"},
		{"no metadata", elfFile(amd, 0x3f, nil, ".text", nil), driver.ErrInvalidValue, "no metadata"},
		{"another note", elfFile(amd, 0x3f, noteOf("GNU", 3, []byte("abcd")), ".text", nil), driver.ErrInvalidValue, "no metadata"},
		{"version 2", elfFile(amd, 0x3f, noteOf("AMD", noteYAML, []byte("---\n")), ".text", nil), driver.ErrUnsupported, "version 2"},
		{"no table", elfFile(amd, 0x3f, noteOf("AMDGPU", noteMetadata, pack("text")), ".text", nil), driver.ErrInvalidValue, "no table"},
		{"half a table", elfFile(amd, 0x3f, noteOf("AMDGPU", noteMetadata, []byte{0x81, 0xa1}), ".text", nil), driver.ErrInvalidValue, "in the middle"},
		{"a lying note", elfFile(amd, 0x3f, []byte("\xff\xff\xff\xff\xff\xff\xff\xff\x20\x00\x00\x00AMDGPU"), ".text", nil), driver.ErrInvalidValue, "no metadata"},
		{"compressed", []byte("CCOB\x02\x00"), driver.ErrUnsupported, "--no-offload-compress"},
	} {
		_, err := Parse(x.image, "gfx90a")
		wantIs(t, x.what, err, x.kind, x.word, "hip: code object: ")
	}
}
