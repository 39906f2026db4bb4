package cuda

import (
	"context"
	"fmt"

	"github.com/triad-gpu/triad/cuda/nvrtc"
	"github.com/triad-gpu/triad/driver"
)

// compile makes machine code of CUDA C++ text, or PTX where the compiler doesn't
// know the device yet. log is what the compiler said.
func (d *Device) compile(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (out driver.ModuleSource, log string, err error) {
	arch, _, err := nvrtc.Target(d.facts.major, d.facts.minor, load().version)
	if err != nil {
		return out, "", err
	}
	r, err := nvrtc.Compile(ctx, nvrtc.Program{Name: src.Name, Code: src.Code}, nvrtc.Options{
		Arch: arch, Flags: opts.Flags, Defines: opts.Defines,
		Device: fmt.Sprintf("%s (%s)", d.info.Name, d.arch()),
	})
	if err != nil {
		return out, "", err
	}
	out = driver.ModuleSource{Kind: driver.SourceBinary, Name: src.Name, Code: r.CUBIN}
	if len(r.CUBIN) == 0 {
		out.Kind, out.Code = driver.SourcePTX, r.PTX
	}
	return out, r.Log, nil
}
