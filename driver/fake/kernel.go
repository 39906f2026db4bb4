package fake

import (
	"encoding/binary"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// Grid is a launch, as a kernel that is a Go function sees it.
type Grid struct {
	Blocks, Block driver.Dim3 // blocks in the grid, threads in a block
	// Shared is dynamic shared memory, one block's, that of Local parameters
	// included. Its content is undefined.
	Shared []byte
}

// Thread is one thread of a grid.
type Thread struct {
	Block, Thread driver.Dim3 // blockIdx and threadIdx
	X, Y, Z       uint32      // in the whole grid: blockIdx·blockDim + threadIdx
}

// Threads are all threads of the grid, one after the other, for a kernel that wants
// to be as the one on the GPU is.
func (g Grid) Threads() iter.Seq[Thread] {
	return func(yield func(Thread) bool) {
		for b := range places(g.Blocks) {
			for t := range places(g.Block) {
				if !yield(Thread{b, t, b.X*g.Block.X + t.X, b.Y*g.Block.Y + t.Y, b.Z*g.Block.Z + t.Z}) {
					return
				}
			}
		}
	}
}

func places(size driver.Dim3) iter.Seq[driver.Dim3] {
	return func(yield func(driver.Dim3) bool) {
		for z := range size.Z {
			for y := range size.Y {
				for x := range size.X {
					if !yield(driver.Dim3{X: x, Y: y, Z: z}) {
						return
					}
				}
			}
		}
	}
}

// Func is a kernel that is a Go function. Make it with NewFunc.
type Func struct {
	name string
	sig  *driver.Signature
	err  error
	call func(Grid, *control.Launch) error
}

// NewFunc makes a kernel of a Go function. A is the struct of its arguments, one
// field for each parameter, as everywhere in this module; fields of driver.Local are
// 0, since their memory is Grid.Shared.
//
// The function is called once for each launch, for the whole grid, on a goroutine of
// its own, when its stream comes to it; the stream goes on when it returns. [Slice]
// gives it the memory that its pointers point to. An error is a fault of the device,
// as an illegal address would be: Code says which, and any other error is
// LaunchFailed; [Device.KernelErr] has it.
//
// The race detector does not see the order that streams make: what the function
// shares with the test outside of device memory needs a mutex, an atomic or a
// channel.
func NewFunc[A any](name string, fn func(Grid, A) error) Func {
	f := Func{name: name}
	f.sig, f.err = driver.SignatureOf[A]()
	switch {
	case f.err != nil:
	case !kernelName.MatchString(name):
		f.err = driver.Errorf("fake", "NewFunc", driver.ErrInvalidValue, "%.80q is no name of a kernel", name)
	case fn == nil:
		f.err = driver.Errorf("fake", "NewFunc", driver.ErrInvalidValue, "the function of kernel %q is nil", name)
	}
	sig := f.sig
	f.call = func(g Grid, l *control.Launch) error {
		args, err := argsOf[A](sig, l)
		if err != nil {
			return err
		}
		return fn(g, args)
	}
	return f
}

var kernelName = regexp.MustCompile(`^[A-Za-z_$][A-Za-z0-9_$.]*$`)

// Kernel makes a kernel of a Go function, see NewFunc, loads it on the test's device
// and binds it. It is closed when the test ends.
func Kernel[A any](t testing.TB, dev Started, name string, fn func(Grid, A) error) driver.Kernel {
	t.Helper()
	f := NewFunc(name, fn)
	image := Image(t, dev, f)
	m, err := dev.Load(t.Context(), driver.ModuleSource{Kind: driver.SourceBinary, Name: name, Code: image}, driver.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	k, err := m.Kernel(t.Context(), name, f.sig)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = k.Close() })
	return k
}

// Image is an image of kernels that are Go functions, for Device.Load with
// driver.SourceBinary. It serves this process, until the test ends.
func Image(t testing.TB, dev Started, list ...Func) []byte {
	t.Helper()
	text := Text(t, dev, list...)
	image := []byte{0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0} // a fat binary: what follows is its size
	image = binary.LittleEndian.AppendUint64(image, uint64(len(text)))
	image = append(image, text...)
	if d, ok := dev.(*HIPDevice); ok {
		image = bundle(d.Arch(), image)
	}
	return image
}

