package all_test

import (
	"context"
	"embed"
	"fmt"
	"log"

	"github.com/triad-gpu/triad/driver"
	_ "github.com/triad-gpu/triad/driver/all"
	"github.com/triad-gpu/triad/kernelcache"
)

//go:embed kernels/*
var files embed.FS

// saxpyArgs has one field per parameter of the kernel, in its order.
type saxpyArgs struct {
	A    float32
	X, Y driver.Ptr[float32]
	N    uint32
}

// Declared once, at package level; nothing is opened or compiled here.
var saxpy = kernelcache.Declare[saxpyArgs](kernelcache.FromFS(files, "kernels/saxpy"), "saxpy")

// The whole way from opening a device to a checked result.
func Example() {
	if err := run(context.Background()); err != nil {
		log.Fatal(err)
	}
	// Output: 1000 results, the last is 1999
}

func run(ctx context.Context) error {
	const n = 1000
	dev, err := driver.Open("auto")
	if err != nil {
		return err
	}
	defer dev.Close()
	s, err := dev.NewStream(driver.StreamOptions{})
	if err != nil {
		return err
	}
	defer s.Close()
	x, err := driver.Alloc[float32](dev, n)
	if err != nil {
		return err
	}
	defer x.Close()
	y, err := driver.Alloc[float32](dev, n)
	if err != nil {
		return err
	}
	defer y.Close()

	host := make([]float32, n)
	for i := range host {
		host[i] = float32(i)
	}
	if err := x.CopyFrom(ctx, s, host); err != nil {
		return err
	}
	if err := y.Fill(s, 1); err != nil {
		return err
	}
	if err := saxpy.Launch(s, driver.Grid1D(n, 256), saxpyArgs{2, x.Ptr(), y.Ptr(), n}); err != nil {
		return err
	}
	if err := y.CopyTo(ctx, s, host); err != nil {
		return err
	}
	for i, got := range host {
		if want := float32(2*i + 1); got != want {
			return fmt.Errorf("result %d is %v, not %v", i, got, want)
		}
	}
	fmt.Printf("%d results, the last is %v\n", len(host), host[n-1])
	return nil
}
