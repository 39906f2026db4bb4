package kernelcache

import (
	"context"
	"errors"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

// rebuild is what a redefinition makes on one device.
type rebuild struct {
	t       *table
	txt     *text
	modules map[string]*loaded   // by options
	kernels map[kernelKey]*entry // the text's generation is not set yet
	decls   map[*decl]*entry
	// gone: the device was closed, and wants no kernels. Set by build.
	gone bool
}

// rebuilds are what a redefinition makes, by device.
type rebuilds map[*table]*rebuild

// build compiles and binds on all devices at once, until all that is resolved has
// been: more may come while compilers are busy.
func (rs rebuilds) build(ctx context.Context, s *Source, texts map[string]*text) error {
	for {
		var (
			wg   sync.WaitGroup
			mu   sync.Mutex // guards errs
			errs []error
			todo int
		)
		for backend, txt := range texts {
			for _, t := range tablesOf(backend) {
				r := rs[t]
				if r == nil {
					r = &rebuild{
						t: t, txt: txt,
						modules: make(map[string]*loaded), kernels: make(map[kernelKey]*entry), decls: make(map[*decl]*entry),
					}
					rs[t] = r
				}
				list := r.todo(s)
				todo += len(list)
				wg.Add(1)
				go func() {
					err := errGoroutineEnded()
					defer func() {
						mu.Lock()
						errs = append(errs, err)
						mu.Unlock()
						wg.Done()
					}()
					err = r.build(ctx, list)
				}()
			}
		}
		wg.Wait()
		err := errors.Join(errs...)
		if err == nil {
			err = ctx.Err() // a backend may have bound a kernel unverified because ctx ended
		}
		if err != nil || todo == 0 {
			return err
		}
	}
}

// missing tells whether anything was resolved that is not made. The tables of rs
// are locked.
func (rs rebuilds) missing(s *Source, texts map[string]*text) bool {
	for backend := range texts {
		for _, t := range tablesOf(backend) {
			if rs[t] == nil {
				return true // a device that is used for the first time
			}
		}
	}
	for _, r := range rs {
		if len(r.unmade(s)) > 0 {
			return true
		}
	}
	return false
}

func (rs rebuilds) close() {
	for _, r := range rs {
		r.close()
	}
}

// todo are the declarations of a source that are resolved here and not made.
func (r *rebuild) todo(s *Source) []*decl {
	r.t.mu.Lock()
	defer r.t.mu.Unlock()
	return r.unmade(s)
}

// unmade is todo, for who has the table's lock.
func (r *rebuild) unmade(s *Source) []*decl {
	var list []*decl
	if r.gone {
		return nil
	}
	for d, resolved := range r.t.users {
		if d.source == s && resolved && r.decls[d] == nil {
			list = append(list, d)
		}
	}
	return list
}

func (r *rebuild) build(ctx context.Context, list []*decl) error {
	for _, d := range list {
		if err := r.buildOne(ctx, d); err != nil {
			if r.gone = errors.Is(err, driver.ErrClosed); r.gone {
				return nil
			}
			return d.failed(r.t.dev, err)
		}
	}
	return nil
}

func (r *rebuild) buildOne(ctx context.Context, d *decl) error {
	key := d.keyIn(r.txt)
	if e := r.kernels[key]; e != nil {
		r.decls[d] = e
		return nil
	}
	o := observe(ctx, d.name, r.t.dev)
	res := resolution{world: generation() + 1, txt: r.txt}
	p := &phases{}
	_, there := r.modules[d.opts.key]
	err := o.during(ctx, p, func() (err error) {
		if err := d.opts.fit(r.txt); err != nil {
			return err
		}
		l := r.modules[d.opts.key]
		if l == nil {
			if l, err = load(ctx, r.t.dev, r.txt, &d.opts, p); err != nil {
				return err
			}
			r.modules[d.opts.key] = l
		}
		res.entry, err = l.bindKernel(ctx, r.t.dev, d, p)
		return err
	})
	if o != nil {
		report := d.report(res, r.t.dev, err)
		if there {
			report.Times.Disk, report.Times.Compile = 0, 0 // another kernel's report has them
		}
		o.resolved(report)
	}
	if err == nil {
		r.kernels[key], r.decls[d] = res.entry, res.entry
	}
	return err
}

// during does f while it reports what f is at.
func (o *observer) during(ctx context.Context, p *phases, f func() error) error {
	if o == nil {
		return f()
	}
	err := errGoroutineEnded()
	done := make(chan struct{})
	go func() { defer close(done); err = f() }()
	o.watch(ctx, p, done)
	<-done
	return err
}

// install puts what was made where resolutions find it once they know the text.
// The table is locked.
func (r *rebuild) install(now uint64) {
	if r.gone = r.gone || r.t.closed; r.gone {
		return
	}
	for d, e := range r.decls {
		key := d.keyIn(r.txt)
		r.t.kernels.m[key] = landed(e)
		r.t.modules.m[key.module] = landed(r.modules[d.opts.key])
		r.t.bind(d, e, now)
	}
}

func (r *rebuild) close() {
	for _, e := range r.kernels {
		e.Close()
	}
	for _, l := range r.modules {
		l.Close()
	}
}
