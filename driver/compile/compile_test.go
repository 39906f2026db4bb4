package compile

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

func TestDefinesBecomeLines(t *testing.T) {
	got, err := Defines("test", "build", []driver.Define{{Name: "N", Value: "4"}, {Name: "_a1", Value: `"two words" // and more`}, {Name: "EMPTY"}})
	if want := "#define N 4\n#define _a1 \"two words\" // and more\n#define EMPTY \n"; got != want || err != nil {
		t.Errorf("got %q, error %v; want %q", got, err, want)
	}
	for _, d := range []driver.Define{
		{Name: ""}, {Name: "1A"}, {Name: "A B"}, {Name: "A\n"}, {Name: "F(x)"}, {Name: "Ä"},
		{Name: "V", Value: "1\n"}, {Name: "V", Value: "1\r"}, {Name: "V", Value: "1\x00"}, {Name: "V", Value: "1\\"},
	} {
		_, err := Defines("test", "build", []driver.Define{{Name: "GOOD", Value: "1"}, d})
		var de *driver.Error
		if !errors.As(err, &de) || de.Kind != driver.ErrInvalidValue || de.Backend != "test" || de.Op != "build" {
			t.Errorf("%q=%q: %v", d.Name, d.Value, err)
		}
	}
}

func TestFirstLineNamesOnlyWhatNeedsNoQuoting(t *testing.T) {
	for name, want := range map[string]string{
		"a b.cu": "#line 1 \"a b.cu\"\n", "": "#line 1\n", "a\"b": "#line 1\n", "a\nb": "#line 1\n", `a\b`: "#line 1\n",
	} {
		if got := FirstLine(name); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

const complainedOf = "kernel void f() {\n    int here = 1;\n    here = other;\n}\n"

func TestComplaintsAreFoundInEveryCompilersLog(t *testing.T) {
	headers := map[string][]byte{"util.h": []byte("// a header\nint wrong;\n"), "lib/util.h": []byte("// another\n\nint bad;\n")}
	for _, x := range []struct{ what, log, want string }{
		{"clang", "f.cl:3:12: error: use of undeclared identifier 'other'\n    here = other;\n           ^\n", "f.cl:3: here = other;"},
		{"clang, fatal", "f.cl:2:1: fatal error: too many errors\n", "f.cl:2: int here = 1;"},
		{"gcc", "f.cl: In function 'void f()':\nf.cl:3:12: error: 'other' was not declared in this scope\n    3 |     here = other;\n", "f.cl:3: here = other;"},
		{"PoCL", "error: /tmp/pocl/tempfile.cl:3:12: use of undeclared identifier 'other'\n", "f.cl:3: here = other;"},
		{"a count of its own", "<kernel>:41:12: error: use of undeclared identifier 'other'\n    here = other;\n           ^\n", "f.cl:3: here = other;"},
		{"NVRTC", "f.cl(3): error: identifier \"other\" is undefined\n      here = other;\n             ^\n\n1 error detected in the compilation of \"f.cl\".\n", "f.cl:3: here = other;"},
		{"NVRTC, numbered", "f.cl(3): error #20: identifier \"other\" is undefined\n      here = other;\n", "f.cl:3: here = other;"},
		{"NVRTC, catastrophic", "f.cl(1): catastrophic error: cannot open source file \"none.h\"\n\n", "f.cl:1: kernel void f() {"},
		{"NVRTC, warning first", "f.cl(2): warning #177-D: variable \"here\" was declared but never referenced\n\nf.cl(3): error: identifier \"other\" is undefined\n", "f.cl:3: here = other;"},
		{"a header", "util.h(2): error: this declaration is wrong\n  int wrong;\n", "util.h:2: int wrong;"},
		{"a header in a folder", "/usr/include/lib/util.h:3:5: error: bad\n", "lib/util.h:3: int bad;"},
		{"no line", "error: out of registers\n", ""},
		{"no such line", "f.cl(99): error: unexpected end of file\n", ""},
		{"nothing", "", ""},
	} {
		src := driver.ModuleSource{Kind: driver.SourceText, Name: "f.cl", Code: []byte(complainedOf)}
		if got := Complaint(x.log, src, headers); got != x.want {
			t.Errorf("%s: %q, want %q", x.what, got, x.want)
		}
		src.Kind = driver.SourceBinary
		if got := Complaint(x.log, src, headers); got != "" {
			t.Errorf("%s: a binary has the line %q", x.what, got)
		}
	}
}

func TestAbandonableReturnsWhatWasMade(t *testing.T) {
	wrong := errors.New("wrong")
	live, cancel := context.WithCancel(context.Background())
	defer cancel()
	for _, ctx := range []context.Context{nil, context.Background(), live} {
		drop := func(int) { t.Error("dropped a result that was taken") }
		if v, err := Abandonable(ctx, func() (int, error) { return 3, nil }, drop); v != 3 || err != nil {
			t.Errorf("%v: %d, %v", ctx, v, err)
		}
		if v, err := Abandonable(ctx, func() (int, error) { return 3, wrong }, drop); v != 0 || err != wrong {
			t.Errorf("%v: %d, %v", ctx, v, err)
		}
	}
}

func TestAbandonedResultsAreDropped(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	started, finish, dropped := make(chan bool), make(chan bool), make(chan int)
	go func() { <-started; cancel() }()
	v, err := Abandonable(ctx, func() (int, error) {
		started <- true
		<-finish
		return 5, nil
	}, func(v int) { dropped <- v })
	if v != 0 || !errors.Is(err, context.Canceled) {
		t.Errorf("%d, %v", v, err)
	}
	finish <- true
	if got := <-dropped; got != 5 {
		t.Errorf("dropped %d", got)
	}
	// A context that has ended already starts nothing.
	_, err = Abandonable(ctx, func() (int, error) { t.Error("was run"); return 0, nil }, nil)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func TestKeepCopiesOnlyWhereTheCallMayReturnEarly(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	given := func() (driver.ModuleSource, driver.BuildOptions) {
		return driver.ModuleSource{Code: []byte("code"), Description: []byte("desc")},
			driver.BuildOptions{Flags: []string{"-f"}, Defines: []driver.Define{{Name: "A"}}, Constants: []driver.SpecConstant{{Value: []byte("v")}}}
	}
	for _, x := range []struct {
		ctx  context.Context
		want string
	}{{ctx, "code desc -f A v"}, {context.Background(), "???? ???? ? ? ?"}, {nil, "???? ???? ? ? ?"}} {
		src, opts := given()
		keptSrc, keptOpts := Keep(x.ctx, src, opts)
		copy(src.Code, "????")
		copy(src.Description, "????")
		opts.Flags[0], opts.Defines[0].Name, opts.Constants[0].Value[0] = "?", "?", '?'
		got := strings.Join([]string{string(keptSrc.Code), string(keptSrc.Description), keptOpts.Flags[0], keptOpts.Defines[0].Name, string(keptOpts.Constants[0].Value)}, " ")
		if got != x.want {
			t.Errorf("got %q, want %q", got, x.want)
		}
	}
}
