package cuda

import (
	"os"
	"testing"
)

// TestMain gives the streams of tests that hold many of them a channel of the
// device's each: by default there are 8, and streams that share one wait for each
// other.
func TestMain(m *testing.M) {
	if os.Getenv("CUDA_DEVICE_MAX_CONNECTIONS") == "" {
		os.Setenv("CUDA_DEVICE_MAX_CONNECTIONS", "32")
	}
	os.Exit(m.Run())
}
