package staging

import "sync"

// Small copies to a device go by way of staging memory, a chunk of which a stream has
// for itself: the bytes are taken before the call returns, whatever memory they are in.

// UploadSize is the most that is copied so.
const UploadSize = Smallest

// uploadChunks is how many chunks a stream can have under way.
const uploadChunks = 4

// Commands is a stream, as far as chunks go.
type Commands interface {
	// Counts is how many commands were enqueued, and how many are known to have
	// finished.
	Counts() (submitted, done uint64)
	// Look finds out how many have finished, without waiting.
	Look()
}

// Uploads are a stream's chunks. The zero value has none.
type Uploads[P any] struct {
	mu    sync.Mutex
	chunk P    // in use, if has
	has   bool //
	off   uint64
	busy  int // copies into it whose command is still to be enqueued
	full  []fullChunk[P]
}

// fullChunk can be used again once the stream has done that many commands.
type fullChunk[P any] struct {
	p    P
	upto uint64
}

// Reserve is room for n bytes, of UploadSize at most, in a chunk from off on, until
// Settled; false if there is none.
func (u *Uploads[P]) Reserve(s Commands, g *Pool[P], n uint64) (chunk P, off uint64, ok bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if !u.has || u.off+n > Smallest {
		if u.busy > 0 || !u.next(s, g) {
			return chunk, 0, false
		}
	}
	off = u.off
	u.off += (n + 63) &^ 63
	u.busy++
	return u.chunk, off, true
}

// Settled says that a command that reads what was reserved was enqueued, or that there
// will be none.
func (u *Uploads[P]) Settled() {
	u.mu.Lock()
	u.busy--
	u.mu.Unlock()
}

// next begins another chunk: one that the stream is done with, or a new one.
func (u *Uploads[P]) next(s Commands, g *Pool[P]) bool {
	submitted, done := s.Counts()
	if u.has {
		u.full = append(u.full, fullChunk[P]{u.chunk, submitted})
		u.has = false
	}
	u.off = 0
	if len(u.full) > 0 && u.full[0].upto > done {
		s.Look() // others may have waited for the stream
		_, done = s.Counts()
	}
	if len(u.full) > 0 && u.full[0].upto <= done {
		u.chunk, u.has = u.full[0].p, true
		u.full = append(u.full[:0], u.full[1:]...)
		return true
	}
	if len(u.full) < uploadChunks {
		u.chunk, u.has = g.Take(Smallest)
	}
	return u.has
}

// Close gives the chunks back, once the stream has done all its commands.
func (u *Uploads[P]) Close(g *Pool[P]) {
	for _, f := range u.full {
		g.Put(f.p, Smallest)
	}
	if u.has {
		g.Put(u.chunk, Smallest)
	}
	u.full, u.has = nil, false
}
