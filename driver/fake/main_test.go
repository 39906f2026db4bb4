package fake_test

import (
	"os"
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/driver/fake"
)

// TestMain loads the fake driver, but in processes of tests that load another one.
func TestMain(m *testing.M) {
	if drivertest.IsChild() {
		os.Exit(m.Run())
	}
	fake.Main(m, fake.Driver{HIP: &fake.Runtime{}})
}
