package main

import (
	"context"
	"fmt"
	"io"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/kernels"
	"github.com/triad-gpu/triad/testdata/twins/cltwin"
)

// clRig is a rig on OpenCL, with its C twin.
type clRig struct {
	*rig
	module driver.Module // the twin's
	twin   *cltwin.Twin
}

var clOptions = rigOptions{lanes: 8, every: 256, bytes: 16 << 20, host: 16 << 20}

func newCLRig(ctx context.Context, log io.Writer, dev driver.Device) (bencher, error) {
	base, err := newRig(ctx, log, dev, clOptions)
	if err != nil {
		return nil, err
	}
	r := &clRig{rig: base}
	if err := r.openTwin(); err != nil {
		r.close()
		return nil, err
	}
	return r, nil
}

// openTwin hands the C program our context and a module of its own.
func (r *clRig) openTwin() error {
	dev, ok := r.dev.(interface {
		Native() (device, context uintptr)
	})
	if !ok {
		return fmt.Errorf("bench: a %T has no handles that a C twin could share", r.dev)
	}
	code, err := kernels.Files.ReadFile("empty.cl")
	if err != nil {
		return err
	}
	r.module, err = r.dev.Load(r.ctx, driver.ModuleSource{Kind: driver.SourceText, Name: "empty.cl", Code: code}, driver.BuildOptions{})
	if err != nil {
		return err
	}
	device, context := dev.Native()
	r.twin, err = cltwin.Open(cltwin.Config{
		Library: library("opencl"), Device: device, Context: context,
		Program: r.module.(interface{ Native() uintptr }).Native(),
		Shared:  r.dev.Info().RealAddresses, Bytes: r.bytes,
	})
	return err
}

func (r *clRig) pairs(s suite) []pair {
	if s.opencl == nil {
		return nil
	}
	return s.opencl(r)
}

func (r *clRig) close() {
	if r.twin != nil {
		r.twin.Close()
	}
	if r.module != nil {
		_ = r.module.Close()
	}
	r.rig.close()
}
