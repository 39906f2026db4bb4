package main

import (
	"os"
	"runtime"
	"testing"
	"time"
)

// burn uses the processor for so long.
func burn(d time.Duration) {
	for begin := processTime(); processTime()-begin < d; {
	}
}

func TestStopwatchCountsTheCallersTime(t *testing.T) {
	var w stopwatch
	w.prepare()
	w.begin()
	burn(30 * time.Millisecond)
	w.end()
	w.finish()
	if w.all < 30*time.Millisecond || w.workers != 0 || w.callers() != w.all {
		t.Errorf("30 ms of work and no worker: %+v", w)
	}
}

// A thread that is named as waitpool names its own counts as a worker; threads
// have the program's name, which may begin so, unless they are given one.
func TestStopwatchTellsWorkersApart(t *testing.T) {
	var w stopwatch
	before := len(workerThreads())
	named, burnt := make(chan error), make(chan struct{})
	work, leave := make(chan struct{}), make(chan struct{})
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		runtime.LockOSThread()
		defer runtime.UnlockOSThread()
		const comm = "/proc/thread-self/comm"
		was, err := os.ReadFile(comm)
		if err == nil {
			err = os.WriteFile(comm, []byte("triad-wait-9"), 0)
		}
		named <- err
		<-work
		burn(30 * time.Millisecond)
		close(burnt)
		<-leave
		if err := os.WriteFile(comm, was, 0); err != nil {
			t.Error(err)
		}
	}()
	if err := <-named; err != nil {
		t.Fatal(err)
	}
	if n := len(workerThreads()); n != before+1 {
		t.Errorf("%d threads of waitpool's, want %d", n, before+1)
	}
	w.prepare()
	w.begin()
	close(work)
	<-burnt
	w.end()
	w.finish()
	close(leave)
	<-ended
	// What one thread takes may be counted a little later than what all take.
	if w.workers < 15*time.Millisecond || w.callers() > w.all-10*time.Millisecond {
		t.Errorf("30 ms of work by a worker: all %v, workers %v, callers %v", w.all, w.workers, w.callers())
	}
}
