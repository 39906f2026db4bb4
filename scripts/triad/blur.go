package main

import (
	"context"
	"image"
	"math"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache"
	"github.com/triad-gpu/triad/testdata/kernels"
)

type rowsArgs struct {
	Src                   driver.Ptr[driver.UChar4]
	Dst                   driver.Ptr[driver.Float4]
	Weights               driver.Ptr[float32]
	Radius, Width, Height int32
}

type columnsArgs struct {
	Src                   driver.Ptr[driver.Float4]
	Dst                   driver.Ptr[driver.UChar4]
	Weights               driver.Ptr[float32]
	Radius, Width, Height int32
}

var (
	blurSource  = kernelcache.FromFS(kernels.Files, "blur")
	blurRows    = kernelcache.Declare[rowsArgs](blurSource, "blur_rows")
	blurColumns = kernelcache.Declare[columnsArgs](blurSource, "blur_columns")
)

// gauss is one half of a bell of the given standard deviation, the middle
// first, cut off at three deviations; the whole bell sums to 1.
func gauss(sigma float64) []float32 {
	radius := int(math.Ceil(3 * sigma))
	half := make([]float64, radius+1)
	var sum float64
	for i := range half {
		half[i] = math.Exp(-float64(i*i) / (2 * sigma * sigma))
		sum += half[i]
		if i > 0 {
			sum += half[i]
		}
	}
	weights := make([]float32, len(half))
	for i, w := range half {
		weights[i] = float32(w / sum)
	}
	return weights
}

// blurrer has a picture on a device, and blurs it there.
type blurrer struct {
	stream  driver.Stream
	src     *driver.Buffer[driver.UChar4]
	between *driver.Buffer[driver.Float4]
	dst     *driver.Buffer[driver.UChar4]
	weights *driver.Buffer[float32]
	size    image.Point
	cfg     driver.LaunchConfig
	rows    rowsArgs
	columns columnsArgs
}

// bindBlur compiles the kernels.
func bindBlur(ctx context.Context, dev driver.Device) error {
	if err := blurRows.Bind(ctx, dev); err != nil {
		return err
	}
	return blurColumns.Bind(ctx, dev)
}

// newBlurrer copies the picture and the weights to the device.
func newBlurrer(ctx context.Context, dev driver.Device, img *image.RGBA, weights []float32) (*blurrer, error) {
	b := &blurrer{size: img.Bounds().Size()}
	if err := b.open(ctx, dev, img, weights); err != nil {
		b.close()
		return nil, err
	}
	return b, nil
}

func (b *blurrer) open(ctx context.Context, dev driver.Device, img *image.RGBA, weights []float32) (err error) {
	n := b.size.X * b.size.Y
	if b.stream, err = dev.NewStream(driver.StreamOptions{}); err != nil {
		return err
	}
	if b.src, err = driver.Alloc[driver.UChar4](dev, n); err != nil {
		return err
	}
	if b.between, err = driver.Alloc[driver.Float4](dev, n); err != nil {
		return err
	}
	if b.dst, err = driver.Alloc[driver.UChar4](dev, n); err != nil {
		return err
	}
	if b.weights, err = driver.Alloc[float32](dev, len(weights)); err != nil {
		return err
	}
	if err = b.weights.CopyFrom(ctx, b.stream, weights); err != nil {
		return err
	}
	if err = b.stream.CopyFromHost(ctx, b.src.Memory(), 0, img.Pix); err != nil {
		return err
	}
	x, y, err := b.block(ctx, dev)
	if err != nil {
		return err
	}
	b.cfg = driver.Grid2D(b.size.X, b.size.Y, x, y)
	radius, width, height := int32(len(weights)-1), int32(b.size.X), int32(b.size.Y)
	b.rows = rowsArgs{b.src.Ptr(), b.between.Ptr(), b.weights.Ptr(), radius, width, height}
	b.columns = columnsArgs{b.between.Ptr(), b.dst.Ptr(), b.weights.Ptr(), radius, width, height}
	return nil
}

// block is a block of 16 by 8 threads, or smaller where a kernel can't have that.
func (b *blurrer) block(ctx context.Context, dev driver.Device) (x, y uint32, err error) {
	rows, err := blurRows.Attributes(ctx, dev)
	if err != nil {
		return 0, 0, err
	}
	columns, err := blurColumns.Attributes(ctx, dev)
	if err != nil {
		return 0, 0, err
	}
	x, y = 16, 8
	for _, limit := range []uint64{rows.MaxBlockVolume, columns.MaxBlockVolume} {
		for limit > 0 && uint64(x)*uint64(y) > limit {
			if y > 1 {
				y /= 2
			} else {
				x /= 2
			}
		}
	}
	return x, y, nil
}

// launches is how many kernels a frame takes.
const launches = 2

// frame enqueues the two passes.
func (b *blurrer) frame() error {
	if err := blurRows.Launch(b.stream, b.cfg, b.rows); err != nil {
		return err
	}
	return blurColumns.Launch(b.stream, b.cfg, b.columns)
}

// result copies the blurred picture back.
func (b *blurrer) result(ctx context.Context) (*image.RGBA, error) {
	img := image.NewRGBA(image.Rectangle{Max: b.size})
	return img, b.stream.CopyToHost(ctx, img.Pix, b.dst.Memory(), 0)
}

func (b *blurrer) close() {
	if b.weights != nil {
		_ = b.weights.Close()
	}
	if b.dst != nil {
		_ = b.dst.Close()
	}
	if b.between != nil {
		_ = b.between.Close()
	}
	if b.src != nil {
		_ = b.src.Close()
	}
	if b.stream != nil {
		_ = b.stream.Close()
	}
}

// blurInGo is what the kernels compute, in plain Go.
func blurInGo(img *image.RGBA, weights []float32) *image.RGBA {
	size := img.Bounds().Size()
	between := make([]float32, 4*size.X*size.Y)
	out := image.NewRGBA(image.Rectangle{Max: size})
	for y := range size.Y {
		for x := range size.X {
			at := 4 * (y*size.X + x)
			for c := range 4 {
				sum := float32(img.Pix[at+c]) * weights[0]
				for i := 1; i < len(weights); i++ {
					left, right := 4*(y*size.X+max(x-i, 0)), 4*(y*size.X+min(x+i, size.X-1))
					sum += (float32(img.Pix[left+c]) + float32(img.Pix[right+c])) * weights[i]
				}
				between[at+c] = sum
			}
		}
	}
	for y := range size.Y {
		for x := range size.X {
			at := 4 * (y*size.X + x)
			for c := range 4 {
				sum := between[at+c] * weights[0]
				for i := 1; i < len(weights); i++ {
					above, below := 4*(max(y-i, 0)*size.X+x), 4*(min(y+i, size.Y-1)*size.X+x)
					sum += (between[above+c] + between[below+c]) * weights[i]
				}
				out.Pix[at+c] = uint8(math.RoundToEven(math.Min(float64(sum), 255)))
			}
		}
	}
	return out
}

// maxDifference is the largest difference of any colour of any pixel.
func maxDifference(a, b *image.RGBA) int {
	worst := 0
	for i := range a.Pix {
		worst = max(worst, int(a.Pix[i])-int(b.Pix[i]), int(b.Pix[i])-int(a.Pix[i]))
	}
	return worst
}
