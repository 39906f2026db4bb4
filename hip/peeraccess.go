package hip

import (
	"fmt"
)

// PeerAttribute is something that a pair of devices can be asked for
// (hipDeviceP2PAttr).
type PeerAttribute int32

// The attributes of pairs of devices. Those that are yes or no are 1 or 0.
const (
	PeerPerformanceRank       PeerAttribute = 0 // of the link: lower is better
	PeerAccessSupported       PeerAttribute = 1
	PeerNativeAtomicSupported PeerAttribute = 2 // atomics of kernels work over the link
	PeerArrayAccessSupported  PeerAttribute = 3
)

// String is the runtime's name for the attribute: hipDevP2PAttr….
func (a PeerAttribute) String() string {
	names := [...]string{"PerformanceRank", "AccessSupported", "NativeAtomicSupported", "HipArrayAccessSupported"}
	if a < 0 || int(a) >= len(names) {
		return fmt.Sprintf("hipDevP2PAttr(%d)", int32(a))
	}
	return "hipDevP2PAttr" + names[a]
}

// PeerAttribute asks for an attribute of d's way to peer
// (hipDeviceGetP2PAttribute). ErrNoDevice for a device and itself.
func (d *Device) PeerAttribute(peer *Device, a PeerAttribute) (int, error) {
	const op = "hipDeviceGetP2PAttribute"
	if err := d.usePeer(op, peer); err != nil {
		return 0, err
	}
	defer d.endPeer(peer)
	v, code := rawPeerAttribute(d.native, peer.native, int(a))
	return v, d.failure(op, code, "%v of %s to %s", a, d.place(), peer.place())
}

// CanAccessPeer tells whether kernels on d can be let read and write memory of peer
// (hipDeviceCanAccessPeer). Openings of one device always can.
func (d *Device) CanAccessPeer(peer *Device) (bool, error) {
	const op = "hipDeviceCanAccessPeer"
	if err := d.usePeer(op, peer); err != nil {
		return false, err
	}
	defer d.endPeer(peer)
	if d.native == peer.native {
		return true, nil
	}
	yes, code := rawPeerPossible(d.native, peer.native)
	return yes, d.failure(op, code, "%s to %s", d.place(), peer.place())
}

// EnablePeer lets kernels and copies on d read and write memory of peer: what was
// allocated through any opening of it (hipDeviceEnablePeerAccess), and what comes from this opening's pool (hipMemPoolSetAccess). The other way round is a
// call of its own. Enabling again changes nothing. ErrUnsupported where the devices
// can't reach each other.
func (d *Device) EnablePeer(peer *Device) error {
	return d.setPeer("hipDeviceEnablePeerAccess", peer, rawPeerEnable)
}

// DisablePeer takes back what EnablePeer gave (hipDeviceDisablePeerAccess), also for
// others in this process that use the two devices. What isn't enabled stays so.
func (d *Device) DisablePeer(peer *Device) error {
	return d.setPeer("hipDeviceDisablePeerAccess", peer, rawPeerDisable)
}

func (d *Device) setPeer(op string, peer *Device, call func(d, peer handle) int32) error {
	if err := d.usePeer(op, peer); err != nil {
		return err
	}
	defer d.endPeer(peer)
	if d.native == peer.native {
		return nil // memory of a device is that of all its openings
	}
	code := call(d.raw, peer.raw)
	return d.failure(op, code, "%s to %s", d.place(), peer.place())
}

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
