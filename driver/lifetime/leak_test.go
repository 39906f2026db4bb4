package lifetime_test

import (
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver/lifetime"
)

// Debug builds say where a live object was made; others say nothing.
func TestLeaks(t *testing.T) {
	both(t, func(t *testing.T, mk func() object) {
		before := len(lifetime.Leaks())
		o := mk()
		o.Init(lifetime.NewKind(t.Name()), func() {})
		leaks := lifetime.Leaks()
		if !lifetime.Debug {
			if leaks != nil {
				t.Errorf("leaks without the tag triad_debug: %v", leaks)
			}
			o.Close()
			return
		}
		found := ""
		for _, l := range leaks {
			if strings.HasPrefix(l, t.Name()+" made at") {
				found = l
			}
		}
		if first := strings.SplitN(found, "\n", 3); len(first) < 3 || !strings.Contains(first[1], "TestLeaks") {
			t.Errorf("the leak reads %q; want this function first", found)
		}
		o.Close()
		if after := len(lifetime.Leaks()); after != before {
			t.Errorf("%d leaks after Close; want %d", after, before)
		}
	})
}
