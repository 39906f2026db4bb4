package hip

import (
	"bytes"
	"context"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/compile"
	"github.com/triad-gpu/triad/driver/lifetime"
	"github.com/triad-gpu/triad/hip/codeobject"
)

// Module is a loaded HIP module. It implements driver.Module; all methods may be
// called from any goroutine.
type Module struct {
	life  lifetime.Life
	dev   *Device
	raw   handle // the hipModule_t
	name  string
	log   string
	image []byte       // as it was loaded
	facts *moduleFacts // what the image tells of its kernels
}

var moduleKind = lifetime.NewKind("hip module")

// loadImage loads a code object or a bundle (hipModuleLoadDataEx). log is what a
// compiler before it has said.
func (d *Device) loadImage(name string, image []byte, log string) (*Module, error) {
	const op = "hipModuleLoadDataEx"
	if err := d.use(op); err != nil {
		return nil, err
	}
	if err := checkImage(op, name, image); err != nil {
		d.life.Release()
		return nil, err
	}
	m := &Module{dev: d, name: name, log: strings.TrimSpace(log), image: bytes.Clone(image)}
	var code int32
	if m.raw, code = rawModuleLoad(d.raw, image); code != 0 {
		d.life.Release()
		return nil, d.loadFailure(op, name, image, code, log)
	}
	m.facts = readFacts(m.image, d.facts.arch)
	m.life.Init(moduleKind, func() {
		// It waits for the kernels that run, as a rule.
		d.discards.Discard(true, func() { rawModuleUnload(d.raw, m.raw) })
	})
	return m, nil
}

// compressedMagic begins a compressed bundle.
const compressedMagic = "CCOB"

// checkImage refuses what the runtime would read beyond its end: it finds out how
// large an image is by its headers.
func checkImage(op, name string, image []byte) error {
	switch {
	case len(image) == 0:
		return refused(op, driver.ErrInvalidValue, "%q is empty", name)
	case bytes.HasPrefix(image, []byte(elf.ELFMAG)):
		if err := compile.WholeELF(image); err != nil {
			return refused(op, driver.ErrBuild, "%q is no whole code object: %v", name, err)
		}
		return nil
	case bytes.HasPrefix(image, []byte(compressedMagic)):
		return checkCompressed(op, name, image)
	}
	if _, err := codeobject.List(image); err != nil {
		return refused(op, driver.ErrBuild, "%q is no image: %v", name, err)
	}
	return nil
}

// checkCompressed compares the size in the header of a compressed bundle, which is
// there since the header's version 2: two bytes of version, two of method, then four
// bytes of size, or eight since version 3.
func checkCompressed(op, name string, image []byte) error {
	const header = 24
	if len(image) < header {
		return refused(op, driver.ErrBuild, "%q is cut short: a compressed bundle of %d bytes", name, len(image))
	}
	size := uint64(len(image))
	switch version := binary.LittleEndian.Uint16(image[4:]); {
	case version == 2:
		size = uint64(binary.LittleEndian.Uint32(image[8:]))
	case version > 2:
		size = binary.LittleEndian.Uint64(image[8:])
	}
	if size > uint64(len(image)) {
		return refused(op, driver.ErrBuild, "%q is cut short: a compressed bundle of %d bytes, and there are %d", name, size, len(image))
	}
	return nil
}

// loadFailure explains an image that was refused.
func (d *Device) loadFailure(op, name string, image []byte, code int32, log string) error {
	if codes[code].kind != driver.ErrBuild {
		return d.failure(op, code, "%q for %s", name, d.info.Name)
	}
	hint := "it is no code object for " + d.arch()
	if code == codeNoBinary {
		hint = "it has no code for this device: build it for " + d.arch()
	}
	if list, err := codeobject.List(image); err == nil && len(list) > 0 {
		var targets []string
		for _, e := range list {
			targets = append(targets, e.Target)
		}
		hint += "; it has code for " + strings.Join(targets, ", ")
	}
	return &driver.BuildError{
		Backend: backendName, Op: op, Code: int(code), Name: codes[code].name,
		Device: fmt.Sprintf("%s (%s)", d.info.Name, d.arch()), Log: strings.TrimSpace(join(fmt.Sprintf("%s: %s", name, hint), log)),
	}
}

// arch is the device's architecture as compilers name it, features included.
func (d *Device) arch() string {
	if d.facts.arch == "" {
		return fmt.Sprintf("gfx%d%d", d.facts.major, d.facts.minor)
	}
	return d.facts.arch
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

// Native returns the hipModule_t as an integer, for a user's own C code. It is valid
// until Close; 0 afterwards.
func (m *Module) Native() uintptr {
	if m == nil || m.life.Closed() {
		return 0
	}
	return native(m.raw)
}

// KernelNames implements driver.Module: the names that stand in the image's metadata.
// ErrUnsupported for an image whose metadata can't be read.
func (m *Module) KernelNames() ([]string, error) {
	if m.facts.names == nil {
		return nil, refused("Module.KernelNames", driver.ErrUnsupported, "%q: %s", m.name, m.facts.unknown)
	}
	return slices.Clone(m.facts.names), nil
}

// BuildLog implements driver.Module.
func (m *Module) BuildLog() string { return m.log }

// Binary implements driver.Module: what was loaded, or what the compiler made.
func (m *Module) Binary() ([]byte, error) {
	if err := m.use("Module.Binary"); err != nil {
		return nil, err
	}
	defer m.life.Release()
	return bytes.Clone(m.image), nil
}

// Close implements driver.Module (hipModuleUnload), which is put off
// while the device is busy.
func (m *Module) Close() error {
	if m != nil {
		m.life.Close()
	}
	return nil
}

// Kernel implements driver.Module (hipModuleGetFunction).
func (m *Module) Kernel(ctx context.Context, name string, sig *driver.Signature) (driver.Kernel, error) {
	k, err := m.Bind(ctx, name, sig)
	if err != nil {
		return nil, err
	}
	return k, nil
}
