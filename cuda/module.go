package cuda

import (
	"bytes"
	"context"
	"debug/elf"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/compile"
	"github.com/triad-gpu/triad/driver/lifetime"
)

// Module is a loaded CUDA module. It implements driver.Module; all methods may be
// called from any goroutine.
type Module struct {
	life  lifetime.Life
	dev   *Device
	raw   handle // the CUmodule
	name  string
	log   string
	image []byte // as it was loaded
	kind  driver.SourceKind
	names []string // of the kernels, sorted; nil where they can't be told

	namesCode int32 // why the driver did not tell them
}

var moduleKind = lifetime.NewKind("cuda module")

// loadImage loads machine code or PTX (cuModuleLoadDataEx). log is what a compiler
// before it has said; options are for the driver's own.
func (d *Device) loadImage(name string, kind driver.SourceKind, image []byte, log string, options []jitOption) (*Module, error) {
	const op = "cuModuleLoadDataEx"
	if err := d.use(op); err != nil {
		return nil, err
	}
	m := &Module{dev: d, name: name, log: log, kind: kind, image: bytes.Clone(image)}
	if err := checkImage(op, name, kind, image); err != nil {
		d.life.Release()
		return nil, err
	}
	var info, complaint string
	var code int32
	// The driver reads PTX up to a NUL.
	m.raw, info, complaint, code = rawModuleLoad(d.raw, append(image[:len(image):len(image)], 0), options)
	if code != 0 {
		d.life.Release()
		return nil, d.loadFailure(op, name, kind, code, join(log, complaint))
	}
	m.log = strings.TrimSpace(join(log, info))
	m.listNames()
	m.life.Init(moduleKind, func() {
		// It waits for the kernels that run, as a rule.
		d.discards.Discard(true, func() { rawModuleUnload(d.raw, m.raw) })
	})
	return m, nil
}

// checkImage refuses what the driver would read beyond its end: it finds out how
// large machine code is by its headers.
func checkImage(op, name string, kind driver.SourceKind, image []byte) error {
	switch {
	case len(image) == 0:
		return refused(op, driver.ErrInvalidValue, "%q is empty", name)
	case kind == driver.SourcePTX:
		if i := bytes.IndexByte(image, 0); i >= 0 && i < len(image)-1 {
			return refused(op, driver.ErrBuild, "%q has a NUL at byte %d of %d, which is no PTX", name, i, len(image))
		}
		return nil
	case bytes.HasPrefix(image, []byte(elf.ELFMAG)):
		if err := compile.WholeELF(image); err != nil {
			return refused(op, driver.ErrBuild, "%q is no whole cubin: %v", name, err)
		}
		return nil
	case len(image) >= 16 && bytes.HasPrefix(image, fatbinMagic):
		return checkFatbin(op, name, image)
	}
	return refused(op, driver.ErrBuild, "%q is neither a cubin (ELF) nor a fatbin; it begins with % x", name, image[:min(len(image), 8)])
}

// fatbinMagic begins a fatbin; its header says how long it is, and how long the rest.
var fatbinMagic = []byte{0x50, 0xed, 0x55, 0xba}

func checkFatbin(op, name string, image []byte) error {
	var size uint64
	for i := range 8 {
		size |= uint64(image[8+i]) << (8 * i)
	}
	header := uint64(image[6]) | uint64(image[7])<<8
	if header < 16 {
		return refused(op, driver.ErrBuild, "%q is no fatbin: its header claims %d bytes, fewer than it needs for its own length", name, header)
	}
	if have := uint64(len(image)); header > have || size > have-header {
		return refused(op, driver.ErrBuild, "%q is cut short: a fatbin of %d bytes behind a header of %d, and there are %d bytes", name, size, header, have)
	}
	return nil
}

