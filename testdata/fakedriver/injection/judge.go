//go:build cgo && linux

package injection

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/lifetime"
)

func contains(list []string, s string) bool { return slices.Contains(list, s) }

// judge reads what a test wrote.
func (c *child) judge(r *Result, text string) {
	switch {
	case strings.Contains(text, "--- FAIL: "):
		r.Outcome = "failed"
	case strings.Contains(text, "--- SKIP: "+r.Test+" "):
		r.Outcome = "skipped"
	case strings.Contains(text, "--- PASS: "+r.Test+" "):
		r.Outcome = "passed"
	case strings.Contains(text, "--- SKIP: "):
		r.Outcome = "skipped" // as a whole, since there is no device
	default:
		r.Outcome = "missing"
		r.problem("the test did not run")
	}
	if strings.Contains(text, "race detected") {
		r.problem("a data race")
	}
	if r.Symbol == "" {
		if r.Outcome == "failed" && !c.lacking {
			r.problem("the test fails without a failure of a call")
		}
		return
	}
	if r.Named = c.b.names(text, r.Injection); !r.Named {
		r.Said = c.b.said(text, r.Code)
	}
	if r.Outcome == "failed" && !r.Named && c.b.Quiet[r.Test+" "+r.Symbol] == "" {
		r.problem("no error names %s and %d", Call(r.Symbol), r.Code)
	}
}

// left looks for what a test left behind. What an abandoned operation holds is let go
// of some time after its end. A test that failed may have ended before it closed what
// it had made; then there is nothing to be said of what is left.
func (c *child) left(r *Result, before state) {
	patience := limit / 4
	if r.Outcome == "failed" {
		patience = limit / 120
	}
	kept := c.b.Keeps[r.Symbol] != ""
	var now state
	for end := time.Now().Add(patience); ; time.Sleep(200 * time.Microsecond) {
		runtime.Gosched()
		now = c.state()
		if !more(before, now, kept) || time.Now().After(end) {
			break
		}
	}
	if now.wrong > before.wrong {
		r.problem("%d calls were made in a wrong context", now.wrong-before.wrong)
	}
	for kind, n := range now.goes {
		if n > before.goes[kind] {
			r.Open = true
			if r.Outcome != "failed" {
				r.problem("%d %ss are left: %s", n-before.goes[kind], kind, strings.Join(lifetime.Leaks(), "\n"))
			}
		}
	}
	if r.Open || kept {
		return
	}
	if now.live > before.live {
		r.problem("%d things are left with the driver", now.live-before.live)
	}
	if now.bytes > before.bytes {
		r.problem("%d bytes are left with the driver", now.bytes-before.bytes)
	}
}

func more(before, now state, kept bool) bool {
	for kind, n := range now.goes {
		if n > before.goes[kind] {
			return true
		}
	}
	return !kept && (now.live > before.live || now.bytes > before.bytes)
}

// works does what any program does with a device.
func (c *child) works(what string, dev driver.Device) {
	if err := use(dev); err != nil && !errors.Is(err, driver.ErrClosed) {
		c.result.problem("%s is of no use afterwards: %v", what, err)
	}
}

func use(dev driver.Device) error {
	ctx, cancel := context.WithTimeout(context.Background(), limit/2)
	defer cancel()
	s, err := dev.NewStream(driver.StreamOptions{})
	if err != nil {
		return err
	}
	m, err := dev.Alloc(4096)
	if err != nil {
		return errors.Join(err, s.Close())
	}
	got := make([]byte, 4096)
	err = errors.Join(
		s.Fill(m, 0, 4096, driver.Pattern{Bytes: [16]byte{7}, Len: 1}),
		s.CopyToHost(ctx, got, m, 0),
		s.Wait(ctx))
	if err == nil && !bytes.Equal(got, bytes.Repeat([]byte{7}, 4096)) {
		err = fmt.Errorf("what was written is not what is read: %v…", got[:8])
	}
	return errors.Join(err, m.Close(), s.Close())
}
