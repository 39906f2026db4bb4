package main

import (
	"time"

	"github.com/triad-gpu/triad/waitpool"
)

// stopwatch adds up the processor time of a process, and that of waitpool, while it
// runs. What reads it stays outside as far as can be.
type stopwatch struct {
	all, workers           time.Duration
	beganAll, beganWorkers time.Duration
}

// prepare comes before begin; it allocates.
func (w *stopwatch) prepare() { w.beganWorkers = waitersTime() }

func (w *stopwatch) begin() { w.beganAll = processTime() }

func (w *stopwatch) end() { w.all += processTime() - w.beganAll }

// finish comes after end.
func (w *stopwatch) finish() { w.workers += waitersTime() - w.beganWorkers }

// waitersTime is what waitpool has used: its threads, and goroutines that watched on
// behalf of parked ones.
func waitersTime() time.Duration { return workersTime() + waitpool.Default().Stats().LookedOut }

// callers is the time of all but waitpool.
func (w *stopwatch) callers() time.Duration { return max(w.all-w.workers, 0) }
