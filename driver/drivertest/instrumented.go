package drivertest

import "os"

// Instrumented tells whether the race detector or AddressSanitizer is on. Tests that
// count allocations, or measure memory, skip then: the instrumentation allocates.
const Instrumented = RaceEnabled || AsanEnabled

// Sanitizer is the tool of NVIDIA's compute-sanitizer that the tests run under, as
// scripts/gpu says in TRIAD_SANITIZER; "" for none. The tool makes every launch slow,
// keeps something of each, and calls the driver itself when it does so.
func Sanitizer() string { return os.Getenv("TRIAD_SANITIZER") }

// fewer tells that rounds are dear, and that memory says nothing.
func fewer() bool { return Instrumented || Sanitizer() != "" }
