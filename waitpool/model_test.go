package waitpool

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// need skips the test when the tools aren't installed, unless TRIAD_REQUIRE,
// a list, names what.
func need(t *testing.T, what string, tools ...string) {
	t.Helper()
	for _, tool := range tools {
		if _, err := exec.LookPath(tool); err != nil {
			if slices.Contains(strings.Split(os.Getenv("TRIAD_REQUIRE"), ","), what) {
				t.Fatalf("%s is required by TRIAD_REQUIRE, but %v", what, err)
			}
			t.Skipf("%v; install %s to run this", err, tool)
		}
	}
}

// checkModel runs the model checker and returns its report.
func checkModel(t *testing.T, roads, mutate int) string {
	rounds := 2
	if roads == 8 {
		rounds = 1 // two take two minutes, and pass
	}
	t.Helper()
	model, err := filepath.Abs("model/park.pml")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var report []byte
	for _, args := range [][]string{
		{"spin", fmt.Sprintf("-DMUTATE=%d", mutate), fmt.Sprintf("-DROADS=%d", roads), fmt.Sprintf("-DROUNDS=%d", rounds), "-a", model},
		{"gcc", "-O0", "-w", "-DSAFETY", "-DCOLLAPSE", "-DMEMLIM=2000", "-o", "pan", "pan.c"},
		{"./pan", "-m100000"},
	} {
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir = dir
		if report, err = cmd.CombinedOutput(); err != nil && args[0] != "./pan" {
			t.Fatalf("%v: %v\n%s", args, err, report)
		}
	}
	return string(report)
}

// TestModel checks the protocol, and that the checker notices when it is broken.
func TestModel(t *testing.T) {
	if raceOrAsan || testing.Short() {
		t.Skip("takes a while, and is the same in every build")
	}
	need(t, "spin", "spin", "gcc")
	for _, roads := range []int{1, 2, 5, 8} {
		t.Run(fmt.Sprintf("roads%d", roads), func(t *testing.T) {
			r := checkModel(t, roads, 0)
			if !strings.Contains(r, "errors: 0") || strings.Contains(r, "Search not completed") || strings.Contains(r, "max search depth too small") {
				t.Errorf("the model of the protocol has errors, or could not be searched:\n%s", r)
			}
		})
	}
	for i, roads := range []int{1, 1, 2, 4, 1, 1, 8, 8, 8} {
		mutate := i + 1
		t.Run(fmt.Sprintf("mutation%d", mutate), func(t *testing.T) {
			if r := checkModel(t, roads, mutate); !strings.Contains(r, "errors: 1") {
				t.Errorf("the checker passed a broken protocol:\n%s", r)
			}
		})
	}
}
