// Package all registers Triad's backends with package driver. Import it for its
// side effect:
//
//	import _ "github.com/triad-gpu/triad/driver/all"
//
// Registering opens no library.
package all

import (
	"github.com/triad-gpu/triad/cuda"
	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/hip"
	"github.com/triad-gpu/triad/opencl"
)

// The order is that in which "auto" looks for a GPU.
func init() {
	driver.Register(cuda.Backend())
	driver.Register(hip.Backend())
	driver.Register(opencl.Backend())
}
