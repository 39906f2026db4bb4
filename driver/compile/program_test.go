package compile

import (
	"context"
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/triad-gpu/triad/driver"
)

var caller = Caller{Backend: "test", Op: "build"}

func TestProgramsKeepNothingOfTheCallers(t *testing.T) {
	p := Program{Name: "f.cu", Code: []byte("code"), Headers: map[string][]byte{"a.h": []byte("text")}, Names: []string{"f"}, Options: []string{"-G"}}
	defines := []driver.Define{{Name: "A", Value: "1"}}
	q, err := p.Prepare(caller, defines)
	if err != nil {
		t.Fatal(err)
	}
	copy(p.Code, "????")
	copy(p.Headers["a.h"], "????")
	p.Headers["b.h"], p.Names[0], p.Options[0], defines[0].Name = nil, "?", "?", "?"
	if q.Text != "#define A 1\n#line 1 \"f.cu\"\ncode" || string(q.Source().Code) != "code" || len(q.Headers) != 1 || string(q.Headers["a.h"]) != "text" || q.Names[0] != "f" || q.Options[0] != "-G" {
		t.Errorf("%+v", q)
	}
	for unnamed, want := range map[bool]string{false: "code", true: "#line 1 \"f.cu\"\ncode"} {
		if q, err = (Program{Name: "f.cu", Code: []byte("code"), Unnamed: unnamed}).Prepare(caller, nil); q.Text != want || err != nil {
			t.Errorf("unnamed %v: %q, error %v", unnamed, q.Text, err)
		}
	}
}

func TestProgramsThatWouldEndEarlyAreRefused(t *testing.T) {
	code := []byte("code")
	for what, p := range map[string]Program{
		"no code": {}, "code": {Code: []byte("co\x00de")}, "name": {Name: "\x00", Code: code}, "option": {Code: code, Options: []string{"\x00"}},
		"expression": {Code: code, Names: []string{"\x00"}}, "header": {Code: code, Headers: map[string][]byte{"a.h": {0}}}, "no name": {Code: code, Headers: map[string][]byte{"": nil}},
	} {
		_, err := p.Prepare(caller, nil)
		var de *driver.Error
		if !errors.As(err, &de) || de.Kind != driver.ErrInvalidValue || de.Backend != "test" || de.Op != "build" {
			t.Errorf("%s: %v", what, err)
		}
	}
}

func TestHeadersAreAllFiles(t *testing.T) {
	got, err := Headers(caller, fstest.MapFS{"a.h": {Data: []byte("A")}, "lib/b.h": {Data: []byte("B")}})
	if err != nil || len(got) != 2 || string(got["lib/b.h"]) != "B" {
		t.Errorf("%q, error %v", got, err)
	}
	if _, err = Headers(caller, unreadable{}); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("error %v", err)
	}
}

// unreadable is a file system that can't be read.
type unreadable struct{}

func (unreadable) Open(name string) (fs.File, error) {
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestSlotsAreBounded(t *testing.T) {
	s := make(Slots, 1)
	var none context.Context // which is allowed
	leave, err := s.Enter(none)
	if err != nil || len(s) != 1 {
		t.Fatalf("%d slots taken, error %v", len(s), err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := s.Enter(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
	leave()
	if leave, err = s.Enter(context.Background()); err != nil {
		t.Errorf("error %v", err)
	}
	leave()
	if len(s) != 0 {
		t.Errorf("%d slots taken", len(s))
	}
}
