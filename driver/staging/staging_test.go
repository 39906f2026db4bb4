package staging

import (
	"slices"
	"testing"
)

// counted is a pool that counts, and whose memory are numbers.
func counted(most int) (g *Pool[int], live map[int]uint64) {
	live = map[int]uint64{}
	n := 0
	return &Pool[int]{
		Alloc: func(size uint64) (int, bool) {
			if n == most {
				return 0, false
			}
			n++
			live[n] = size
			return n, true
		},
		Free: func(p int) { delete(live, p) },
	}, live
}

func TestMemoryIsKeptBySize(t *testing.T) {
	g, live := counted(100)
	for _, x := range []struct{ n, size uint64 }{{1, Smallest}, {Smallest, Smallest}, {Smallest + 1, 2 * Smallest}, {Largest, Largest}} {
		p, ok := g.Take(x.n)
		if !ok || live[p] != x.size {
			t.Fatalf("%d bytes: %v, a piece of %d, want %d", x.n, ok, live[p], x.size)
		}
		g.Put(p, x.n)
		if again, ok := g.Take(x.n); !ok || again != p {
			t.Errorf("%d bytes: another piece than the one that was given back", x.n)
		}
		g.Put(p, x.n)
	}
	if _, ok := g.Take(Largest + 1); ok {
		t.Error("more than the largest piece was given")
	}
	g.Close()
	if len(live) != 0 {
		t.Errorf("%d pieces are left", len(live))
	}
}

func TestMemoryIsBounded(t *testing.T) {
	g, live := counted(1000)
	n := 0
	for ; ; n++ {
		if _, ok := g.Take(Largest); !ok {
			break
		}
	}
	if n != Total/Largest || len(live) != n {
		t.Errorf("%d pieces of the largest size, want %d", n, Total/Largest)
	}
	none, _ := counted(0)
	for range 2 * Total / Smallest { // what could not be allocated does not count
		if _, ok := none.Take(1); ok {
			t.Fatal("memory out of nothing")
		}
	}
	if none.total != 0 {
		t.Errorf("%d bytes count that there aren't", none.total)
	}
}

// stream is Commands that a test drives.
type stream struct{ submitted, done, seen uint64 }

func (s *stream) Counts() (submitted, done uint64) { return s.submitted, s.done }
func (s *stream) Look()                            { s.done = s.seen }

func TestChunksAreUsedAgainBehindTheStream(t *testing.T) {
	g, _ := counted(100)
	s := new(stream)
	var u Uploads[int]
	fill := func() (chunk int, ok bool) {
		chunk, off, ok := u.Reserve(s, g, UploadSize)
		if ok {
			if off != 0 {
				t.Errorf("a whole chunk begins at %d", off)
			}
			s.submitted++
			u.Settled()
		}
		return chunk, ok
	}
	var chunks []int
	for {
		c, ok := fill()
		if !ok {
			break
		}
		chunks = append(chunks, c)
	}
	if len(chunks) < 2 || len(slices.Compact(slices.Sorted(slices.Values(chunks)))) != len(chunks) {
		t.Fatalf("the chunks of a stream that stands still are %v", chunks)
	}
	s.seen = 1 // the first is done with
	if c, ok := fill(); !ok || c != chunks[0] {
		t.Errorf("the next chunk is %d, want %d", c, chunks[0])
	}
	u.Close(g)
	if n := len(g.free[0]); n != len(g.all) {
		t.Errorf("%d of %d chunks were given back", n, len(g.all))
	}
}

func TestSmallUploadsShareAChunk(t *testing.T) {
	g, _ := counted(1)
	s := new(stream)
	var u Uploads[int]
	first, off1, ok1 := u.Reserve(s, g, 10)
	second, off2, ok2 := u.Reserve(s, g, 10)
	if !ok1 || !ok2 || first != second || off1 != 0 || off2 != 64 {
		t.Errorf("chunk %d from %d and chunk %d from %d", first, off1, second, off2)
	}
	if _, _, ok := u.Reserve(s, g, UploadSize); ok {
		t.Error("a chunk was left while copies into it were under way")
	}
	u.Settled()
	u.Settled()
	if n := testing.AllocsPerRun(100, func() {
		if _, _, ok := u.Reserve(s, g, 1); ok {
			u.Settled()
		}
	}); n != 0 {
		t.Errorf("a reservation allocates %v times", n)
	}
}

// parcel is a Delivery.
type parcel struct{ arrived, delivered bool }

func (p *parcel) Arrived() bool { return p.arrived && !p.delivered }
func (p *parcel) Deliver()      { p.delivered = true }

func TestWhatHasArrivedIsDelivered(t *testing.T) {
	var v Deliveries[*parcel]
	v.Settle()
	early, late := &parcel{arrived: true}, new(parcel)
	v.Add(early)
	v.Add(late)
	v.Settle()
	if !early.delivered || late.delivered {
		t.Errorf("delivered are early %v, late %v", early.delivered, late.delivered)
	}
	late.arrived = true
	v.Remove(late)
	if !late.delivered || len(v.list) != 1 {
		t.Errorf("a copy that ended is delivered: %v, %d are left", late.delivered, len(v.list))
	}
	v.Remove(early)
	if v.n.Load() != 0 || len(v.list) != 0 {
		t.Errorf("%d are left", len(v.list))
	}
}
