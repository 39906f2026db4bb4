package main

import "time"

// stopwatch adds up the processor time of a process, and that of waitpool's
// threads, while it runs. What reads it stays outside as far as can be.
type stopwatch struct {
	all, workers           time.Duration
	beganAll, beganWorkers time.Duration
}

// prepare comes before begin; it allocates.
func (w *stopwatch) prepare() { w.beganWorkers = workersTime() }

func (w *stopwatch) begin() { w.beganAll = processTime() }

func (w *stopwatch) end() { w.all += processTime() - w.beganAll }

// finish comes after end.
func (w *stopwatch) finish() { w.workers += workersTime() - w.beganWorkers }

// callers is the time of all threads but waitpool's.
func (w *stopwatch) callers() time.Duration { return max(w.all-w.workers, 0) }
