// Package discipline has tests that only a fake driver makes possible, for every
// backend that one stands behind: how many calls of the driver, and how many
// allocations, an operation takes; that each call is made with the right context
// current, and leaves the thread's as it was; and what becomes of waits at every
// point where a driver can leave them.
//
//	func TestDiscipline(t *testing.T) {
//		drivertest.RunChild(t, "TestDisciplineInChild", …)
//	}
//
//	func TestDisciplineInChild(t *testing.T) {
//		drivertest.OnlyAsChild(t)
//		discipline.Run(t, discipline.Backend{…})
//	}
//
// They run in a process of their own, which has a fake driver wherever it runs, with
// two devices, and counts allocations (see package mallocs).
package discipline
