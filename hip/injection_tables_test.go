//go:build cgo && linux

package hip

import "github.com/triad-gpu/triad/testdata/fakedriver/injection"

// reportedAs are the calls that errors name where another one failed.
var reportedAs = map[string]injection.Names{
	"hipSetDevice": {Names: []string{"*"}, Why: "every call may have to enter its device first, and names itself"},
}

// keeps are the calls that give something back: once they have failed, the runtime
// says no more of it than that, and asking again could free another's.
var keeps = map[string]string{
	"hipSetDevice": "what was to be given back on the device",
}

var unseen = map[string]string{}
