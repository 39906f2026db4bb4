package kernelcache

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/triad-gpu/triad/driver"
)

// Hook watches kernels being resolved. Its functions are called on the goroutine
// that resolves, before it goes on, and from many at once; either may be nil.
// They may call anything but what would resolve a kernel under the same hook.
type Hook struct {
	// Resolved is called after each resolution, failed ones included. While a
	// hook is set every launch looks its kernel up, and is such a resolution.
	Resolved func(*Resolution)
	// Progress is called when a resolution begins something that may take long,
	// and every Interval for as long as it does.
	Progress func(Progress)
	Interval time.Duration // between calls of Progress; a second if 0
}

// Origin says where a resolved kernel came from.
type Origin string

// The origins of kernels.
const (
	FromMemory   Origin = "memory"   // it was resolved before
	FromDisk     Origin = "disk"     // its binary was found on disk
	FromCompiler Origin = "compiler" // it was compiled
	FromBinary   Origin = "binary"   // its source is a binary
)

// Resolution is what a hook is told about one resolution. Its methods may be
// called until the hook returns.
type Resolution struct {
	Kernel    string
	Signature *driver.Signature // of the Go struct
	Device    driver.Device
	World     uint64 // the world generation in which it began; of a redefinition, the one that it would begin
	Source    driver.ModuleSource
	Options   driver.BuildOptions
	Origin    Origin // "" for a failure
	Log       string // the compiler's, kept with a binary on disk
	DiskNote  string // why the disk was not used, or could not be written; "" otherwise
	Times     Times
	Err       error // nil for success

	module driver.Module
}

// Times is how long each part of a resolution took. A part that was done before,
// or not at all, is 0; a compile that another goroutine began counts whole.
type Times struct {
	Total   time.Duration // as the caller saw it
	Disk    time.Duration // looking on disk, and loading the binary found there
	Compile time.Duration // compiling, or loading a binary that is the source
	Bind    time.Duration // comparing parameters and making the kernel
	Store   time.Duration // getting the binary and writing it to disk
}

// Binary is the device code; see driver.Module.
func (r *Resolution) Binary() ([]byte, error) {
	if r.module == nil {
		return nil, driver.Errorf("kernelcache", "Resolution.Binary", driver.ErrNotFound, "kernel %s has no module", r.Kernel)
	}
	return r.module.Binary()
}

// Disassembly is the device code as text. driver.ErrUnsupported where the
// backend knows no disassembler, as OpenCL does not.
func (r *Resolution) Disassembly() (string, error) {
	if r.module == nil {
		return "", driver.Errorf("kernelcache", "Resolution.Disassembly", driver.ErrNotFound, "kernel %s has no module", r.Kernel)
	}
	d, ok := r.module.(driver.Disassembler)
	if !ok {
		return "", driver.Errorf("kernelcache", "Resolution.Disassembly", driver.ErrUnsupported, "%s has no disassembler for its modules", r.Device.Info().Backend)
	}
	return d.Disassembly()
}

// Phase is what a resolution is at.
type Phase string

// The phases of a resolution.
const (
	Loading   Phase = "loading"   // a binary, from disk or from the source
	Compiling Phase = "compiling" // a text, or another goroutine compiles it
	Binding   Phase = "binding"   // comparing parameters, which may compile too
	Storing   Phase = "storing"   // the binary on disk
)

// Progress is how far a resolution has got.
type Progress struct {
	Kernel  string
	Device  driver.Device
	Phase   Phase
	Elapsed time.Duration // since the resolution began
}

// cacheHooks has the hook of SetHook.
var cacheHooks struct {
	sync.Mutex
	current atomic.Pointer[Hook]
}

// SetHook sets the hook that sees every resolution in the process; nil takes it
// away. It returns the former one. While it is set, launches don't take the warm
// path; while none is, hooks cost nothing.
func SetHook(h *Hook) (former *Hook) {
	cacheHooks.Lock()
	defer cacheHooks.Unlock()
	former = cacheHooks.current.Swap(h)
	if h != nil {
		world.Or(cacheHook)
	} else {
		world.And(^uint64(cacheHook))
	}
	return former
}

type hookKey struct{}

// WithHook is a context whose resolutions h sees: those of On, Bind and the like
// that are called with it, and those of Source.Redefine. SetHook's hook sees
// them too. Once a program has called WithHook, On looks into its context each
// time, which costs a few nanoseconds; Launch, which has no context, doesn't.
func WithHook(ctx context.Context, h *Hook) context.Context {
	world.Or(contextHooks)
	return context.WithValue(ctx, hookKey{}, h)
}

// observer calls the hooks of one resolution.
type observer struct {
	hooks  []*Hook
	begun  time.Time
	kernel string
	dev    driver.Device
}

// observe is the observer of a resolution; nil if nobody watches.
func observe(ctx context.Context, kernel string, dev driver.Device) *observer {
	var hooks [2]*Hook
	bits := world.Load()
	if bits&cacheHook != 0 {
		hooks[0] = cacheHooks.current.Load()
	}
	if bits&contextHooks != 0 {
		hooks[1], _ = ctx.Value(hookKey{}).(*Hook)
	}
	if hooks == [2]*Hook{} {
		return nil
	}
	o := &observer{begun: time.Now(), kernel: kernel, dev: dev}
	for _, h := range hooks {
		if h != nil {
			o.hooks = append(o.hooks, h)
		}
	}
	return o
}

// resolved reports the end of a resolution.
func (o *observer) resolved(r *Resolution) {
	r.Times.Total = time.Since(o.begun)
	for _, h := range o.hooks {
		if h.Resolved != nil {
			h.Resolved(r)
		}
	}
}

// watch reports the phases of something that another goroutine does, until done
// is closed or ctx ends.
func (o *observer) watch(ctx context.Context, p *phases, done <-chan struct{}) {
	interval := time.Duration(0)
	for _, h := range o.hooks {
		every := h.Interval
		if every <= 0 {
			every = time.Second
		}
		if h.Progress != nil && (interval == 0 || every < interval) {
			interval = every
		}
	}
	if interval == 0 {
		return
	}
	tick := time.NewTicker(interval)
	defer tick.Stop()
	for {
		phase, changed := p.now()
		if phase != "" {
			o.progress(phase)
		}
		select {
		case <-done:
			return
		case <-ctx.Done():
			return
		case <-changed:
		case <-tick.C:
		}
	}
}

func (o *observer) progress(phase Phase) {
	p := Progress{Kernel: o.kernel, Device: o.dev, Phase: phase, Elapsed: time.Since(o.begun)}
	for _, h := range o.hooks {
		if h.Progress != nil {
			h.Progress(p)
		}
	}
}

// phases is what something under way is at. The zero value is usable.
type phases struct {
	mu      sync.Mutex
	phase   Phase
	changed chan struct{} // closed at the next change
}

func (p *phases) set(phase Phase) {
	p.mu.Lock()
	defer p.mu.Unlock()
	changed := p.phase != phase
	p.phase = phase
	if changed && p.changed != nil {
		close(p.changed)
		p.changed = nil
	}
}

func (p *phases) now() (Phase, <-chan struct{}) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.changed == nil {
		p.changed = make(chan struct{})
	}
	return p.phase, p.changed
}
