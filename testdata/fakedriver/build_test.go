package fakedriver

import (
	"os"
	"testing"
)

func TestLibrariesAreBuiltOnce(t *testing.T) {
	first := build(t, Options{})
	before, err := os.Stat(first.Cuda)
	if err != nil {
		t.Fatal(err)
	}
	if again := build(t, Options{}); again != first {
		t.Errorf("first %v, then %v", first, again)
	}
	if after, err := os.Stat(first.Cuda); err != nil || !os.SameFile(before, after) {
		t.Errorf("the library was built again, or is gone: %v", err)
	}
	for _, path := range []string{first.Nvrtc, first.Include + "/fake_kernel.h", first.Include + "/fake_control.h"} {
		if _, err := os.Stat(path); err != nil {
			t.Error(err)
		}
	}
}
