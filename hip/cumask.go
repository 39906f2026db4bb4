package hip

import (
	"github.com/triad-gpu/triad/driver"
)

// MaskedStream makes a stream whose kernels run on some of the device's compute units
// only (hipExtStreamCreateWithCUMask): those whose bit is set, the first unit's being
// the lowest of the first word. The runtime leaves out units that don't exist, and
// those that an environment variable (ROC_GLOBAL_CU_MASK) takes away from all.
//
// The stream waits for the legacy default stream, and that one for it; it has the usual
// priority.
func (d *Device) MaskedStream(mask []uint32) (*Stream, error) {
	const op = "hipExtStreamCreateWithCUMask"
	if err := d.use(op); err != nil {
		return nil, err
	}
	if empty(mask) {
		d.life.Release()
		return nil, refused(op, driver.ErrInvalidValue, "a mask of %d words that leaves no compute unit", len(mask))
	}
	raw, code := rawStreamMasked(d.raw, mask)
	if err := d.optional(op, code, "HIP 5.2", "mask %#x on %s", mask, d.info.Name); err != nil {
		d.life.Release()
		return nil, err
	}
	return d.join(raw, false), nil
}

func empty(mask []uint32) bool {
	for _, m := range mask {
		if m != 0 {
			return false
		}
	}
	return true
}

// CUMask is the mask of the compute units that the stream's kernels run on, of all that
// the device has for a stream without a mask (hipExtStreamGetCUMask).
func (s *Stream) CUMask() ([]uint32, error) {
	const op = "hipExtStreamGetCUMask"
	if err := s.use(op); err != nil {
		return nil, err
	}
	defer s.life.Release()
	mask := make([]uint32, (s.dev.info.ComputeUnits+31)/32)
	if len(mask) == 0 {
		return nil, refused(op, driver.ErrUnsupported, "%s tells no number of compute units", s.dev.info.Name)
	}
	if err := s.dev.optional(op, rawStreamMask(s.raw, mask), "HIP 5.2", "%d words", len(mask)); err != nil {
		return nil, err
	}
	return mask, nil
}
