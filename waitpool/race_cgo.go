//go:build race && linux && cgo && (amd64 || arm64)

package waitpool

/*
extern void triadWaitpoolOrder(void);
static inline void tw_order(void) { triadWaitpoolOrder(); }
*/
import "C"

// acquireRace orders, for the race detector, what C code ordered: everything
// that happened before a C function ended the operation happens before Wait
// returns. The detector doesn't see memory that C touches. But in its books every
// call into C releases what went before, and a callback from C acquires it; so a
// build with the race detector calls back once for every outcome that comes from
// C. As with any callback, this also orders calls into C that had nothing to do
// with the operation.
func acquireRace() { C.tw_order() }

//export triadWaitpoolOrder
func triadWaitpoolOrder() {}
