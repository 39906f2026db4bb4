package kernelcache_test

import (
	"os"
	"testing"

	"github.com/triad-gpu/triad/kernelcache"
	"github.com/triad-gpu/triad/kernelcache/diskcache"
)

// Tests use no folder of the user's; those of the disk cache turn it on.
func TestMain(m *testing.M) {
	os.Setenv(diskcache.EnvSwitch, "off")
	os.Exit(m.Run())
}

// redefine gives a source new OpenCL text.
func redefine(t testing.TB, s *kernelcache.Source, code string) {
	t.Helper()
	if err := s.Redefine(ctx, kernelcache.Text{OpenCL: code}); err != nil {
		t.Fatal(err)
	}
}
