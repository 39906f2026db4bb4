package control

// When says which calls fail. The zero value is none.
type When struct {
	mode int
	n    uint64
}

// Which calls fail: none, the next one, all.
var (
	Never  = When{mode: 0}
	Once   = When{mode: 1}
	Always = When{mode: 2}
)

// Nth is the n-th call from now, counted from 1.
func Nth(n uint64) When { return When{3, n} }

// Random is that share of the calls, by chance.
func Random(share float64) When { return When{4, uint64(share * 1e6)} }

// Callbacks is what becomes of host functions.
type Callbacks int

// What may become of them.
const (
	InOrder Callbacks = iota
	Lost
	Doubled
	Early
)

// WrongContexts counts, in the library at a path, calls on things of another context
// than the one current; without cgo there are none.
func WrongContexts(library string) int {
	d, err := Open(library)
	if err != nil {
		return 0
	}
	return d.WrongContext()
}
