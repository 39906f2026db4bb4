// Package control asks things of a fake driver that this process has loaded:
// that calls fail, wait or take their time, that a stream faults, how many calls
// and handles there were. fake_control.h says what each does. The driver itself
// is loaded by the code under test, before or after; it is the same library.
package control
