package injection

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

func TestKeptFailuresAreReadAsTheyAreWritten(t *testing.T) {
	want := []Injection{{"TestA/b", "cuX_v2", 2, 3, false}, {"TestC", "cuY", 719, 1, true}}
	name := filepath.Join(t.TempDir(), "failures.tsv")
	text := "# a comment\n\n" + want[0].line() + "\n" + want[1].line() + "\n"
	if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got, err := Kept(name); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%v, error %v; want %v", got, err, want)
	}
	for _, line := range []string{"TestA\tcuX\t2\t3", "TestA\tcuX\ttwo\t3\tfalse", "TestA\tcuX\t2\t-3\tfalse", "TestA\tcuX\t2\t3\tperhaps"} {
		if err := os.WriteFile(name, []byte("#\n"+line), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := Kept(name); err == nil || !strings.Contains(err.Error(), "failures.tsv:2: ") {
			t.Errorf("%q is read with error %v", line, err)
		}
	}
}

func TestEverySymbolHasAKeptFailure(t *testing.T) {
	of := func(test, symbol string, named bool, ms int64) Result {
		return Result{Injection: Injection{Test: test, Symbol: symbol, Code: 2, N: 1}, Fired: true, Named: named, Millis: ms}
	}
	never, bad := of("A", "cuNever", true, 1), of("A", "cuBad", true, 1)
	never.Fired, bad.Problems = false, []string{"it hangs"}
	got := uncovered([]Injection{{Symbol: "cuKept"}}, []Result{
		of("A", "cuKept", true, 1), of("B", "cuX", false, 1), of("C", "cuX", true, 9), of("D", "cuX", true, 3), of("E", "cuX", true, 3), never, bad, of("F", "cuB", false, 5),
	})
	if want := []Injection{{"F", "cuB", 2, 1, false}, {"D", "cuX", 2, 1, false}}; !reflect.DeepEqual(got, want) {
		t.Errorf("added are %v; want %v", got, want)
	}
}
