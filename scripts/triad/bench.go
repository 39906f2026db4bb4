package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/triad-gpu/triad/driver"
)

const benchHelp = `Measures operations of the library and the same ones in C, which take turns in
one process. ns is the median time of one operation, c_ns that of one in C,
ratio the first over the second; allocs and bytes are Go allocations of one
operation, n is how many were measured on each side.`

type benchFlags struct {
	device, suite string
	rounds        int
	json          bool
}

// suites are what -suite selects, in the order of "all".
var suites = []struct {
	name  string
	pairs func(*rig) []pair
}{
	{"launch", launchPairs},
	{"wait", waitPairs},
	{"copy", copyPairs},
	{"event", eventPairs},
}

func setupBench(flags *flag.FlagSet) func(context.Context, output) error {
	var b benchFlags
	device := deviceFlag(flags)
	flags.StringVar(&b.suite, "suite", "all", "`suite` to measure: "+suiteNames())
	flags.IntVar(&b.rounds, "rounds", 15, "take the median of `n` rounds, in each of which Go and C take turns")
	flags.BoolVar(&b.json, "json", false, "write one JSON object per line")
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

func bench(ctx context.Context, o output, flags benchFlags) error {
	if flags.rounds < 1 {
		return fmt.Errorf("bench: %d rounds", flags.rounds)
	}
	var chosen []func(*rig) []pair
	for _, s := range suites {
		if flags.suite == s.name || flags.suite == "all" {
			chosen = append(chosen, s.pairs)
		}
	}
	if chosen == nil {
		return fmt.Errorf("bench: there is no suite %q; there are: %s", flags.suite, suiteNames())
	}
	dev, err := driver.Open(flags.device)
	if err != nil {
		return err
	}
	defer dev.Close()
	r, err := newRig(ctx, o.log, dev)
	if err != nil {
		return err
	}
	defer r.close()

	report := newReporter(o, flags.json)
	defer report.close()
	for _, pairs := range chosen {
		for _, p := range pairs(r) {
			res, err := p.measure(ctx, flags.rounds)
			if err != nil {
				return fmt.Errorf("bench: %s %s: %w", p.suite, p.name, err)
			}
			res.Device = dev.Info().Name
			if err := report.add(res); err != nil {
				return err
			}
		}
	}
	return nil
}

// reporter writes results: JSON as they come, a table once all are there.
type reporter struct {
	json  *json.Encoder
	table *tabwriter.Writer
	log   io.Writer
}

func newReporter(o output, asJSON bool) *reporter {
	if asJSON {
		return &reporter{json: json.NewEncoder(o.out)}
	}
	r := &reporter{table: tabwriter.NewWriter(o.out, 0, 0, 2, ' ', tabwriter.AlignRight), log: o.log}
	fmt.Fprintln(r.table, "suite\tname\tns/op\tC ns/op\tratio\tallocs/op\tB/op\tn\t")
	return r
}

func (r *reporter) add(res result) error {
	if r.json != nil {
		return r.json.Encode(res)
	}
	fmt.Fprintf(r.log, "measured %s %s\n", res.Suite, res.Name)
	_, err := fmt.Fprintf(r.table, "%s\t%s\t%.0f\t%.0f\t%.2f\t%v\t%v\t%d\t\n",
		res.Suite, res.Name, res.NS, res.CNS, res.Ratio, res.Allocs, res.Bytes, res.N)
	return err
}

func (r *reporter) close() {
	if r.table != nil {
		_ = r.table.Flush()
	}
}
