package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"math"
	"math/rand"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// noise is a picture that no symmetry makes easy.
func noise(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	rnd := rand.New(rand.NewSource(int64(width*10007 + height)))
	for i := range img.Pix {
		img.Pix[i] = uint8(rnd.Intn(256))
	}
	for i := 3; i < len(img.Pix); i += 4 {
		img.Pix[i] = 255
	}
	return img
}

func TestBlurOfAnySize(t *testing.T) {
	dev := openDevice(t)
	ctx := context.Background()
	weights := gauss(sigma)
	for _, size := range []image.Point{{1, 1}, {1, 40}, {40, 1}, {2, 3}, {16, 8}, {17, 9}, {31, 65}, {128, 64}} {
		img := noise(size.X, size.Y)
		b, err := newBlurrer(ctx, dev, img, weights)
		if err != nil {
			t.Fatal(err)
		}
		if err := b.frame(); err != nil {
			t.Fatal(err)
		}
		got, err := b.result(ctx)
		if err != nil {
			t.Fatal(err)
		}
		b.close()
		if diff := maxDifference(got, blurInGo(img, weights)); diff > tolerance {
			t.Errorf("%v: differs by %d of 255", size, diff)
		}
	}
}

// The reference itself: a blur keeps an even picture as it is, spreads a point
// evenly to all sides, and its weights sum to one.
func TestBlurInGo(t *testing.T) {
	weights := gauss(sigma)
	sum := float64(weights[0])
	for _, w := range weights[1:] {
		sum += 2 * float64(w)
	}
	if math.Abs(sum-1) > 1e-6 {
		t.Errorf("the weights sum to %v", sum)
	}
	even := image.NewRGBA(image.Rect(0, 0, 20, 10))
	for i := range even.Pix {
		even.Pix[i] = 77
	}
	if diff := maxDifference(even, blurInGo(even, weights)); diff != 0 {
		t.Errorf("an even picture changed by %d", diff)
	}
	point := image.NewRGBA(image.Rect(0, 0, 41, 41))
	point.SetRGBA(20, 20, color.RGBA{255, 255, 255, 255})
	out := blurInGo(point, gauss(1))
	for _, p := range []image.Point{{1, 0}, {0, 1}, {2, 1}, {3, 3}} {
		a := out.RGBAAt(20+p.X, 20+p.Y)
		for _, q := range []image.Point{{-p.X, p.Y}, {p.X, -p.Y}, {p.Y, p.X}} {
			if b := out.RGBAAt(20+q.X, 20+q.Y); a != b {
				t.Errorf("%v is %v, %v is %v", p, a, q, b)
			}
		}
	}
	if out.RGBAAt(20, 20).R <= out.RGBAAt(21, 20).R || out.RGBAAt(21, 20).R == 0 {
		t.Errorf("no bell: %v, then %v", out.RGBAAt(20, 20), out.RGBAAt(21, 20))
	}
}

func TestDemo(t *testing.T) {
	openDevice(t)
	dir := t.TempDir()
	in, out := filepath.Join(dir, "in.jpg"), filepath.Join(dir, "out.png")
	var jpg bytes.Buffer
	if err := jpeg.Encode(&jpg, noise(37, 21), nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(in, jpg.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	var stdout, stderr bytes.Buffer
	code := run(context.Background(), []string{"demo", "-in", in, "-out", out, "-frames", "3", "-json"}, &stdout, &stderr)
	if code != 0 {
		t.Fatalf("exit code %d: %s", code, &stderr)
	}
	var r demoReport
	if err := json.Unmarshal(stdout.Bytes(), &r); err != nil {
		t.Fatal(err)
	}
	if !r.Correct || r.Frames != 3 || r.Width != 37 || r.Height != 21 || r.FramesPerSecond <= 0 || r.LaunchNS <= 0 {
		t.Errorf("report: %+v", r)
	}
	if !strings.Contains(stderr.String(), "compiling for ") {
		t.Errorf("no progress on stderr: %q", &stderr)
	}
	f, err := os.Open(out)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	img, err := png.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds() != image.Rect(0, 0, 37, 21) {
		t.Errorf("the picture written is %v", img.Bounds())
	}
}

func TestDemoReadsGosPhotograph(t *testing.T) {
	img, from, err := readPicture("")
	if err != nil {
		t.Fatal(err)
	}
	size := img.Bounds().Size()
	switch from {
	case filepath.Join(goroot(), filepath.FromSlash(photograph)):
		if size != (image.Point{150, 103}) {
			t.Errorf("the photograph is %v", size)
		}
	default:
		if !strings.Contains(from, "painted") || size != (image.Point{640, 427}) {
			t.Errorf("%s is %v", from, size)
		}
	}
}

func TestDemoReportsAWrongPicture(t *testing.T) {
	img := noise(8, 8)
	weights := gauss(sigma)
	blurred := blurInGo(img, weights)
	blurred.Pix[5] += 2
	for _, asJSON := range []bool{false, true} {
		var out bytes.Buffer
		r := demoReport{Tolerance: tolerance}
		err := r.finish(output{&out, &out}, asJSON, img, blurred, weights)
		if err == nil || r.Correct || r.MaxDifference != 2 {
			t.Errorf("json %v: error %v, report %+v", asJSON, err, r)
		}
		if want := fmt.Sprintf(`"correct":%v`, false); !asJSON && !strings.Contains(out.String(), "WRONG") || asJSON && !strings.Contains(out.String(), want) {
			t.Errorf("output: %s", &out)
		}
	}
}
