package cuda

import "github.com/triad-gpu/triad/driver"

func (d *Device) compile(src driver.ModuleSource, opts driver.BuildOptions) (driver.ModuleSource, string, error) {
	return src, "", refused("nvrtcCompileProgram", driver.ErrUnsupported, "no compiler")
}
