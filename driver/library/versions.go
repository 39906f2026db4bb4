package library

import (
	"cmp"
	"slices"
	"strconv"
	"strings"
)

// CompareVersions compares numbers with dots between them: 12.4 is before 12.10.
// What is no number counts as 0.
func CompareVersions(a, b string) int {
	number := func(s string) int { n, _ := strconv.Atoi(s); return n }
	return slices.CompareFunc(strings.Split(a, "."), strings.Split(b, "."), func(a, b string) int {
		return cmp.Compare(number(a), number(b))
	})
}
