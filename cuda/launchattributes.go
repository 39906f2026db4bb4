package cuda

import (
	"github.com/triad-gpu/triad/driver"
)

// LaunchAttributes are for LaunchEx. The zero value asks for nothing.
type LaunchAttributes struct {
	// Cluster has so many blocks run together, on neighbouring multiprocessors; the
	// grid must be a multiple of it in each dimension. Compute capability 9.0.
	Cluster       driver.Dim3
	ClusterPolicy ClusterPolicy
	// Cooperative has all blocks of the grid run at once, so that they can wait for
	// each other: it must not be larger than Occupancy times multiprocessors.
	Cooperative bool
	// ProgrammaticSerialization lets the kernel begin before the one that the stream
	// has in front of it has ended; kernels of both kinds say in their code from
	// where on (cudaTriggerProgrammaticLaunchCompletion,
	// cudaGridDependencySynchronize). Compute capability 9.0.
	ProgrammaticSerialization bool
	// Priority is the kernel's, in place of its stream's, if PrioritySet; see
	// Device.StreamPriorities.
	Priority    int32
	PrioritySet bool
	// Domain is the kernel's, in place of its stream's, if DomainSet.
	Domain    SyncDomain
	DomainSet bool
	// SharedCarveout is which part of L1 and shared memory should be the latter, in
	// percent, 0 to 100, if CarveoutSet; else the driver chooses.
	SharedCarveout int32
	CarveoutSet    bool
}

// ClusterPolicy says how a device spreads clusters (CUclusterSchedulingPolicy).
type ClusterPolicy int32

// The ways to spread clusters.
const (
	ClusterDefault       ClusterPolicy = 0
	ClusterSpread        ClusterPolicy = 1
	ClusterLoadBalancing ClusterPolicy = 2
)

// launchExtra are the attributes as C takes them; triad_cu_launch_extra there.
type launchExtra struct {
	set                                uint32
	cluster                            driver.Dim3
	policy, priority, domain, carveout int32
}

// The bits of launchExtra.set; TRIAD_CU_EX_CLUSTER and so on in C.
const (
	exCluster = 1 << iota
	exPolicy
	exCooperative
	exProgrammatic
	exPriority
	exDomain
	exCarveout
)

func (a *LaunchAttributes) extra() launchExtra {
	x := launchExtra{
		cluster: a.Cluster.Normal(), policy: int32(a.ClusterPolicy), priority: a.Priority,
		domain: int32(a.Domain), carveout: a.SharedCarveout,
	}
	for _, b := range [...]struct {
		on  bool
		bit uint32
	}{
		{a.Cluster != driver.Dim3{}, exCluster}, {a.ClusterPolicy != 0, exPolicy}, {a.Cooperative, exCooperative},
		{a.ProgrammaticSerialization, exProgrammatic}, {a.PrioritySet, exPriority}, {a.DomainSet, exDomain}, {a.CarveoutSet, exCarveout},
	} {
		if b.on {
			x.set |= b.bit
		}
	}
	return x
}

// LaunchEx is Launch with attributes (cuLaunchKernelEx, since CUDA 11.6; before that
// ErrUnsupported, whatever the attributes). Like Launch it reads the arguments during
// the call, is one crossing and allocates nothing. ErrLaunch for a cooperative grid
// that is too large, and ErrInvalidValue for a cluster that doesn't fit, say how much
// would.
func (k *Kernel) LaunchEx(s driver.Stream, cfg driver.LaunchConfig, attrs LaunchAttributes, args driver.ArgRef) error {
	const op = "cuLaunchKernelEx"
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
	if attrs.Cluster != (driver.Dim3{}) && attrs.Cluster.X == 0 {
		return refused(op, driver.ErrInvalidValue, "kernel %q: the cluster is empty: %v", k.name, attrs.Cluster)
	}
	if err := k.begin(ours, args.Size()); err != nil {
		return renamed(err, op)
	}
	x := attrs.extra()
	code, arg := rawLaunchEx(ours.raw, k.raw, g, b, cfg.SharedBytes, x, args.Pointer())
	if code != 0 {
		return k.againEx(ours, code, arg, g, b, cfg.SharedBytes, x, attrs, args.Pointer())
	}
	k.end(ours)
	return nil
}

// againEx is again, with attributes.
func (k *Kernel) againEx(s *Stream, code int32, arg int, g, b driver.Dim3, shared uint32, x launchExtra, attrs LaunchAttributes, args handle) error {
	defer k.end(s)
	if code == codeInvalidValue && arg < 0 {
		allowed, err := k.allowShared(shared, args)
		if err != nil {
			return err
		}
		if allowed {
			code, arg = rawLaunchEx(s.raw, k.raw, g, b, shared, x, args)
		}
	}
	if code == 0 {
		return nil
	}
	if arg < 0 {
		shared = rawLaunchShared(k.raw, shared, args)
	}
	return k.explainEx("cuLaunchKernelEx", code, arg, g, b, shared, attrs)
}

// explainEx is explain, for what attributes can run into.
func (k *Kernel) explainEx(op string, code int32, arg int, g, b driver.Dim3, shared uint32, attrs LaunchAttributes) error {
	d := k.dev
	cluster := attrs.Cluster.Normal()
	var none error
	if attrs.Cluster != (driver.Dim3{}) {
		none = d.noClusters(op)
	}
	switch {
	case arg >= 0 || sticky(code):
	case code == codeNotSupported && !load().Has(op):
		return unsupported(op, op, "CUDA 11.6")
	case none != nil:
		return none
	case attrs.Cluster != (driver.Dim3{}) && (g.X%cluster.X != 0 || g.Y%cluster.Y != 0 || g.Z%cluster.Z != 0):
		return renamed(k.limit(code, "a grid of %v blocks is no multiple of clusters of %v", g, cluster), op)
	case attrs.Cluster != (driver.Dim3{}) && (code == codeClusterSize || code == codeInvalidValue):
		most, err := k.MaxPotentialClusterSize(driver.LaunchConfig{Grid: g, Block: b, SharedBytes: shared})
		if err == nil && cluster.Volume() > uint64(most) {
			return renamed(k.limit(code, "a cluster of %v, %d blocks; %s runs up to %d of these blocks as one, more than 8 only if the kernel is told FuncNonPortableClusterSizeAllowed",
				cluster, cluster.Volume(), d.info.Name, most), op)
		}
	case code == codeCooperative:
		n, err := k.Occupancy(b, shared)
		if err == nil {
			units := uint64(d.info.ComputeUnits)
			return d.failure(op, code, "kernel %q: a cooperative grid of %v, %d blocks; at once run %d, %d on each of %d multiprocessors",
				k.name, g, g.Volume(), uint64(n)*units, n, units)
		}
	case attrs.Cooperative && !d.facts.cooperative:
		return refused(op, driver.ErrUnsupported, "%s runs no cooperative grids", d.info.Name)
	}
	return renamed(k.explain(code, arg, g, b, shared), op)
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
