// Package spares has tests of the memory that a stream keeps for its next allocation,
// for every backend that a fake driver stands behind: which memory that is, how much of
// it, and what takes it away again.
//
//	func TestSpares(t *testing.T) {
//		drivertest.RunChild(t, "TestSparesInChild", …)
//	}
//
//	func TestSparesInChild(t *testing.T) {
//		drivertest.OnlyAsChild(t)
//		spares.Run(t, spares.Backend{…})
//	}
//
// They run in a process of their own, which has a fake driver with one device of Memory
// bytes.
package spares
