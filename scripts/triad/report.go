package main

import (
	"encoding/json"
	"fmt"
	"io"
	"text/tabwriter"
)

// reporter writes results: JSON as they come, a table once all are there.
type reporter struct {
	json   *json.Encoder
	table  *tabwriter.Writer
	log    io.Writer
	bounds bool     // the table has columns for what is asked
	missed []string // what isn't as it should be
}

func newReporter(o output, asJSON, bounds bool) *reporter {
	if asJSON {
		return &reporter{json: json.NewEncoder(o.out)}
	}
	r := &reporter{table: tabwriter.NewWriter(o.out, 0, 0, 2, ' ', tabwriter.AlignRight), log: o.log, bounds: bounds}
	fmt.Fprint(r.table, "suite\tname\tns/op\tC ns/op\tratio\tallocs/op\tB/op\tn\t")
	if bounds {
		fmt.Fprint(r.table, "asked\t\tnote\t")
	}
	fmt.Fprintln(r.table)
	return r
}

func (r *reporter) add(res result) error {
	if !res.OK {
		r.missed = append(r.missed, res.Suite+" "+res.Name)
	}
	if r.json != nil {
		return r.json.Encode(res)
	}
	fmt.Fprintf(r.log, "measured %s %s\n", res.Suite, res.Name)
	fmt.Fprintf(r.table, "%s\t%s\t%.0f\t%.0f\t%.2f\t%v\t%v\t%d\t",
		res.Suite, res.Name, res.NS, res.CNS, res.Ratio, res.Allocs, res.Bytes, res.N)
	if r.bounds {
		fmt.Fprintf(r.table, "%s\t%s\t%s\t", res.Bound, mark(res.OK, res.Bound != "" || !res.OK), res.Note)
	}
	_, err := fmt.Fprintln(r.table)
	return err
}

// addPeer adds a line below that of the same operation of ours.
func (r *reporter) addPeer(res peerResult) error {
	if !res.OK {
		r.missed = append(r.missed, fmt.Sprintf("%s %s beside %s", res.Suite, res.Name, res.Peer))
	}
	if r.json != nil {
		return r.json.Encode(res)
	}
	fmt.Fprintf(r.table, "\t%s\t%.0f\t%.0f\t%.2f\t\t\t\t", res.Peer, res.NS, res.CNS, res.Ratio)
	if r.bounds {
		fmt.Fprintf(r.table, "\t%s\t%.2f × ours\t", mark(res.OK, true), res.Times)
	}
	_, err := fmt.Fprintln(r.table)
	return err
}

func mark(ok, asked bool) string {
	switch {
	case !asked:
		return ""
	case ok:
		return "ok"
	}
	return "MISSED"
}

func (r *reporter) close() {
	if r.table != nil {
		_ = r.table.Flush()
	}
}
