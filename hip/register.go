package hip

import (
	"runtime"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

// RegisterFlags are hipHostRegister… and hipExtHostRegister….
type RegisterFlags uint32

// The flags of registered memory. All of it is portable and mapped.
const (
	IOMemory      RegisterFlags = 4 // memory of another device of the host's
	CoarseGrained RegisterFlags = 8 // kernels may cache it, and the host sees their writes when they have ended
)

// registered are the pins of Go's memory that is registered: a Pinner that was
// forgotten would end the program.
var registered struct {
	sync.Mutex
	pins map[*runtime.Pinner]struct{}
}

// Register page-locks host memory that exists already (hipHostRegister), so that
// copies from and to it go on by themselves and kernels can read it. Memory of C's
// or of mmap's must stay where it is until Close has come to its end. Memory of Go's
// heap is pinned until then, and whole pages of it, so few large pieces are better
// than many small ones. Of the bytes, no part may be registered already.
//
// Close unregisters (hipHostUnregister) once everything that this opening's
// streams have been given has finished.
func (d *Device) Register(b []byte, flags RegisterFlags) (*HostMemory, error) {
	const op = "hipHostRegister"
	if err := d.use(op); err != nil {
		return nil, err
	}
	h := &HostMemory{Memory: Memory{dev: d, host: true, size: uint64(len(b))}}
	h.root = &h.Memory
	if len(b) == 0 {
		h.life.Init(hostKind, d.life.Release)
		return h, nil
	}
	pin := pinned(b)
	p := word(bytesAddr(b))
	giveUp := func() {
		d.discards.Discard(true, func() {
			if rawHostUnregister(d.raw, p) {
				unpin(pin) // else it stays, and is used for nothing else
			}
		})
	}
	if code, registered := rawHostRegister(d.raw, p, h.size, uint32(flags)|hostPortable|hostMapped); code != 0 {
		err := d.registerFailure(op, code, h.size)
		if registered {
			giveUp()
		} else {
			unpin(pin)
			d.life.Release()
		}
		return nil, err
	}
	h.addr, h.bytes, h.from = p, b, originForeign
	h.life.Init(hostKind, giveUp)
	return h, nil
}

// pinned keeps memory of Go's where it is. The runtime passes over memory that isn't
// Go's, or refuses it with a panic.
func pinned(b []byte) *runtime.Pinner {
	pin := new(runtime.Pinner)
	func() {
		defer func() { _ = recover() }()
		pin.Pin(&b[0])
	}()
	registered.Lock()
	defer registered.Unlock()
	if registered.pins == nil {
		registered.pins = make(map[*runtime.Pinner]struct{})
	}
	registered.pins[pin] = struct{}{}
	return pin
}

func unpin(pin *runtime.Pinner) {
	pin.Unpin()
	registered.Lock()
	delete(registered.pins, pin)
	registered.Unlock()
}

func (d *Device) registerFailure(op string, code int32, size uint64) error {
	if code == codeNotSupported {
		if err := d.lacks(op, AttrHostRegisterSupported, "registered host memory"); err != nil {
			return err
		}
		return refused(op, driver.ErrUnsupported, "%s can't use registered memory at the host's address", d.info.Name)
	}
	return d.failure(op, code, "%s of host memory", driver.ByteSize(size))
}
