package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"image"
	"io"
	"path/filepath"
	"runtime"
	"time"

	"github.com/triad-gpu/triad/driver"
)

const (
	// sigma is the blur's standard deviation in pixels.
	sigma = 3
	// tolerance is how far a colour may be from plain Go's, of 255: sums are added
	// in another order, or with fused multiplications, and one that lies between
	// two whole numbers may be rounded to either.
	tolerance = 1
	// demoTime is for how long frames are blurred when their number isn't given.
	demoTime = 1500 * time.Millisecond
)

const demoHelp = `Blurs a picture with a Gaussian in two kernels, over and over, writes the result,
compares it with one computed in plain Go, and reports the speed. It fails when
the two differ by more than rounding.`

type demoFlags struct {
	device, in, out string
	frames          int
	json            bool
}

func setupDemo(flags *flag.FlagSet) func(context.Context, output) error {
	var d demoFlags
	device := deviceFlag(flags)
	flags.StringVar(&d.in, "in", "", "PNG or JPEG `file` to blur (default: a photograph that comes with Go)")
	flags.StringVar(&d.out, "out", "triad-demo.png", "PNG `file` to write")
	flags.IntVar(&d.frames, "frames", 0, "blur the picture `n` times over (default: for about 1.5 s)")
	flags.BoolVar(&d.json, "json", false, "write the report as one JSON object")
	return func(ctx context.Context, o output) error {
		d.device = *device
		return demo(ctx, o, d)
	}
}

// demoReport is what a demo found; programs may rely on its JSON names.
type demoReport struct {
	Device          string  `json:"device"`
	Platform        string  `json:"platform"`
	Input           string  `json:"input"`
	Output          string  `json:"output"`
	Width           int     `json:"width"`
	Height          int     `json:"height"`
	Frames          int     `json:"frames"`
	CompileSeconds  float64 `json:"compile_seconds"`
	FramesPerSecond float64 `json:"frames_per_second"`
	LaunchNS        float64 `json:"ns_per_launch"`
	LaunchAllocs    float64 `json:"allocs_per_launch"`
	MaxDifference   int     `json:"max_difference"`
	Tolerance       int     `json:"tolerance"`
	Correct         bool    `json:"correct"`
}

func demo(ctx context.Context, o output, flags demoFlags) error {
	if flags.frames < 0 {
		return fmt.Errorf("demo: %d frames", flags.frames)
	}
	out, err := filepath.Abs(flags.out)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	img, from, err := readPicture(flags.in)
	if err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	dev, err := driver.Open(flags.device)
	if err != nil {
		return err
	}
	defer dev.Close()

	r := demoReport{
		Device: dev.Info().Name, Platform: dev.Info().Platform, Input: from, Output: out,
		Width: img.Rect.Dx(), Height: img.Rect.Dy(), Tolerance: tolerance,
	}
	if r.CompileSeconds, err = compile(ctx, o.log, dev); err != nil {
		return err
	}
	weights := gauss(sigma)
	b, err := newBlurrer(ctx, dev, img, weights)
	if err != nil {
		return err
	}
	defer b.close()
	if err := r.measure(ctx, b, flags.frames); err != nil {
		return err
	}
	blurred, err := b.result(ctx)
	if err != nil {
		return err
	}
	if err := writePicture(out, blurred); err != nil {
		return fmt.Errorf("demo: %w", err)
	}
	return r.finish(o, flags.json, img, blurred, weights)
}

// compile builds the kernels, and says so, since PoCL takes a while for it.
func compile(ctx context.Context, log io.Writer, dev driver.Device) (seconds float64, err error) {
	fmt.Fprintf(log, "compiling for %s… ", dev.Info().Name)
	begin := time.Now()
	if err := bindBlur(ctx, dev); err != nil {
		fmt.Fprintln(log, "failed")
		return 0, err
	}
	seconds = time.Since(begin).Seconds()
	fmt.Fprintf(log, "%.1f s\n", seconds)
	return seconds, nil
}

// measure blurs so many frames, or for demoTime if frames is 0. The first few are
// not counted: drivers and pools put off work to them.
func (r *demoReport) measure(ctx context.Context, b *blurrer, frames int) error {
	for range 4 {
		if err := b.frame(); err != nil {
			return err
		}
		if err := b.stream.Wait(ctx); err != nil {
			return err
		}
	}
	var before, after runtime.MemStats
	var launching time.Duration
	runtime.ReadMemStats(&before)
	begin := time.Now()
	for r.Frames = 0; r.Frames < frames || frames == 0 && time.Since(begin) < demoTime; r.Frames++ {
		t := time.Now()
		if err := b.frame(); err != nil {
			return err
		}
		launching += time.Since(t)
		if err := b.stream.Wait(ctx); err != nil {
			return err
		}
	}
	total := time.Since(begin)
	runtime.ReadMemStats(&after)
	n := float64(r.Frames * launches)
	r.FramesPerSecond = float64(r.Frames) / total.Seconds()
	r.LaunchNS = float64(launching.Nanoseconds()) / n
	r.LaunchAllocs = perOp(after.Mallocs-before.Mallocs, int(n))
	return nil
}

// finish checks the picture and reports.
func (r *demoReport) finish(o output, asJSON bool, img, blurred *image.RGBA, weights []float32) error {
	r.MaxDifference = maxDifference(blurred, blurInGo(img, weights))
	r.Correct = r.MaxDifference <= tolerance
	if asJSON {
		if err := json.NewEncoder(o.out).Encode(r); err != nil {
			return err
		}
	} else {
		r.print(o.out)
	}
	if !r.Correct {
		return fmt.Errorf("demo: the picture differs from plain Go's by %d of 255; at most %d is allowed", r.MaxDifference, tolerance)
	}
	return nil
}

func (r *demoReport) print(w io.Writer) {
	line(w, "device", fmt.Sprintf("%s (%s)", r.Device, r.Platform))
	line(w, "read", fmt.Sprintf("%s (%d × %d)", r.Input, r.Width, r.Height))
	line(w, "wrote", r.Output)
	line(w, "speed", fmt.Sprintf("%d frames, %.0f frames/s, %.0f ns per launch, %v Go allocations per launch",
		r.Frames, r.FramesPerSecond, r.LaunchNS, r.LaunchAllocs))
	verdict := "correct"
	if !r.Correct {
		verdict = "WRONG"
	}
	line(w, "check", fmt.Sprintf("%s: at most %d of 255 from plain Go (allowed: %d)", verdict, r.MaxDifference, r.Tolerance))
}
