package codeobject

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Object is a code object.
type Object struct {
	Target  string // the architecture that it is for, with features: "gfx90a:sramecc+"
	Version [2]int // of the metadata: 1.0 to 1.2 in code objects of version 3 to 5
	Kernels []Kernel
	Code    []byte // the ELF file, a part of the image
}

// Kernel is what a code object says of a kernel.
type Kernel struct {
	Name   string // as in a program's call to find it
	Symbol string // of its descriptor
	Args   []Arg  // those that a launch gives
	Hidden []Arg  // those that the runtime gives

	ArgBytes           uint32 // of all parameters, hidden ones included
	MaxThreads         uint32 // most threads of a block
	RequiredBlock      [3]int // the block that it was compiled for; zeros if any will do
	WavefrontSize      int    // 64 or 32
	SharedBytes        uint32 // of shared memory (LDS), without what a launch adds
	PrivateBytes       uint32 // of scratch memory, for each thread
	SGPRs, VGPRs       int
	SGPRSpills         int
	VGPRSpills         int
	UsesDynamicStack   bool // PrivateBytes isn't all
	UniformBlocksAlone bool // grids must be multiples of blocks
}

// Arg is a parameter of a kernel.
type Arg struct {
	Name         string // "" where the compiler didn't keep it
	Type         string // in the source's words, such as "float*"; "" where not kept
	Offset, Size uint32 // bytes
	Kind         string // its .value_kind, such as KindPointer
	AddressSpace string // of what a pointer leads to: "global", "constant", "local", …; "" if not said
	Access       string // "read_only", …; "" if not said
	PointeeAlign uint32 // of what is in shared memory, for KindShared
}

// Kinds of parameters that kernels written by people have (.value_kind).
const (
	KindValue   = "by_value"
	KindPointer = "global_buffer"
	KindShared  = "dynamic_shared_pointer" // OpenCL's __local
)

const (
	machineAMDGPU = elf.EM_AMDGPU
	// noteMetadata is NT_AMDGPU_METADATA; noteYAML the note of code objects of
	// version 2.
	noteMetadata = 32
	noteYAML     = 10
)

// Parse reads the code object of an image that suits a device. arch is what the
// device calls its architecture (hipDeviceProp's gcnArchName): "gfx90a" or, with
// its features, "gfx90a:sramecc+:xnack-". As in HIP, an entry of just that name
// comes first, then one that leaves features open, then one for a family of
// architectures ("gfx9-4-generic"). With an empty arch the image must hold one
// code object.
//
// An image without a fitting one is driver.ErrNotFound and the error lists those
// that it has. For what else is refused see List.
func Parse(image []byte, arch string) (*Object, error) {
	entries, err := List(image)
	if err != nil {
		return nil, err
	}
	e, err := choose(entries, arch)
	if err != nil {
		return nil, err
	}
	return read(e)
}

func choose(entries []Entry, arch string) (Entry, error) {
	if arch == "" && len(entries) == 1 {
		return entries[0], nil
	}
	best, most := Entry{}, 0
	var present []string
	device := parseTarget(arch)
	for _, e := range entries {
		if fit := parseTarget(e.Target).fit(device); arch != "" && fit > most {
			best, most = e, fit
		}
		if !slices.Contains(present, e.Target) {
			present = append(present, e.Target)
		}
	}
	switch {
	case most > 0:
		return best, nil
	case len(present) == 0:
		return best, refused(driver.ErrNotFound, "the bundle holds no code for any device")
	case arch == "":
		return best, refused(driver.ErrInvalidValue, "the image holds code for %s; one must be chosen", strings.Join(present, ", "))
	}
	return best, refused(driver.ErrNotFound, "the image holds no code for %s; it has code for %s", arch, strings.Join(present, ", "))
}

// Kernel finds a kernel by its name.
func (o *Object) Kernel(name string) (*Kernel, error) {
	var names []string
	for i := range o.Kernels {
		if o.Kernels[i].Name == name {
			return &o.Kernels[i], nil
		}
		names = append(names, o.Kernels[i].Name)
	}
	return nil, refused(driver.ErrNotFound, "the code object for %s has no kernel %q; it has %s", o.Target, name, orNone(names))
}

