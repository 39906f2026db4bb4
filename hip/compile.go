package hip

import (
	"context"

	"github.com/triad-gpu/triad/driver"
)

// compile makes a code object of HIP C++ text. log is what the compiler said.
func (d *Device) compile(_ context.Context, src driver.ModuleSource, _ driver.BuildOptions) (out driver.ModuleSource, log string, err error) {
	return out, "", refused("hiprtcCompileProgram", driver.ErrUnavailable, "%s is source text, and there is no compiler", src.Name)
}
