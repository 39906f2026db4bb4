//go:build linux

package hip

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
	"github.com/triad-gpu/triad/testdata/memorytest"
)

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
	check(t, err)
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
	check(t, err)
	defer c.Close()
	var data [1]byte
	oob := make([]byte, syscall.CmsgSpace(4))
	_, n, _, _, err := c.ReadMsgUnix(data[:], oob)
	check(t, err)
	messages, err := syscall.ParseSocketControlMessage(oob[:n])
	check(t, err)
	fds, err := syscall.ParseUnixRights(&messages[0])
	check(t, err)
	f := os.NewFile(uintptr(fds[0]), "given")
	t.Cleanup(func() { _ = f.Close() })
	return f
}

// Another process writes into memory of a pool of this one.
func TestPoolIsShared(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	p := memorytest.NewPool(t, rig, d, PoolOptions{Shareable: true})
	m, err := p.AllocOn(s, 1<<20)
	check(t, err)
	defer m.Close()
	check(t, s.Fill(m, 0, m.Size(), driver.Pattern{Bytes: [16]byte{1}, Len: 1}))
	check(t, s.Wait(t.Context()))
	f, err := p.Export()
	if isFake() {
		wantIs(t, "Export", err, driver.ErrUnsupported, "Shareable")
		_, err = p.ExportPointer(m)
		wantIs(t, "ExportPointer", err, driver.ErrUnsupported, "shareable")
		drivertest.Lacks(t, "real-cuda", "the fake driver shares no pools")
	}
	check(t, err)
	defer f.Close()
	at, err := p.ExportPointer(m)
	check(t, err)
	drivertest.RunChild(t, "TestPoolIsSharedInChild", socketEnv+"="+giveFile(t, f), pointerEnv+"="+hex.EncodeToString(at[:]))
	if got := memorytest.Content(t, s, m, 4096); got[0] != 2 || got[4095] != 2 {
		t.Errorf("the memory has %d … %d after the other process wrote 2", got[0], got[4095])
	}
}

func TestPoolIsSharedInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	b, err := hex.DecodeString(os.Getenv(pointerEnv))
	check(t, err)
	d := open(t)
	s := newStream(t, d)
	p, err := d.ImportPool(takenFile(t))
	check(t, err)
	defer p.Close()
	_, err = p.AllocOn(s, 16)
	wantIs(t, "an allocation", err, driver.ErrUnsupported, "ImportPointer")
	m, err := p.ImportPointer(PoolPointer(b), 1<<20)
	check(t, err)
	if got := memorytest.Content(t, s, m, 4096); got[0] != 1 || got[4095] != 1 {
		t.Errorf("the other process's memory has %d … %d", got[0], got[4095])
	}
	check(t, s.Fill(m, 0, m.Size(), driver.Pattern{Bytes: [16]byte{2}, Len: 1}))
	check(t, s.Wait(t.Context()))
	check(t, m.Close())
	check(t, d.Wait(t.Context()))
}

// Another process maps physical memory of this one, and writes into it.
func TestPhysicalIsSharedWithAnother(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	s := newStream(t, d)
	unit := memorytest.Granularity(t, rig, d)
	p, err := d.NewPhysical(unit, PhysicalOptions{Shareable: true})
	if errors.Is(err, driver.ErrUnsupported) {
		drivertest.Lacks(t, "hip-shareable", err.Error())
	}
	check(t, err)
	defer p.Close()
	r, err := d.Reserve(unit, 0)
	check(t, err)
	defer r.Close()
	m, err := r.Map(0, p)
	check(t, err)
	defer m.Close()
	check(t, s.Fill(m, 0, unit, driver.Pattern{Bytes: [16]byte{1}, Len: 1}))
	check(t, s.Wait(t.Context()))
	f, err := p.Export()
	check(t, err)
	defer f.Close()
	drivertest.RunChild(t, "TestPhysicalIsSharedInChild", socketEnv+"="+giveFile(t, f), sizeEnv+"="+strconv.FormatUint(unit, 10))
	if got := memorytest.Content(t, s, m, 4096); got[0] != 2 || got[4095] != 2 {
		t.Errorf("the memory has %d … %d after the other process wrote 2", got[0], got[4095])
	}
}

func TestPhysicalIsSharedInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	size, err := strconv.ParseUint(os.Getenv(sizeEnv), 10, 64)
	check(t, err)
	d := open(t)
	s := newStream(t, d)
	p, err := d.ImportPhysical(takenFile(t), size)
	check(t, err)
	defer p.Close()
	r, err := d.Reserve(size, 0)
	check(t, err)
	defer r.Close()
	m, err := r.Map(0, p)
	check(t, err)
	if got := memorytest.Content(t, s, m, 4096); got[0] != 1 || got[4095] != 1 {
		t.Errorf("the other process's memory has %d … %d", got[0], got[4095])
	}
	check(t, s.Fill(m, 0, size, driver.Pattern{Bytes: [16]byte{2}, Len: 1}))
	check(t, s.Wait(t.Context()))
	check(t, m.Close())
}
