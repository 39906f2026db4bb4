package opencl

import "testing"

// Kernels without parameters, and nothing else, get one in the program that is
// only asked; see paramless.
func TestKernelsWithoutParametersGetOneToBeAsked(t *testing.T) {
	const with = "(__global int *triad_unused)"
	for _, x := range []struct{ before, after string }{
		{"__kernel void k(void) {}", "__kernel void k" + with + " {}"},
		{"kernel void k() {}", "kernel void k" + with + " {}"},
		{"__kernel\nvoid\nk( void )\n{}", "__kernel\nvoid\nk" + with + "\n{}"},
		{"__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k(void) {}", "__kernel __attribute__((reqd_work_group_size(8, 1, 1))) void k" + with + " {}"},
		{"__kernel void k(__global int *x) { f(); }", "__kernel void k(__global int *x) { f(); }"},
		{"void f(void) {}", "void f(void) {}"},
		{"int f() { return g(); }", "int f() { return g(); }"},
		{"void my__kernel(void) {}", "void my__kernel(void) {}"},
	} {
		if got := paramless.ReplaceAllString(x.before, "${1}"+with); got != x.after {
			t.Errorf("%q became %q; want %q", x.before, got, x.after)
		}
	}
}
