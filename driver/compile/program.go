package compile

import (
	"bytes"
	"context"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// Caller is the backend and the call that errors name.
type Caller struct{ Backend, Op string }

func (c Caller) refused(format string, args ...any) error {
	return driver.Errorf(c.Backend, c.Op, driver.ErrInvalidValue, format, args...)
}

// Program is a program of text for a run-time compiler.
type Program struct {
	Name    string            // of its file
	Code    []byte            // the user's text
	Headers map[string][]byte // by the names in #include directives
	Names   []string          // expressions for whose names the compiler is asked
	Options []string          // the compiler's
	// Unnamed: the compiler calls the file otherwise, so that the text has to say
	// the name.
	Unnamed bool
	// Text is what is compiled, set by Prepare: definitions, then Code.
	Text string
}

// Prepare puts definitions in front and copies what the caller may change: a
// compile may outlast the call that asked for it. It refuses, with
// driver.ErrInvalidValue, a program without code and what would end early in C,
// at a NUL.
func (p Program) Prepare(c Caller, defines []driver.Define) (Program, error) {
	if len(p.Code) == 0 {
		return p, c.refused("%q is empty", p.Name)
	}
	prefix, err := Defines(c.Backend, c.Op, defines)
	if err != nil {
		return p, err
	}
	if prefix != "" || p.Unnamed {
		prefix += FirstLine(p.Name)
	}
	p.Text = prefix + string(p.Code)
	p.Code, p.Headers, p.Names, p.Options = bytes.Clone(p.Code), maps.Clone(p.Headers), slices.Clone(p.Names), slices.Clone(p.Options)
	for name, text := range p.Headers {
		p.Headers[name] = bytes.Clone(text)
	}
	return p, p.check(c)
}

func (p Program) check(c Caller) error {
	holds := func(what, text string) error {
		if i := strings.IndexByte(text, 0); i >= 0 {
			return c.refused("%s holds a NUL, at byte %d", what, i)
		}
		return nil
	}
	if err := holds(p.Name, string(p.Code)); err != nil {
		return err
	}
	if err := holds("the program's name", p.Name); err != nil {
		return err
	}
	for name, text := range p.Headers {
		if name == "" {
			return c.refused("a header has no name")
		}
		if err := holds("header "+name, name+string(text)); err != nil {
			return err
		}
	}
	for _, name := range p.Names {
		if err := holds("a name expression", name); err != nil {
			return err
		}
	}
	for _, option := range p.Options {
		if err := holds("an option", option); err != nil {
			return err
		}
	}
	return nil
}

// Source is the user's text, for Complaint.
func (p Program) Source() driver.ModuleSource {
	return driver.ModuleSource{Kind: driver.SourceText, Name: p.Name, Code: p.Code}
}

// Headers reads all files of fsys: each is included by its path from the root of
// fsys, with slashes. fsys may be nil.
func Headers(c Caller, fsys fs.FS) (map[string][]byte, error) {
	headers := make(map[string][]byte)
	if fsys == nil {
		return headers, nil
	}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		headers[name], err = fs.ReadFile(fsys, name)
		return err
	})
	if err != nil {
		return nil, &driver.Error{Backend: c.Backend, Op: c.Op, Detail: "reading the headers", Err: err}
	}
	return headers, nil
}

// Slots bound how many compiles are in a compiler at once; its capacity is the
// bound.
type Slots chan struct{}

// Enter waits for a slot, until ctx ends, whose error it returns then. ctx may be
// nil. leave gives the slot back.
func (s Slots) Enter(ctx context.Context) (leave func(), err error) {
	var done <-chan struct{}
	if ctx != nil {
		done = ctx.Done()
	}
	select {
	case s <- struct{}{}:
		return func() { <-s }, nil
	case <-done:
		return nil, ctx.Err()
	}
}
