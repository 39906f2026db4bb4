package codeobject

import (
	"os"
	"regexp"
	"strconv"
	"testing"
)

// The fake compiler's numbers of architectures, which stand in C, are these.
func TestTheFakesMachinesAreThese(t *testing.T) {
	text, err := os.ReadFile("../../testdata/fakedriver/src/engine/amd_object.h")
	check(t, err)
	rows := regexp.MustCompile(`\{"(gfx\w+)", (0x\w+), [01], [01]\}`).FindAllSubmatch(text, -1)
	if len(rows) < 30 {
		t.Fatalf("%d architectures are found", len(rows))
	}
	for _, row := range rows {
		n, err := strconv.ParseUint(string(row[2]), 0, 8)
		check(t, err)
		if name := machines[uint32(n)]; name != string(row[1]) {
			t.Errorf("the fake has %s as %#x, which is %q", row[1], n, name)
		}
	}
}
