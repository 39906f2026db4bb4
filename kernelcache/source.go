package kernelcache

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

// Source is where a kernel's text comes from, for each backend. Any number of
// kernels may be declared from one Source, and any goroutine may use it.
type Source struct {
	err error // what was wrong when it was made
	// read finds the text for a backend; the only part that kinds of sources
	// differ in.
	read func(backend string) (name string, code []byte, err error)

	mu    sync.Mutex
	texts map[string]*text // by backend; guarded by mu
}

// text is a source's text for one backend. It is immutable.
type text struct {
	name string // for errors and logs
	code []byte
	sum  [sha256.Size]byte // of code
	// since is the world generation in which the source got this text.
	since uint64
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
	s := &Source{}
	switch {
	case fsys == nil:
		s.err = driver.Errorf("kernelcache", "FromFS", driver.ErrInvalidValue, "the file system is nil; pass an embed.FS or os.DirFS")
	case !fs.ValidPath(stem) || stem == ".":
		s.err = driver.Errorf("kernelcache", "FromFS", driver.ErrInvalidValue,
			"%q is not a path in a file system; give one such as %q: with slashes, no / in front, and no file extension", stem, "kernels/saxpy")
	}
	s.read = func(backend string) (string, []byte, error) { return readFS(fsys, stem, backend) }
	return s
}

func readFS(fsys fs.FS, stem, backend string) (string, []byte, error) {
	var wanted []string
	for _, ext := range extensions[backend] {
		file := stem + ext
		code, err := fs.ReadFile(fsys, file)
		if err == nil {
			return file, code, nil
		}
		if !errors.Is(err, fs.ErrNotExist) {
			return "", nil, &driver.Error{Backend: "kernelcache", Op: "FromFS", Detail: "reading the kernel's file", Err: err}
		}
		wanted = append(wanted, file)
	}
	if wanted == nil {
		return "", nil, unknownBackend("FromFS", backend)
	}
	return "", nil, driver.Errorf("kernelcache", "FromFS", driver.ErrNotFound,
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
	return &Source{read: t.read}
}

func (t Text) read(backend string) (string, []byte, error) {
	code, ext := "", ""
	switch backend {
	case "opencl":
		code, ext = t.OpenCL, ".cl"
	case "cuda":
		code, ext = t.CUDA, ".cu"
	case "hip":
		if code, ext = t.HIP, ".hip"; code == "" {
			code, ext = t.CUDA, ".cu"
		}
	default:
		return "", nil, unknownBackend("FromText", backend)
	}
	if code == "" {
		return "", nil, driver.Errorf("kernelcache", "FromText", driver.ErrNotFound, "source %q has no text for %s; it has %s", t.Name, backend, t.languages())
	}
	return t.Name + ext, []byte(code), nil
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

// text is the source's text for a backend. What cannot be read is tried again
// the next time.
func (s *Source) text(backend string) (*text, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if t := s.texts[backend]; t != nil {
		return t, nil
	}
	name, code, err := s.read(backend)
	if err != nil {
		return nil, err
	}
	t := &text{name: name, code: code, sum: sha256.Sum256(code)}
	if s.texts == nil {
		s.texts = make(map[string]*text)
	}
	s.texts[backend] = t
	return t, nil
}
