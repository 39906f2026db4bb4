package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

var pointerRig = memorytest.Pointers[*Device, *Memory, PointerKind]{
	Language: "CUDA",
	Unknown:  PointerUnknown, Host: PointerHost, Device: PointerDevice,
	Info: func(d *Device, addr uint64) (memorytest.Pointer[PointerKind], error) {
		info, err := d.PointerInfo(addr)
		return memorytest.Pointer[PointerKind]{
			Kind: info.Kind, Device: info.Device, Base: info.Base, Size: info.Size,
			DeviceAddr: info.DeviceAddr, HostAddr: info.HostAddr, Managed: info.Managed, All: info,
		}, err
	},
	Number: func(d *Device) int { return int(d.native) },
	AddrOf: func(b []byte) uint64 { return word(bytesAddr(b)) },
	InContext: func(t *testing.T, d *Device, plain *Memory) {
		_, ctx := d.Native()
		if info, err := d.PointerInfo(plain.Addr()); info.Context != ctx || !info.IPC || err != nil {
			t.Errorf("memory of cuMemAlloc: %+v, error %v; the context is %#x", info, err, ctx)
		}
	},
	InAnother: func(t *testing.T, d *Device) {
		own := open(t, DeviceOptions{OwnContext: true})
		foreign, err := own.AllocPlain(4096)
		check(t, err)
		_, err = d.WrapMemory(foreign.Addr(), 4096)
		wantIs(t, "memory of another context", err, driver.ErrInvalidContext, "wrap that context")
		check(t, foreign.Close())
	},
}

func TestPointerInfo(t *testing.T)   { memorytest.PointerInfo(t, rig, pointerRig) }
func TestWrappedMemory(t *testing.T) { memorytest.WrappedMemory(t, rig, pointerRig) }
func TestIPCMemory(t *testing.T)     { memorytest.IPCMemory(t, rig) }
