package hip

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

var pointerRig = memorytest.Pointers[*Device, *Memory, PointerKind]{
	Language: "HIP",
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
}

func TestPointerInfo(t *testing.T)   { memorytest.PointerInfo(t, rig, pointerRig) }
func TestWrappedMemory(t *testing.T) { memorytest.WrappedMemory(t, rig, pointerRig) }
func TestIPCMemory(t *testing.T)     { memorytest.IPCMemory(t, rig) }
