package hiprtc

import (
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver"
	hiponcuda "github.com/triad-gpu/triad/testdata/hip_on_cuda"
)

// onCUDA are the tests of real_test.go that don't care what the code is for.
var onCUDA = []string{
	"TestBuildErrorsHaveTheLogAndTheLine", "TestFlagsMayHoldBlanks", "TestContextsEndACompile", "TestTheExamplesProgramCompiles",
}

// The stand-in of testdata/hip_on_cuda does as hiprtc does, with the fake NVRTC behind
// it.
func TestOverNVRTC(t *testing.T) {
	if usable != "" {
		drivertest.Lacks(t, "cgo", usable)
	}
	face, err := hiponcuda.Build("")
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	fake, err := fakedriver.Build(fakedriver.Options{})
	if err != nil {
		drivertest.Unavailable(t, "cgo", err)
	}
	for _, test := range onCUDA {
		t.Run(test, func(t *testing.T) {
			drivertest.RunChild(t, test, libraryEnv+"="+face.Hiprtc, "TRIAD_NVRTC_LIBRARY="+fake.Nvrtc, drivertest.RequireEnv+"=hiprtc")
		})
	}
}
