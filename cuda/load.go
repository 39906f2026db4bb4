package cuda

import (
	"context"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/compile"
)

// Load implements driver.Device: cubins and fatbins (SourceBinary) and PTX are
// loaded as they are (cuModuleLoadDataEx), CUDA C++ (SourceText) is compiled first;
// see package nvrtc. The flags of PTX and machine code are those of ptxas that the
// driver's compiler has; see ImageOptions.
func (d *Device) Load(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (driver.Module, error) {
	m, err := d.LoadModule(ctx, src, opts)
	if err != nil {
		return nil, err
	}
	return m, nil
}

// LoadModule is Load, with the concrete type.
func (d *Device) LoadModule(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (*Module, error) {
	const op = "cuModuleLoadDataEx"
	switch {
	case d == nil:
		return nil, refused(op, driver.ErrInvalidValue, "the device is nil")
	case src.Kind != driver.SourceText && src.Kind != driver.SourcePTX && src.Kind != driver.SourceBinary:
		return nil, refused(op, driver.ErrUnsupported, "%s is %s; CUDA takes source text, PTX, cubins and fatbins", src.Name, src.Kind)
	case len(src.Code) == 0:
		return nil, refused(op, driver.ErrInvalidValue, "%q is empty", src.Name)
	case len(opts.Constants) > 0:
		return nil, refused(op, driver.ErrUnsupported, "specialization constants are SPIR-V's; use definitions")
	case src.Kind != driver.SourceText && len(opts.Defines) > 0:
		return nil, refused(op, driver.ErrUnsupported, "definitions are for source text; %s is %s", src.Name, src.Kind)
	}
	src, opts = compile.Keep(ctx, src, opts)
	return compile.Abandonable(ctx, func() (*Module, error) { return d.load(ctx, src, opts) }, func(m *Module) { _ = m.Close() })
}

func (d *Device) load(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (*Module, error) {
	if src.Kind == driver.SourceText {
		src, log, err := d.compile(ctx, src, opts)
		if err != nil {
			return nil, err
		}
		return d.loadImage(src.Name, src.Kind, src.Code, log, nil)
	}
	const op = "cuModuleLoadDataEx"
	o, err := imageOptions(op, src.Name, opts.Flags)
	if err != nil {
		return nil, err
	}
	options, err := o.options(op)
	if err != nil {
		return nil, err
	}
	return d.loadImage(src.Name, src.Kind, src.Code, "", options)
}
