package lifetime

import "sync"

// Guests are objects of other devices that a stream's commands use, each in use until
// those commands have finished: their own device knows nothing of them. The zero value
// has none; any goroutine may use it.
type Guests struct {
	mu      sync.Mutex
	list    []*Life
	running bool // a goroutine sees to them, which has a use of the stream
}

// Add takes over a use of the stream and of the guest. drain waits for what the stream
// has been given, whatever comes of it.
func (v *Guests) Add(stream, guest *Life, drain func()) {
	v.mu.Lock()
	v.list = append(v.list, guest)
	start := !v.running
	v.running = true
	v.mu.Unlock()
	if !start {
		stream.Release()
		return
	}
	go v.see(stream, drain)
}

// see waits for the stream, and lets those go that were there before, until there are
// none.
func (v *Guests) see(stream *Life, drain func()) {
	for {
		v.mu.Lock()
		list := v.list
		v.list = nil
		if len(list) == 0 {
			v.running = false
			v.mu.Unlock()
			stream.Release()
			return
		}
		v.mu.Unlock()
		drain()
		for _, guest := range list {
			guest.Release()
		}
	}
}
