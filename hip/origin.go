package hip

// origin is how memory was allocated, which says what more can be done with it.
type origin uint8

const (
	originPool    origin = iota // of a pool
	originPlain                 // by hipMalloc or hipMemAllocPitch
	originManaged               // by hipMallocManaged
	originMapped                // in an AddressRange
	originForeign               // by others, who free it
)

// memoryOwner is an object that has memory, other than those that memoryOf knows by
// name. memory is nil for a nil object.
type memoryOwner interface{ memory() *Memory }

// memoryAt makes the Go side of an allocation of its own. free ends a use of d.
func (d *Device) memoryAt(addr, size uint64, from origin, free func()) *Memory {
	m := new(Memory)
	m.init(d, addr, size, from, free)
	return m
}

func (m *Memory) init(d *Device, addr, size uint64, from origin, free func()) {
	m.dev, m.addr, m.size, m.from, m.root = d, addr, size, from, m
	m.life.Init(memoryKind, free)
}

// plain is free for memory of hipMalloc and its like, whose free may wait.
func (d *Device) plain(addr uint64) func() {
	return func() {
		if addr == 0 {
			d.life.Release()
			return
		}
		d.discards.Discard(true, func() { rawFreePlain(d.raw, addr) })
	}
}
