package kernelcache

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/triad-gpu/triad/driver"
)

// Source is where a kernel's code comes from, for each backend. Any number of
// kernels may be declared from one Source, and any goroutine may use it.
type Source struct {
	err  error  // what was wrong when it was made
	stem string // the files' names without their ends
	// read finds the text for a device; the only part that kinds of sources
	// differ in.
	read func(*driver.DeviceInfo) (*text, error)
	// binaries: there is no text, and each device may need a binary of its own.
	binaries bool
	turn     chan struct{} // held by the redefinition under way

	mu    sync.Mutex // guards writing texts
	texts atomic.Pointer[map[string]*text]
}

func newSource(stem string, read func(*driver.DeviceInfo) (*text, error)) *Source {
	return &Source{stem: stem, read: read, turn: make(chan struct{}, 1)}
}

// text is a source's text, or binary, for one backend. It is immutable.
type text struct {
	name string // for errors and logs
	kind driver.SourceKind
	code []byte
	sum  [sha256.Size]byte // of code
	// since is the world generation in which the source got this text.
	since uint64
}

func newText(name string, kind driver.SourceKind, code []byte) *text {
	return &text{name: name, kind: kind, code: code, sum: sha256.Sum256(code)}
}

// source is the text for the driver.
func (t *text) source() driver.ModuleSource {
	return driver.ModuleSource{Kind: t.kind, Name: t.name, Code: t.code}
}

// maxCode is the most that a source may be. A large program is a thousandth of
// it, so what is more is a mistake, such as a file of data.
const maxCode = 1 << 30

func (t *text) check() error {
	if len(t.code) > maxCode {
		return driver.Errorf("kernelcache", "source", driver.ErrInvalidValue, "%s is %s, which is no kernel; the most is %s",
			t.name, driver.ByteSize(uint64(len(t.code))), driver.ByteSize(maxCode))
	}
	return nil
}

// same tells whether two texts make the same modules.
func (t *text) same(u *text) bool {
	return t.name == u.name && t.kind == u.kind && t.sum == u.sum && t.since == u.since
}

// extensions are the file names' ends by backend, in the order of preference.
var extensions = map[string][]string{
	"opencl": {".cl"},
	"cuda":   {".cu"},
	"hip":    {".hip", ".cu"},
}

// FromFS is a source in files, one for each language: stem + ".cl" for OpenCL,
// stem + ".cu" for CUDA, stem + ".hip" for HIP, which takes the .cu where there
// is no .hip. Only the files of the backends in use need to be there.
//
// stem is a path as package io/fs has them: with slashes, and relative to the
// root of fsys. A file is read when it is first needed, and not again.
func FromFS(fsys fs.FS, stem string) *Source {
	s := newSource(stem, func(info *driver.DeviceInfo) (*text, error) { return readFS(fsys, stem, info.Backend) })
	switch {
	case fsys == nil:
		s.err = driver.Errorf("kernelcache", "FromFS", driver.ErrInvalidValue, "the file system is nil; pass an embed.FS or os.DirFS")
	case !fs.ValidPath(stem) || stem == ".":
		s.err = driver.Errorf("kernelcache", "FromFS", driver.ErrInvalidValue,
			"%q is not a path in a file system; give one such as %q: with slashes, no / in front, and no file extension", stem, "kernels/saxpy")
	}
	return s
}

func readFS(fsys fs.FS, stem, backend string) (*text, error) {
	var wanted []string
	for _, ext := range extensions[backend] {
		file := stem + ext
		code, err := fs.ReadFile(fsys, file)
		if err == nil {
			return newText(file, driver.SourceText, code), nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return nil, &driver.Error{Backend: "kernelcache", Op: "FromFS", Detail: "reading the kernel's file", Err: err}
		}
		wanted = append(wanted, file)
	}
	if wanted == nil {
		return nil, unknownBackend("FromFS", backend)
	}
	return nil, driver.Errorf("kernelcache", "FromFS", driver.ErrNotFound,
		"there is no %s, which %s needs; %s", strings.Join(wanted, " or "), backend, present(fsys, stem))
}

