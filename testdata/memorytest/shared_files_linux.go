package memorytest

import (
	"encoding/hex"
	"errors"
	"net"
	"os"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// sharing are pools whose memory, M, other processes get as I.
type sharing[S, M, I any] interface {
	Close() error
	AllocOn(s S, size uint64) (M, error)
	exporting[I]
	ImportPointer(at I, size uint64) (M, error)
}

// What the environment tells a child: the socket that it gets a descriptor by, and
// what stands for memory of a pool.
const (
	socketEnv  = "TRIAD_TEST_SOCKET"
	pointerEnv = "TRIAD_TEST_POOL_POINTER"
	sizeEnv    = "TRIAD_TEST_SIZE"
)

// giveFile passes a file on to whoever connects, once, and returns the socket's
// place.
func giveFile(t testing.TB, f *os.File) string {
	t.Helper()
	at := filepath.Join(t.TempDir(), "s")
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: at, Net: "unix"})
	Check(t, err)
	done := make(chan error, 1)
	fd := int(f.Fd())
	go func() {
		c, err := l.AcceptUnix()
		if err != nil {
			done <- err
			return
		}
		_, _, err = c.WriteMsgUnix([]byte{0}, syscall.UnixRights(fd), nil)
		done <- errors.Join(err, c.Close())
	}()
	t.Cleanup(func() {
		_ = l.Close()
		if err := <-done; err != nil {
			t.Errorf("passing a descriptor on: %v", err)
		}
	})
	return at
}

// takenFile is the file that the parent gives.
func takenFile(t testing.TB) *os.File {
	t.Helper()
	c, err := net.DialUnix("unix", nil, &net.UnixAddr{Name: os.Getenv(socketEnv), Net: "unix"})
	Check(t, err)
	defer c.Close()
	var data [1]byte
	oob := make([]byte, syscall.CmsgSpace(4))
	_, n, _, _, err := c.ReadMsgUnix(data[:], oob)
	Check(t, err)
	messages, err := syscall.ParseSocketControlMessage(oob[:n])
	Check(t, err)
	fds, err := syscall.ParseUnixRights(&messages[0])
	Check(t, err)
	f := os.NewFile(uintptr(fds[0]), "given")
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// PoolIsShared has another process write into memory of a pool of this one.
func PoolIsShared[
	D pooling[S, M, P, O], S driver.Stream, M driver.Memory, P sharing[S, M, I], O poolOptions, I ~[64]byte,
](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	p := NewPool(t, rig, d, O{Shareable: true})
	m, err := p.AllocOn(s, 1<<20)
	Check(t, err)
	defer m.Close()
	Check(t, s.Fill(m, 0, m.Size(), driver.Pattern{Bytes: [16]byte{1}, Len: 1}))
	Check(t, s.Wait(t.Context()))
	f, err := p.Export()
	if rig.Fake() {
		WantIs(t, "Export", err, driver.ErrUnsupported, "Shareable")
		_, err = p.ExportPointer(m)
		WantIs(t, "ExportPointer", err, driver.ErrUnsupported, "shareable")
		drivertest.Lacks(t, "real-cuda", "the fake driver shares no pools")
	}
	Check(t, err)
	defer f.Close()
	at, err := p.ExportPointer(m)
	Check(t, err)
	drivertest.RunChild(t, "TestPoolIsSharedInChild", socketEnv+"="+giveFile(t, f), pointerEnv+"="+hex.EncodeToString(at[:]))
	if got := Content(t, s, m, 4096); got[0] != 2 || got[4095] != 2 {
		t.Errorf("the memory has %d … %d after the other process wrote 2", got[0], got[4095])
	}
}

// PoolIsSharedInChild is that process.
func PoolIsSharedInChild[
	D pooling[S, M, P, O], S driver.Stream, M driver.Memory, P sharing[S, M, I], O poolOptions, I ~[64]byte,
](t *testing.T, rig Rig[D]) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	b, err := hex.DecodeString(os.Getenv(pointerEnv))
	Check(t, err)
	d := rig.Open(t)
	s := newStream(t, d)
	p, err := d.ImportPool(takenFile(t))
	Check(t, err)
	defer p.Close()
	_, err = p.AllocOn(s, 16)
	WantIs(t, "an allocation", err, driver.ErrUnsupported, "ImportPointer")
	m, err := p.ImportPointer(I(b), 1<<20)
	Check(t, err)
	if got := Content(t, s, m, 4096); got[0] != 1 || got[4095] != 1 {
		t.Errorf("the other process's memory has %d … %d", got[0], got[4095])
	}
	Check(t, s.Fill(m, 0, m.Size(), driver.Pattern{Bytes: [16]byte{2}, Len: 1}))
	Check(t, s.Wait(t.Context()))
	Check(t, m.Close())
	Check(t, d.Wait(t.Context()))
}

// PhysicalIsSharedWithAnother has another process map physical memory of this one, and write
// into it.
func PhysicalIsSharedWithAnother[
	D ranges[S, R, P, O], S driver.Stream, R addressRange[P, M, V], P physical, M, V driver.Memory, O any,
](t *testing.T, rig Rig[D], shareable O) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	s := newStream(t, d)
	unit := Granularity(t, rig, d)
	p, err := d.NewPhysical(unit, shareable)
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, rig.Name+"-shareable", err.Error())
	}
	Check(t, err)
	defer p.Close()
	r, err := d.Reserve(unit, 0)
	Check(t, err)
	defer r.Close()
	m, err := r.Map(0, p)
	Check(t, err)
	defer m.Close()
	Check(t, s.Fill(m, 0, unit, driver.Pattern{Bytes: [16]byte{1}, Len: 1}))
	Check(t, s.Wait(t.Context()))
	f, err := p.Export()
	Check(t, err)
	defer f.Close()
	drivertest.RunChild(t, "TestPhysicalIsSharedInChild", socketEnv+"="+giveFile(t, f), sizeEnv+"="+strconv.FormatUint(unit, 10))
	if got := Content(t, s, m, 4096); got[0] != 2 || got[4095] != 2 {
		t.Errorf("the memory has %d … %d after the other process wrote 2", got[0], got[4095])
	}
}

// PhysicalIsSharedInChild is that process.
func PhysicalIsSharedInChild[
	D ranges[S, R, P, O], S driver.Stream, R addressRange[P, M, V], P physical, M, V driver.Memory, O any,
](t *testing.T, rig Rig[D]) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	size, err := strconv.ParseUint(os.Getenv(sizeEnv), 10, 64)
	Check(t, err)
	d := rig.Open(t)
	s := newStream(t, d)
	p, err := d.ImportPhysical(takenFile(t), size)
	Check(t, err)
	defer p.Close()
	r, err := d.Reserve(size, 0)
	Check(t, err)
	defer r.Close()
	m, err := r.Map(0, p)
	Check(t, err)
	if got := Content(t, s, m, 4096); got[0] != 1 || got[4095] != 1 {
		t.Errorf("the other process's memory has %d … %d", got[0], got[4095])
	}
	Check(t, s.Fill(m, 0, size, driver.Pattern{Bytes: [16]byte{2}, Len: 1}))
	Check(t, s.Wait(t.Context()))
	Check(t, m.Close())
}
