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

func TestInAChild(t *testing.T) {
	OnlyAsChild(t)
	if !IsChild() {
		t.Error("is no child")
	}
	t.Logf("the word is %s", os.Getenv("TRIAD_TEST_WORD"))
}
