package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
)

// peer is what another library took for an operation, as scripts/peers measured
// it on the same machine.
type peer struct {
	name, version string
	op            string // as pair.peers names it
	ns            float64
}

// peerResult is a peer's line of the report, below ours.
type peerResult struct {
	Suite string  `json:"suite"`
	Name  string  `json:"name"`
	Peer  string  `json:"peer"`
	NS    float64 `json:"ns"`
	CNS   float64 `json:"c_ns"`       // of the C twin, as in our line
	Ratio float64 `json:"ratio"`      // ns / c_ns
	Times float64 `json:"times_ours"` // ns / ours
	OK    bool    `json:"ok"`         // ours is faster
}

// versus sets a peer beside our result.
func (p peer) versus(r result) peerResult {
	return peerResult{
		Suite: r.Suite, Name: r.Name, Peer: p.name + " " + p.version, NS: p.ns, CNS: r.CNS,
		Ratio: round(p.ns/r.CNS, 3), Times: round(p.ns/r.NS, 3), OK: p.ns > r.NS,
	}
}

// readPeers reads the file that scripts/peers/peers.py writes. "" is no file.
func readPeers(name string) ([]peer, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("bench: %w", err)
	}
	defer f.Close()
	list, err := parsePeers(f)
	if err != nil {
		return nil, fmt.Errorf("bench: %s: %w", name, err)
	}
	return list, nil
}

// parsePeers reads lines of peer, version, operation and nanoseconds, with tabs
// between them. Further fields are for people, and so are lines that begin with #.
func parsePeers(r io.Reader) ([]peer, error) {
	var list []peer
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		line := strings.TrimSpace(lines.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		fields := strings.Split(line, "\t")
		if len(fields) < 4 {
			return nil, fmt.Errorf("line %d: %d fields in %q; peer, version, operation and nanoseconds are needed, with tabs between them", n, len(fields), line)
		}
		ns, err := strconv.ParseFloat(fields[3], 64)
		if err != nil || !(ns > 0) {
			return nil, fmt.Errorf("line %d: %q is no time in nanoseconds", n, fields[3])
		}
		list = append(list, peer{name: fields[0], version: fields[1], op: fields[2], ns: ns})
	}
	return list, lines.Err()
}
