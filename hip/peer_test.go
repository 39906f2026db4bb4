package hip

import (
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// peersOf are the first two devices.
func peersOf(t *testing.T) drivertest.Peers {
	t.Helper()
	drivertest.LeavesNothing(t)
	return drivertest.Peers{Backend: "hip", Here: open(t), There: second(t), Hold: hold}
}

func second(t *testing.T) *Device {
	t.Helper()
	d, err := Open(1, DeviceOptions{})
	if err != nil {
		drivertest.Lacks(t, "hip-peers", "there is one device: "+err.Error())
	}
	t.Cleanup(func() { _ = d.Close() })
	return d
}

// Where there is one device, two fake ones.
func TestPeersOnFake(t *testing.T) {
	for _, test := range []string{"TestPeers", "TestCopyPeer", "TestCopyPeerKeepsMemory", "TestCopyPeerMisuse"} {
		drivertest.RunChild(t, test, withFake(t, "devices=2;refuse=1")...)
	}
}

func TestCopyPeer(t *testing.T)            { peersOf(t).Copies(t) }
func TestCopyPeerKeepsMemory(t *testing.T) { peersOf(t).KeepsMemory(t) }
func TestCopyPeerMisuse(t *testing.T)      { peersOf(t).Misuse(t, (*Memory)(nil), (*Stream)(nil)) }

// Access is enabled and disabled any number of times, and a kernel of one device writes
// into the memory of the other.
func TestPeers(t *testing.T) {
	d, peer := open(t), second(t)
	if _, err := d.PeerAttribute(peer, PeerPerformanceRank); err != nil {
		t.Errorf("the link's rank: %v", err)
	}
	yes, err := d.CanAccessPeer(peer)
	check(t, err)
	if has, err := d.PeerAttribute(peer, PeerAccessSupported); (has != 0) != yes || err != nil {
		t.Errorf("%v is %d, error %v, and CanAccessPeer is %v", PeerAccessSupported, has, err, yes)
	}
	if !yes {
		wantIs(t, "devices that can't reach each other", d.EnablePeer(peer), driver.ErrUnsupported, d.PCI(), peer.PCI())
		drivertest.Lacks(t, "hip-peers", "the devices can't reach each other")
	}
	check(t, d.EnablePeer(peer))
	check(t, d.EnablePeer(peer))
	there, here := newStream(t, peer), newStream(t, d)
	out := words(t, there, 1) // from the peer's pool
	check(t, there.Wait(background))
	k := bind[storeArgs](t, functions(t, d), "store")
	check(t, k.Launch(here, one, driver.ArgsOf(&storeArgs{out.Ptr(), 5})))
	check(t, here.Wait(background))
	if got := values(t, there, out)[0]; got != 5 {
		t.Errorf("the peer's memory has %d, want 5", got)
	}
	check(t, d.DisablePeer(peer))
	check(t, d.DisablePeer(peer))
	same := open(t)
	check(t, d.EnablePeer(same)) // another opening: nothing to do
	if yes, err := d.CanAccessPeer(same); !yes || err != nil {
		t.Errorf("a device reaches its own memory: %v, error %v", yes, err)
	}
}
