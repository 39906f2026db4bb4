package hip

import "github.com/triad-gpu/triad/driver"

// Compare says when a stream that waits for a value goes on
// (hipStream_tWaitValue_flags).
type Compare uint32

// The comparisons of a word in memory with the value.
const (
	AtLeast  Compare = 0 // (word - value) >= 0, cyclically: hipStreamWaitValueGte
	Equal    Compare = 1 // hipStreamWaitValueEq
	AnyBit   Compare = 2 // (word & value) != 0: hipStreamWaitValueAnd
	NotEvery Compare = 3 // ^(word | value) != 0: hipStreamWaitValueNor
)

// WriteValue32 has the stream write v into memory, device or page-locked, at off, a
// multiple of 4, behind what it was given before (hipStreamWriteValue32).
func (s *Stream) WriteValue32(m driver.Memory, off uint64, v uint32) error {
	return s.words("hipStreamWriteValue32", m, off, 4, func(at uint64) int32 { return rawWriteValue(s.raw, at, uint64(v), false) })
}

// WriteValue64 is WriteValue32 for 8 bytes (hipStreamWriteValue64).
func (s *Stream) WriteValue64(m driver.Memory, off, v uint64) error {
	return s.words("hipStreamWriteValue64", m, off, 8, func(at uint64) int32 { return rawWriteValue(s.raw, at, v, true) })
}

// WaitValue32 has the stream stand still until the word in memory at off, a multiple
// of 4, compares with v as how says (hipStreamWaitValue32). The host raises a word in
// page-locked memory with package sync/atomic. A stream that nobody lets go on
// holds back Close of what the driver frees by waiting.
func (s *Stream) WaitValue32(m driver.Memory, off uint64, v uint32, how Compare) error {
	return s.words("hipStreamWaitValue32", m, off, 4, func(at uint64) int32 { return rawWaitValue(s.raw, at, uint64(v), uint32(how), false) })
}

// WaitValue64 is WaitValue32 for 8 bytes (hipStreamWaitValue64).
func (s *Stream) WaitValue64(m driver.Memory, off, v uint64, how Compare) error {
	return s.words("hipStreamWaitValue64", m, off, 8, func(at uint64) int32 { return rawWaitValue(s.raw, at, v, uint32(how), true) })
}

func (s *Stream) words(op string, mem driver.Memory, off, size uint64, call func(at uint64) int32) error {
	m, err := s.useWith(op, "memory", mem)
	if err != nil {
		return err
	}
	defer s.endUse(m)
	if err := checks(op).Range("memory", m.size, off, size); err != nil {
		return err
	}
	if (m.addr+off)%size != 0 {
		return refused(op, driver.ErrInvalidValue, "offset %d gives an address that is no multiple of %d", off, size)
	}
	code := call(m.addr + off)
	if code == codeNotSupported {
		if err := s.dev.lacks(op, AttrCanUseStreamWaitValue, "words that streams write and wait for"); err != nil {
			return err
		}
	}
	return s.dev.failure(op, code, "at offset %d", off)
}
