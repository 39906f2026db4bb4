package drivertest

import (
	"bytes"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"
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
	args := []string{"-test.run=^" + test + "$", "-test.v", "-test.timeout=120s"}
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
		t.Errorf("%s with %s: %v\n%s", test, strings.Join(env, " "), err, LastLines(text, 80))
	case !strings.Contains(text, "--- PASS: "+test) && !strings.Contains(text, "--- SKIP: "+test):
		t.Errorf("%s did not run:\n%s", test, LastLines(text, 80))
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

// LastLines are the last n lines of a text, for showing what a child wrote.
func LastLines(s string, n int) string {
	lines := strings.Split(strings.TrimSpace(s), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}
