package kernelcache

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
)

// Kernel is a kernel declared once, for any number of devices. A is the struct
// of its arguments. All methods may be called from any goroutine. It must not be
// copied, and is made by Declare alone.
type Kernel[A any] struct{ decl }

// decl is what a Kernel is without its argument type.
type decl struct {
	// slots hold the kernel last used on each device, at its id modulo their
	// number: the whole warm path. Programs with more devices than slots still
	// get the right kernel, by way of the slow path when two devices alternate.
	slots [8]atomic.Pointer[binding]

	// The rest is set by Declare and constant.
	name   string
	source *Source
	opts   options
	sig    *driver.Signature
	err    error // what is wrong with the declaration
}

// Declare declares the kernel of that name in a source. A has one field per
// parameter, in order; see driver.SignatureOf for the field types.
//
// It is meant for package variables: it opens, reads and compiles nothing, and
// doesn't panic. An A that kernels cannot have, or an option that is not valid,
// is reported by Err, and by every Launch and Bind.
func Declare[A any](src *Source, name string, opts ...Option) *Kernel[A] {
	k := &Kernel[A]{decl{name: name, source: src}}
	err := k.check(opts)
	if err == nil {
		k.sig, err = driver.SignatureOf[A]()
	}
	if err != nil {
		k.err = &driver.Error{Backend: "kernelcache", Op: fmt.Sprintf("kernel %.80s", name), Err: err}
	}
	return k
}

func (d *decl) check(opts []Option) (err error) {
	switch {
	case d.source == nil:
		return driver.Errorf("kernelcache", "Declare", driver.ErrInvalidValue, "the source is nil; make one with FromFS, FromText or FromBinaries")
	case d.source.err != nil:
		return d.source.err
	case !isIdentifier(d.name):
		return driver.Errorf("kernelcache", "Declare", driver.ErrInvalidValue, "%.80q cannot be a kernel's name, which is an identifier of at most %d bytes", d.name, maxName)
	}
	d.opts, err = makeOptions(opts)
	return err
}

// slot is where the binding to a device would be.
func (d *decl) slot(id driver.DeviceID) *atomic.Pointer[binding] {
	return &d.slots[id%driver.DeviceID(len(d.slots))]
}

// Launch enqueues the kernel on a stream of any device; see driver.Kernel. The
// arguments are read during the call and nothing of them is kept.
//
// The first Launch on a device resolves the kernel there, which may take as long
// as a compile; Bind does that beforehand. Its errors are those of Bind and of
// the driver's launch.
//
// When the source is redefined meanwhile, the launch is one of the former kernel
// or of the new one, whole.
func (k *Kernel[A]) Launch(s driver.Stream, cfg driver.LaunchConfig, args A) error {
	if s == nil {
		return driver.NilStreamError("kernelcache", "Kernel.Launch")
	}
	dev := s.Device()
	if dev != nil {
		id := dev.ID()
		if b := k.slot(id).Load(); b != nil && b.device == id && b.world.Load() == world.Load()&^contextHooks {
			err := b.kernel.Launch(s, cfg, driver.ArgsOf(&args))
			if err == nil || !b.replaced(err) {
				return err
			}
		}
	}
	return k.launch(s, dev, cfg, driver.ArgsOf(&args))
}

// launch is Launch past the warm path. It tries again whenever the kernel was
// closed by a redefinition: at most once for each.
func (d *decl) launch(s driver.Stream, dev driver.Device, cfg driver.LaunchConfig, args driver.ArgRef) error {
	for {
		b, err := d.resolve(context.Background(), dev)
		if err != nil {
			return err
		}
		err = b.kernel.Launch(s, cfg, args)
		if err == nil || !b.replaced(err) {
			return err
		}
	}
}

// On is the kernel resolved on a device: for its Attributes, Verified and
// Signature, or to launch with the handle in hand. It belongs to the cache and
// must not be closed. It is closed with the device, and when the source is
// redefined: calls on it then give driver.ErrClosed, and On the new kernel.
//
// It resolves the kernel if need be. When ctx ends first, On returns ctx's error
// and the compile goes on, for others and for the next call. The error is
// driver.ErrBuild for a text that does not compile, driver.ErrSignature for a
// struct that doesn't fit the kernel's parameters, driver.ErrNotFound for a file
// or kernel that is not there, driver.ErrClosed for a closed device, and it
// names the kernel and the device.
func (k *Kernel[A]) On(ctx context.Context, dev driver.Device) (driver.Kernel, error) {
	if dev != nil {
		id := dev.ID()
		if b := k.slot(id).Load(); b != nil && b.device == id && b.world.Load() == world.Load() {
			return b.kernel, nil
		}
	}
	b, err := k.resolve(ctx, dev)
	if err != nil {
		return nil, err
	}
	return b.kernel, nil
}

// Bind resolves the kernel on a device, so that the next Launch there is a warm
// one and what is wrong with the kernel is known now; see On.
func (k *Kernel[A]) Bind(ctx context.Context, dev driver.Device) error {
	_, err := k.On(ctx, dev)
	return err
}

// Verified tells whether the driver confirmed every parameter's kind, size and
// type when the kernel was bound. It resolves the kernel if need be; see On,
// whose result tells what could not be verified.
func (k *Kernel[A]) Verified(ctx context.Context, dev driver.Device) (bool, error) {
	kernel, err := k.On(ctx, dev)
	if err != nil {
		return false, err
	}
	return kernel.Verified(), nil
}

// Attributes are the kernel's resources on a device. It resolves the kernel if
// need be; see On.
func (k *Kernel[A]) Attributes(ctx context.Context, dev driver.Device) (driver.KernelAttributes, error) {
	var a driver.KernelAttributes
	err := k.use(ctx, dev, func(kernel driver.Kernel) (err error) {
		a, err = kernel.Attributes()
		return err
	})
	return a, err
}

// Name is the kernel's name in its source.
func (k *Kernel[A]) Name() string { return k.name }

// Err is what is wrong with the declaration, device or not; nil if nothing is.
func (k *Kernel[A]) Err() error { return k.err }
