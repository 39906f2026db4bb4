package hip

import (
	"context"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/compile"
)

// Load implements driver.Device: code objects, and bundles of several, are loaded as they
// are (SourceBinary; hipModuleLoadDataEx), HIP C++ (SourceText) is compiled first; see
// package hiprtc.
func (d *Device) Load(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (driver.Module, error) {
	m, err := d.LoadModule(ctx, src, opts)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// LoadModule is Load, with the concrete type.
func (d *Device) LoadModule(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (*Module, error) {
	const op = "hipModuleLoadDataEx"
	switch {
	case d == nil:
		return nil, refused(op, driver.ErrInvalidValue, "the device is nil")
	case src.Kind != driver.SourceText && src.Kind != driver.SourceBinary:
		return nil, refused(op, driver.ErrUnsupported, "%s is %s; HIP takes source text, and code objects as binaries", src.Name, src.Kind)
	case len(src.Code) == 0:
		return nil, refused(op, driver.ErrInvalidValue, "%q is empty", src.Name)
	case len(opts.Constants) > 0:
		return nil, refused(op, driver.ErrUnsupported, "specialization constants are SPIR-V's; use definitions")
	case src.Kind != driver.SourceText && len(opts.Defines) > 0:
		return nil, refused(op, driver.ErrUnsupported, "definitions are for source text; %s is %s", src.Name, src.Kind)
	case src.Kind != driver.SourceText && len(opts.Flags) > 0:
		return nil, refused(op, driver.ErrUnsupported, "flags are for source text; %s is %s, which nothing compiles", src.Name, src.Kind)
	}
	src, opts = compile.Keep(ctx, src, opts)
	return compile.Abandonable(ctx, func() (*Module, error) { return d.load(ctx, src, opts) }, func(m *Module) { _ = m.Close() })
}

func (d *Device) load(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (*Module, error) {
	var log string
	if src.Kind == driver.SourceText {
		var err error
		if src, log, err = d.compile(ctx, src, opts); err != nil {
			return nil, err
		}
	}
	return d.loadImage(src.Name, src.Code, log)
}

// LoadImage loads a code object, or a bundle of several (hipModuleLoadDataEx). name is
// for errors; image is not retained.
func (d *Device) LoadImage(ctx context.Context, name string, image []byte) (*Module, error) {
	return d.LoadModule(ctx, driver.ModuleSource{Kind: driver.SourceBinary, Name: name, Code: image}, driver.BuildOptions{})
}
