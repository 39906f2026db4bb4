//go:build linux && cgo

package waitpool

import (
	"context"
	"github.com/triad-gpu/triad/waitpool/internal/twins"
	"testing"
	"time"
)

func TestDbg(t *testing.T) {
	p := newPool(t, Options{})
	k := newKind(t, p, "nothing")
	o := newOp(t)
	for range 10 {
		a := p.Stats()
		n := 20000
		t0 := time.Now()
		for range n {
			k.Wait(context.Background(), o)
		}
		d := time.Since(t0) / time.Duration(n)
		b := p.Stats()
		t.Log(d, "spunafter", b.SpunAfter-a.SpunAfter, "parked", b.Parked-a.Parked, "twin", twins.SpinPair(n)/time.Duration(n))
	}
}
