package fakedriver

import (
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
)

func build(t *testing.T, o Options) Paths {
	t.Helper()
	p, err := Build(o)
	if err != nil {
		drivertest.Unavailable(t, "cc", err)
	}
	return p
}
