package memorytest

import (
	"encoding/hex"
	"os"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
)

// opening are devices that open memory, M, of other processes, which I stands for.
type opening[S, M, I any] interface {
	streams[S]
	AllocPlain(size uint64) (M, error)
	OpenIPC(h I, size uint64) (M, error)
}

// ipcEnv tells a child what stands for memory of its parent.
const ipcEnv = "TRIAD_TEST_IPC_MEMORY"

// IPCMemoryIsOpened has another process write into memory of this one.
func IPCMemoryIsOpened[
	D opening[S, M, I], S driver.Stream, M shared[I], I ~[64]byte,
](t *testing.T, rig Rig[D]) {
	drivertest.LeavesNothing(t)
	d := rig.Open(t)
	if rig.Fake() {
		drivertest.Lacks(t, "real-cuda", "the fake driver shares no memory with other processes")
	}
	s := newStream(t, d)
	m, err := d.AllocPlain(1 << 21)
	Check(t, err)
	defer m.Close()
	Check(t, s.Fill(m, 0, m.Size(), driver.Pattern{Bytes: [16]byte{1}, Len: 1}))
	Check(t, s.Wait(t.Context()))
	h, err := m.ExportIPC()
	Check(t, err)
	drivertest.RunChild(t, "TestIPCMemoryInChild", ipcEnv+"="+hex.EncodeToString(h[:]))
	if got := Content(t, s, m, 4096); got[0] != 2 || got[4095] != 2 {
		t.Errorf("the memory has %d … %d after the other process wrote 2", got[0], got[4095])
	}
	_, err = d.OpenIPC(h, 16)
	if err == nil {
		t.Error("the process opened its own memory")
	}
}

// IPCMemoryInChild is that process.
func IPCMemoryInChild[
	D opening[S, M, I], S driver.Stream, M shared[I], I ~[64]byte,
](t *testing.T, rig Rig[D]) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	b, err := hex.DecodeString(os.Getenv(ipcEnv))
	Check(t, err)
	d := rig.Open(t)
	s := newStream(t, d)
	_, err = d.OpenIPC(I(b), 1<<40)
	WantIs(t, "more than there is", err, driver.ErrInvalidValue, "of memory that has")
	m, err := d.OpenIPC(I(b), 1<<21)
	Check(t, err)
	if got := Content(t, s, m, 4096); got[0] != 1 || got[4095] != 1 {
		t.Errorf("the other process's memory has %d … %d", got[0], got[4095])
	}
	Check(t, s.Fill(m, 0, m.Size(), driver.Pattern{Bytes: [16]byte{2}, Len: 1}))
	Check(t, s.Wait(t.Context()))
	_, err = m.ExportIPC()
	WantIs(t, "memory of others", err, driver.ErrUnsupported, "AllocPlain")
	Check(t, m.Close())
}
