package hip

import (
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	hiponcuda "github.com/triad-gpu/triad/testdata/hip_on_cuda"
)

// onCUDA tells whether the runtime is testdata/hip_on_cuda, whose images are
// NVIDIA's.
func onCUDA() bool { return strings.Contains(load().Path, "hip-on-cuda") }

// The suite runs over the CUDA driver by way of testdata/hip_on_cuda: on the fake
// driver, since this process may use what there is.
func TestConformanceOnCUDA(t *testing.T) {
	face, err := hiponcuda.Build("")
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	fake, err := fakedriver.Build(fakedriver.Options{})
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	drivertest.RunChild(t, "TestConformance", append(face.Env(), "TRIAD_CUDA_LIBRARY="+fake.Cuda, "TRIAD_NVRTC_LIBRARY="+fake.Nvrtc)...)
}
