package diskcache

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver/drivertest"
)

func open(t testing.TB, limit int64) *Store {
	t.Helper()
	s, err := Open(filepath.Join(t.TempDir(), "cache"), limit)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func entry(i int) (Key, *Entry) {
	return KeyOf(fmt.Sprint(i)), &Entry{
		Source: fmt.Sprintf("k%d.cl", i), Device: "dev", Options: "-w", Log: "log",
		Description: []byte("facts"), Binary: bytes.Repeat([]byte{byte(i)}, 1000),
	}
}

func put(t testing.TB, s *Store, i int) {
	t.Helper()
	key, e := entry(i)
	if err := s.Put(key, e); err != nil {
		t.Fatal(err)
	}
}

func has(s *Store, i int) bool {
	key, want := entry(i)
	e, ok := s.Get(key)
	return ok && e.Source == want.Source && bytes.Equal(e.Binary, want.Binary) && string(e.Description) == "facts" && e.Log == "log" && e.Options == "-w" && e.Device == "dev"
}

func TestPutAndGet(t *testing.T) {
	s := open(t, 0)
	if has(s, 1) {
		t.Error("found in an empty folder")
	}
	put(t, s, 1)
	put(t, s, 2)
	put(t, s, 1) // again
	if !has(s, 1) || !has(s, 2) || has(s, 3) {
		t.Error("not what was put")
	}
	if info, err := os.Stat(s.Dir()); err != nil || runtime.GOOS != "windows" && info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info.Mode(), err)
	}
	key, _ := entry(1)
	for range 2 {
		if err := s.Remove(key); err != nil {
			t.Error(err)
		}
	}
	if has(s, 1) || !has(s, 2) {
		t.Error("Remove removed the wrong one")
	}
}

func TestKeysKeepFieldsApart(t *testing.T) {
	seen := map[Key]string{}
	for _, f := range [][]string{{}, {""}, {"", ""}, {"a", "b"}, {"ab"}, {"ab", ""}, {"", "ab"}, {"a\x00b"}, {"b", "a"}} {
		key := KeyOf(f...)
		if was, ok := seen[key]; ok {
			t.Errorf("%q has the key of %s", f, was)
		}
		seen[key] = fmt.Sprintf("%q", f)
		if got, ok := keyOfFile(key.String() + suffix); !ok || got != key {
			t.Errorf("%q: the file name reads as %v, %v", f, got, ok)
		}
	}
}

// What was used last stays; reading counts as use.
func TestEvictionOfTheLeastRecentlyUsed(t *testing.T) {
	key, e := entry(0)
	size := int64(len(encode(key, e)))
	s := open(t, 10*size+100)
	for i := range 10 {
		put(t, s, i)
		age(t, s, i, time.Hour-time.Duration(i)*time.Minute)
	}
	if !has(s, 0) { // the oldest, and now the newest
		t.Fatal("0 is gone before its time")
	}
	put(t, s, 10)
	for i := range 11 {
		if want := i == 0 || i > 2; has(s, i) != want {
			t.Errorf("entry %d: there %v; want %v", i, !want, want)
		}
	}
}

func age(t testing.TB, s *Store, i int, by time.Duration) {
	t.Helper()
	key, _ := entry(i)
	then := time.Now().Add(-by)
	if err := os.Chtimes(s.path(key), then, then); err != nil {
		t.Fatal(err)
	}
}

