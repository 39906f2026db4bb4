package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/kernelcache/diskcache"
)

// lines hands on what is written, line by line.
type lines struct {
	ch   chan string
	part []byte
}

func (l *lines) Write(b []byte) (int, error) {
	l.part = append(l.part, b...)
	for {
		line, rest, ok := bytes.Cut(l.part, []byte("\n"))
		if !ok {
			return len(b), nil
		}
		l.ch <- string(line)
		l.part = rest
	}
}

// await reads lines until one says all of words.
func (l *lines) await(t *testing.T, words ...string) string {
	t.Helper()
	var seen []string
	for end := time.After(30 * time.Second); ; {
		select {
		case line := <-l.ch:
			seen = append(seen, line)
			found := true
			for _, w := range words {
				found = found && strings.Contains(line, w)
			}
			if found {
				return line
			}
		case <-end:
			t.Fatalf("no line says %q; there were\n%s", words, strings.Join(seen, "\n"))
		}
	}
}

func TestWatchFollowsTheFile(t *testing.T) {
	dev := openDevice(t)
	if dev.Info().Backend != "opencl" {
		t.Logf("the edits below are OpenCL's, and the device is %s's", dev.Info().Backend)
		return
	}
	dir := filepath.Join(t.TempDir(), "kernels")
	out := &lines{ch: make(chan string, 1000)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan int)
	go func() { done <- run(ctx, []string{"watch", "-every", "20ms", dir}, out, io.Discard) }()
	out.await(t, "wrote", "watch.cl")
	out.await(t, "world", "from compiler in", "ms")
	out.await(t, "launches/s", "results [0.5 1.5 2.5 3.5]")

	file := filepath.Join(dir, "watch.cl")
	code, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	edit := func(to string) {
		t.Helper()
		text := strings.Replace(string(code), "i + 0.5f", to, 1)
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	edit("7.0f")
	out.await(t, "world", "from compiler in")
	out.await(t, "launches/s", "results [7 7 7 7]")
	edit("nonsense")
	out.await(t, "goes on")
	out.await(t, "nonsense")
	out.await(t, "launches/s", "results [7 7 7 7]")
	edit("i * 2.0f")
	out.await(t, "launches/s", "results [0 2 4 6]")
	cancel()
	for {
		select {
		case <-out.ch:
		case code := <-done:
			if code != 0 {
				t.Errorf("exit code %d", code)
			}
			return
		}
	}
}

func TestWatchStopsByItself(t *testing.T) {
	openDevice(t)
	var out, errout bytes.Buffer
	if code := run(context.Background(), []string{"watch", "-for", "300ms", "-every", "10ms", t.TempDir()}, &out, &errout); code != 0 || errout.Len() > 0 {
		t.Errorf("exit code %d, stderr %q", code, &errout)
	}
}

func TestCacheListsVerifiesAndClears(t *testing.T) {
	openDevice(t)
	dir := filepath.Join(t.TempDir(), "cache")
	t.Setenv(diskcache.EnvSwitch, "")
	t.Setenv(diskcache.EnvDir, dir)
	cache := func(want int, action string, words ...string) {
		t.Helper()
		var out, errout bytes.Buffer
		code := run(context.Background(), []string{"cache", action}, &out, &errout)
		for _, w := range append(words, dir) {
			if !strings.Contains(out.String(), w) {
				t.Errorf("triad cache %s lacks %q:\n%s", action, w, &out)
			}
		}
		if code != want {
			t.Errorf("triad cache %s: exit code %d; want %d\n%s", action, code, want, &errout)
		}
	}
	cache(0, "list", "0 entries")
	watched := &lines{ch: make(chan string, 1000)}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	done := make(chan int)
	go func() { done <- run(ctx, []string{"watch", t.TempDir()}, watched, io.Discard) }()
	watched.await(t, "from compiler")
	cancel()
	if code := <-done; code != 0 {
		t.Fatalf("exit code %d", code)
	}
	cache(0, "list", "watch.c", " for ", "1 entries")
	cache(0, "verify", "1 entries, 0 unusable")
	list, err := filepath.Glob(filepath.Join(dir, "*.kernel"))
	if err != nil || len(list) != 1 {
		t.Fatalf("%v, %v", list, err)
	}
	if err := os.Truncate(list[0], 1000); err != nil {
		t.Fatal(err)
	}
	cache(0, "list", "unusable: damaged")
	cache(1, "verify", "1 entries, 1 unusable", "removed")
	cache(0, "clear", "0 entries removed")
	if err := os.Chmod(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	var errout bytes.Buffer
	if code := run(context.Background(), []string{"cache"}, io.Discard, &errout); code != 1 || !strings.Contains(errout.String(), "chmod") {
		t.Errorf("a folder open to all: exit code %d, %s", code, &errout)
	}
}