// present says what there is in place of a missing file: the files of its stem,
// or else all those in its folder.
func present(fsys fs.FS, stem string) string {
	dir := path.Dir(stem)
	entries, err := fs.ReadDir(fsys, dir)
	if err != nil {
		return fmt.Sprintf("the folder cannot be listed: %v", err)
	}
	var all, kin []string
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		all = append(all, name)
		if strings.HasPrefix(name, stem+".") {
			kin = append(kin, name)
		}
	}
	switch {
	case len(kin) > 0:
		return "there is " + strings.Join(kin, ", ")
	case len(all) > 0:
		return "the folder holds " + strings.Join(all, ", ")
	}
	return "the folder is empty"
}

// Text is a kernel's text in each language. Those of backends that are not in
// use may be left empty.
type Text struct {
	Name   string // for errors and logs, without extension; "kernel" if empty
	OpenCL string // OpenCL C
	CUDA   string // CUDA C++
	HIP    string // HIP C++; the CUDA text serves where this is empty
}

// FromText is a source given as text.
func FromText(t Text) *Source {
	if t.Name == "" {
		t.Name = "kernel"
	}
	return newSource(t.Name, func(info *driver.DeviceInfo) (*text, error) { return t.read(info.Backend) })
}

// in is the text in the language of a file name's end.
func (t Text) in(ext string) string {
	return map[string]string{".cl": t.OpenCL, ".cu": t.CUDA, ".hip": t.HIP}[ext]
}

func (t Text) read(backend string) (*text, error) {
	if extensions[backend] == nil {
		return nil, unknownBackend("FromText", backend)
	}
	for _, ext := range extensions[backend] {
		if code := t.in(ext); code != "" {
			return newText(t.Name+ext, driver.SourceText, []byte(code)), nil
		}
	}
	return nil, driver.Errorf("kernelcache", "FromText", driver.ErrNotFound, "source %q has no text for %s; it has %s", t.Name, backend, t.languages())
}

func (t Text) languages() string {
	var have []string
	for _, l := range []struct{ name, code string }{{"OpenCL", t.OpenCL}, {"CUDA", t.CUDA}, {"HIP", t.HIP}} {
		if l.code != "" {
			have = append(have, l.name)
		}
	}
	if have == nil {
		return "none at all"
	}
	return strings.Join(have, ", ")
}

func unknownBackend(op, backend string) error {
	return driver.Errorf("kernelcache", op, driver.ErrUnsupported, "backend %q has no kernel language known here; opencl, cuda and hip have", backend)
}

// variant tells apart the devices for which a source has texts of their own.
func (s *Source) variant(info *driver.DeviceInfo) string {
	if s.binaries {
		return info.Backend + "\x00" + info.Name + "\x00" + info.Version
	}
	return info.Backend
}

// current is the text in use for a device; nil if none was needed yet.
func (s *Source) current(info *driver.DeviceInfo) *text {
	if m := s.texts.Load(); m != nil {
		return (*m)[s.variant(info)]
	}
	return nil
}

// text is the source's text for a device. What cannot be read is tried again
// the next time.
func (s *Source) text(info *driver.DeviceInfo) (*text, error) {
	if t := s.current(info); t != nil {
		return t, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.current(info); t != nil {
		return t, nil
	}
	t, err := s.read(info)
	if err != nil {
		return nil, err
	}
	if err := t.check(); err != nil {
		return nil, err
	}
	s.set(map[string]*text{s.variant(info): t})
	return t, nil
}

// replace puts texts in place and returns those that were there before.
func (s *Source) replace(texts map[string]*text) (former map[string]*text) {
	s.mu.Lock()
	defer s.mu.Unlock()
	former = make(map[string]*text)
	for variant := range texts {
		if t := s.current(&driver.DeviceInfo{Backend: variant}); t != nil {
			former[variant] = t
		}
	}
	s.set(texts)
	return former
}

// set changes some texts. The lock must be held.
func (s *Source) set(texts map[string]*text) {
	all := make(map[string]*text)
	if m := s.texts.Load(); m != nil {
		maps.Copy(all, *m)
	}
	maps.Copy(all, texts)
	s.texts.Store(&all)
}
