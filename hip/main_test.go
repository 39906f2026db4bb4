package hip

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

// TestMain has the tests run on AMD's runtime where it has a device, and else, unless
// TRIAD_REQUIRE asks for the word hip, on a fake one.
func TestMain(m *testing.M) {
	// Streams that share a queue of the device's wait for each other. By default there
	// are 4, and some tests have more streams stand still.
	setDefault("GPU_MAX_HW_QUEUES", "32")
	// The same over CUDA, where a kernel that is loaded when it is first used waits for
	// the device besides.
	setDefault("CUDA_DEVICE_MAX_CONNECTIONS", "32")
	setDefault("CUDA_MODULE_LOADING", "EAGER")
	if err := useFake(); err != nil {
		fmt.Println("there is no device of AMD's, and no fake one:", err)
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
			fmt.Printf("%d calls of the fake runtime were made with the wrong device current\n", n)
			code = 1
		}
	}
	os.Exit(code)
}

// runTests runs the tests as usual; see injection_test.go.
var runTests = (*testing.M).Run

// realEnv has a process use no fake runtime.
const realEnv = "TRIAD_TEST_REAL_HIP"

func setDefault(name, value string) {
	if os.Getenv(name) == "" {
		os.Setenv(name, value)
	}
}

func useFake() error {
	for _, node := range []string{"/dev/kfd", "/dev/dxg"} {
		if _, err := os.Stat(node); err == nil {
			return nil
		}
	}
	if os.Getenv(libraryEnv) != "" || os.Getenv(realEnv) != "" || drivertest.Required("hip") {
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
	os.Setenv(libraryEnv, fake.Hip)
	setDefault("TRIAD_FAKE", "refuse=1")
	os.Setenv("TRIAD_HIPRTC_LIBRARY", fake.Hiprtc)
	return nil
}