// loadFailure explains an image that was refused.
func (d *Device) loadFailure(op, name string, kind driver.SourceKind, code int32, log string) error {
	if codes[code].kind != driver.ErrBuild {
		return d.failure(op, code, "%q, %s, for %s", name, kind, d.info.Name)
	}
	hint := ""
	switch code {
	case codeNoBinary:
		hint = "it has no code for this device: build it for " + d.arch() + ", or load PTX"
	case codePTXVersion:
		hint = fmt.Sprintf("its PTX is of a newer CUDA than the driver's (%s): load machine code for %s, or compile with an older toolkit", versionText(load().version), d.arch())
	case codeInvalidPTX:
		hint = fmt.Sprintf("its PTX does not compile, or is for a newer device than %s", d.arch())
	}
	return &driver.BuildError{
		Backend: backendName, Op: op, Code: int(code), Name: codes[code].name,
		Device: fmt.Sprintf("%s (%s)", d.info.Name, d.arch()), Log: strings.TrimSpace(join(fmt.Sprintf("%s: %s", name, hint), log)),
	}
}

// arch is the device's architecture as compilers name it: "sm_90".
func (d *Device) arch() string { return fmt.Sprintf("sm_%d%d", d.facts.major, d.facts.minor) }

// listNames finds the kernels' names: the driver knows them since CUDA 12.4; before
// that they stand in the image.
func (m *Module) listNames() {
	names, code := rawModuleNames(m.dev.raw, m.raw)
	if code != 0 {
		names, m.namesCode = namesIn(m.kind, m.image), code
	}
	slices.Sort(names)
	m.names = names
}

var ptxEntry = regexp.MustCompile(`(?m)\.entry\s+([\w$%.]+)`)

// namesIn reads the kernels' names off an image; nil if it doesn't tell.
func namesIn(kind driver.SourceKind, image []byte) []string {
	if kind == driver.SourcePTX {
		var names []string
		for _, hit := range ptxEntry.FindAllSubmatch(image, -1) {
			names = append(names, string(hit[1]))
		}
		return names
	}
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil // a fatbin
	}
	defer f.Close()
	var names []string
	for _, s := range f.Sections {
		if name, ok := strings.CutPrefix(s.Name, ".text."); ok {
			names = append(names, name)
		}
	}
	return names
}

func (m *Module) use(op string) error {
	if m == nil {
		return refused(op, driver.ErrInvalidValue, "the module is nil; make one with Device.Load")
	}
	if !m.life.Acquire() {
		return driver.ClosedError(backendName, op, "module")
	}
	return nil
}

// Device implements driver.Module.
func (m *Module) Device() driver.Device { return m.dev }

// Native returns the CUmodule as an integer, for a user's own C code. It is valid
// until Close; 0 afterwards.
func (m *Module) Native() uintptr {
	if m == nil || m.life.Closed() {
		return 0
	}
	return native(m.raw)
}

// KernelNames implements driver.Module (cuModuleEnumerateFunctions). Before CUDA
// 12.4 the names come from the image, and a fatbin's are not known.
func (m *Module) KernelNames() ([]string, error) {
	if m.names == nil {
		for _, symbol := range []string{"cuModuleEnumerateFunctions", "cuModuleGetFunctionCount", "cuFuncGetName"} {
			if !load().Has(symbol) {
				return nil, unsupported("cuModuleEnumerateFunctions", symbol, "CUDA 12.4")
			}
		}
		return nil, m.dev.failure("cuModuleEnumerateFunctions", m.namesCode, "of %q, when it was loaded", m.name)
	}
	return slices.Clone(m.names), nil
}

// BuildLog implements driver.Module.
func (m *Module) BuildLog() string { return m.log }

// Binary implements driver.Module. Of a module that was loaded as PTX it is what
// the driver's linker makes of that (cuLinkComplete).
func (m *Module) Binary() ([]byte, error) {
	if err := m.use("Module.Binary"); err != nil {
		return nil, err
	}
	defer m.life.Release()
	if m.kind == driver.SourcePTX {
		return m.dev.link(m.name, m.image)
	}
	return bytes.Clone(m.image), nil
}

// Close implements driver.Module (cuModuleUnload), which is put off
// while the device is busy.
func (m *Module) Close() error {
	if m != nil {
		m.life.Close()
	}
	return nil
}

// Kernel implements driver.Module (cuModuleGetFunction).
func (m *Module) Kernel(ctx context.Context, name string, sig *driver.Signature) (driver.Kernel, error) {
	k, err := m.Bind(ctx, name, sig)
	if err != nil {
		return nil, err
	}
	return k, nil
}