// bundle is a bundle of one image, as Clang makes them.
func bundle(arch string, image []byte) []byte {
	processor, _, _ := strings.Cut(arch, ":")
	name := "hipv4-amdgcn-amd-amdhsa--" + processor
	b := []byte("__CLANG_OFFLOAD_BUNDLE__")
	for _, n := range []int{1, len(b) + 4*8 + len(name), len(image), len(name)} {
		b = binary.LittleEndian.AppendUint64(b, uint64(n))
	}
	return append(append(b, name...), image...)
}

// Source is a source for package kernelcache of kernels that are Go functions.
func Source(t testing.TB, dev Started, list ...Func) *kernelcache.Source {
	t.Helper()
	return kernelcache.FromBinaries("Go functions", kernelcache.Binary{Backend: dev.Info().Backend, Code: Image(t, dev, list...)})
}

// Text is a text that the fake runtime compiler takes for CUDA C++ or HIP C++, and makes
// kernels of that are Go functions. With it a test replaces kernels that the program
// declared, until it redefines them again:
//
//	err := source.Redefine(ctx, kernelcache.Text{CUDA: fake.Text(t, dev, fn)})
func Text(t testing.TB, dev Started, list ...Func) string {
	t.Helper()
	var b strings.Builder
	b.WriteString(control.Called)
	for _, f := range list {
		if f.call == nil {
			t.Fatal("fake: a Func that NewFunc did not make")
		}
		if f.err != nil {
			t.Fatal(f.err)
		}
		fmt.Fprintf(&b, "%d %s", dev.started().register(f), f.name)
		// What the driver is given has no Local parameters.
		var params []driver.Param
		for _, p := range f.sig.Params {
			if p.Kind != driver.ParamLocal {
				params = append(params, p)
			}
		}
		for _, p := range driver.NewSignature(params).Params {
			fmt.Fprintf(&b, " %d:%d", p.Offset, p.Size)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// CompileC makes an image of C text, for Device.Load with driver.SourceBinary and for
// kernelcache.FromBinaries. The text includes "fake_kernel.h", which says what an
// image is made of, and exports its fake_image_table.
func CompileC(t testing.TB, dev Started, text string) []byte {
	t.Helper()
	cc := os.Getenv("CC")
	if cc == "" || strings.Contains(cc, " ") {
		cc = "gcc"
	}
	out := filepath.Join(t.TempDir(), "image.so")
	cmd := exec.Command(cc, "-x", "c", "-std=gnu11", "-O1", "-Wall", "-fPIC", "-shared", "-I"+dev.started().lib.paths.Include, "-o", out, "-")
	cmd.Stdin = strings.NewReader(text)
	if said, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("fake: compiling C: %v\n%s", err, said)
	}
	image, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	return image
}

// called are the functions that launches can be of, by their numbers. Those begin at
// random, so that an image that was kept from another process finds none.
var called = struct {
	sync.Mutex
	funcs map[uint64]calledFunc
	next  uint64
}{funcs: make(map[uint64]calledFunc), next: rand.Uint64() >> 1}

type calledFunc struct {
	Func
	dev *controls
}

func (d *controls) register(f Func) uint64 {
	called.Lock()
	defer called.Unlock()
	called.next++
	called.funcs[called.next] = calledFunc{f, d}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.funcs = append(d.funcs, called.next)
	return called.next
}

func (d *controls) forget() {
	called.Lock()
	defer called.Unlock()
	for _, id := range d.funcs {
		delete(called.funcs, id)
	}
}

// run runs a launch, and gives the code of its fault.
func run(l *control.Launch) int {
	called.Lock()
	f, ok := called.funcs[l.ID]
	called.Unlock()
	if !ok {
		return int(LaunchFailed) // of a test that has ended
	}
	err := f.guarded(l)
	if err == nil {
		return 0
	}
	f.dev.mu.Lock()
	f.dev.errors = append(f.dev.errors, fmt.Errorf("kernel %q: %w", f.name, err))
	f.dev.mu.Unlock()
	if code := Code(0); errors.As(err, &code) && code > 0 {
		return int(code)
	}
	return int(LaunchFailed)
}

// stray is what Slice panics with, to end a kernel as a GPU does.
type stray struct{ error }

func (f calledFunc) guarded(l *control.Launch) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case stray:
			err = r.error
		default:
			panic(r)
		}
	}()
	g := Grid{
		Blocks: driver.Dim3{X: l.Grid[0], Y: l.Grid[1], Z: l.Grid[2]}, Block: driver.Dim3{X: l.Block[0], Y: l.Block[1], Z: l.Block[2]},
		Shared: l.Shared,
	}
	return f.call(g, l)
}
