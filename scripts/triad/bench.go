package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

const benchHelp = `Measures operations of the library and the same ones in C, which take turns in
one process. ns is the median time of one operation, c_ns that of one in C,
ratio the first over the second; allocs and bytes are Go allocations of one
operation, n is how many were measured on each side. On CUDA's and HIP's devices the
table also says what is asked of an operation, and whether it holds.

Where goroutines wait, cpu_ns is the processor time of the whole process for one
operation, caller_cpu_ns the part that the threads of waitpool did not use.

-peers adds lines for what other libraries took, from a file that
scripts/peers/peers.py has written on the same machine.`

type benchFlags struct {
	device, suite, peers string
	rounds               int
	json, check          bool
}

// suite is what -suite selects. A nil function means that devices of that
// backend have no such suite.
type suite struct {
	name   string
	opencl func(*clRig) []pair
	cuda   func(*cuRig) []pair // for HIP too
}

// suites are in the order of "all". Long kernels come last: waitpool stops spinning
// for operations that outlast it, and would have to learn otherwise again.
var suites = []suite{
	{"launch", (*clRig).launches, (*cuRig).launches},
	{"wait", (*clRig).waits, (*cuRig).waits},
	{"copy", (*clRig).copies, (*cuRig).copies},
	{"event", (*clRig).events, (*cuRig).events},
	{"memory", nil, (*cuRig).memories},
	{"floor", nil, (*cuRig).floors},
	{"park", nil, (*cuRig).parks},
}

// bencher is a backend's rig: the library's objects, and the C twin.
type bencher interface {
	// pairs are a suite's; nil if the backend has none.
	pairs(s suite) []pair
	close()
}

// benchers makes them, by backend.
var benchers = map[string]func(context.Context, io.Writer, driver.Device) (bencher, error){
	"opencl": newCLRig,
	"cuda":   newCURig,
	"hip":    newCURig,
}

func setupBench(flags *flag.FlagSet) func(context.Context, output) error {
	var b benchFlags
	device := deviceFlag(flags)
	flags.StringVar(&b.suite, "suite", "all", "`suite` to measure: "+suiteNames())
	flags.IntVar(&b.rounds, "rounds", 15, "take the median of `n` rounds, in each of which Go and C take turns")
	flags.BoolVar(&b.json, "json", false, "write one JSON object per line")
	flags.StringVar(&b.peers, "peers", "", "`file` with what other libraries took, to show beside ours")
	flags.BoolVar(&b.check, "check", false, "fail if something misses what is asked of it")
	return func(ctx context.Context, o output) error {
		b.device = *device
		return bench(ctx, o, b)
	}
}

func suiteNames() string {
	var names []string
	for _, s := range suites {
		names = append(names, s.name)
	}
	return strings.Join(names, ", ") + ", all"
}

func chooseSuites(name string) ([]suite, error) {
	if name == "all" {
		return suites, nil
	}
	for _, s := range suites {
		if s.name == name {
			return []suite{s}, nil
		}
	}
	return nil, fmt.Errorf("bench: there is no suite %q; there are: %s", name, suiteNames())
}

func bench(ctx context.Context, o output, flags benchFlags) error {
	if flags.rounds < 1 {
		return fmt.Errorf("bench: %d rounds", flags.rounds)
	}
	chosen, err := chooseSuites(flags.suite)
	if err != nil {
		return err
	}
	peers, err := readPeers(flags.peers)
	if err != nil {
		return err
	}
	dev, err := driver.Open(flags.device)
	if err != nil {
		return err
	}
	defer dev.Close()
	backend := dev.Info().Backend
	open := benchers[backend]
	if open == nil {
		return fmt.Errorf("bench: there is no C twin for %s devices; opencl, cuda and hip have one", backend)
	}
	b, err := open(ctx, o.log, dev)
	if err != nil {
		return err
	}
	defer b.close()

	report := newReporter(o, flags.json, backend != "opencl")
	err = measureAll(ctx, report, dev, b, chosen, peers, flags.rounds)
	// What was measured is worth showing in any case.
	err = errors.Join(err, report.close())
	if err == nil && flags.check && len(report.missed) > 0 {
		err = fmt.Errorf("bench: %d lines miss what is asked:\n\t%s", len(report.missed), strings.Join(report.missed, "\n\t"))
	}
	return err
}

func measureAll(ctx context.Context, report *reporter, dev driver.Device, b bencher, chosen []suite, peers []peer, rounds int) error {
	measured := 0
	for _, s := range chosen {
		for _, p := range b.pairs(s) {
			res, err := p.measure(ctx, rounds)
			if err != nil {
				return fmt.Errorf("bench: %s %s: %w", p.suite, p.name, err)
			}
			res.Device = dev.Info().Name
			if err := report.add(res); err != nil {
				return err
			}
			measured++
			for _, other := range peers {
				if other.op != p.peers || p.peers == "" {
					continue
				}
				if err := report.addPeer(other.versus(res)); err != nil {
					return err
				}
			}
		}
	}
	if measured == 0 {
		return fmt.Errorf("bench: devices of %s have no suite %s", dev.Info().Backend, chosen[0].name)
	}
	return nil
}
