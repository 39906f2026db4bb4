package discipline

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"

	"github.com/triad-gpu/triad/driver"
)

func contexts(r *rig) {
	for _, strict := range []bool{false, true} {
		name := map[bool]string{false: "", true: "Strict"}[strict]
		r.sub("ThreadsKeepTheirs"+name, func(r *rig) { r.threadsKeepTheirs(strict) })
		r.sub("GoroutinesMoveBetweenThreads"+name, func(r *rig) { r.goroutinesMove(strict) })
	}
}

// refuse has calls fail that are made with the wrong context current, or, on a strict
// driver, with none.
func (r *rig) refuse(strict bool) {
	r.ctl.RefuseWrongContext(true)
	r.ctl.Strict(strict)
}

// disciplined fails where a call was made with the wrong context current, or left one
// behind.
func (r *rig) disciplined() {
	r.Helper()
	if n := r.ctl.WrongContext(); n != 0 {
		r.Errorf("%d calls were made with the wrong context current", n)
	}
	do, undo := r.ctl.Calls(r.Current.Do), r.ctl.Calls(r.Current.Undo)
	if r.Current.Do == r.Current.Undo {
		do, undo = do/2, do-do/2
	}
	if do != undo {
		r.Errorf("%d calls of %s, and %d of %s", do, r.Current.Do, undo, r.Current.Undo)
	}
	for _, s := range r.Current.Never {
		if n := r.ctl.Calls(s); n != 0 {
			r.Errorf("%d calls of %s, which changes what the thread had", n, s)
		}
	}
}

// bareThreads fails if a thread that Go has at hand has a context current.
func (r *rig) bareThreads(bare string) {
	const n = 40
	states := make(chan string, n)
	var all, done sync.WaitGroup
	all.Add(n)
	done.Add(1)
	for range n {
		go func() {
			runtime.LockOSThread()
			all.Done()
			all.Wait() // so that each has a thread of its own
			states <- r.Current.State(r.ctl)
			done.Wait() // and keeps it until all have looked
			runtime.UnlockOSThread()
		}()
	}
	for range n {
		if s := <-states; s != bare {
			r.Errorf("a thread has %s; want %s", s, bare)
		}
	}
	done.Done()
}

// thread has a locked thread of its own run f.
func thread(f func()) {
	done := make(chan struct{})
	go func() {
		defer close(done)
		runtime.LockOSThread() // and not unlocked: the thread ends with the goroutine
		f()
	}()
	<-done
}

// everything does one of each on a set, and returns what failed.
func (r *rig) everything(x *set, do func(name string, f func() error)) {
	for _, op := range operations {
		do(op.name, func() error {
			if op.before != nil {
				if err := op.before(x); err != nil {
					return err
				}
			}
			return op.do(x)
		})
	}
	do("a wait for a kernel", func() error { return errors.Join(x.launch(), x.s.Wait(background)) })
	do("a large copy to the host", func() error {
		m, err := x.dev.Alloc(200_000)
		if err != nil {
			return err
		}
		return errors.Join(x.s.CopyFromHost(background, m, 0, make([]byte, 200_000)), x.s.CopyToHost(background, make([]byte, 200_000), m, 0), m.Close())
	})
	do("objects", func() error {
		s, err := x.dev.NewStream(driver.StreamOptions{})
		if err != nil {
			return err
		}
		e, err := x.dev.NewEvent(driver.EventOptions{})
		if err != nil {
			return err
		}
		h, err := x.dev.AllocHost(100)
		if err != nil {
			return err
		}
		return errors.Join(s.Record(e), e.Wait(background), h.Close(), e.Close(), s.Close())
	})
	do("memory information", func() error { _, _, err := x.dev.MemInfo(); return err })
	do("a kernel's facts", func() error {
		sig, err := driver.SignatureOf[storeArgs]()
		if err != nil {
			return err
		}
		k, err := x.module.Kernel(background, "store", sig)
		if err != nil {
			return err
		}
		_, err = k.Attributes()
		return errors.Join(err, k.Close())
	})
	for _, name := range slices.Sorted(maps.Keys(r.More)) {
		do(name, func() error { return r.More[name](x.dev, x.s) })
	}
}

