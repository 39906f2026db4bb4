package waitpool

import (
	"fmt"
	"runtime/debug"
)

// A PanicError carries a panic of a wait, poll or subscribe function to the
// goroutine that waits, which panics with a *PanicError.
type PanicError struct {
	Value any    // what the function panicked with
	Stack []byte // where it did, as debug.Stack formats it
}

// Error describes the panic and where it happened.
func (e *PanicError) Error() string {
	return fmt.Sprintf("waitpool: a wait function panicked: %v\n\n%s", e.Value, e.Stack)
}

// Unwrap returns the panic's value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// result is how a Go function ended.
type result[R any] struct {
	value R
	err   error
	panic *PanicError
}

// caught fills in r's panic. It is deferred around calls of Go functions; a call
// that neither returned nor panicked is on its way out through Goexit.
func caught[R any](r *result[R], returned *bool) {
	if *returned {
		return
	}
	if v := recover(); v != nil {
		r.panic = &PanicError{v, debug.Stack()}
		return
	}
	r.err = ErrGoexit
}

func guardWait[O, R any](f func(O) (R, error), obj O, r *result[R]) {
	returned := false
	defer caught(r, &returned)
	r.value, r.err = f(obj)
	returned = true
}

func guardPoll[O, R any](f func(O) (R, bool, error), obj O, r *result[R]) (done bool) {
	returned := false
	done = true // unless it returns and says otherwise
	defer caught(r, &returned)
	r.value, done, r.err = f(obj)
	returned = true
	return done
}

func guardSubscribe[O, R any](f func(O, Signal) error, obj O, s Signal, r *result[R]) {
	returned := false
	defer caught(r, &returned)
	r.err = f(obj, s)
	returned = true
}