func TestEntriesBeyondTheLimitAreRefused(t *testing.T) {
	s := open(t, 500)
	key, e := entry(1)
	if err := s.Put(key, e); err == nil || !strings.Contains(err.Error(), "limit") || !strings.Contains(err.Error(), "k1.cl") {
		t.Errorf("error %v", err)
	}
	// Nor is a file of absurd size read.
	if err := os.WriteFile(s.path(key), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(s.path(key), 1<<40); err != nil { // sparse
		t.Fatal(err)
	}
	if has(s, 1) {
		t.Error("a tebibyte was read")
	}
	if _, err := os.Stat(s.path(key)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("and is still there: %v", err)
	}
}

func TestFailedWritesLeaveNothing(t *testing.T) {
	s := open(t, 0)
	key, e := entry(1)
	if err := os.MkdirAll(filepath.Join(s.path(key), "x"), 0o700); err != nil { // so that renaming onto it fails
		t.Fatal(err)
	}
	if err := s.Put(key, e); err == nil {
		t.Error("no error")
	}
	list, err := os.ReadDir(s.Dir())
	if err != nil || len(list) != 1 {
		t.Errorf("left behind: %v, %v", list, err)
	}
}

// A full disk is one where no file can grow.
func TestFullDisk(t *testing.T) {
	if runtime.GOOS == "windows" {
		return // which has no such limit
	}
	if os.Getenv("TRIAD_TEST_FULL") != "" {
		s, err := Open(os.Getenv("TRIAD_TEST_FULL"), 0)
		if err != nil {
			t.Fatal(err)
		}
		key, e := entry(1)
		if err := s.Put(key, e); err == nil {
			t.Fatal("stored on a full disk")
		}
		if list, err := os.ReadDir(s.Dir()); err != nil || len(list) != 0 {
			t.Fatalf("left behind: %v, %v", list, err)
		}
		return
	}
	// The shell's limit on file sizes, 512 bytes here, stops writes as a full disk
	// does; the runtime ignores its signal.
	again := drivertest.Again(t, "-test.run=^TestFullDisk$")
	cmd := exec.Command("sh", append([]string{"-c", `trap '' XFSZ; ulimit -f 1; exec "$@"`, "sh"}, again.Args...)...)
	cmd.Env = append(os.Environ(), "TRIAD_TEST_FULL="+t.TempDir())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

func TestLeftTemporaryFilesGo(t *testing.T) {
	s := open(t, 0)
	for name, old := range map[string]bool{"writing-1": true, "writing-2": false} {
		path := filepath.Join(s.Dir(), name)
		if err := os.WriteFile(path, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if old {
			then := time.Now().Add(-2 * time.Hour)
			if err := os.Chtimes(path, then, then); err != nil {
				t.Fatal(err)
			}
		}
	}
	put(t, s, 1)
	_, err1 := os.Stat(filepath.Join(s.Dir(), "writing-1"))
	_, err2 := os.Stat(filepath.Join(s.Dir(), "writing-2"))
	if !errors.Is(err1, fs.ErrNotExist) || err2 != nil {
		t.Errorf("the old one: %v, the new one: %v", err1, err2)
	}
}

func TestListAndClear(t *testing.T) {
	s := open(t, 0)
	for i := range 3 {
		put(t, s, i)
		age(t, s, i, time.Duration(10-i)*time.Minute)
	}
	key, _ := entry(1)
	b, _ := os.ReadFile(s.path(key))
	b[100] ^= 1
	if err := os.WriteFile(s.path(key), b, 0o600); err != nil {
		t.Fatal(err)
	}
	age(t, s, 1, time.Hour)
	other := filepath.Join(s.Dir(), "notes.txt")
	if err := os.WriteFile(other, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	list, err := s.List()
	if err != nil || len(list) != 3 {
		t.Fatalf("%d entries, %v", len(list), err)
	}
	for i, want := range []string{"k2.cl", "k0.cl"} {
		if list[i].Err != nil || list[i].Entry.Source != want {
			t.Errorf("entry %d: %+v; want %s", i, list[i], want)
		}
	}
	if list[2].Err == nil || list[2].Key != key {
		t.Errorf("the damaged one: %+v", list[2])
	}
	n, size, err := s.Clear()
	if n != 3 || size < 3000 || err != nil {
		t.Errorf("cleared %d entries, %d bytes, %v", n, size, err)
	}
	if _, err := os.Stat(other); err != nil {
		t.Errorf("Clear took another's file: %v", err)
	}
}

// Many processes stand behind stores of one folder: each finds whole entries or
// none, whatever the others write, read, evict and clear.
func TestManyAtOnce(t *testing.T) {
	key, e := entry(0)
	size := int64(len(encode(key, e)))
	dir := filepath.Join(t.TempDir(), "cache")
	var wg sync.WaitGroup
	for g := range 8 {
		s, err := Open(dir, 6*size)
		if err != nil {
			t.Fatal(err)
		}
		wg.Add(1)
		go func() {
			defer wg.Done()
			for n := range 200 {
				i := (g*7 + n) % 10
				key, want := entry(i)
				if e, ok := s.Get(key); ok && !bytes.Equal(e.Binary, want.Binary) {
					t.Errorf("entry %d is wrong", i)
				}
				if err := s.Put(key, want); err != nil {
					t.Errorf("Put: %v", err)
				}
				if n%50 == 49 {
					if _, _, err := s.Clear(); err != nil {
						t.Errorf("Clear: %v", err)
					}
				}
			}
		}()
	}
	wg.Wait()
}

// Processes that are killed while they write leave whole entries or none.
func TestKilledWriters(t *testing.T) {
	if dir := os.Getenv("TRIAD_TEST_WRITER"); dir != "" {
		s, err := Open(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println("writing")
		for n := 0; ; n++ {
			put(t, s, n%4)
		}
	}
	dir := filepath.Join(t.TempDir(), "cache")
	rounds := 10
	if testing.Short() {
		rounds = 3
	}
	for range rounds {
		cmd := drivertest.Again(t, "-test.run=^TestKilledWriters$")
		cmd.Env = append(os.Environ(), "TRIAD_TEST_WRITER="+dir)
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 7)); err != nil {
			t.Error(err)
		}
		s, err := Open(dir, 0)
		if err != nil {
			t.Fatal(err)
		}
		for range 200 { // while it writes
			_ = has(s, 0)
		}
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
		list, err := s.List()
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range list {
			if l.Err != nil {
				t.Errorf("after a kill: %v", l.Err)
			}
		}
	}
}

func TestFromEnv(t *testing.T) {
	for _, c := range []struct {
		on, dir, mb string
		want        Config
		fails       bool
	}{
		{"off", "/x", "lots", Config{}, false},
		{"", "/x", "", Config{"/x", 0}, false},
		{"", "/x", "3", Config{"/x", 3 << 20}, false},
		{"", "/x", "0", Config{}, true},
		{"", "/x", "-1", Config{}, true},
		{"", "/x", "9999999999999999", Config{}, true},
	} {
		t.Setenv(EnvSwitch, c.on)
		t.Setenv(EnvDir, c.dir)
		t.Setenv(EnvLimit, c.mb)
		got, err := FromEnv()
		if (err != nil) != c.fails || err == nil && got != c.want {
			t.Errorf("%+v: %+v, %v", c, got, err)
		}
	}
	t.Setenv(EnvSwitch, "")
	t.Setenv(EnvDir, "")
	t.Setenv(EnvLimit, "")
	t.Setenv("XDG_CACHE_HOME", "/x")
	t.Setenv("HOME", "/home")
	if got, err := FromEnv(); err != nil || filepath.Base(got.Dir) != "triad" {
		t.Errorf("%+v, %v", got, err)
	}
}
