package kernelcache

import (
	"context"
	"errors"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

// Redefine gives the source new text, in the languages that t has; the others
// keep theirs, and so do the names of the files. CUDA's text goes to HIP too
// where HIP used it.
//
// It first compiles the new text on every device where a kernel of the source is
// resolved, and binds all of those kernels. If any of that fails, or ctx ends,
// everything stays as it is and the former kernels remain in service; the error
// is the compiler's (driver.BuildError, with the log), or says which kernel is
// missing or doesn't fit. Otherwise the new kernels take over all at once, in a
// new world generation: launches that begin after Redefine has returned are of
// the new kernels, and those that had begun run to their end, after which the
// former modules are unloaded. Kernels of other sources are not touched.
//
// Where nothing is resolved yet nothing is compiled, and the next resolution
// reports what is wrong with the text.
//
// Any goroutine may call it; redefinitions of one source take turns.
func (s *Source) Redefine(ctx context.Context, t Text) error {
	if s == nil || s.read == nil {
		return driver.Errorf("kernelcache", "Source.Redefine", driver.ErrInvalidValue, "the source is nil or was not made by FromFS or FromText")
	}
	if ctx == nil {
		ctx = context.Background()
	}
	if err := s.redefine(ctx, t); err != nil {
		return &driver.Error{Backend: "kernelcache", Op: "Source.Redefine", Detail: s.stem + " stays as it was", Err: err}
	}
	return nil
}

// swapping is held while new text takes over: one world generation at a time.
var swapping sync.Mutex

// beforeSwap lets tests in between making kernels and taking over.
var beforeSwap = func() {}

func (s *Source) redefine(ctx context.Context, t Text) error {
	select {
	case s.turn <- struct{}{}:
		defer func() { <-s.turn }()
	case <-ctx.Done():
		return ctx.Err()
	}
	texts, err := s.newTexts(t)
	if err != nil {
		return err
	}
	var former map[string]*text
	made := make(rebuilds)
	for swapped := false; !swapped; {
		if err := made.build(ctx, s, texts); err != nil {
			made.close()
			return err
		}
		former, swapped = s.swap(texts, made)
	}
	for backend, old := range former {
		for _, t := range tablesOf(backend) {
			t.sweep(s, old)
		}
	}
	return nil
}

// swap puts new texts and what was made from them in the place of the former
// ones, which it returns, unless more has been resolved meanwhile.
func (s *Source) swap(texts map[string]*text, made rebuilds) (former map[string]*text, ok bool) {
	beforeSwap()
	swapping.Lock()
	defer swapping.Unlock()
	// With the tables locked nothing more is resolved. Nobody else locks two.
	for _, r := range made {
		r.t.mu.Lock()
	}
	if made.missing(s, texts) {
		for _, r := range made {
			r.t.mu.Unlock()
		}
		return nil, false
	}
	// The order matters: see world.
	now := generation() + 1
	for _, txt := range texts {
		txt.since = now
	}
	for _, r := range made {
		r.install(now)
	}
	former = s.replace(texts)
	world.Add(1)
	for _, r := range made {
		r.t.mu.Unlock()
		if r.gone {
			r.close()
		}
	}
	return former, true
}

// newTexts are the texts that t replaces, by backend.
func (s *Source) newTexts(t Text) (map[string]*text, error) {
	if s.err != nil {
		return nil, s.err
	}
	if s.binaries {
		return nil, driver.Errorf("kernelcache", "FromBinaries", driver.ErrUnsupported, "a source of binaries has no text to redefine")
	}
	texts := make(map[string]*text)
	for backend, files := range extensions {
		for _, ext := range files {
			code := t.in(ext)
			if code == "" {
				continue
			}
			if backend == "hip" && ext == ".cu" && !s.serves(backend, ext) {
				continue // it has a text of its own, which stays
			}
			txt := newText(s.stem+ext, driver.SourceText, []byte(code))
			if err := txt.check(); err != nil {
				return nil, err
			}
			texts[backend] = txt
			break
		}
	}
	if len(texts) == 0 {
		return nil, driver.Errorf("kernelcache", "Source.Redefine", driver.ErrInvalidValue, "the new text is empty in every language")
	}
	return texts, nil
}

// serves tells whether a backend's text comes from the file with that ending, or
// would, or there is none.
func (s *Source) serves(backend, ext string) bool {
	txt, err := s.text(&driver.DeviceInfo{Backend: backend})
	return errors.Is(err, driver.ErrNotFound) || err == nil && txt.name == s.stem+ext
}

// sweep closes what was made from a source's former text, but for what another
// source of the same text shares.
func (t *table) sweep(s *Source, old *text) {
	var kernels []*entry
	var modules []*loaded
	t.mu.Lock()
	ended := make(map[kernelKey]bool)
	endedModules := make(map[moduleKey]bool)
	for d := range t.users {
		if d.source == s {
			key := d.keyIn(old)
			ended[key], endedModules[key.module] = true, true
		}
	}
	info := t.dev.Info()
	for d := range t.users {
		if d.source == s {
			continue
		}
		if txt := d.source.current(info); txt != nil && txt.same(old) {
			key := d.keyIn(txt)
			delete(ended, key)
			delete(endedModules, key.module)
		}
	}
	for key := range ended {
		if f := t.kernels.m[key]; f != nil && f.ended() {
			delete(t.kernels.m, key)
			if f.made() {
				kernels = append(kernels, f.val)
			}
		}
	}
	for key := range endedModules {
		if f := t.modules.m[key]; f != nil && f.ended() {
			delete(t.modules.m, key)
			if f.made() {
				modules = append(modules, f.val)
			}
		}
	}
	t.mu.Unlock()
	closeAll(kernels, modules)
}
