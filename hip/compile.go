package hip

import (
	"context"
	"fmt"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/hip/hiprtc"
)

// compile makes a code object of HIP C++ text. log is what the compiler said.
func (d *Device) compile(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (out driver.ModuleSource, log string, err error) {
	arch, err := hiprtc.Target(d.facts.arch)
	if err != nil {
		return out, "", err
	}
	r, err := hiprtc.Compile(ctx, hiprtc.Program{Name: src.Name, Code: src.Code}, hiprtc.Options{
		Arch: arch, Flags: opts.Flags, Defines: opts.Defines,
		Device: fmt.Sprintf("%s (%s)", d.info.Name, d.facts.arch),
	})
	if err != nil {
		return out, "", err
	}
	if len(r.Code) == 0 {
		return out, "", refused("hiprtcGetCode", driver.ErrBuild, "%s became bitcode, with the flags %q, which no device runs", src.Name, opts.Flags)
	}
	return driver.ModuleSource{Kind: driver.SourceBinary, Name: src.Name, Code: r.Code}, r.Log, nil
}
