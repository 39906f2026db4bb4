package fake_test

import (
	"errors"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/fake"
	"github.com/triad-gpu/triad/kernelcache"
)

// The program of example_test.go on a device of AMD's: with less memory than the data
// it makes more pieces there too, and says so once there is none.
func TestTheProgramOnAMD(t *testing.T) {
	model := fake.MI300X
	model.Memory = 1 << 20
	dev := fake.StartHIP(t, model)
	if err := doubleSource.Redefine(t.Context(), kernelcache.Text{HIP: fake.Text(t, dev, fake.NewFunc("twice", twiceInGo))}); err != nil {
		t.Fatal(err)
	}
	data := numbers(1 << 20) // 4 MiB
	pieces, err := double(t.Context(), dev, data)
	if err != nil {
		t.Fatal(err)
	}
	wantDoubled(t, data)
	if pieces < 4 {
		t.Errorf("4 MiB were doubled in %d pieces of a device with 1 MiB", pieces)
	}
	if n := dev.KernelRuns("twice"); n != pieces {
		t.Errorf("%d kernels for %d pieces", n, pieces)
	}
	dev.FailMemory(fake.Always)
	if _, err := double(t.Context(), dev, numbers(4096)); !errors.Is(err, driver.ErrOutOfMemory) {
		t.Errorf("without any memory: %v", err)
	}
}