func orNone(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, ", ")
}

func read(e Entry) (*Object, error) {
	f, err := elf.NewFile(bytes.NewReader(e.Code))
	if err != nil {
		return nil, broken(fmt.Errorf("the code for %s: %w", e.Target, err))
	}
	defer f.Close()
	if f.Machine != machineAMDGPU {
		return nil, refused(driver.ErrInvalidValue, "the code for %s is an ELF file for %s", e.Target, f.Machine)
	}
	tree, err := metadata(f, e.Code)
	if err != nil {
		return nil, err
	}
	o := &Object{Target: e.Target, Code: e.Code}
	version := tree.list("amdhsa.version")
	for i := range min(len(version), 2) {
		o.Version[i] = int(number(version[i]))
	}
	for _, k := range tree.list("amdhsa.kernels") {
		o.Kernels = append(o.Kernels, kernelOf(tableOf(k)))
	}
	return o, nil
}

// metadata finds and reads the note. The program headers lead to it, since tools
// may strip the sections.
func metadata(f *elf.File, code []byte) (table, error) {
	for _, p := range f.Progs {
		if p.Type != elf.PT_NOTE {
			continue
		}
		notes, err := cut(code, p.Off, p.Filesz)
		if err != nil {
			return nil, broken(fmt.Errorf("its notes: %w", err))
		}
		kind, desc := note(notes)
		switch kind {
		case noteMetadata:
			v, err := unpack(desc)
			if err != nil {
				return nil, broken(err)
			}
			tree, ok := v.(map[string]any)
			if !ok {
				return nil, broken(fmt.Errorf("the metadata is a %T and no table", v))
			}
			return tree, nil
		case noteYAML:
			return nil, refused(driver.ErrUnsupported, "the code object is of version 2, whose metadata is not read here; compile it anew")
		}
	}
	return nil, refused(driver.ErrInvalidValue, "the code object has no metadata (an ELF note NT_AMDGPU_METADATA)")
}

// note finds the first note with metadata, of either kind, among notes.
func note(notes []byte) (kind uint32, desc []byte) {
	for len(notes) >= 12 {
		nameSize, descSize := uint64(binary.LittleEndian.Uint32(notes)), uint64(binary.LittleEndian.Uint32(notes[4:]))
		kind = binary.LittleEndian.Uint32(notes[8:])
		begin := 12 + (nameSize+3)&^3
		name, err1 := cut(notes, 12, nameSize)
		desc, err2 := cut(notes, begin, descSize)
		if err1 != nil || err2 != nil {
			return 0, nil
		}
		switch string(bytes.TrimRight(name, "\x00")) {
		case "AMDGPU":
			if kind == noteMetadata {
				return kind, desc
			}
		case "AMD":
			if kind == noteYAML {
				return kind, desc
			}
		}
		notes = notes[min(begin+(descSize+3)&^3, uint64(len(notes))):]
	}
	return 0, nil
}

// targetOf is the architecture of a code object: the metadata has it, and before
// code objects of version 4 the flags.
func targetOf(f *elf.File, code []byte) (string, error) {
	if tree, err := metadata(f, code); err == nil {
		if t := tree.text("amdhsa.target"); t != "" {
			return targetName(t), nil
		}
	}
	if f.Class != elf.ELFCLASS64 || f.ByteOrder != binary.LittleEndian {
		return "", broken(fmt.Errorf("it is %s, %s; AMD's are of 64 bits, little end first", f.Class, f.Data))
	}
	const flagsAt = 48
	b, err := cut(code, flagsAt, 4)
	if err != nil {
		return "", broken(err)
	}
	flags := binary.LittleEndian.Uint32(b)
	if name := machines[flags&0xff]; name != "" {
		return name, nil
	}
	return fmt.Sprintf("machine %#x", flags&0xff), nil
}
