package main

import (
	"context"
	"math"
	"runtime"
	"slices"
	"time"
)

// side does an operation n times and says how long that took. It leaves nothing
// under way.
type side func(n int) (time.Duration, error)

// pair is one operation, by the library and by its C twin.
type pair struct {
	suite, name string
	ours, c     side
	ops         int // operations that a side does for each of n; 0 counts as 1

	bound bound
	peers string // what peers call the operation; "" where none is compared
	// note says what else there is to know of a result, and whether that is as it
	// should be; may be nil.
	note func(r *result) (text string, ok bool)
	// each is called after each round of ours; may be nil.
	each func()
}

// result is a line of the report; programs may rely on its JSON names.
type result struct {
	Suite  string  `json:"suite"`
	Name   string  `json:"name"`
	Device string  `json:"device"`
	NS     float64 `json:"ns"`     // of one operation; median of the rounds
	CNS    float64 `json:"c_ns"`   // of one in C
	Ratio  float64 `json:"ratio"`  // ns / c_ns
	Allocs float64 `json:"allocs"` // Go allocations of one operation
	Bytes  float64 `json:"bytes"`  // Go bytes allocated by one operation
	N      int     `json:"n"`      // operations measured, on each side

	// Processor time of the process for one operation, and the part of it that is
	// not waitpool's threads'.
	CPU       float64 `json:"cpu_ns"`
	CallerCPU float64 `json:"caller_cpu_ns"`
	CCPU      float64 `json:"c_cpu_ns"`

	Bound string `json:"bound,omitempty"` // what is asked
	Note  string `json:"note,omitempty"`
	OK    bool   `json:"ok"` // true where nothing is asked
}

// roundTime is how long each side of a round takes at least. Tests shorten it.
var roundTime = 20 * time.Millisecond

// measure lets both sides take turns, and the one that begins change too, so
// that neither gains when the machine's speed drifts.
func (p pair) measure(ctx context.Context, rounds int) (result, error) {
	n, err := p.calibrate(ctx)
	if err != nil {
		return result{}, err
	}
	total := n * max(p.ops, 1)
	var ours, c []float64
	var allocs, bytes uint64
	var cpu, cCPU stopwatch
	inC := func() error {
		cCPU.begin()
		took, err := p.c(n)
		cCPU.end()
		c = append(c, float64(took.Nanoseconds())/float64(total))
		return err
	}
	inGo := func() error {
		var before, after runtime.MemStats
		cpu.prepare()
		runtime.ReadMemStats(&before)
		cpu.begin()
		took, err := p.ours(n)
		cpu.end()
		runtime.ReadMemStats(&after)
		cpu.finish()
		allocs += after.Mallocs - before.Mallocs
		bytes += after.TotalAlloc - before.TotalAlloc
		ours = append(ours, float64(took.Nanoseconds())/float64(total))
		if p.each != nil {
			p.each()
		}
		return err
	}
	runtime.GC() // what came before should not be collected on our time
	for i := range rounds {
		first, second := inGo, inC
		if i%2 == 1 {
			first, second = inC, inGo
		}
		if err := ctx.Err(); err != nil {
			return result{}, err
		}
		if err := first(); err != nil {
			return result{}, err
		}
		if err := second(); err != nil {
			return result{}, err
		}
	}
	r := result{
		Suite: p.suite, Name: p.name, NS: round(median(ours), 1), CNS: round(median(c), 1),
		Allocs: perOp(allocs, total*rounds), Bytes: perOp(bytes, total*rounds), N: total * rounds,
		CPU: perOp(cpu.all, total*rounds), CallerCPU: perOp(cpu.callers(), total*rounds), CCPU: perOp(cCPU.all, total*rounds),
	}
	r.Ratio = round(median(ours)/median(c), 3)
	r.Bound, r.OK = p.bound.String(), p.bound.holds(r)
	if p.note != nil {
		text, ok := p.note(&r)
		r.Note, r.OK = text, r.OK && ok
	}
	return r, nil
}

// calibrate finds how many operations take roundTime on the faster side, or ten
// times that on the slower. It warms both up.
func (p pair) calibrate(ctx context.Context) (int, error) {
	for n := 1; ; {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		ours, err := p.ours(n)
		if err != nil {
			return 0, err
		}
		c, err := p.c(n)
		if err != nil {
			return 0, err
		}
		fast := min(ours, c)
		if fast >= roundTime || max(ours, c) >= 10*roundTime {
			return n, nil
		}
		// Aim a little high, and grow at most tenfold: the first ones are slow.
		want := int(1.2 * float64(n) * float64(roundTime) / float64(max(fast, 1)))
		n = min(max(want, n+1), 10*n)
	}
}

func median(list []float64) float64 { return medianOfSorted(slices.Sorted(slices.Values(list))) }

func medianOfSorted(list []float64) float64 {
	m := len(list) / 2
	if len(list)%2 == 1 {
		return list[m]
	}
	return (list[m-1] + list[m]) / 2
}

func round(x float64, digits int) float64 {
	p := math.Pow10(digits)
	return math.Round(x*p) / p
}

// perOp is a count per operation to two digits, so that the few allocations
// that the runtime makes for itself don't show.
func perOp[T uint64 | time.Duration](count T, n int) float64 {
	return round(float64(count)/float64(n), 2)
}
