package drivertest

import (
	"os"
	"strings"
	"testing"
)

func TestChildrenRunOneTestWithTheirEnvironment(t *testing.T) {
	if out := RunChild(t, "TestInAChild", "TRIAD_TEST_WORD=there"); !strings.Contains(out, "the word is there") || strings.Contains(out, "TestChildrenRun") {
		t.Errorf("the child wrote %q", out)
	}
	if got := LastLines("a\nb\nc\n", 2); got != "b\nc" {
		t.Errorf("the last lines are %q", got)
	}
}

func TestFailuresAreShownFromTheFirst(t *testing.T) {
	text := "=== RUN   TestX\n    x_test.go:7: the first\n    --- PASS: TestX/y (0.00s)\n"
	if got := failure(text); got != "    x_test.go:7: the first" {
		t.Errorf("of little, %q is shown", got)
	}
	text += strings.Repeat("goroutine\n", 1000) + "the last\n"
	got := failure(text)
	if n := strings.Count(got, "\n"); n > 150 || !strings.Contains(got, "the first\n") || !strings.Contains(got, "[862 lines]\n") || !strings.HasSuffix(got, "\nthe last") {
		t.Errorf("of much, %d lines are shown:\n%s", n, got)
	}
}

func TestInAChild(t *testing.T) {
	OnlyAsChild(t)
	if !IsChild() {
		t.Error("is no child")
	}
	t.Logf("the word is %s", os.Getenv("TRIAD_TEST_WORD"))
}
