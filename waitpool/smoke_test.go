//go:build linux && cgo && (amd64 || arm64)

package waitpool

import (
	"context"
	"github.com/triad-gpu/triad/waitpool/internal/twins"
	"testing"
	"time"
	"unsafe"
)

type op = twins.Op

func TestSmoke(t *testing.T) {
	base := Spec[op, int64]{Object: func(o op) unsafe.Pointer { return o.Object() }, Result: func(o op, r int64) (int64, error) { return r, nil }}
	for name, f := range map[string]func(*Spec[op, int64]){
		"poll":    func(s *Spec[op, int64]) { s.CPoll = twins.Poll },
		"wait":    func(s *Spec[op, int64]) { s.CWait = twins.Wait },
		"sub":     func(s *Spec[op, int64]) { s.CSubscribe = twins.Subscribe },
		"subpoll": func(s *Spec[op, int64]) { s.CSubscribe = twins.Subscribe; s.CPoll = twins.Poll },
		"gowait":  func(s *Spec[op, int64]) { s.Wait = func(o op) (int64, error) { return o.Block(), nil } },
		"word": func(s *Spec[op, int64]) {
			s.Word = func(o op) Word { return Word{Addr32: o.Word32(), Target: 1} }
			s.Result = func(op, int64) (int64, error) { return 5, nil }
		},
	} {
		t.Run(name, func(t *testing.T) {
			p, err := New(Options{})
			if err != nil {
				t.Fatal(err)
			}
			s := base
			f(&s)
			k, err := NewKind(p, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range []time.Duration{0, time.Microsecond * 30, time.Millisecond * 3} {
				for _, ctx := range []context.Context{context.Background(), t.Context()} {
					o := twins.New()
					o.Result(5)
					o.Submit(d)
					t0 := time.Now()
					v, err := k.Wait(ctx, o)
					if v != 5 || err != nil {
						t.Fatal(v, err)
					}
					t.Log(d, time.Since(t0))
				}
			}
			t.Logf("%+v", p.Stats())
			if err := p.Close(); err != nil {
				t.Fatal(err)
			}
		})
	}
}
