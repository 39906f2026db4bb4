package library

import (
	"slices"
	"testing"
)

func TestVersionsAreComparedByTheirNumbers(t *testing.T) {
	list := []string{"12.10", "9.2", "12.4", "12", "13.0", "junk"}
	slices.SortFunc(list, CompareVersions)
	if want := []string{"junk", "9.2", "12", "12.4", "12.10", "13.0"}; !slices.Equal(list, want) {
		t.Errorf("got %v, want %v", list, want)
	}
}
