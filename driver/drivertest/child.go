package drivertest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// A process loads a driver library once, and a library reads its environment when
// it is first used. So what depends on either runs in a process of its own: this
// binary, with one test and an environment variable that says that it is a child.
const childEnv = "TRIAD_TEST_CHILD"

// IsChild tells whether this process was started by RunChild.
func IsChild() bool { return os.Getenv(childEnv) != "" }

// OnlyAsChild skips a test that is meant for a process of its own.
func OnlyAsChild(t testing.TB) {
	t.Helper()
	if !IsChild() {
		Lacks(t, "child", "runs in a process of its own, which another test starts")
	}
}

// execEnv is a command that runs a program, with its arguments, where the system
// can't by itself, as when another processor is emulated: "qemu-aarch64 -L /lib/arm".
const execEnv = "TRIAD_EXEC"

// Program is a command that runs a program made for the processor of this one.
func Program(path string, args ...string) *exec.Cmd {
	words := append(append(strings.Fields(os.Getenv(execEnv)), path), args...)
	return exec.Command(words[0], words[1:]...)
}

// Again is a command that starts this binary once more.
func Again(t testing.TB, args ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	return Program(self, args...)
}

// RunChild runs a test of this binary in a process with further environment
// variables, and returns what it wrote. The child's failure is the test's.
func RunChild(t testing.TB, test string, env ...string) string {
	t.Helper()
	limit := 10 * time.Minute
	if d, ok := t.(interface{ Deadline() (time.Time, bool) }); ok {
		if end, set := d.Deadline(); set {
			limit = time.Until(end) - 5*time.Second // so that it shows where it hangs
		}
	}
	args := []string{"-test.run=^" + test + "$", "-test.v", "-test.timeout=" + max(limit, time.Second).String()}
	if testing.Short() {
		args = append(args, "-test.short")
	}
	cmd := Again(t, args...)
	cmd.Env = append(append(os.Environ(), childEnv+"=1"), env...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := RunBound(cmd)
	text := out.String()
	switch {
	case err != nil:
		t.Errorf("%s with %s: %v\n%s", test, strings.Join(env, " "), err, failure(text))
	case !strings.Contains(text, "--- PASS: "+test) && !strings.Contains(text, "--- SKIP: "+test):
		t.Errorf("%s did not run:\n%s", test, failure(text))
	}
	return text
}

// RunBound runs a command that ends when this process does: one that is left behind
// may keep a device busy.
func RunBound(cmd *exec.Cmd) error {
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	dieWithParent(cmd)
	return cmd.Run()
}

// failure is of what a failed test wrote the beginning, where the first failure is, and
// the end, where a crash shows its goroutines; what passed is left out.
func failure(text string) string {
	const first, last = 60, 80
	var lines []string
	for line := range strings.Lines(text) {
		if s := strings.TrimSpace(line); !strings.HasPrefix(s, "=== ") && !strings.HasPrefix(s, "--- PASS") {
			lines = append(lines, line)
		}
	}
	if n := len(lines) - first - last; n > 0 {
		lines = slices.Replace(lines, first, first+n, fmt.Sprintf("[%d lines]\n", n))
	}
	return strings.TrimRight(strings.Join(lines, ""), "\n")
}

// LastLines are the last n lines of a text, for showing what a child wrote.
func LastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
