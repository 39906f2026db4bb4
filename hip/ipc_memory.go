package hip

import "github.com/triad-gpu/triad/driver"

// IPCMemory stands for device memory in another process (hipIpcMemHandle_t). It is a
// value, to be sent as it is.
type IPCMemory [64]byte

// ExportIPC describes memory of AllocPlain or AllocPitched for another process
// (hipIpcGetMemHandle). The memory must stay open here as long as the other process
// has it open. Memory of pools is exported by Pool.Export, and mapped memory by
// Physical.Export.
func (m *Memory) ExportIPC() (IPCMemory, error) {
	const op = "hipIpcGetMemHandle"
	if err := m.use(op); err != nil {
		return IPCMemory{}, err
	}
	defer m.life.Release()
	switch {
	case m.root.from != originPlain || m.host:
		return IPCMemory{}, refused(op, driver.ErrUnsupported, "only memory of AllocPlain and AllocPitched can be exported so; that of pools by Pool.Export, mapped memory by Physical.Export")
	case m.root != m:
		return IPCMemory{}, refused(op, driver.ErrInvalidValue, "a slice; export the whole memory")
	case m.size == 0:
		return IPCMemory{}, refused(op, driver.ErrInvalidValue, "memory without bytes")
	}
	h, code := rawIPCExport(m.dev.raw, m.addr)
	return h, m.dev.failure(op, code, "%s on %s", driver.ByteSize(m.size), m.dev.info.Name)
}

// OpenIPC opens size bytes of another process's memory, by what its ExportIPC gave
// out (hipIpcOpenMemHandle); the process itself can't. Close gives it up
// (hipIpcCloseMemHandle) once everything that this opening's streams have been given
// has finished. To open memory a second time before is refused by some drivers.
func (d *Device) OpenIPC(h IPCMemory, size uint64) (*Memory, error) {
	const op = "hipIpcOpenMemHandle"
	if err := d.use(op); err != nil {
		return nil, err
	}
	addr, have, code := rawIPCOpen(d.raw, h)
	if code != 0 {
		defer d.life.Release()
		return nil, d.failure(op, code, "%s, from ExportIPC of another process", driver.ByteSize(size))
	}
	if have != 0 && size > have {
		rawIPCClose(d.raw, addr)
		d.life.Release()
		return nil, refused(op, driver.ErrInvalidValue, "%d bytes of memory that has %d", size, have)
	}
	return d.memoryAt(addr, size, originForeign, func() {
		d.discards.Discard(true, func() { rawIPCClose(d.raw, addr) })
	}), nil
}
