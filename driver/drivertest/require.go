package drivertest

import (
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// RequireEnv names the environment variable that lists, separated by commas,
// what must be there for the tests: backends by their names, and further words
// that tests define, such as "oclgrind".
const RequireEnv = "TRIAD_REQUIRE"

// Required tells whether TRIAD_REQUIRE lists name.
func Required(name string) bool {
	return slices.ContainsFunc(strings.Split(os.Getenv(RequireEnv), ","), func(s string) bool {
		return strings.EqualFold(strings.TrimSpace(s), name)
	})
}

// Unavailable ends a test that could not get what it needs, with the error that
// said so. It skips when the machine lacks the backend or a device (errors that
// match driver.ErrUnavailable or driver.ErrNoDevice), unless TRIAD_REQUIRE lists
// name; any other error, and any error of what is required, fails the test.
//
//	dev, err := driver.Open("opencl")
//	if err != nil {
//		drivertest.Unavailable(t, "opencl", err)
//	}
func Unavailable(t testing.TB, name string, err error) {
	t.Helper()
	switch {
	case err == nil:
		t.Fatalf("%s: Unavailable was called without an error", name)
	case !errors.Is(err, driver.ErrUnavailable) && !errors.Is(err, driver.ErrNoDevice):
		t.Fatalf("%s failed: %v", name, err)
	case Required(name):
		t.Fatalf("%s is required by TRIAD_REQUIRE=%s and not available: %v", name, os.Getenv(RequireEnv), err)
	}
	t.Skipf("%s is not available: %v", name, err)
}

// Lacks ends a test that needs what the device or the machine does not have, for
// the reason given: it skips, unless TRIAD_REQUIRE lists what.
func Lacks(t testing.TB, what, reason string) {
	t.Helper()
	if Required(what) {
		t.Fatalf("%s is required by TRIAD_REQUIRE=%s: %s", what, os.Getenv(RequireEnv), reason)
	}
	t.Skipf("%s (TRIAD_REQUIRE=%s would fail)", reason, what)
}
