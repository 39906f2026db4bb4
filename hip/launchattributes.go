package hip

import (
	"github.com/triad-gpu/triad/driver"
)

// LaunchAttributes are for LaunchEx. The zero value asks for nothing.
type LaunchAttributes struct {
	// Cooperative has all blocks of the grid run at once, so that they can wait for
	// each other: it must not be larger than Occupancy times compute units.
	Cooperative bool
	// Priority is the kernel's, in place of its stream's, if PrioritySet; see
	// Device.StreamPriorities.
	Priority    int32
	PrioritySet bool
}

// launchExtra are the attributes as C takes them; triad_hip_launch_extra there.
type launchExtra struct {
	set      uint32
	priority int32
}

// The bits of launchExtra.set; TRIAD_HIP_EX_COOPERATIVE and so on in C.
const (
	exCooperative = 1 << iota
	exPriority
)

func (a *LaunchAttributes) extra() launchExtra {
	x := launchExtra{priority: a.Priority}
	if a.Cooperative {
		x.set |= exCooperative
	}
	if a.PrioritySet {
		x.set |= exPriority
	}
	return x
}

// LaunchEx is Launch with attributes (hipDrvLaunchKernelEx, since HIP 7.0; before that
// hipModuleLaunchCooperativeKernel, since HIP 5.5, and ErrUnsupported for a priority).
// Like Launch it reads the arguments during the call, is one crossing and allocates
// nothing. ErrLaunch for a cooperative grid that is too large says how much would fit.
func (k *Kernel) LaunchEx(s driver.Stream, cfg driver.LaunchConfig, attrs LaunchAttributes, args driver.ArgRef) error {
	const op = "hipDrvLaunchKernelEx"
	if k == nil {
		return nilKernel(op)
	}
	ours, err := streamOf(op, s, k.dev)
	if err != nil {
		return err
	}
	g, b := cfg.Grid.Normal(), cfg.Block.Normal()
	if g.X == 0 || b.X == 0 {
		return renamed(k.emptyShape(cfg), op)
	}
	if err := k.begin(ours, args.Size()); err != nil {
		return renamed(err, op)
	}
	code, arg := rawLaunchEx(ours.raw, k.raw, g, b, cfg.SharedBytes, attrs.extra(), args.Pointer())
	if code != 0 {
		err = k.explainEx(op, code, arg, g, b, cfg.SharedBytes, attrs, args.Pointer())
	}
	k.end(ours)
	return err
}

// explainEx is explain, for what attributes can run into.
func (k *Kernel) explainEx(op string, code int32, arg int, g, b driver.Dim3, shared uint32, attrs LaunchAttributes, args handle) error {
	d := k.dev
	switch {
	case arg >= 0 || sticky(code):
	case code == codeNotSupported && attrs.PrioritySet && !load().Has(op):
		return unsupported(op, op, "HIP 7.0")
	case code == codeNotSupported && !load().Has(op) && !load().Has("hipModuleLaunchCooperativeKernel"):
		return unsupported(op, "hipModuleLaunchCooperativeKernel", "HIP 5.5")
	case code == codeCooperative:
		n, err := k.Occupancy(b, shared)
		if err != nil {
			return d.failure(op, code, "kernel %q: a cooperative grid of %v; how many blocks run at once is not known: %v", k.name, g, err)
		}
		units := uint64(d.info.ComputeUnits)
		return d.failure(op, code, "kernel %q: a cooperative grid of %v, %d blocks; at once run %d, %d on each of %d compute units",
			k.name, g, g.Volume(), uint64(n)*units, n, units)
	case attrs.Cooperative && !d.facts.cooperative:
		return refused(op, driver.ErrUnsupported, "%s runs no cooperative grids", d.info.Name)
	}
	return k.refusedLaunch(op, code, arg, g, b, shared, args)
}

// renamed is an error as that of another call.
func renamed(err error, op string) error {
	e, ok := err.(*driver.Error)
	if !ok {
		return err
	}
	c := *e
	c.Op = op
	return &c
}
