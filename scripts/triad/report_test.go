package main

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"
)

func TestReport(t *testing.T) {
	fine := result{Suite: "launch", Name: "args4", NS: 3200, CNS: 3190, Ratio: 1.003, N: 7, Bound: "≤ 1.03 × C", OK: true}
	missed := result{Suite: "event", Name: "record", NS: 300, CNS: 130, Ratio: 2.31, N: 7, Bound: "≤ C + 60ns", Note: "slow"}
	unasked := result{Suite: "event", Name: "query", NS: 30, CNS: 13, Ratio: 2.31, N: 7, OK: true}
	ahead := peer{"CuPy", "14.2.0", "launch4", 6400}.versus(fine)
	behind := peer{"X", "1", "record", 200}.versus(missed)

	var out bytes.Buffer
	r := newReporter(output{&out, io.Discard}, false, true)
	for _, err := range []error{r.add(fine), r.addPeer(ahead), r.add(missed), r.addPeer(behind), r.add(unasked)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	for i, want := range [][]string{
		{"suite", "asked"},
		{"args4", "3200", "3190", "1.00", "≤ 1.03 × C", "ok"},
		{"CuPy 14.2.0", "6400", "3190", "2.01", "ok", "2.00 × ours"},
		{"record", "≤ C + 60ns", "MISSED", "slow"},
		{"X 1", "200", "MISSED", "0.67 × ours"},
		{"query", "2.31"},
	} {
		for _, w := range want {
			if i >= len(lines) || !strings.Contains(lines[i], w) {
				t.Errorf("line %d lacks %q:\n%s", i, w, &out)
			}
		}
	}
	if last := lines[len(lines)-1]; strings.Contains(last, "ok") || strings.Contains(last, "MISSED") {
		t.Errorf("nothing was asked: %s", last)
	}
	if want := []string{"event record", "event record beside X 1"}; !slices.Equal(r.missed, want) {
		t.Errorf("missed %q, want %q", r.missed, want)
	}
}

func TestReportJSON(t *testing.T) {
	var out bytes.Buffer
	r := newReporter(output{&out, io.Discard}, true, true)
	res := result{Suite: "launch", Name: "args4", NS: 3200, CNS: 3200, CPU: 5, Bound: "≤ 1.03 × C", OK: true}
	if err := r.add(res); err != nil {
		t.Fatal(err)
	}
	if err := r.addPeer(peer{"CuPy", "14.2.0", "launch4", 6400}.versus(res)); err != nil {
		t.Fatal(err)
	}
	if err := r.close(); err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(out.String()), "\n")
	if len(lines) != 2 {
		t.Fatalf("%d lines: %s", len(lines), &out)
	}
	var ours, theirs map[string]any
	for line, into := range map[string]*map[string]any{lines[0]: &ours, lines[1]: &theirs} {
		if err := json.Unmarshal([]byte(line), into); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
	}
	if ours["bound"] != "≤ 1.03 × C" || ours["ok"] != true || ours["cpu_ns"] != 5.0 {
		t.Errorf("%s", lines[0])
	}
	if theirs["peer"] != "CuPy 14.2.0" || theirs["times_ours"] != 2.0 || theirs["ok"] != true {
		t.Errorf("%s", lines[1])
	}
}
