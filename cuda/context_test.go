package cuda

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

var contextTests = []onDevice{
	{"DevicesAreFoundByPlaceAndUUID", func(t *testing.T, d *Device) {
		index := d.info.Index
		for _, text := range []string{d.PCI(), strings.ToUpper(d.PCI())} {
			if got, err := IndexByPCI(text); got != index || err != nil {
				t.Errorf("%q is device %d, error %v; want %d", text, got, err, index)
			}
		}
		for _, text := range []string{d.UUIDText(), strings.TrimPrefix(d.UUIDText(), "GPU-"), strings.ToUpper(d.UUIDText())} {
			if got, err := IndexByUUID(text); got != index || err != nil {
				t.Errorf("%q is device %d, error %v; want %d", text, got, err, index)
			}
		}
		for _, text := range []string{"", "nonsense", "0000:ff:1f.7", "a\x00b"} {
			_, err := IndexByPCI(text)
			wantIs(t, "place "+text, err, driver.ErrNoDevice, d.PCI(), d.info.Name)
		}
		for _, text := range []string{"", "GPU-", "GPU-nonsense"} {
			_, err := IndexByUUID(text)
			wantIs(t, "UUID "+text, err, driver.ErrNoDevice, d.UUIDText())
		}
	}},
	{"AttributesAreWhatTheDeviceAnswers", func(t *testing.T, d *Device) {
		list, err := d.Attributes()
		check(t, err)
		if len(list) < 80 {
			t.Errorf("only %d attributes", len(list))
		}
		if !slices.IsSortedFunc(list, func(a, b AttributeValue) int { return int(a.Attribute - b.Attribute) }) {
			t.Error("the attributes are in no order")
		}
		for _, a := range list {
			if v, err := d.Attribute(a.Attribute); a.Attribute == AttrWarpSize && (v != a.Value || v != 32 || err != nil) {
				t.Errorf("%v is %d in the list, and %d when asked for, error %v", a.Attribute, a.Value, v, err)
			}
		}
	}},
	{"LimitsAreSetAndTold", func(t *testing.T, d *Device) {
		before, err := d.Limit(LimitStackSize)
		check(t, err)
		check(t, d.SetLimit(LimitStackSize, before*2))
		if now, err := d.Limit(LimitStackSize); now < before*2 || err != nil {
			t.Errorf("the stack has %d bytes, error %v; want %d", now, err, before*2)
		}
		check(t, d.SetLimit(LimitStackSize, before))
		list, err := d.Limits()
		if err != nil || len(list) < 3 || list[0].Limit != LimitStackSize {
			t.Errorf("the limits are %v, error %v", list, err)
		}
		if _, err = d.Limit(99); err == nil || !strings.Contains(err.Error(), "CU_LIMIT(99)") {
			t.Errorf("limit 99: error %v", err)
		}
		if err = d.SetLimit(-1, 1); err == nil || !strings.Contains(err.Error(), "CU_LIMIT(-1)") {
			t.Errorf("limit -1: error %v", err)
		}
	}},
	{"CacheConfigIsSetAndTold", func(t *testing.T, d *Device) {
		before, err := d.CacheConfig()
		check(t, err)
		check(t, d.SetCacheConfig(CachePreferL1))
		if now, err := d.CacheConfig(); now != CachePreferL1 && now != before || err != nil {
			t.Errorf("it is %d, error %v; want %d", now, err, CachePreferL1)
		}
		check(t, d.SetCacheConfig(before))
		wantIs(t, "no such preference", d.SetCacheConfig(17), driver.ErrInvalidValue, "17")
	}},
	{"ContextsTellOfThemselves", func(t *testing.T, d *Device) {
		least, greatest, err := d.StreamPriorities()
		if err != nil || least < greatest || (least != greatest) != d.info.StreamPriorities {
			t.Errorf("priorities %d to %d, error %v", least, greatest, err)
		}
		if v, err := d.APIVersion(); v < 3000 || err != nil {
			t.Errorf("the interface's version is %d, error %v", v, err)
		}
		other := open(t, DeviceOptions{OwnContext: true, Flags: BlockingSync})
		if f, err := other.ContextFlags(); f&BlockingSync == 0 || err != nil {
			t.Errorf("the flags are %#x, error %v; want %#x among them", f, err, BlockingSync)
		}
		a, err := d.ContextID()
		check(t, err)
		b, err := other.ContextID()
		if a == b || err != nil {
			t.Errorf("two contexts have the numbers %d and %d, error %v", a, b, err)
		}
		check(t, d.ResetPersistingL2())
	}},
	{"FlagsOfAContextAreChanged", func(t *testing.T, d *Device) {
		own := open(t, DeviceOptions{OwnContext: true})
		err := own.SetContextFlags(BlockingSync)
		if errors.Is(err, driver.ErrUnsupported) {
			drivertest.Lacks(t, "cuda-context-flags", err.Error())
		}
		check(t, err)
		if f, err := own.ContextFlags(); f&BlockingSync == 0 || err != nil {
			t.Errorf("the flags are %#x, error %v; want %#x among them", f, err, BlockingSync)
		}
	}},
	{"PrimaryContextsAreKnownWithoutOpening", func(t *testing.T, d *Device) {
		_, active, err := PrimaryState(d.info.Index)
		if !active || err != nil {
			t.Errorf("the context of an open device is active: %v, error %v", active, err)
		}
		_, _, err = PrimaryState(999)
		wantIs(t, "device 999", err, driver.ErrNoDevice)
		wantIs(t, "device -1", SetPrimaryFlags(-1, 0), driver.ErrNoDevice)
	}},
	{"AContextNeedsNoPeerAccessToItself", func(t *testing.T, d *Device) {
		again := open(t)
		if yes, err := d.CanAccessPeer(again); !yes || err != nil {
			t.Errorf("another opening: %v, error %v", yes, err)
		}
		check(t, d.EnablePeer(again))
		check(t, d.DisablePeer(again))
		own := open(t, DeviceOptions{OwnContext: true})
		if yes, err := d.CanAccessPeer(own); yes || err != nil {
			t.Errorf("another context: %v, error %v", yes, err)
		}
		wantIs(t, "another context", d.EnablePeer(own), driver.ErrUnsupported, d.info.Name)
	}},
	{"ClosedAndNilDevicesSaySo", func(t *testing.T, d *Device) {
		other := open(t)
		check(t, d.Close())
		var none *Device
		for _, x := range []struct {
			what string
			d    *Device
			want error
		}{{"closed", d, driver.ErrClosed}, {"nil", none, driver.ErrInvalidValue}} {
			_, err := x.d.Attributes()
			wantIs(t, x.what+" Attributes", err, x.want)
			_, err = x.d.Limit(LimitStackSize)
			wantIs(t, x.what+" Limit", err, x.want)
			_, err = x.d.CacheConfig()
			wantIs(t, x.what+" CacheConfig", err, x.want)
			wantIs(t, x.what+" EnablePeer", x.d.EnablePeer(other), x.want)
			wantIs(t, "EnablePeer of a "+x.what+" one", other.EnablePeer(x.d), x.want)
			_, err = x.d.OpenEvent(EventHandle{})
			wantIs(t, x.what+" OpenEvent", err, x.want)
			_, err = x.d.LoadImage(background, "x", []byte("x"), ImageOptions{})
			wantIs(t, x.what+" LoadImage", err, x.want)
		}
	}},
}

// peers has one device store into the memory of another.
func peers(t *testing.T, d *Device) {
	peer, err := Open(1, DeviceOptions{})
	if err != nil {
		drivertest.Lacks(t, "cuda-peers", "there is one device: "+err.Error())
	}
	defer peer.Close()
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
		drivertest.Lacks(t, "cuda-peers", "the devices can't reach each other")
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
}
