package diskcache

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

func TestWhatOthersCanWriteIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // which has no such modes
	}
	s := open(t, 0)
	put(t, s, 1)
	for _, mode := range []os.FileMode{0o770, 0o702, 0o777} {
		if err := os.Chmod(s.Dir(), mode); err != nil {
			t.Fatal(err)
		}
		if _, err := Open(s.Dir(), 0); err == nil || !strings.Contains(err.Error(), "chmod") || !strings.Contains(err.Error(), s.Dir()) {
			t.Errorf("mode %v: Open gives %v", mode, err)
		}
		key, e := entry(2)
		if has(s, 1) || s.Put(key, e) == nil {
			t.Errorf("mode %v: used", mode)
		}
	}
	if err := os.Chmod(s.Dir(), 0o755); err != nil {
		t.Fatal(err)
	}
	if !has(s, 1) {
		t.Error("a folder that others may only read was refused")
	}
	key, _ := entry(1)
	if err := os.Chmod(s.path(key), 0o620); err != nil {
		t.Fatal(err)
	}
	if has(s, 1) {
		t.Error("a file that the group may write to was used")
	}
}

// Only root can give a file away; others find one that is root's.
func TestWhatBelongsToOthersIsRefused(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // which has no such owners
	}
	s := open(t, 0)
	put(t, s, 1)
	if os.Geteuid() != 0 {
		if _, err := Open(string(filepath.Separator), 0); err == nil {
			t.Error("root's folder passes as ours")
		}
		return
	}
	key, e := entry(1)
	if err := os.Chown(s.path(key), 12345, -1); err != nil {
		t.Fatal(err)
	}
	if has(s, 1) {
		t.Error("another user's file was used")
	}
	if err := os.Chown(s.Dir(), 12345, -1); err != nil {
		t.Fatal(err)
	}
	if _, err := Open(s.Dir(), 0); err == nil || !strings.Contains(err.Error(), "belongs to user 12345") {
		t.Errorf("another user's folder: %v", err)
	}
	if err := s.Put(key, e); err == nil {
		t.Error("another user's folder was written to")
	}
}

// What is there can be read from a folder that cannot be written to.
func TestReadOnlyFolder(t *testing.T) {
	s := open(t, 0)
	put(t, s, 1)
	key, e := entry(2)
	if os.Geteuid() == 0 { // whom modes do not stop
		s, err := Open("/sys", 0)
		if err != nil {
			return // on no Linux
		}
		if err := s.Put(key, e); err == nil || has(s, 2) {
			t.Errorf("stored in /sys: %v", err)
		}
		return
	}
	if err := os.Chmod(s.Dir(), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(s.Dir(), 0o700)
	if err := s.Put(key, e); err == nil {
		t.Error("stored in a read-only folder")
	}
	if !has(s, 1) {
		t.Error("nothing is found in a read-only folder")
	}
}
