package codeobject

import (
	"encoding/binary"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

func named(target, name string) string {
	return string(objectOf(target, map[string]any{".name": name}))
}

// several is a bundle as compilers make it.
func several() []byte {
	return bundleOf(
		"host-x86_64-unknown-linux-gnu-", "",
		"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack+", named("gfx90a:xnack+", "with"),
		"hipv4-amdgcn-amd-amdhsa--gfx90a:xnack-", named("gfx90a:xnack-", "without"),
		"hip-amdgcn-amd-amdhsa-unknown-gfx906", named("gfx906", "any"),
		"hip-amdgcn-amd-amdhsa--gfx9-4-generic", named("gfx9-4-generic", "family"),
		"hip-amdgcn-amd-amdhsa--gfx942:sramecc+", named("gfx942:sramecc+", "ecc"),
		"hip-spirv64-amd-amdhsa--amdgcnspirv", "spirv",
	)
}

func TestBundlesAreTakenApart(t *testing.T) {
	entries, err := List(several())
	check(t, err)
	var got []string
	for _, e := range entries {
		got = append(got, e.Target)
	}
	want := "gfx90a:xnack+ gfx90a:xnack- gfx906 gfx9-4-generic gfx942:sramecc+ hip-spirv64-amd-amdhsa--amdgcnspirv"
	if strings.Join(got, " ") != want || entries[2].Bundle != "hip-amdgcn-amd-amdhsa-unknown-gfx906" || string(entries[5].Code) != "spirv" {
		t.Errorf("got %q", got)
	}
}

// The code that runs is the one that HIP would choose: of the very target, of the
// architecture without a word on features, of its family.
func TestTheEntryForADeviceIsChosen(t *testing.T) {
	for arch, want := range map[string]string{
		"gfx90a:sramecc+:xnack+": "with",
		"gfx90a:sramecc+:xnack-": "without",
		"gfx90a:xnack+":          "with",
		"gfx906:sramecc+:xnack-": "any",
		"gfx906":                 "any",
		"gfx942:sramecc+:xnack-": "ecc",
		"gfx942:sramecc-:xnack-": "family",
		"gfx950:sramecc+:xnack-": "family",
	} {
		if o := parsed(t, several(), arch); o.Kernels[0].Name != want {
			t.Errorf("%s: the code with %s", arch, o.Kernels[0].Name)
		}
	}
	_, err := Parse(several(), "gfx1100")
	wantIs(t, "gfx1100", err, driver.ErrNotFound, "gfx1100", "gfx90a:xnack+, gfx90a:xnack-, gfx906, gfx9-4-generic", "amdgcnspirv")
	_, err = Parse(several(), "")
	wantIs(t, "no architecture", err, driver.ErrInvalidValue, "must be chosen", "gfx906")
	_, err = Parse(bundleOf("host-x86_64-unknown-linux--", ""), "gfx906")
	wantIs(t, "an empty bundle", err, driver.ErrNotFound, "no code for any device")
	_, err = Parse(bundleOf("hip-amdgcn-amd-amdhsa--gfx906", string(elfFile(62, 0, nil, ".text", nil))), "gfx906")
	wantIs(t, "another machine", err, driver.ErrInvalidValue, "gfx906", "EM_X86_64")
	_, err = Parse(bundleOf("hip-amdgcn-amd-amdhsa--gfx906", "text"), "gfx906")
	wantIs(t, "no ELF", err, driver.ErrInvalidValue, "gfx906", "damaged")
}

func TestProgramsOfTheHostHaveBundles(t *testing.T) {
	two := append(bundleOf("hip-amdgcn-amd-amdhsa--gfx906", named("gfx906", "a")), make([]byte, 4096)...)
	two = append(two, bundleOf("hip-amdgcn-amd-amdhsa--gfx90a", named("gfx90a", "b"))...)
	program := elfFile(62, 0, nil, ".hip_fatbin", append(two, make([]byte, 100)...))
	for arch, want := range map[string]string{"gfx906": "a", "gfx90a": "b"} {
		if o := parsed(t, program, arch); o.Kernels[0].Name != want {
			t.Errorf("%s: the code with %s", arch, o.Kernels[0].Name)
		}
	}
	_, err := List(elfFile(62, 0, nil, ".hip_fatbin", []byte("CCOB....")))
	wantIs(t, "compressed", err, driver.ErrUnsupported, "CCOB")
}

func TestDamagedBundlesAreRefused(t *testing.T) {
	whole := several()
	for n := len(bundleMagic); n < len(whole); n++ {
		if _, err := List(whole[:n]); err == nil {
			t.Fatalf("%d of %d bytes are a bundle", n, len(whole))
		}
	}
	for _, n := range []uint64{1 << 62, maxEntries + 1} {
		lying := slices.Clone(whole)
		binary.LittleEndian.PutUint64(lying[len(bundleMagic):], n)
		_, err := List(lying)
		wantIs(t, "too many", err, driver.ErrInvalidValue, "claims to hold")
	}
	far := slices.Clone(whole)
	binary.LittleEndian.PutUint64(far[len(bundleMagic)+8:], 1<<63)
	_, err := List(far)
	wantIs(t, "far away", err, driver.ErrInvalidValue, "cut short", "host-x86_64")
}

func TestTargetsAreReadAndWritten(t *testing.T) {
	for id, want := range map[string]string{
		"gfx90a": "gfx90a", "gfx90a:xnack-:sramecc+": "gfx90a:sramecc+:xnack-", "amdgcn-amd-amdhsa--gfx9-4-generic:xnack+": "gfx9-4-generic:xnack+",
		"gfx90a:xnack": "gfx90a", "": "", "gfx90a:": "gfx90a",
	} {
		if got := parseTarget(id).String(); got != want {
			t.Errorf("%q: %q, want %q", id, got, want)
		}
	}
	for generic, list := range generics {
		for _, arch := range append([]string{generic}, list...) {
			known := false
			for _, name := range machines {
				known = known || name == arch
			}
			if !known {
				t.Errorf("%s is no machine", arch)
			}
		}
	}
}
