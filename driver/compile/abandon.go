package compile

import (
	"bytes"
	"context"
	"slices"

	"github.com/triad-gpu/triad/driver"
)

// Abandonable runs a compiler that can't be interrupted. When ctx ends first, it
// returns ctx's error at once; run goes on, on a goroutine, and drop gets what it
// makes all the same. ctx may be nil.
//
// So run must not use what its caller may change after the return; see Keep.
func Abandonable[T any](ctx context.Context, run func() (T, error), drop func(T)) (T, error) {
	var none T
	if ctx == nil || ctx.Done() == nil {
		v, err := run()
		if err != nil {
			return none, err
		}
		return v, nil
	}
	if err := ctx.Err(); err != nil {
		return none, err
	}
	type result struct {
		v   T
		err error
	}
	done := make(chan result)
	go func() {
		v, err := run()
		select {
		case done <- result{v, err}:
		case <-ctx.Done():
			if err == nil {
				drop(v)
			}
		}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return none, r.err
		}
		return r.v, nil
	case <-ctx.Done():
		return none, ctx.Err()
	}
}

// Keep copies what a caller of driver.Device.Load may change after the call, if
// the call can return before its work is done.
func Keep(ctx context.Context, src driver.ModuleSource, opts driver.BuildOptions) (driver.ModuleSource, driver.BuildOptions) {
	if ctx == nil || ctx.Done() == nil {
		return src, opts
	}
	src.Code, src.Description = bytes.Clone(src.Code), bytes.Clone(src.Description)
	opts.Flags, opts.Defines, opts.Constants = slices.Clone(opts.Flags), slices.Clone(opts.Defines), slices.Clone(opts.Constants)
	for i := range opts.Constants {
		opts.Constants[i].Value = bytes.Clone(opts.Constants[i].Value)
	}
	return src, opts
}
