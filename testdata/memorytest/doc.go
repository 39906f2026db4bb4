// Package memorytest has the tests of memory that CUDA and HIP have alike, beyond the
// contract: address ranges, pools, pitched and managed memory, arrays and textures,
// registered memory and memory of other processes, and what is known of an address. Both
// backends run them, each with its own types, on whatever driver there is:
//
//	var rig = memorytest.Rig[*Device]{Name: "cuda", Open: …, Hold: hold}
//
//	func TestMappedMemory(t *testing.T) { memorytest.MappedMemory(t, rig) }
//
// The types of a backend's methods follow from that of its devices. What follows from
// nothing is an argument: constants, and what the backends call differently. D are
// always devices, and S their streams; each file says what other type parameters are.
package memorytest
