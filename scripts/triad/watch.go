package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
)

// watchArgs are the parameters of the kernel that is watched.
type watchArgs struct {
	Out   driver.Ptr[float32]
	N     uint32
	Frame uint32
}

// watchKernel is what a folder without a kernel gets, to be edited. The names of
// files are those that kernelcache.FromFS looks for.
var watchKernel = map[string]struct{ file, code string }{
	"opencl": {"watch.cl", `// Edit me while "triad watch" runs.
kernel void watch(global float *out, uint n, uint frame) {
	uint i = get_global_id(0);
	if (i < n) out[i] = i + 0.5f;
}
`},
	"cuda": {"watch.cu", watchCUDA},
	"hip":  {"watch.hip", watchCUDA},
}

const watchCUDA = `// Edit me while "triad watch" runs.
extern "C" __global__ void watch(float *out, unsigned n, unsigned frame) {
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n) out[i] = i + 0.5f;
}
`

const (
	watchN    = 1 << 12
	watchPoll = 100 * time.Millisecond // how often the file is looked at
)

const watchHelp = `Launches the kernel "watch" of DIR/watch.cl (CUDA: watch.cu, HIP: watch.hip) over
and over, and reports its rate and first results. A folder without the file gets
one. Edit it meanwhile: each version that compiles takes over between two
launches, and of each that doesn't the compiler's log is shown while the former
one goes on.`

func setupWatch(flags *flag.FlagSet) func(context.Context, output) error {
	device := deviceFlag(flags)
	limit := flags.Duration("for", 0, "stop after this `time` (default: when interrupted)")
	every := flags.Duration("every", 2*time.Second, "`time` between reports of the rate")
	return func(ctx context.Context, o output) error {
		if flags.NArg() == 0 {
			return errors.New("watch: which folder? It holds, or gets, the file watch.cl")
		}
		if *every <= 0 {
			return fmt.Errorf("watch: -every %v", *every)
		}
		if *limit > 0 {
			var cancel context.CancelFunc
			ctx, cancel = context.WithTimeout(ctx, *limit)
			defer cancel()
		}
		dev, err := driver.Open(*device)
		if err != nil {
			return err
		}
		defer dev.Close()
		w, err := newWatcher(dev, flags.Arg(0), o.out)
		if err != nil {
			return fmt.Errorf("watch: %w", err)
		}
		err = w.run(ctx, *every)
		if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
			return nil // interrupted, or the time is up
		}
		return err
	}
}

// watcher launches a kernel over and over, and has it redefined when its file
// changes.
type watcher struct {
	dev    driver.Device
	file   string
	seen   version // of the file when it was last read
	source *kernelcache.Source
	kernel *kernelcache.Kernel[watchArgs]

	mu  sync.Mutex // guards out: the edits and the launches report
	out io.Writer
}

func (w *watcher) printf(format string, args ...any) {
	w.mu.Lock()
	defer w.mu.Unlock()
	fmt.Fprintf(w.out, format, args...)
}

// version tells versions of a file apart.
type version struct {
	time int64
	size int64
}

func versionOf(info os.FileInfo) version { return version{info.ModTime().UnixNano(), info.Size()} }

func newWatcher(dev driver.Device, dir string, out io.Writer) (*watcher, error) {
	starter, ok := watchKernel[dev.Info().Backend]
	if !ok {
		return nil, fmt.Errorf("there is no kernel language for %s", dev.Info().Backend)
	}
	w := &watcher{dev: dev, file: filepath.Join(dir, starter.file), out: out}
	info, err := os.Stat(w.file)
	if errors.Is(err, os.ErrNotExist) {
		if err = os.MkdirAll(dir, 0o755); err == nil {
			err = os.WriteFile(w.file, []byte(starter.code), 0o644)
		}
		if err == nil {
			fmt.Fprintf(out, "wrote %s\n", w.file)
			info, err = os.Stat(w.file)
		}
	}
	if err != nil {
		return nil, err
	}
	w.seen = versionOf(info)
	w.source = kernelcache.FromFS(os.DirFS(dir), "watch")
	w.kernel = kernelcache.Declare[watchArgs](w.source, "watch")
	return w, nil
}

func (w *watcher) run(ctx context.Context, every time.Duration) error {
	// The hook is told what a redefinition took.
	hook := &kernelcache.Hook{Resolved: func(r *kernelcache.Resolution) {
		if r.Err == nil {
			w.printf("world %d: %s, from %s in %.1f ms\n", r.World, w.file, r.Origin, r.Times.Total.Seconds()*1000)
		}
	}}
	hooked := kernelcache.WithHook(ctx, hook)
	if err := w.kernel.Bind(hooked, w.dev); err != nil {
		return err
	}
	s, err := w.dev.NewStream(driver.StreamOptions{})
	if err != nil {
		return err
	}
	defer s.Close()
	out, err := driver.Alloc[float32](w.dev, watchN)
	if err != nil {
		return err
	}
	defer out.Close()

	watching, stop := context.WithCancel(hooked)
	stopped := make(chan struct{})
	go func() {
		defer close(stopped)
		w.watch(watching)
	}()
	defer func() {
		stop()
		<-stopped
	}()
	return w.launch(ctx, s, out, every)
}

// launch launches until ctx ends, and reports the rate and the first results.
func (w *watcher) launch(ctx context.Context, s driver.Stream, out *driver.Buffer[float32], every time.Duration) error {
	const batch = 100
	first := make([]float32, 4)
	n, begin := 0, time.Now()
	for frame := uint32(0); ; frame++ {
		if err := w.kernel.Launch(s, driver.Grid1D(watchN, 64), watchArgs{out.Ptr(), watchN, frame}); err != nil {
			return err
		}
		if n++; n%batch != 0 {
			continue
		}
		if err := s.Wait(ctx); err != nil {
			return err
		}
		if elapsed := time.Since(begin); elapsed >= every {
			if err := out.CopyTo(ctx, s, first); err != nil {
				return err
			}
			w.printf("world %d: %.0f launches/s, results %v …\n", kernelcache.World(), float64(n)/elapsed.Seconds(), first)
			n, begin = 0, time.Now()
		}
	}
}

// watch looks at the file until ctx ends.
func (w *watcher) watch(ctx context.Context) {
	tick := time.NewTicker(watchPoll)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		info, err := os.Stat(w.file)
		if err != nil || versionOf(info) == w.seen {
			continue // an editor may have put it aside for a moment
		}
		code, err := os.ReadFile(w.file)
		if err != nil || len(code) == 0 {
			continue
		}
		w.seen = versionOf(info)
		if err := w.redefine(ctx, string(code)); err != nil && ctx.Err() == nil {
			w.printf("world %d goes on: %s\n", kernelcache.World(), strings.TrimSpace(err.Error()))
		}
	}
}

func (w *watcher) redefine(ctx context.Context, code string) error {
	var t kernelcache.Text
	switch filepath.Ext(w.file) {
	case ".cl":
		t.OpenCL = code
	case ".cu":
		t.CUDA = code
	case ".hip":
		t.HIP = code
	}
	return w.source.Redefine(ctx, t)
}
