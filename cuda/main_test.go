package cuda

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// TestMain has the tests run on NVIDIA's driver where there is one, and else, unless
// TRIAD_REQUIRE asks for the word cuda, on the fake one.
func TestMain(m *testing.M) {
	// Streams that share a channel of the device's wait for each other. By default
	// there are 8, and some tests have more streams stand still.
	setDefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")
	// A kernel that is loaded when it is first used waits for the device, which tests
	// have stand still.
	setDefault("CUDA_MODULE_LOADING", "EAGER")
	if err := useFake(); err != nil {
		fmt.Println("there is no driver of NVIDIA's, and no fake one:", err)
		if !errors.Is(err, driver.ErrUnavailable) || drivertest.Required("cxx") {
			os.Exit(1)
		}
	}
	remove, err := fakedriver.KeepImages()
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	code := runTests(m)
	remove()
	if isFake() { // which refuses them, too
		if n := control.WrongContexts(load().Path); n != 0 {
			fmt.Printf("%d calls of the fake driver were made with the wrong context current\n", n)
			code = 1
		}
	}
	os.Exit(code)
}

// runTests runs the tests as usual; see injection_test.go.
var runTests = (*testing.M).Run

func setDefault(name, value string) {
	if os.Getenv(name) == "" {
		os.Setenv(name, value)
	}
}

func useFake() error {
	for _, node := range []string{"/dev/nvidiactl", "/dev/dxg", "/dev/nvhost-gpu"} {
		if _, err := os.Stat(node); err == nil {
			return nil
		}
	}
	if os.Getenv(libraryEnv) != "" || drivertest.Required("cuda") {
		return nil
	}
	// What compiles the tests' kernels for it.
	if _, err := exec.LookPath("g++"); err != nil {
		return fmt.Errorf("%w: %w", driver.ErrUnavailable, err)
	}
	fake, err := fakedriver.Build(fakedriver.Options{})
	if err != nil {
		return err
	}
	os.Setenv(libraryEnv, fake.Cuda)
	setDefault("TRIAD_FAKE", "refuse=1")
	os.Setenv("TRIAD_NVRTC_LIBRARY", fake.Nvrtc)
	return nil
}
