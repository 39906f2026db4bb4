//go:build cgo && linux

package cuda

import (
	"os"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// wrongs are kernels of testdata/faults.cu that do what a tool of compute-sanitizer is
// there to notice.
var wrongs = map[string]string{"memcheck": "poke", "racecheck": "races", "initcheck": "reads", "synccheck": "diverges"}

// A tool that says nothing about the tests may not have looked. So scripts/gpu has this
// one run first, and fails unless the tool complains of it.
func TestSanitizersNotice(t *testing.T) {
	tool := drivertest.Sanitizer()
	if os.Getenv("TRIAD_SANITIZER_CONTROL") == "" {
		drivertest.Lacks(t, "sanitizer-control", "does wrong on purpose, for scripts/gpu to see that compute-sanitizer notices")
	}
	d := open(t)
	s, err := d.NewStream(driver.StreamOptions{})
	check(t, err)
	fail := breaker(t, d, wrongs[tool])
	fail(s.(*Stream))
	if err := s.Wait(background); (err != nil) != (tool == "memcheck") {
		t.Errorf("%s: the kernel %s ends with the error %v", tool, wrongs[tool], err)
	}
}
