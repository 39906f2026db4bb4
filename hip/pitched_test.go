package hip

import (
	"testing"

	"github.com/triad-gpu/triad/testdata/memorytest"
)

func TestPitched(t *testing.T)        { memorytest.Pitched(t, rig) }
func TestPitchedMisuse(t *testing.T)  { memorytest.PitchedMisuse(t, rig) }
func TestFillRect(t *testing.T)       { memorytest.FillRect(t, rig) }
func TestFillRectMisuse(t *testing.T) { memorytest.FillRectMisuse(t, rig) }
