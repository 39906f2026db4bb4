package lifetime

import (
	"sync"
	"sync/atomic"
)

// Discards are native objects that are of no use any more, and that a driver frees only
// by waiting for the device, and with a lock held that nobody else can even launch
// without: page-locked memory, modules. While the device is busy they are kept, and
// freed when it has nothing to do. Init comes first; then any goroutine may use it.
type Discards struct {
	device *Life
	busy   func() bool
	drain  func()

	n       atomic.Int32
	mu      sync.Mutex
	list    []func()
	relieve bool // a goroutine sees to them
}

// mostDiscards is how many are kept before the device is waited for.
const mostDiscards = 1024

// Init says whose objects these are: each holds a use of the device. busy asks the
// driver whether the device has something to do; drain waits for all that it has been
// given so far, whatever comes of it.
func (v *Discards) Init(device *Life, busy func() bool, drain func()) {
	v.device, v.busy, v.drain = device, busy, drain
}

// Discard frees a native object after its last use, and gives up its use of the device.
// mayWait says that the driver's call waits for the device: then it is put off while
// that is busy.
func (v *Discards) Discard(mayWait bool, free func()) {
	defer v.device.Release()
	if !mayWait || !v.busy() {
		free()
		return
	}
	if !v.put(free) {
		return
	}
	if !v.device.Acquire() {
		v.relieved()
		return // a closed device frees at its end
	}
	go func() {
		defer v.device.Release()
		v.drain()
		v.Free()
		v.relieved()
	}()
}

// Rest frees what was put off if the device has nothing to do. It is to be called where
// that may have become so; where nothing was put off it costs a load.
func (v *Discards) Rest() {
	if v.n.Load() == 0 || !v.device.Acquire() {
		return // a closed device frees at its end
	}
	defer v.device.Release()
	if !v.busy() {
		v.Free()
	}
}

// Free frees all, on the calling goroutine: at the device's end, when every stream has
// come to its own.
func (v *Discards) Free() {
	v.mu.Lock()
	list := v.list
	v.list = nil
	v.n.Add(-int32(len(list)))
	v.mu.Unlock()
	for _, f := range list {
		f()
	}
}

// put keeps what frees an object. many says that there are too many, to one at a time,
// who is to see to it and then to call relieved.
func (v *Discards) put(free func()) (many bool) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.list = append(v.list, free)
	if v.n.Add(1) <= mostDiscards || v.relieve {
		return false
	}
	v.relieve = true
	return true
}

func (v *Discards) relieved() {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.relieve = false
}
