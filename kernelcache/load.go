package kernelcache

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/triad-gpu/triad/driver"
)

// loaded is a module on one device, and how it came there.
type loaded struct {
	driver.Module
	origin Origin
	log    string
	times  Times // Disk and Compile
	shelf  *shelf

	mu   sync.Mutex
	note string // about the disk; guarded by mu
}

// load compiles a text, unless its binary is on disk, or loads a binary.
func load(ctx context.Context, dev driver.Device, txt *text, opts *options, p *phases) (*loaded, error) {
	l := &loaded{}
	l.shelf, l.note = shelfOf(dev, txt, opts)
	begin := time.Now()
	if l.shelf != nil {
		p.set(Loading)
		if err := l.fromDisk(ctx, dev, txt); err != nil || l.Module != nil {
			l.times.Disk = time.Since(begin)
			return l, err
		}
		l.times.Disk = time.Since(begin)
		begin = time.Now()
	}
	l.origin = FromCompiler
	p.set(Compiling)
	if txt.kind == driver.SourceBinary {
		l.origin = FromBinary
		p.set(Loading)
	}
	m, err := dev.Load(ctx, txt.source(), opts.build)
	if err != nil {
		return nil, err
	}
	l.Module, l.log, l.times.Compile = m, m.BuildLog(), time.Since(begin)
	return l, nil
}

// fromDisk loads the binary on disk, if there is one. A binary that the driver
// refuses is removed, and is no error: the text can be compiled.
func (l *loaded) fromDisk(ctx context.Context, dev driver.Device, txt *text) error {
	e, ok := l.shelf.get()
	if !ok {
		return nil
	}
	src := driver.ModuleSource{Kind: driver.SourceBinary, Name: txt.name, Code: e.Binary, Description: e.Description}
	m, err := dev.Load(ctx, src, driver.BuildOptions{})
	switch {
	case err == nil:
		l.Module, l.log, l.origin = m, e.Log, FromDisk
	case ctx.Err() != nil || errors.Is(err, driver.ErrClosed):
		return err
	default:
		l.shelf.remove()
		l.note = "the driver refused the binary on disk, which was removed: " + err.Error()
	}
	return nil
}

// bindKernel binds a kernel, and has the module's binary stored if it isn't.
func (l *loaded) bindKernel(ctx context.Context, dev driver.Device, d *decl, p *phases) (*entry, error) {
	p.set(Binding)
	begin := time.Now()
	kernel, err := l.Kernel(ctx, d.name, d.sig)
	e := &entry{kernel: kernel, module: l, bind: time.Since(begin)}
	if l.shelf != nil && ctx.Err() == nil {
		p.set(Storing)
		begin = time.Now()
		l.save(dev, &d.opts)
		e.store = time.Since(begin)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
}

// save stores the binary, with what the backend knows by now; nothing happens
// when that is on disk. What goes wrong is a note for hooks: the kernel works.
func (l *loaded) save(dev driver.Device, opts *options) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.shelf.put(l, dev, opts); err != nil {
		l.note = err.Error()
	}
}

func (l *loaded) diskNote() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.note
}
