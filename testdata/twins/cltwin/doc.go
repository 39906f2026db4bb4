// Package cltwin is the C program that our OpenCL benchmarks compare against:
// the same work as on the Go side, written in C as one would write it for speed,
// in loops that time themselves. It works in the benchmark's own context with
// queues, kernel objects and memory of its own.
package cltwin

// Config is what a twin shares with the Go side.
type Config struct {
	Library                  string  // the loaded OpenCL library's path
	Device, Context, Program uintptr // cl_device_id, cl_context, cl_program of kernels/empty.cl
	Shared                   bool    // allocate shared virtual memory rather than buffers
	Bytes                    int     // size of each memory; the largest copy
}

// Wait is how a launch is waited for.
type Wait int

// The ways to wait.
const (
	Finish        Wait = iota // clFinish
	WaitForEvents             // clWaitForEvents on the launch's event
	Poll                      // clGetEventInfo on the launch's event, in a loop
	Marker                    // clWaitForEvents on a marker behind the launch
)

// Direction is that of a copy.
type Direction int

// The directions.
const (
	ToDevice Direction = iota
	ToHost
	OnDevice
)
