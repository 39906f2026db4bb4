package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // so that image.Decode knows it
	"image/png"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// photograph is a file of Go's own tests, within GOROOT.
const photograph = "src/image/testdata/video-001.jpeg"

// readPicture reads a PNG or JPEG. Without a path it takes a photograph that
// comes with Go, or paints a picture where there is none; from says which.
func readPicture(path string) (img *image.RGBA, from string, err error) {
	if path != "" {
		img, err = decode(path)
		return img, path, err
	}
	if root := goroot(); root != "" {
		path = filepath.Join(root, filepath.FromSlash(photograph))
		if img, err = decode(path); err == nil {
			return img, path, nil
		}
	}
	return paint(640, 427), "a painted picture, since Go's photograph " + photograph + " was not found", nil
}

// goroot is where Go is installed; "" if that can't be found out. It is empty
// in programs that were built with -trimpath, which ask the go command.
func goroot() string {
	if root := runtime.GOROOT(); root != "" {
		return root
	}
	out, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(out))
}

func decode(path string) (*image.RGBA, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	src, _, err := image.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w; PNG and JPEG are understood", path, err)
	}
	b := src.Bounds()
	if b.Empty() {
		return nil, fmt.Errorf("reading %s: the picture is empty", path)
	}
	img := image.NewRGBA(image.Rect(0, 0, b.Dx(), b.Dy()))
	draw.Draw(img, img.Bounds(), src, b.Min, draw.Src)
	return img, nil
}

// paint makes a picture with smooth and sharp parts.
func paint(width, height int) *image.RGBA {
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			u, v := float64(x)/float64(width), float64(y)/float64(height)
			c := color.RGBA{uint8(255 * u), uint8(255 * v), uint8(127 + 127*math.Sin(40*u*v)), 255}
			if (x/32+y/32)%2 == 0 {
				c.R, c.B = c.B, c.R
			}
			img.SetRGBA(x, y, c)
		}
	}
	return img
}

func writePicture(path string, img image.Image) error {
	f, err := os.Create(path)
	if err != nil {
		return err
	}
	err = png.Encode(f, img)
	if closed := f.Close(); err == nil {
		err = closed
	}
	return err
}