// threadsKeepTheirs puts each operation on threads that have no context, the right
// one, and others, as a user's own C code makes them current.
func (r *rig) threadsKeepTheirs(strict bool) {
	last := len(r.Opens) - 1
	devs := map[string]driver.Device{"the same": r.open(0, 0), "another of the device": r.open(0, last), "another device's": r.open(1, 0), "another device's own": r.open(1, last), "one of C's": nil}
	x := r.newSet(devs["the same"])
	defer x.close(r)
	states := [][]string{nil, {"the same"}, {"another of the device"}, {"another device's"}, {"another device's own", "another of the device"}, {"another device's", "the same"}, {"one of C's"}, {"the same", "one of C's"}}
	r.refuse(strict)
	for _, state := range states {
		thread(func() {
			bare := r.Current.State(r.ctl)
			for _, name := range state {
				r.Current.Enter(r.ctl, devs[name])
			}
			was := r.Current.State(r.ctl)
			if (was == bare) != (len(state) == 0) && len(r.Opens) > 1 {
				r.Errorf("with %q the thread has %s, and had %s before", state, was, bare)
			}
			r.ctl.ResetCounts()
			r.everything(x, func(name string, f func() error) {
				if err := f(); err != nil {
					r.Errorf("%s, on a thread with %q: %v", name, state, err)
				}
				if now := r.Current.State(r.ctl); now != was {
					r.Fatalf("%s: the thread had %s, and has %s", name, was, now)
				}
			})
			opened, err := r.Opens[last](1)
			r.ok(err)
			if now := r.Current.State(r.ctl); now != was {
				r.Fatalf("opening a device: the thread had %s, and has %s", was, now)
			}
			r.ok(opened.Close())
			if now := r.Current.State(r.ctl); now != was {
				r.Fatalf("closing a device: the thread had %s, and has %s", was, now)
			}
			for i := range state {
				r.Current.Leave(r.ctl, devs[state[len(state)-1-i]])
			}
			if now := r.Current.State(r.ctl); now != bare {
				r.Errorf("in the end the thread has %s; it had %s", now, bare)
			}
		})
	}
	r.ok(x.s.Wait(background))
	if n := r.ctl.WrongContext(); n != 0 {
		r.Errorf("%d calls were made with the wrong context current", n)
	}
}

// goroutinesMove has goroutines use devices and contexts in turn, on whatever thread
// they happen to run, among them threads on which C code has made its own current.
func (r *rig) goroutinesMove(strict bool) {
	rounds := 30
	bare := ""
	thread(func() { bare = r.Current.State(r.ctl) })
	var sets []*set
	for device := range 2 {
		for how := range r.Opens {
			x := r.newSet(r.open(device, how))
			defer x.close(r)
			sets = append(sets, x)
		}
	}
	r.refuse(strict)
	r.ctl.ResetCounts()
	var all sync.WaitGroup
	entered := 0 // by the C code
	var mu sync.Mutex
	errs := make(chan error, 8)
	for g := range 8 {
		all.Add(1)
		go func() {
			defer all.Done()
			rnd := rand.New(rand.NewPCG(uint64(g), 5))
			turn := func(x *set) error {
				m, err := driver.Alloc[uint32](x.dev, 1)
				if err != nil {
					return err
				}
				a := storeArgs{m.Ptr(), uint32(g)}
				got := make([]uint32, 1)
				err = errors.Join(x.store.Launch(x.s, oneThread, driver.ArgsOf(&a)), m.CopyTo(background, x.s, got), m.Close())
				if err == nil && got[0] != uint32(g) {
					err = fmt.Errorf("a kernel of goroutine %d stored %d", g, got[0])
				}
				return err
			}
			for range rounds {
				x := sets[rnd.IntN(len(sets))]
				if rnd.IntN(4) > 0 {
					if err := turn(x); err != nil {
						errs <- err
						return
					}
					runtime.Gosched()
					continue
				}
				y := sets[rnd.IntN(len(sets))]
				runtime.LockOSThread()
				r.Current.Enter(r.ctl, y.dev)
				was := r.Current.State(r.ctl)
				err := turn(x)
				if now := r.Current.State(r.ctl); now != was && err == nil {
					err = fmt.Errorf("the thread had %s, and has %s", was, now)
				}
				r.Current.Leave(r.ctl, y.dev)
				runtime.UnlockOSThread()
				mu.Lock()
				entered++
				mu.Unlock()
				if err != nil {
					errs <- err
					return
				}
			}
		}()
	}
	all.Wait()
	close(errs)
	for err := range errs {
		r.Error(err)
	}
	for _, x := range sets {
		r.ok(x.s.Wait(background))
	}
	r.disciplined()
	r.bareThreads(bare)
	r.Logf("%d operations of 8 goroutines on %d contexts, %d of them on threads that had another current", 8*rounds, len(sets), entered)
}
