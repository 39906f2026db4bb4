package codeobject

import (
	"slices"
	"strings"
)

// target is an architecture with its features: gfx90a:sramecc+:xnack-.
type target struct {
	arch     string
	features map[string]bool // of xnack and sramecc those that are said to be on or off
}

// parseTarget reads a target id. Whatever stands before the architecture, such as
// "hip-amdgcn-amd-amdhsa--", is ignored.
func parseTarget(id string) target {
	parts := strings.Split(id, ":")
	t := target{arch: parts[0]}
	// gfx9-4-generic has dashes of its own.
	if i := strings.Index(t.arch, "-gfx"); i >= 0 {
		t.arch = t.arch[i+1:]
	}
	for _, f := range parts[1:] {
		name, on := strings.CutSuffix(f, "+")
		name, off := strings.CutSuffix(name, "-")
		if on != off {
			if t.features == nil {
				t.features = make(map[string]bool)
			}
			t.features[name] = on
		}
	}
	return t
}

func (t target) String() string {
	s := t.arch
	for _, name := range []string{"sramecc", "xnack"} {
		if on, said := t.features[name]; said {
			s += ":" + name + map[bool]string{true: "+", false: "-"}[on]
		}
	}
	return s
}

// generics are the architectures that stand for several, whose code runs on each
// of them.
var generics = map[string][]string{
	"gfx9-generic":    {"gfx900", "gfx902", "gfx904", "gfx906", "gfx909", "gfx90c"},
	"gfx9-4-generic":  {"gfx940", "gfx941", "gfx942", "gfx950"},
	"gfx10-1-generic": {"gfx1010", "gfx1011", "gfx1012", "gfx1013"},
	"gfx10-3-generic": {"gfx1030", "gfx1031", "gfx1032", "gfx1033", "gfx1034", "gfx1035", "gfx1036"},
	"gfx11-generic":   {"gfx1100", "gfx1101", "gfx1102", "gfx1103", "gfx1150", "gfx1151", "gfx1152", "gfx1153"},
	"gfx12-generic":   {"gfx1200", "gfx1201"},
}

// fit says how well code for t suits a device: 0 if it doesn't run there, more the
// more it was made for just that device. Code that is silent about a feature runs
// with it on and off; code that was made for one of them only runs there.
func (t target) fit(device target) int {
	fit := 1
	switch {
	case t.String() == device.String():
		return 100
	case t.arch == device.arch:
		fit = 10
	case !slices.Contains(generics[t.arch], device.arch):
		return 0
	}
	for name, on := range t.features {
		has, said := device.features[name]
		if said && has != on {
			return 0
		}
		if said {
			fit++
		}
	}
	return fit
}

// machines are the architectures by their number in the flags of ELF
// (EF_AMDGPU_MACH), which is where code objects of version 3 have it.
var machines = map[uint32]string{
	0x020: "gfx600", 0x021: "gfx601", 0x022: "gfx700", 0x023: "gfx701", 0x024: "gfx702", 0x025: "gfx703", 0x026: "gfx704",
	0x028: "gfx801", 0x029: "gfx802", 0x02a: "gfx803", 0x02b: "gfx810", 0x02c: "gfx900", 0x02d: "gfx902", 0x02e: "gfx904",
	0x02f: "gfx906", 0x030: "gfx908", 0x031: "gfx909", 0x032: "gfx90c", 0x033: "gfx1010", 0x034: "gfx1011", 0x035: "gfx1012",
	0x036: "gfx1030", 0x037: "gfx1031", 0x038: "gfx1032", 0x039: "gfx1033", 0x03a: "gfx602", 0x03b: "gfx705", 0x03c: "gfx805",
	0x03d: "gfx1035", 0x03e: "gfx1034", 0x03f: "gfx90a", 0x040: "gfx940", 0x041: "gfx1100", 0x042: "gfx1013", 0x043: "gfx1150",
	0x044: "gfx1103", 0x045: "gfx1036", 0x046: "gfx1101", 0x047: "gfx1102", 0x048: "gfx1200", 0x04a: "gfx1151", 0x04b: "gfx941",
	0x04c: "gfx942", 0x04e: "gfx1201", 0x04f: "gfx950", 0x051: "gfx9-generic", 0x052: "gfx10-1-generic", 0x053: "gfx10-3-generic",
	0x054: "gfx11-generic", 0x055: "gfx1152", 0x058: "gfx1153", 0x059: "gfx12-generic", 0x05f: "gfx9-4-generic",
}

// Families are the families of architectures whose code runs on arch, as well as
// code for arch itself: "gfx9-4-generic" for "gfx942".
func Families(arch string) []string {
	var list []string
	for family, members := range generics {
		if slices.Contains(members, arch) {
			list = append(list, family)
		}
	}
	return list
}
