package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"time"
)

// processTime is the processor time that the process has used.
func processTime() time.Duration {
	var usage syscall.Rusage
	if syscall.Getrusage(syscall.RUSAGE_SELF, &usage) != nil {
		return 0
	}
	return time.Duration(usage.Utime.Nano() + usage.Stime.Nano())
}

// workersTime is the part that waitpool's threads have used; 0 with a kernel that
// doesn't tell.
func workersTime() (sum time.Duration) {
	for _, thread := range workerThreads() {
		stat, err := os.ReadFile(filepath.Join(thread, "schedstat"))
		if err != nil {
			continue
		}
		var ns int64
		if _, err := fmt.Sscan(string(stat), &ns); err == nil {
			sum += time.Duration(ns)
		}
	}
	return sum
}

// workerThreads lists the folders in /proc of waitpool's threads, which it names
// triad-poll and triad-wait-N.
func workerThreads() []string {
	names, _ := filepath.Glob("/proc/self/task/*/comm")
	var workers []string
	for _, name := range names {
		// A thread that has ended in the meantime was none of them.
		if comm, err := os.ReadFile(name); err == nil && (bytes.HasPrefix(comm, []byte("triad-poll")) || bytes.HasPrefix(comm, []byte("triad-wait-"))) {
			workers = append(workers, filepath.Dir(name))
		}
	}
	return workers
}
