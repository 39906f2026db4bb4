package waiters_test

import (
	"sync"
	"testing"

	"github.com/triad-gpu/triad/driver/waiters"
)

// Up to the channels there are words, beyond MostAsked as well; in between it is asked.
func TestCrowdAsksBeyondTheChannels(t *testing.T) {
	var c waiters.Crowd
	for i := 1; i <= waiters.MostAsked+10; i++ {
		if ask, want := c.Join(8), i > 8 && i <= waiters.MostAsked; ask != want {
			t.Fatalf("wait %d of a device with 8 channels: ask %v; want %v", i, ask, want)
		}
	}
	for range waiters.MostAsked + 10 {
		c.Leave()
	}
	if c.Join(1) {
		t.Error("those that have left are counted still")
	}
	if !c.Join(1) {
		t.Error("of two waits on one channel none asks")
	}
}

func TestCrowdOfManyGoroutines(t *testing.T) {
	var c waiters.Crowd
	var group sync.WaitGroup
	for range 8 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 1000 {
				if c.Join(8) {
					t.Error("8 at the most wait, and one asks")
				}
				c.Leave()
			}
		}()
	}
	group.Wait()
}

func TestChannels(t *testing.T) {
	for value, want := range map[string]int{"": 8, "4": 4, "1000": 32, "0": 8, "-3": 8, "many": 8, "2 ": 8} {
		t.Setenv("TRIAD_TEST_CHANNELS", value)
		if got := waiters.Channels("TRIAD_TEST_CHANNELS", 8, 32); got != want {
			t.Errorf("with %q: %d channels; want %d", value, got, want)
		}
	}
}
