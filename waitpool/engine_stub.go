//go:build !(linux && cgo && (amd64 || arm64))

package waitpool

import (
	"sync/atomic"
	"time"
)

// Without the C side only Go functions can be waited for. Blocking ones run on
// ordinary goroutines, at most Options.Overflow at a time.

const native = false

type status int

const (
	finished status = iota + 1
	pending
	refused
)

type outcome struct {
	result int64
	done   bool
	spun   bool
}

func tryPoll(poll, object uintptr, spin time.Duration) outcome { return outcome{} }
func tryWord(w *Word, spin time.Duration) outcome              { return outcome{} }
func setPressure(on bool)                                      {}
func refreshCPUs()                                             {}
func ignoredSignals() uint64                                   { return 0 }
func posts() uint64                                            { return 0 }

type engine struct {
	broken error
	looked atomic.Int64
	seen   atomic.Uint64
}

func newEngine(Options) (*engine, error)                            { return &engine{}, nil }
func brokenEngine(err error) *engine                                { return &engine{broken: err} }
func (e *engine) stop()                                             {}
func (e *engine) count() (workers, idle, spinning int)              { return 0, 0, 0 }
func (e *engine) submitWorker(w *waiter, spin time.Duration) status { return refused }
func (e *engine) submitPoller(w *waiter) status                     { return refused }
func (e *engine) submitWord(w *waiter) (status, bool)               { return refused, false }

type event struct{}

type block struct{}

func attachBlock[O, R any](r *request[O, R], w *waiter) {}

func (w *waiter) prepare(object, poll, wait uintptr, word *Word)  {}
func (w *waiter) settle(alone bool) bool                          { return false }
func (w *waiter) leave()                                          {}
func (w *waiter) object() uintptr                                 { return 0 }
func (w *waiter) getOutcome() int64                               { return w.outcome }
func (w *waiter) took() time.Duration                             { return 0 }
func (w *waiter) setOutcome(o int64)                              { w.outcome = o }
func (w *waiter) subscribe(fn uintptr, spin time.Duration) status { return refused }
func (w *waiter) subcode() int                                    { return 0 }
func (w *waiter) claim() bool                                     { return false }
func (w *waiter) callWait() int64                                 { return 0 }
func (w *waiter) awaitToken()                                     { <-w.wake }
func (w *waiter) parkEvent(backstop bool, d time.Duration) bool   { return true }
