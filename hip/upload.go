package hip

import "sync"

// Small copies to the device go by way of staging memory, a chunk of which a stream
// has for itself: the bytes are taken before the call returns, whatever memory they
// are in. Given memory that isn't page-locked, the runtime would wait for all that the
// stream has before the copy.

// uploadSize is the most that is copied so.
const uploadSize = stageSmallest

// uploadChunks is how many chunks a stream can have under way.
const uploadChunks = 4

// uploads are a stream's chunks.
type uploads struct {
	mu    sync.Mutex
	chunk handle // in use; nil if none
	off   uint64 // up to where
	busy  int    // copies into it whose command is still to be enqueued
	full  []fullChunk
}

// fullChunk can be used again once the stream has done that many commands.
type fullChunk struct {
	p    handle
	upto uint64
}

// reserve is room for n bytes, of uploadSize at most, until settled; nil if there is
// none.
func (u *uploads) reserve(s *Stream, n uint64) handle {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.chunk == nil || u.off+n > stageSmallest {
		if u.busy > 0 || !u.next(s) {
			return nil
		}
	}
	p := addrAt(u.chunk, u.off)
	u.off += (n + 63) &^ 63
	u.busy++
	return p
}

// settled says that a command that reads what was reserved was enqueued, or that there
// will be none.
func (u *uploads) settled() {
	u.mu.Lock()
	u.busy--
	u.mu.Unlock()
}

// next begins another chunk: one that the stream is done with, or a new one.
func (u *uploads) next(s *Stream) bool {
	submitted, done := rawStreamCounts(s.raw)
	if u.chunk != nil {
		u.full = append(u.full, fullChunk{u.chunk, submitted})
		u.chunk = nil
	}
	u.off = 0
	if len(u.full) > 0 && u.full[0].upto > done {
		rawStreamQuery(s.raw) // others may have waited for the stream
		_, done = rawStreamCounts(s.raw)
	}
	if len(u.full) > 0 && u.full[0].upto <= done {
		u.chunk = u.full[0].p
		u.full = append(u.full[:0], u.full[1:]...)
		return true
	}
	if len(u.full) < uploadChunks {
		u.chunk = s.dev.stage.take(s.dev.raw, stageSmallest)
	}
	return u.chunk != nil
}

// close gives the chunks back, once the stream has done all its commands.
func (u *uploads) close(d *Device) {
	for _, f := range u.full {
		d.stage.put(f.p, stageSmallest)
	}
	if u.chunk != nil {
		d.stage.put(u.chunk, stageSmallest)
	}
	u.full, u.chunk = nil, nil
}
