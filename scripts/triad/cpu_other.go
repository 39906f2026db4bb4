//go:build !linux

package main

import "time"

// Only Linux tells; elsewhere nothing is known, and reported as 0.

func processTime() time.Duration { return 0 }

func workersTime() time.Duration { return 0 }

func workerThreads() []string { return nil }
