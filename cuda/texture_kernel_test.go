package cuda

import (
	_ "embed"
	"errors"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

//go:embed testdata/textures.cu
var texturesSource []byte

type lookArgs struct {
	From  TextureRef
	To    SurfaceRef
	Out   driver.Ptr[float32]
	Width uint32
}

type listArgs struct {
	From TextureRef
	Out  driver.Ptr[uint32]
}

// textureKernel binds a kernel of textures.cu.
func textureKernel[A any](t testing.TB, d *Device, name string) *Kernel {
	t.Helper()
	if isFake() {
		drivertest.Lacks(t, "real-cuda", "the fake driver's kernels know no textures")
	}
	m, err := d.LoadModule(t.Context(), driver.ModuleSource{Kind: driver.SourceText, Name: "textures.cu", Code: texturesSource}, driver.BuildOptions{})
	if errors.Is(err, driver.ErrUnavailable) {
		drivertest.Unavailable(t, "nvrtc", err)
	}
	check(t, err)
	t.Cleanup(func() { _ = m.Close() })
	sig, err := driver.SignatureOf[A]()
	check(t, err)
	k, err := m.Bind(t.Context(), name, sig)
	check(t, err)
	t.Cleanup(func() { _ = k.Close() })
	return k
}

func TestKernelsReadTextures(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	k := textureKernel[lookArgs](t, d, "look")
	s := newStream(t, d)
	const side = 4
	a := memorytest.NewArray(t, d, ArrayOptions{Width: side, Height: side, Format: FormatFloat32})
	written := memorytest.NewArray(t, d, ArrayOptions{Width: side, Height: side, Format: FormatFloat32, Surface: true})
	in, err := driver.Alloc[float32](d, side*side)
	check(t, err)
	defer in.Close()
	values := make([]float32, side*side)
	for i := range values {
		values[i] = float32(i + 1)
	}
	check(t, in.CopyFrom(t.Context(), s, values))
	check(t, s.CopyToArray(a, Texels{}, in.Memory(), driver.Rect{}, Texels{side, side, 1}))
	out, err := driver.Alloc[float32](d, 3*side*side)
	check(t, err)
	defer out.Close()
	x, err := a.Texture(TextureOptions{
		Address: [3]AddressMode{AddressBorder, AddressBorder}, Filter: FilterLinear, Border: [4]float32{100, 0, 0, 0},
	})
	check(t, err)
	to, err := written.Surface()
	check(t, err)
	args := lookArgs{From: x.Ref(), To: to.Ref(), Out: out.Ptr(), Width: side}
	check(t, k.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: side, Y: side}}, driver.ArgsOf(&args)))
	check(t, x.Close()) // the kernel may still be at it
	check(t, to.Close())
	got := make([]float32, 3*side*side)
	check(t, out.CopyTo(t.Context(), s, got))
	check(t, s.CopyFromArray(in.Memory(), driver.Rect{}, written, Texels{}, Texels{side, side, 1}))
	doubled := make([]float32, side*side)
	check(t, in.CopyTo(t.Context(), s, doubled))
	for i, v := range values {
		between := v + 0.5
		if i%side == side-1 {
			between = (v + 100) / 2
		}
		if got[3*i] != v || got[3*i+1] != 100 || got[3*i+2] != between || doubled[i] != 2*v {
			t.Errorf("element %d, %g: read %g, beyond %g, between %g, written %g", i, v, got[3*i], got[3*i+1], got[3*i+2], doubled[i])
		}
	}
}

func TestKernelsReadLinearTextures(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	k := textureKernel[listArgs](t, d, "list")
	s := newStream(t, d)
	const n = 256
	m := memorytest.Scratch(t, d, n)
	want := memorytest.Pattern(n)
	check(t, s.CopyFromHost(t.Context(), m, 0, want))
	x, err := d.LinearTexture(m, 0, n, FormatUint8, 1, TextureOptions{ReadAsInteger: true})
	check(t, err)
	defer x.Close()
	out, err := driver.Alloc[uint32](d, n)
	check(t, err)
	defer out.Close()
	args := listArgs{From: x.Ref(), Out: out.Ptr()}
	check(t, k.Launch(s, driver.LaunchConfig{Grid: driver.Dim3{X: 1}, Block: driver.Dim3{X: n}}, driver.ArgsOf(&args)))
	got := make([]uint32, n)
	check(t, out.CopyTo(t.Context(), s, got))
	for i, v := range got {
		if v != uint32(want[i]) {
			t.Fatalf("element %d is %d, not %d", i, v, want[i])
		}
	}
}
