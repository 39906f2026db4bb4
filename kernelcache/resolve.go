package kernelcache

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

// moduleKey is the full identity of a module on a device.
type moduleKey struct {
	file    string // compilers report and expand it
	kind    driver.SourceKind
	sum     [sha256.Size]byte
	since   uint64 // the world generation of the text
	options string
}

// kernelKey is the full identity of a bound kernel on a device.
type kernelKey struct {
	module    moduleKey
	name      string
	signature string
}

func (d *decl) keyIn(txt *text) kernelKey {
	return kernelKey{
		module:    moduleKey{file: txt.name, kind: txt.kind, sum: txt.sum, since: txt.since, options: d.opts.key},
		name:      d.name,
		signature: d.sig.Key(),
	}
}

// resolve is the slow path of On and Launch.
func (d *decl) resolve(ctx context.Context, dev driver.Device) (*binding, error) {
	switch {
	case d.err != nil:
		return nil, d.err
	case d.source == nil:
		return nil, driver.Errorf("kernelcache", "kernel", driver.ErrInvalidValue, "this kernel was never declared; make it with Declare")
	case dev == nil:
		return nil, driver.Errorf("kernelcache", "kernel "+d.name, driver.ErrInvalidValue, "the device is nil; open one with driver.Open")
	}
	if ctx == nil {
		ctx = context.Background()
	}
	o := observe(ctx, d.name, dev)
	if o == nil {
		// On comes here once there are contexts with hooks, though this is none.
		if b := d.slot(dev.ID()).Load(); b != nil && b.device == dev.ID() && b.world.Load() == generation() {
			return b, nil
		}
	}
	for {
		r, err := d.attempt(ctx, dev, o)
		if errors.Is(err, errStale) {
			continue // at most once for each redefinition
		}
		if err != nil {
			err = d.failed(dev, err)
		}
		if o != nil {
			o.resolved(d.report(r, dev, err))
		}
		if err != nil {
			return nil, err
		}
		return r.binding, nil
	}
}

func (d *decl) failed(dev driver.Device, err error) error {
	return &driver.Error{Backend: "kernelcache", Op: "kernel " + d.name, Detail: "on " + deviceName(dev), Err: err}
}

func deviceName(dev driver.Device) string {
	info := dev.Info()
	return fmt.Sprintf("%s:%d (%s)", info.Backend, info.Index, info.Name)
}

// resolution is what attempt found, for the report to hooks.
type resolution struct {
	world   uint64
	txt     *text
	entry   *entry
	binding *binding
	there   bool // it was resolved before
}

// use calls f with the kernel, again whenever a redefinition closed it under f.
func (d *decl) use(ctx context.Context, dev driver.Device, f func(driver.Kernel) error) error {
	for {
		b, err := d.resolve(ctx, dev)
		if err != nil {
			return err
		}
		if err = f(b.kernel); err == nil || !b.replaced(err) {
			return err
		}
	}
}

// attempt resolves in one world generation: errStale if that ended meanwhile.
func (d *decl) attempt(ctx context.Context, dev driver.Device, o *observer) (r resolution, err error) {
	r.world = generation() // before the text: see world
	info := dev.Info()
	if r.txt, err = d.source.text(info); err != nil {
		return r, err
	}
	if err := d.opts.fit(r.txt); err != nil {
		return r, err
	}
	t := tableOf(dev)
	t.register(d)
	txt := r.txt
	key := d.keyIn(txt)
	req := request{
		current: func() bool { return d.source.current(info) == txt },
		keep:    d.opts.keepFailure, phases: &phases{}, obs: o,
	}
	r.entry, r.there, err = t.kernels.do(ctx, t, key, req, func(ctx context.Context) (*entry, error) {
		inner := req
		inner.obs = nil
		req.phases.set(Compiling) // also while another kernel's resolution does it
		l, _, err := t.modules.do(ctx, t, key.module, inner, func(ctx context.Context) (*loaded, error) {
			return load(ctx, dev, txt, &d.opts, req.phases)
		})
		if err != nil {
			return nil, err
		}
		return l.bindKernel(ctx, dev, d, req.phases)
	})
	if err != nil {
		return r, err
	}
	r.binding = t.publish(d, r.entry, r.world)
	return r, nil
}

// report tells hooks of a resolution.
func (d *decl) report(r resolution, dev driver.Device, err error) *Resolution {
	res := &Resolution{
		Kernel: d.name, Signature: d.sig, Device: dev, World: r.world, Options: d.opts.build, Err: err,
	}
	if r.txt != nil {
		res.Source = r.txt.source()
	}
	var build *driver.BuildError
	switch {
	case errors.As(err, &build):
		res.Log = build.Log
	case err == nil:
		l := r.entry.module
		res.module, res.Log, res.DiskNote, res.Origin = l.Module, l.log, l.diskNote(), l.origin
		if r.there {
			res.Origin = FromMemory
			break
		}
		res.Times = Times{Disk: l.times.Disk, Compile: l.times.Compile, Bind: r.entry.bind, Store: r.entry.store}
	}
	return res
}
