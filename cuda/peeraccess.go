package cuda

import (
	"fmt"

	"github.com/triad-gpu/triad/driver"
)

// PeerAttribute is something that a pair of devices can be asked for
// (CUdevice_P2PAttribute).
type PeerAttribute int32

// The attributes of pairs of devices. Those that are yes or no are 1 or 0.
const (
	PeerPerformanceRank          PeerAttribute = 1 // of the link: lower is better
	PeerAccessSupported          PeerAttribute = 2
	PeerNativeAtomicSupported    PeerAttribute = 3 // atomics of kernels work over the link
	PeerArrayAccessSupported     PeerAttribute = 4
	PeerOnlyPartialNativeAtomics PeerAttribute = 5
)

// String is the driver's name for the attribute: CU_DEVICE_P2P_ATTRIBUTE_….
func (a PeerAttribute) String() string {
	names := [...]string{1: "PERFORMANCE_RANK", 2: "ACCESS_SUPPORTED", 3: "NATIVE_ATOMIC_SUPPORTED", 4: "CUDA_ARRAY_ACCESS_SUPPORTED", 5: "ONLY_PARTIAL_NATIVE_ATOMIC_SUPPORTED"}
	if a < 1 || int(a) >= len(names) {
		return fmt.Sprintf("CU_DEVICE_P2P_ATTRIBUTE(%d)", int32(a))
	}
	return "CU_DEVICE_P2P_ATTRIBUTE_" + names[a]
}

// PeerAttribute asks for an attribute of d's way to peer
// (cuDeviceGetP2PAttribute). ErrNoDevice for a device and itself.
func (d *Device) PeerAttribute(peer *Device, a PeerAttribute) (int, error) {
	const op = "cuDeviceGetP2PAttribute"
	if err := d.usePeer(op, peer); err != nil {
		return 0, err
	}
	defer d.endPeer(peer)
	v, code := rawPeerAttribute(d.native, peer.native, int(a))
	return v, d.failure(op, code, "%v of %s to %s", a, d.place(), peer.place())
}

// CanAccessPeer tells whether kernels on d can be let read and write memory of peer
// (cuDeviceCanAccessPeer). Openings of one device in the same context can always.
func (d *Device) CanAccessPeer(peer *Device) (bool, error) {
	const op = "cuDeviceCanAccessPeer"
	if err := d.usePeer(op, peer); err != nil {
		return false, err
	}
	defer d.endPeer(peer)
	if d.native == peer.native {
		return d.sameContext(peer), nil
	}
	yes, code := rawPeerPossible(d.native, peer.native)
	return yes, d.failure(op, code, "%s to %s", d.place(), peer.place())
}

// EnablePeer lets kernels and copies on d read and write memory of peer: what was
// allocated through any opening of it in that context (cuCtxEnablePeerAccess), and
// what comes from this opening's pool (cuMemPoolSetAccess). The other way round is a
// call of its own. Enabling again changes nothing. ErrUnsupported where the devices
// can't reach each other.
func (d *Device) EnablePeer(peer *Device) error {
	return d.setPeer("cuCtxEnablePeerAccess", peer, rawPeerEnable)
}

// DisablePeer takes back what EnablePeer gave (cuCtxDisablePeerAccess), also for
// others that use the two contexts. What isn't enabled stays so.
func (d *Device) DisablePeer(peer *Device) error {
	return d.setPeer("cuCtxDisablePeerAccess", peer, rawPeerDisable)
}

func (d *Device) setPeer(op string, peer *Device, call func(d, peer handle) int32) error {
	if err := d.usePeer(op, peer); err != nil {
		return err
	}
	defer d.endPeer(peer)
	if d.native == peer.native {
		if d.sameContext(peer) {
			return nil // memory of a context is that of all its openings
		}
		return refused(op, driver.ErrUnsupported, "both are %s, in contexts of their own, which share no memory; open the device twice with its primary context instead", d.place())
	}
	code := call(d.raw, peer.raw)
	return d.failure(op, code, "%s to %s", d.place(), peer.place())
}

func (d *Device) sameContext(peer *Device) bool { return rawContext(d.raw) == rawContext(peer.raw) }

// place is a device as errors name it where there are two.
func (d *Device) place() string { return fmt.Sprintf("%s at %s", d.info.Name, d.facts.pci) }

// usePeer begins a use of both; endPeer ends it.
func (d *Device) usePeer(op string, peer *Device) error {
	if err := d.use(op); err != nil {
		return err
	}
	if err := peer.use(op); err != nil {
		d.life.Release()
		return err
	}
	return nil
}

func (d *Device) endPeer(peer *Device) {
	peer.life.Release()
	d.life.Release()
}
