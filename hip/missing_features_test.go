//go:build cgo && linux

package hip

import (
	"errors"

	"github.com/triad-gpu/triad/driver"
)

// pools are the functions that all pools need.
var pools = []string{"hipMemPoolCreate", "hipMemPoolDestroy", "hipMallocFromPoolAsync", "hipFreeAsync"}

var features = []feature{
	{"limits", []string{"hipDeviceSetLimit"}, func(f *fixture) error { return f.d.SetLimit(LimitMallocHeapSize, 1<<20) }},
	{"links between devices", []string{"hipDeviceGetP2PAttribute"}, func(f *fixture) error {
		peer, err := Open(1, DeviceOptions{})
		if err != nil {
			return err
		}
		_, err = f.d.PeerAttribute(peer, PeerAccessSupported)
		return errors.Join(err, peer.Close())
	}},
	{"the architecture", nil, func(f *fixture) error {
		if f.d.Arch() == "" {
			return errors.New("it isn't known")
		}
		return nil
	}},
	{"masked streams", []string{"hipExtStreamCreateWithCUMask"}, func(f *fixture) error {
		s, err := f.d.MaskedStream([]uint32{3})
		return f.kept(s, err)
	}},
	{"masks of streams", []string{"hipExtStreamGetCUMask"}, func(f *fixture) error { _, err := f.s.CUMask(); return err }},
	{"streams of others", nil, func(f *fixture) error {
		s, err := f.d.WrapStream(f.s.Native())
		return f.kept(s, err)
	}},
	{"numbers of streams", []string{"hipStreamGetId"}, func(f *fixture) error { _, err := f.s.ID(); return err }},
	{"writes of words", []string{"hipStreamWriteValue32"}, func(f *fixture) error { return f.s.WriteValue32(f.plain, 0, 1) }},
	{"writes of long words", []string{"hipStreamWriteValue32", "hipStreamWriteValue64"}, func(f *fixture) error { return f.s.WriteValue64(f.plain, 0, 1) }},
	{"waits for long words", []string{"hipStreamWaitValue64", "hipStreamWriteValue32"}, func(f *fixture) error { return f.s.WaitValue64(f.plain, 8, 0, AtLeast) }},
	{"waits for words", []string{"hipStreamWaitValue32", "hipStreamWriteValue32"}, func(f *fixture) error { return f.s.WaitValue32(f.plain, 8, 0, AtLeast) }},
	{"policies of streams", []string{"hipStreamSetAttribute"}, func(f *fixture) error { return f.s.SetSyncPolicy(SyncBlocking) }},
	{"policies that are told", []string{"hipStreamGetAttribute"}, func(f *fixture) error { _, err := f.s.SyncPolicy(); return err }},
	{"external events", []string{"hipEventRecordWithFlags"}, func(f *fixture) (err error) {
		e, err := f.d.Event(driver.EventOptions{})
		if f.kept(e, err) == nil {
			capture(f.t, f.s, captureRelaxed, func() { err = f.s.RecordExternal(e) })
		}
		return err
	}},
	{"handles of events", []string{"hipIpcGetEventHandle"}, func(f *fixture) error {
		e, err := f.d.SharedEvent()
		if f.kept(e, err) == nil {
			_, err = e.Handle()
		}
		return err
	}},
	{"coherent memory", []string{"hipExtMallocWithFlags"}, func(f *fixture) error {
		m, err := f.d.AllocFineGrained(4096)
		return f.kept(m, err)
	}},
	{"managed memory", nil, func(f *fixture) error {
		m, err := f.d.AllocManaged(4096)
		if f.kept(m, err) != nil {
			return err
		}
		return errors.Join(m.Advise(0, 4096, PreferredLocation, f.d.Location()), f.s.Prefetch(m, 0, 4096, f.d.Location()))
	}},
	{"attached memory", []string{"hipStreamAttachMemAsync"}, func(f *fixture) error {
		m, err := f.d.AllocManaged(4096)
		if f.kept(m, err) != nil {
			return err
		}
		return f.s.Attach(m, AttachStream)
	}},
	{"facts of managed memory", []string{"hipMemRangeGetAttribute"}, func(f *fixture) error {
		m, err := f.d.AllocManaged(4096)
		if f.kept(m, err) != nil {
			return err
		}
		_, err = m.RangeInfo(0, 4096)
		return err
	}},
	{"advice for a NUMA node", []string{"hipMemAdvise_v2"}, func(f *fixture) error {
		m, err := f.d.AllocManaged(4096)
		if f.kept(m, err) != nil {
			return err
		}
		return m.Advise(0, 4096, PreferredLocation, NUMALocation(0))
	}},
	{"prefetches to a NUMA node", []string{"hipMemPrefetchAsync_v2"}, func(f *fixture) error {
		m, err := f.d.AllocManaged(4096)
		if f.kept(m, err) != nil {
			return err
		}
		return f.s.Prefetch(m, 0, 4096, NUMALocation(0))
	}},
	{"facts of addresses", nil, func(f *fixture) error { _, err := f.d.PointerInfo(f.plain.Addr()); return err }},
	{"memory", nil, func(f *fixture) error {
		m, err := f.d.Alloc(4096)
		return f.kept(m, err)
	}},
	{"memory in stream order", pools, func(f *fixture) error {
		m, err := f.s.Alloc(4096)
		return f.kept(m, err)
	}},
	{"pools", append([]string{"hipMemPoolSetAttribute"}, pools...), func(f *fixture) error {
		p, err := f.d.NewPool(PoolOptions{Keep: 1 << 20})
		if f.kept(p, err) != nil {
			return err
		}
		m, err := p.AllocOn(f.s, 4096)
		return f.kept(m, err)
	}},
	{"the default pool", append([]string{"hipDeviceGetDefaultMemPool"}, pools...), func(f *fixture) error { p, err := f.d.DefaultPool(); return f.kept(p, err) }},
	{"the current pool", append([]string{"hipDeviceGetMemPool"}, pools...), func(f *fixture) error { p, err := f.d.CurrentPool(); return f.kept(p, err) }},
	{"pools that are current", append([]string{"hipDeviceGetDefaultMemPool", "hipDeviceSetMemPool"}, pools...), func(f *fixture) error {
		p, err := f.d.DefaultPool()
		if f.kept(p, err) != nil {
			return err
		}
		return p.SetCurrent()
	}},
	{"attributes of pools", append([]string{"hipMemPoolGetAttribute"}, pools...), func(f *fixture) error {
		p, err := f.d.NewPool(PoolOptions{})
		if f.kept(p, err) != nil {
			return err
		}
		_, err = p.Attribute(PoolReleaseThreshold)
		return err
	}},
	{"attributes of pools that are set", append([]string{"hipMemPoolSetAttribute"}, pools...), func(f *fixture) error {
		p, err := f.d.NewPool(PoolOptions{})
		if f.kept(p, err) != nil {
			return err
		}
		return p.SetAttribute(PoolReleaseThreshold, 1<<20)
	}},
	{"pools that are trimmed", append([]string{"hipMemPoolTrimTo"}, pools...), func(f *fixture) error {
		p, err := f.d.NewPool(PoolOptions{})
		if f.kept(p, err) != nil {
			return err
		}
		return p.Trim(0)
	}},
	{"access to pools", append([]string{"hipMemPoolGetAccess"}, pools...), func(f *fixture) error {
		p, err := f.d.NewPool(PoolOptions{})
		if f.kept(p, err) != nil {
			return err
		}
		_, err = p.Access(f.d.Location())
		return err
	}},
	{"access to pools that is given", append([]string{"hipMemPoolSetAccess"}, pools...), func(f *fixture) error {
		p, err := f.d.NewPool(PoolOptions{})
		if f.kept(p, err) != nil {
			return err
		}
		return p.SetAccess(f.d.Location(), ReadWrite)
	}},
	{"granularity", []string{"hipMemGetAllocationGranularity"}, func(f *fixture) error { _, _, err := f.d.Granularity(PhysicalOptions{}); return err }},
	{"addresses", []string{"hipMemAddressFree", "hipMemAddressReserve", "hipMemGetAllocationGranularity"}, func(f *fixture) error { r, err := f.d.Reserve(2<<20, 0); return f.kept(r, err) }},
	{"memory that is mapped", []string{"hipMemAddressFree", "hipMemAddressReserve", "hipMemCreate", "hipMemGetAllocationGranularity", "hipMemMap", "hipMemRelease", "hipMemSetAccess", "hipMemUnmap"}, func(f *fixture) error {
		r, err := f.d.Reserve(2<<20, 0)
		if f.kept(r, err) != nil {
			return err
		}
		p, err := f.d.NewPhysical(2<<20, PhysicalOptions{})
		if f.kept(p, err) != nil {
			return err
		}
		m, err := r.Map(0, p)
		return f.kept(m, err)
	}},
	{"memory as a file", []string{"hipMemCreate", "hipMemExportToShareableHandle", "hipMemGetAllocationGranularity", "hipMemImportFromShareableHandle", "hipMemRelease"}, func(f *fixture) error {
		p, err := f.d.NewPhysical(2<<20, PhysicalOptions{Shareable: true})
		if f.kept(p, err) != nil {
			return err
		}
		file, err := p.Export()
		if err != nil {
			return err
		}
		defer file.Close()
		again, err := f.d.ImportPhysical(file, 2<<20)
		return f.kept(again, err)
	}},
	{"rectangles between devices", nil, func(f *fixture) error {
		peer, err := Open(1, DeviceOptions{})
		if err != nil {
			return err
		}
		m, err := peer.AllocPlain(4096)
		if err == nil {
			err = f.s.CopyPeerRect(m, driver.Rect{}, f.plain, driver.Rect{RowPitch: 64}, driver.Extent{Bytes: 16, Rows: 4})
			err = errors.Join(err, f.s.Wait(f.t.Context()), m.Close())
		}
		return errors.Join(err, peer.Close())
	}},
	{"rectangles of short words", nil, func(f *fixture) error {
		p, err := f.d.AllocPitched(64, 4, 4)
		if f.kept(p, err) != nil {
			return err
		}
		return f.s.FillRect(p, p.Rect(0, 0), driver.Extent{Bytes: 64, Rows: 4}, driver.Pattern{Bytes: [16]byte{1, 2}, Len: 2})
	}},
	{"rectangles of words", nil, func(f *fixture) error {
		p, err := f.d.AllocPitched(64, 4, 4)
		if f.kept(p, err) != nil {
			return err
		}
		return f.s.FillRect(p, p.Rect(0, 0), driver.Extent{Bytes: 64, Rows: 4}, driver.Pattern{Bytes: [16]byte{1, 2, 3, 4}, Len: 4})
	}},
	{"patterns of words", nil, func(f *fixture) error {
		return f.s.Fill(f.plain, 0, 64, driver.Pattern{Bytes: [16]byte{1, 2, 3, 4, 5, 6, 7, 8}, Len: 8})
	}},
	{"arrays", []string{"hipArray3DCreate", "hipArrayDestroy"}, func(f *fixture) error {
		a, err := f.d.NewArray(ArrayOptions{Width: 8, Height: 8, Format: FormatUint8, Surface: true})
		return f.kept(a, err)
	}},
	{"copies of arrays", []string{"hipArray3DCreate", "hipArrayDestroy", "hipDrvMemcpy3DAsync"}, func(f *fixture) error {
		a, err := f.d.NewArray(ArrayOptions{Width: 8, Height: 8, Format: FormatUint8})
		if f.kept(a, err) != nil {
			return err
		}
		return f.s.CopyToArray(a, Texels{}, f.plain, driver.Rect{}, Texels{8, 8, 1})
	}},
	{"textures", []string{"hipArray3DCreate", "hipArrayDestroy", "hipTexObjectCreate", "hipTexObjectDestroy"}, func(f *fixture) error {
		a, err := f.d.NewArray(ArrayOptions{Width: 8, Height: 8, Format: FormatUint8})
		if f.kept(a, err) != nil {
			return err
		}
		x, err := a.Texture(TextureOptions{})
		return f.kept(x, err)
	}},
	{"surfaces", []string{"hipArray3DCreate", "hipArrayDestroy", "hipCreateSurfaceObject", "hipDestroySurfaceObject"}, func(f *fixture) error {
		a, err := f.d.NewArray(ArrayOptions{Width: 8, Height: 8, Format: FormatUint8, Surface: true})
		if f.kept(a, err) != nil {
			return err
		}
		x, err := a.Surface()
		return f.kept(x, err)
	}},
	{"levels", []string{"hipArray3DGetDescriptor", "hipMipmappedArrayCreate", "hipMipmappedArrayDestroy", "hipMipmappedArrayGetLevel"}, func(f *fixture) error {
		m, err := f.d.NewMipmap(ArrayOptions{Width: 8, Height: 8, Format: FormatUint8}, 2)
		if f.kept(m, err) != nil {
			return err
		}
		x, err := m.Level(1)
		return f.kept(x, err)
	}},
	{"cooperative grids", nil, func(f *fixture) error {
		return f.k.LaunchEx(f.s, one, LaunchAttributes{Cooperative: true}, driver.ArgsOf(&storeArgs{driver.PtrFrom[uint32](f.plain.Addr()), 1}))
	}},
	{"priorities of launches", []string{"hipDrvLaunchKernelEx"}, func(f *fixture) error {
		return f.k.LaunchEx(f.s, one, LaunchAttributes{PrioritySet: true}, driver.ArgsOf(&storeArgs{driver.PtrFrom[uint32](f.plain.Addr()), 1}))
	}},
}
