package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const peersFile = `# NVIDIA H200, driver 580.159.04, CUDA 13.0; 2026-11-30
# peer	version	operation	ns	fastest round	what was called
CuPy	14.2.0	launch4	5830.5	5800.0	RawKernel

cuda.core	1.2.0	record	300
`

func TestParsePeers(t *testing.T) {
	name := filepath.Join(t.TempDir(), "peers.tsv")
	if err := os.WriteFile(name, []byte(peersFile), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readPeers(name)
	want := []peer{{"CuPy", "14.2.0", "launch4", 5830.5}, {"cuda.core", "1.2.0", "record", 300}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := readPeers(""); got != nil || err != nil {
		t.Errorf("no file: got %v, %v", got, err)
	}
	if _, err := readPeers(name + "2"); err == nil || !strings.Contains(err.Error(), name+"2") {
		t.Errorf("a file that is not there: %v", err)
	}
}

func TestMalformedPeersAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"CuPy 14 launch4 5830":                          "line 1: 1 fields",
		"# fine\nCuPy\t14\tlaunch4":                     "line 2: 3 fields",
		"CuPy\t14\tlaunch4\tfast":                       `"fast" is no time`,
		"CuPy\t14\tlaunch4\t0":                          `"0" is no time`,
		"CuPy\t14\tlaunch4\tNaN":                        `"NaN" is no time`,
		"CuPy\t14\tlaunch4\t-3":                         `"-3" is no time`,
		"A\t1\tlaunch4\t5\n" + strings.Repeat("x", 1e5): "too long",
	} {
		if got, err := parsePeers(strings.NewReader(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.40q: got %v, %v; want %q", text, got, err, want)
		}
	}
}

func TestPeerBesideOurs(t *testing.T) {
	ours := result{Suite: "launch", Name: "args4", NS: 3200, CNS: 3100}
	got := peer{"CuPy", "14.2.0", "launch4", 6400}.versus(ours)
	want := peerResult{Suite: "launch", Name: "args4", Peer: "CuPy 14.2.0", NS: 6400, CNS: 3100, Ratio: 2.065, Times: 2, OK: true}
	if got != want {
		t.Errorf("got %+v", got)
	}
	if behind := (peer{"X", "1", "launch4", 3200}).versus(ours); behind.OK {
		t.Errorf("level is not ahead: %+v", behind)
	}
}
