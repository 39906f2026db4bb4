package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// reporter writes results: JSON as they come, a table once all are there.
type reporter struct {
	json   *json.Encoder
	table  *tabwriter.Writer
	text   bytes.Buffer // what table has written
	out    io.Writer
	log    io.Writer
	bounds bool     // the table has columns for what is asked
	missed []string // what isn't as it should be
}

func newReporter(o output, asJSON, bounds bool) *reporter {
	if asJSON {
		return &reporter{json: json.NewEncoder(o.out)}
	}
	r := &reporter{out: o.out, log: o.log, bounds: bounds}
	r.table = tabwriter.NewWriter(&r.text, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprint(r.table, "suite\tname\tns/op\tC ns/op\tratio\tallocs/op\tB/op\tn\t")
	if bounds {
		fmt.Fprint(r.table, "asked\t\t")
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
		fmt.Fprintf(r.table, "%s\t%s\t", res.Bound, mark(res.OK, res.Bound != "" || !res.OK))
	}
	return r.end(res.Note)
}

// end ends a line, with a note behind the columns.
func (r *reporter) end(note string) error {
	if note != "" {
		note = "  " + note
	}
	_, err := fmt.Fprintln(r.table, note)
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
		fmt.Fprintf(r.table, "\t%s\t", mark(res.OK, true))
	}
	return r.end(fmt.Sprintf("%.2f × ours", res.Times))
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

// close writes the table, without the blanks of empty cells at ends of lines.
func (r *reporter) close() error {
	if r.table == nil {
		return nil
	}
	if err := r.table.Flush(); err != nil {
		return err
	}
	for line := range strings.Lines(r.text.String()) {
		if _, err := fmt.Fprintln(r.out, strings.TrimRight(line, " \n")); err != nil {
			return err
		}
	}
	return nil
}
