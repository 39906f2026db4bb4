//go:build cgo && linux

package cuda

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/fakedriver/discipline"
)

func TestWaitsEndWhateverHappens(t *testing.T) { disciplined(t, "TestWaitsInChild") }
func TestWaitsInChild(t *testing.T)            { discipline.Run(t, fakeBackend(t), "Waits") }

func TestCrowdsWait(t *testing.T)   { disciplined(t, "TestCrowdInChild") }
func TestCrowdInChild(t *testing.T) { discipline.Run(t, fakeBackend(t), "Crowd") }

func TestLossesAreSurvived(t *testing.T) { disciplined(t, "TestLossesInChild") }
func TestLossesInChild(t *testing.T)     { discipline.Run(t, fakeBackend(t), "Losses") }

// waitPoints are where waits can be. Devices of the old model write no words.
var waitPoints = discipline.Points{
	Hang:   []string{"cuStreamIsCapturing", "cuEventQuery"},
	Models: []string{"H200", "old"},
	Watch: map[string]map[string]string{"H200": {
		"Stream.Wait": "cuStreamQuery", "Device.Wait": "cuStreamQuery", "CopyFromHost": "cuStreamQuery", "CopyToHost": "cuStreamQuery",
		"CopyToHost by a worker": "cuStreamQuery",
	}},
	Stand: map[string]map[string]string{
		"H200": {"Event.Wait": "cuEventSynchronize"},
		"old": {
			"Stream.Wait": "cuStreamSynchronize", "Device.Wait": "cuStreamSynchronize", "Event.Wait": "cuEventSynchronize",
			"CopyFromHost": "cuStreamSynchronize", "CopyToHost": "cuStreamSynchronize", "CopyToHost by a worker": "cuMemcpyAsync",
		},
	},
}
