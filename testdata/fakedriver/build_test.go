package fakedriver

import (
	"os"
	"path/filepath"
	"testing"
	"time"
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

func TestOldLibrariesGo(t *testing.T) {
	dir := t.TempDir()
	old, young, wanted := filepath.Join(dir, "old"), filepath.Join(dir, "young"), filepath.Join(dir, "wanted")
	long := time.Now().Add(-kept - time.Hour)
	for _, name := range []string{old, young, wanted} {
		if err := once(name, func(string) error { return nil }); err != nil {
			t.Fatal(err)
		}
		if name == young {
			continue
		}
		if err := os.Chtimes(name, long, long); err != nil {
			t.Fatal(err)
		}
	}
	filled := false
	if err := once(wanted, func(string) error { filled = true; return nil }); err != nil || filled {
		t.Errorf("what was there was made again: %v, error %v", filled, err)
	}
	if err := once(filepath.Join(dir, "new"), func(string) error { return nil }); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]bool{old: false, young: true, wanted: true} {
		if _, err := os.Stat(name); (err == nil) != want {
			t.Errorf("%s is there: %v, want %v", filepath.Base(name), err == nil, want)
		}
	}
}
