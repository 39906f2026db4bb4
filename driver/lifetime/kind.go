package lifetime

import (
	"sync"
	"sync/atomic"
)

// Kind counts the live objects of one kind, such as "opencl stream".
type Kind struct {
	name string
	live atomic.Int64
}

var kinds struct {
	sync.Mutex
	all []*Kind
}

// NewKind makes a kind; once each, in a package variable.
func NewKind(name string) *Kind {
	k := &Kind{name: name}
	kinds.Lock()
	defer kinds.Unlock()
	kinds.all = append(kinds.all, k)
	return k
}

// Name is the kind's name.
func (k *Kind) Name() string { return k.name }

// Live is the number of objects of this kind whose native side exists.
func (k *Kind) Live() int64 { return k.live.Load() }

// Live is the number of live objects of each kind that has any. Tests compare it
// before and after; see More.
func Live() map[string]int64 {
	kinds.Lock()
	defer kinds.Unlock()
	m := make(map[string]int64)
	for _, k := range kinds.all {
		if n := k.live.Load(); n != 0 {
			m[k.name] = n
		}
	}
	return m
}

// More is how many more live objects of each kind there are than before, as Live told
// them. Of a kind of which there are fewer it has nothing: what was put off until the
// end of earlier work may come to its end at any time.
func More(before map[string]int64) map[string]int64 {
	more := Live()
	for kind, n := range more {
		if n -= before[kind]; n > 0 {
			more[kind] = n
		} else {
			delete(more, kind)
		}
	}
	return more
}
