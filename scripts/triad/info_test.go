package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
)

func TestInfo(t *testing.T) {
	dev := openDevice(t)
	var out, errout bytes.Buffer
	if code := run(context.Background(), []string{"info"}, &out, &errout); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errout)
	}
	for _, want := range []string{"opencl\n", "in use", dev.Info().Name, "has ", "\nnvrtc\n"} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("no %q in:\n%s", want, &out)
		}
	}
}

func TestInfoJSON(t *testing.T) {
	dev := openDevice(t)
	var out, errout bytes.Buffer
	if code := run(context.Background(), []string{"info", "-json"}, &out, &errout); code != 0 {
		t.Fatalf("exit code %d: %s", code, &errout)
	}
	var all struct {
		Backends []struct {
			Backend   string
			Loaded    string
			Libraries []map[string]string
			Devices   []map[string]any
		}
	}
	if err := json.Unmarshal(out.Bytes(), &all); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(out.String(), "null") {
		t.Errorf("a list is null:\n%s", &out)
	}
	info := dev.Info()
	i := 0
	for i < len(all.Backends)-1 && all.Backends[i].Backend != info.Backend {
		i++
	}
	b := all.Backends[i]
	if b.Backend != info.Backend || b.Loaded == "" || len(b.Libraries) == 0 || len(b.Devices) == 0 {
		t.Fatalf("incomplete: %+v", b)
	}
	d := b.Devices[info.Index]
	if d["name"] != info.Name || d["memory_bytes"] != float64(info.Memory) || d["selector"] == nil {
		t.Errorf("device %+v, want %+v", d, info)
	}
}

func TestWrap(t *testing.T) {
	got := wrap("a bb ccc dddd", 8)
	if want := "a bb ccc\ndddd"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
}
