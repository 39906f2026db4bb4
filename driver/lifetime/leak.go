//go:build !triad_debug

package lifetime

// Debug tells whether this is a build with the tag triad_debug, which remembers
// where each live object was made.
const Debug = false

// leakRecord is empty outside of debug builds.
type leakRecord struct{}

func (leakRecord) born(*Kind) {}
func (leakRecord) died()      {}

// Leaks lists where the live objects were made, in builds with the tag
// triad_debug; nil in others.
func Leaks() []string { return nil }
