//go:build !(cgo && linux)

package cudatwin

import (
	"errors"
	"time"
)

var errUnavailable = errors.New("C twin: not in this build, which has no cgo or is not for Linux")

// Twin can't be opened in this build.
type Twin struct{}

// Open fails.
func Open(Config) (*Twin, error) { return nil, errUnavailable }

// Cross does nothing.
func Cross() {}

func (*Twin) Close() {}

func (*Twin) Once(what Call, bytes int) error                            { return errUnavailable }
func (*Twin) Launch(args, n, every int) (time.Duration, error)           { return 0, errUnavailable }
func (*Twin) LaunchThreads(threads, n, every int) (time.Duration, error) { return 0, errUnavailable }
func (*Twin) LaunchWait(how Wait, n int) (time.Duration, error)          { return 0, errUnavailable }
func (*Twin) IdleWait(n int) (time.Duration, error)                      { return 0, errUnavailable }
func (*Twin) Record(n, every int) (time.Duration, error)                 { return 0, errUnavailable }
func (*Twin) Query(n int) (time.Duration, error)                         { return 0, errUnavailable }
func (*Twin) Memset(bytes, n, every int) (time.Duration, error)          { return 0, errUnavailable }
func (*Twin) AllocFree(bytes, n, every int) (time.Duration, error)       { return 0, errUnavailable }
func (*Twin) Nothing(n int) (time.Duration, error)                       { return 0, errUnavailable }

func (*Twin) SpinWait(how Wait, device time.Duration, n int) (time.Duration, error) {
	return 0, errUnavailable
}

func (*Twin) SpinThreads(threads int, device time.Duration, n int) (time.Duration, error) {
	return 0, errUnavailable
}

func (*Twin) Copy(d Direction, bytes, n, every int) (time.Duration, error) {
	return 0, errUnavailable
}

func (*Twin) Bulk(d Direction, bytes, n, every int) (time.Duration, error) {
	return 0, errUnavailable
}
