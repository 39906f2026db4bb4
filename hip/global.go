package hip

import (
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

var globalKind = lifetime.NewKind("hip global")

// Global is a variable of the module, __device__ or __constant__, as
// memory of the variable's size: Stream.Copy and the like read and write it
// (hipModuleGetGlobal). It keeps the module loaded until its Close, which frees
// nothing. C++ names are mangled unless the variable is extern "C". ErrNotFound if
// there is none of that name, which the compiler may have left out as unused.
func (m *Module) Global(name string) (*Memory, error) {
	const op = "hipModuleGetGlobal"
	if err := m.use(op); err != nil {
		return nil, err
	}
	var at, size uint64
	code := int32(codeNotFound)
	if name != "" && !strings.ContainsRune(name, 0) {
		at, size, code = rawModuleGlobal(m.dev.raw, m.raw, name)
	}
	if code != 0 {
		m.life.Release()
		if code == codeNotFound {
			return nil, refused(op, driver.ErrNotFound, "there is no variable %q in %q; C++ variables have mangled names unless they are extern \"C\", and unused ones may be left out", name, m.name)
		}
		return nil, m.dev.failure(op, code, "variable %q of %q", name, m.name)
	}
	g := &Memory{dev: m.dev, addr: at, size: size}
	g.root = g
	g.life.Init(globalKind, m.life.Release)
	return g, nil
}
