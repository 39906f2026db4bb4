//go:build triad_debug

package lifetime

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
)

// Debug tells whether this is a build with the tag triad_debug, which remembers
// where each live object was made.
const Debug = true

// leakRecord is an object's entry in the list of live objects.
type leakRecord struct{ id uint64 }

var records struct {
	sync.Mutex
	next uint64
	live map[uint64]string
}

func (r *leakRecord) born(k *Kind) {
	var pcs [16]uintptr
	n := runtime.Callers(3, pcs[:])
	var b strings.Builder
	fmt.Fprintf(&b, "%s made at", k.name)
	for frames := runtime.CallersFrames(pcs[:n]); ; {
		f, more := frames.Next()
		fmt.Fprintf(&b, "\n\t%s\n\t\t%s:%d", f.Function, f.File, f.Line)
		if !more {
			break
		}
	}
	records.Lock()
	defer records.Unlock()
	if records.live == nil {
		records.live = make(map[uint64]string)
	}
	records.next++
	r.id = records.next
	records.live[r.id] = b.String()
}

func (r *leakRecord) died() {
	records.Lock()
	defer records.Unlock()
	delete(records.live, r.id)
}

// Leaks lists where the live objects were made, in builds with the tag
// triad_debug; nil in others.
func Leaks() []string {
	records.Lock()
	defer records.Unlock()
	all := make([]string, 0, len(records.live))
	for _, s := range records.live {
		all = append(all, s)
	}
	slices.Sort(all)
	return all
}
