package cuda

import (
	"encoding/hex"
	"os"
	"testing"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/memorytest"
)

const ipcEnv = "TRIAD_TEST_IPC_MEMORY"

// Another process writes into memory of this one.
func TestIPCMemoryIsOpened(t *testing.T) {
	drivertest.LeavesNothing(t)
	d := open(t)
	if isFake() {
		drivertest.Lacks(t, "real-cuda", "the fake driver shares no memory with other processes")
	}
	s := newStream(t, d)
	m, err := d.AllocPlain(1 << 21)
	check(t, err)
	defer m.Close()
	check(t, s.Fill(m, 0, m.Size(), driver.Pattern{Bytes: [16]byte{1}, Len: 1}))
	check(t, s.Wait(t.Context()))
	h, err := m.ExportIPC()
	check(t, err)
	drivertest.RunChild(t, "TestIPCMemoryInChild", ipcEnv+"="+hex.EncodeToString(h[:]))
	if got := memorytest.Content(t, s, m, 4096); got[0] != 2 || got[4095] != 2 {
		t.Errorf("the memory has %d … %d after the other process wrote 2", got[0], got[4095])
	}
	_, err = d.OpenIPC(h, 16)
	if err == nil {
		t.Error("the process opened its own memory")
	}
}

func TestIPCMemoryInChild(t *testing.T) {
	drivertest.OnlyAsChild(t)
	drivertest.LeavesNothing(t)
	b, err := hex.DecodeString(os.Getenv(ipcEnv))
	check(t, err)
	d := open(t)
	s := newStream(t, d)
	_, err = d.OpenIPC(IPCMemory(b), 1<<40)
	wantIs(t, "more than there is", err, driver.ErrInvalidValue, "of memory that has")
	m, err := d.OpenIPC(IPCMemory(b), 1<<21)
	check(t, err)
	if got := memorytest.Content(t, s, m, 4096); got[0] != 1 || got[4095] != 1 {
		t.Errorf("the other process's memory has %d … %d", got[0], got[4095])
	}
	check(t, s.Fill(m, 0, m.Size(), driver.Pattern{Bytes: [16]byte{2}, Len: 1}))
	check(t, s.Wait(t.Context()))
	_, err = m.ExportIPC()
	wantIs(t, "memory of others", err, driver.ErrUnsupported, "AllocPlain")
	check(t, m.Close())
}
