package drivertest

// Instrumented tells whether the race detector or AddressSanitizer is on. Tests that
// count allocations, or measure memory, skip then: the instrumentation allocates.
const Instrumented = RaceEnabled || AsanEnabled
