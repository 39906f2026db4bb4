package injection

import "os"

// orderEnv holds the order that a child has to carry out.
const orderEnv = "TRIAD_INJECT_CHILD"

// order is what a child is to do.
type order struct {
	Mode     string      // trace, fail or run
	Results  string      // the file of results, a line each
	Shard    int         // which share of the tests
	Shards   int         // of how many
	Only     []string    // the tests; empty: all
	Match    string      // those that this regular expression matches
	Tests    int         // so many of them, chosen with the seed; 0: all
	Failures int         // so many failures, chosen with the seed; 0: all
	Seed     uint64      //
	Kept     []Injection // these failures, whatever tests call
	After    *Injection  // go on after this one
	Traces   string      // a file that keeps what tests call for the child that goes on
}

// Child tells whether this process is to run [Main] in place of the tests.
func Child() bool { return os.Getenv(orderEnv) != "" }

// begun is the line before a result, which tells where a child ended that did not
// come so far.
type begun struct{ Begun Injection }
