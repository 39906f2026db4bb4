package kernelcache_test

import (
	"io/fs"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

func TestEachBackendGetsItsText(t *testing.T) {
	all := fstest.MapFS{
		"k/f.cl":  {Data: []byte("kernel f opencl")},
		"k/f.cu":  {Data: []byte("kernel f cuda")},
		"k/f.hip": {Data: []byte("kernel f hip")},
	}
	noHIP := fstest.MapFS{"k/f.cu": all["k/f.cu"]}
	texts := kernelcache.Text{Name: "f", OpenCL: "kernel f opencl", CUDA: "kernel f cuda", HIP: "kernel f hip"}
	noHIPText := kernelcache.Text{CUDA: "kernel f cuda"}
	for _, c := range []struct {
		src                   *kernelcache.Source
		backend, wantFile, is string
	}{
		{kernelcache.FromFS(all, "k/f"), "opencl", "k/f.cl", "kernel f opencl"},
		{kernelcache.FromFS(all, "k/f"), "cuda", "k/f.cu", "kernel f cuda"},
		{kernelcache.FromFS(all, "k/f"), "hip", "k/f.hip", "kernel f hip"},
		{kernelcache.FromFS(noHIP, "k/f"), "hip", "k/f.cu", "kernel f cuda"},
		{kernelcache.FromText(texts), "opencl", "f.cl", "kernel f opencl"},
		{kernelcache.FromText(texts), "cuda", "f.cu", "kernel f cuda"},
		{kernelcache.FromText(texts), "hip", "f.hip", "kernel f hip"},
		{kernelcache.FromText(noHIPText), "hip", "kernel.cu", "kernel f cuda"},
	} {
		dev := newDevice(c.backend)
		mustOn(t, kernelcache.Declare[struct{}](c.src, "f"), dev)
		want := driver.ModuleSource{Kind: driver.SourceText, Name: c.wantFile, Code: []byte(c.is)}
		if diff := cmp.Diff(want, dev.loads[0].Src); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.backend, diff)
		}
		dev.Close()
	}
}

func TestMissingTextSaysWhatThereIs(t *testing.T) {
	files := fstest.MapFS{
		"k/f.cu":     {Data: []byte("kernel f")},
		"k/f.h":      {},
		"k/fast.cl":  {},
		"empty/sub":  {Mode: fs.ModeDir},
		"other/a.cl": {},
	}
	for _, c := range []struct {
		name     string
		src      *kernelcache.Source
		backend  string
		sentinel error
		words    []string
	}{
		{"kin", kernelcache.FromFS(files, "k/f"), "opencl", driver.ErrNotFound, []string{"k/f.cl", "opencl", "there is k/f.cu, k/f.h"}},
		{"no kin", kernelcache.FromFS(files, "k/g"), "hip", driver.ErrNotFound, []string{"k/g.hip or k/g.cu", "folder holds k/f.cu, k/f.h, k/fast.cl"}},
		{"no folder", kernelcache.FromFS(files, "none/f"), "cuda", driver.ErrNotFound, []string{"none/f.cu", "cannot be listed"}},
		{"empty folder", kernelcache.FromFS(files, "empty/sub/f"), "cuda", driver.ErrNotFound, []string{"folder is empty"}},
		{"bad path", kernelcache.FromFS(files, "/k/f"), "cuda", driver.ErrInvalidValue, []string{`"/k/f"`}},
		{"other backend", kernelcache.FromFS(files, "k/f"), "metal", driver.ErrUnsupported, []string{`"metal"`, "opencl, cuda and hip"}},
		{"no text", kernelcache.FromText(kernelcache.Text{Name: "f", HIP: "kernel f"}), "cuda", driver.ErrNotFound, []string{`"f"`, "cuda", "HIP"}},
		{"no text at all", kernelcache.FromText(kernelcache.Text{}), "opencl", driver.ErrNotFound, []string{"none at all"}},
		{"text, other backend", kernelcache.FromText(kernelcache.Text{OpenCL: "kernel f"}), "metal", driver.ErrUnsupported, []string{`"metal"`}},
	} {
		t.Run(c.name, func(t *testing.T) {
			dev := newDevice(c.backend)
			defer dev.Close()
			wantErr(t, kernelcache.Declare[struct{}](c.src, "f").Bind(ctx, dev), c.sentinel, c.words...)
		})
	}
}

// denied is a file system that refuses to open anything, until allowed.
type denied struct {
	fs.FS
	allowed bool
}

func (d *denied) Open(name string) (fs.File, error) {
	if d.allowed {
		return d.FS.Open(name)
	}
	return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
}

func TestUnreadableFileIsTriedAgain(t *testing.T) {
	files := &denied{FS: fstest.MapFS{"f.cl": {Data: []byte("kernel f")}}}
	k := kernelcache.Declare[struct{}](kernelcache.FromFS(files, "f"), "f")
	dev := newDevice("opencl")
	defer dev.Close()
	wantErr(t, k.Bind(ctx, dev), fs.ErrPermission, "f.cl")
	files.allowed = true
	if err := k.Bind(ctx, dev); err != nil {
		t.Error(err)
	}
}

// A file that changes under a source does not give two devices two kernels.
func TestFileIsReadOnce(t *testing.T) {
	files := fstest.MapFS{"f.cl": {Data: []byte("kernel f // 1")}}
	k := kernelcache.Declare[struct{}](kernelcache.FromFS(files, "f"), "f")
	for range 2 {
		dev := newDevice("opencl")
		defer dev.Close()
		if got := mustOn(t, k, dev).module.code; got != "kernel f // 1" {
			t.Errorf("read %q", got)
		}
		files["f.cl"].Data = []byte("kernel f // 2")
	}
}
