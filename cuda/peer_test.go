package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/driver/drivertest"
)

// peersOf are the first device and another one, or the first one again with a context
// of its own.
func peersOf(t *testing.T) drivertest.Peers {
	t.Helper()
	drivertest.LeavesNothing(t)
	p := drivertest.Peers{Backend: "cuda", Here: open(t), Hold: hold}
	infos, err := Backend().Devices()
	check(t, err)
	if len(infos) < 2 {
		p.There = open(t, DeviceOptions{OwnContext: true})
		return p
	}
	d, err := Open(1, DeviceOptions{})
	check(t, err)
	t.Cleanup(func() { _ = d.Close() })
	p.There = d
	return p
}

func TestCopyPeerOfTwoDevices(t *testing.T) {
	drivertest.RunChild(t, "TestCopyPeer", withFake(t, "devices=2;refuse=1")...)
}

func TestCopyPeer(t *testing.T)            { peersOf(t).Copies(t) }
func TestCopyPeerKeepsMemory(t *testing.T) { peersOf(t).KeepsMemory(t) }
func TestCopyPeerMisuse(t *testing.T)      { peersOf(t).Misuse(t, (*Memory)(nil), (*Stream)(nil)) }
