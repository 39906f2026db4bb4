//go:build cgo && linux

package hiprtc

import (
	"errors"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// fakeLibrary is the environment for a child that has the fake hiprtc; version is
// HIP's, 0 for the newest.
func fakeLibrary(t *testing.T, version int, missing ...string) []string {
	t.Helper()
	if _, err := exec.LookPath("g++"); err != nil {
		drivertest.Unavailable(t, "cgo", driver.Errorf("hip", "g++", driver.ErrUnavailable, "%v", err))
	}
	fake, err := fakedriver.Build(fakedriver.Options{HIP: version, Missing: missing})
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	return []string{libraryEnv + "=" + fake.Hiprtc, drivertest.RequireEnv + "=hiprtc"}
}

// The fake hiprtc compiles for the machine's processor, with its C++ compiler.
func TestWithTheFakeLibrary(t *testing.T) {
	env := fakeLibrary(t, 0)
	for _, test := range append(onCUDA, "TestEveryCallOfTheFakeFails") {
		t.Run(test, func(t *testing.T) { drivertest.RunChild(t, test, env...) })
	}
	for _, version := range []int{50200, 60200} {
		drivertest.RunChild(t, "TestTheExamplesProgramCompiles", fakeLibrary(t, version)...)
	}
}

const destroys = "hiprtcDestroyProgram"

// Every call fails with every code, one at a time: a compile says which, leaves nothing,
// and the next one works.
func TestEveryCallOfTheFakeFails(t *testing.T) {
	drivertest.OnlyAsChild(t)
	// Of a text that the fake takes as it is, and of one for its C++ compiler, which is
	// slow, and for calls that the other does without.
	plain := Program{Name: "f.hip", Code: []byte(control.Called + "1 f 0:8\n")}
	named := Program{Name: "g.hip", Code: []byte("template <int N> __global__ void f(int *p) { *p = N; }\n"), NameExpressions: []string{"f<3>"}}
	program := plain
	compile := func() error {
		_, err := Compile(t.Context(), program, Options{Arch: "gfx942"})
		return err
	}
	check(t, compile())
	fake, err := control.Open(load().Path)
	check(t, err)
	fake.Reset()
	check(t, compile())
	var called []string
	for _, symbol := range fake.Symbols() {
		if fake.Calls(symbol) > 0 {
			called = append(called, symbol)
		}
	}
	if len(called) < 7 {
		t.Errorf("a compile calls %v", called)
	}
	// What happens without an error.
	silent := map[string]string{
		destroys:               "nothing can be done about it",
		"hiprtcGetErrorString": "it returns no code",
	}
	// The programs that are not destroyed stay.
	called = append(called, "hiprtcAddNameExpression", "hiprtcGetLoweredName")
	called = append(slices.DeleteFunc(called, func(s string) bool { return s == destroys }), destroys)
	for _, symbol := range called {
		codes := []int{1, 2, 3, 4, 5, 7, 9, 11, 100, 999}
		program = plain
		if strings.Contains(symbol, "Name") {
			program, codes = named, []int{10}
		}
		for _, code := range codes {
			fake.Fail(symbol, code, control.Once)
			err := compile()
			fake.Fail(symbol, 0, control.Never)
			what := fmt.Sprintf("%s fails with %d", symbol, code)
			if err == nil {
				// Some versions give no code, or no bitcode, where none was made, and say so
				// by these codes.
				absent := symbol == "hiprtcGetBitcodeSize" && (code == codeInvalidInput || code == codeInvalidProgram)
				if silent[symbol] == "" && !absent {
					t.Errorf("%s, and the compile doesn't", what)
				}
			} else {
				var e *driver.Error
				var b *driver.BuildError
				told := errors.As(err, &e) && (e.Code == code || e.Code == 0) || errors.As(err, &b) && b.Code == code
				if !told {
					t.Errorf("%s, and the error is %v", what, err)
				}
			}
			if err := compile(); err != nil {
				t.Errorf("after %s: %v", what, err)
			}
			if n := fake.Live("program"); n > 0 && symbol != destroys {
				t.Fatalf("%s: %d programs are left", what, n)
			}
		}
	}
}
