//go:build cgo && linux

package injection

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/triad-gpu/triad/driver/drivertest"
	"github.com/triad-gpu/triad/testdata/fakedriver/control"
)

// child is this process.
type child struct {
	m      *testing.M
	b      *Backend
	fake   *control.Driver // of the library
	engine *control.Driver // the same, or of the one behind it
	out    *os.File        // results
	said   *os.File        // what the tests write

	armed   *Injection // to be armed once the device is open
	set     bool       // it has been
	result  *Result    // of the run
	lacking bool       // the driver lacks a symbol, and tests may say so
}

var current *child

// limit is how long one run may take. What takes longer hangs.
const limit = 60 * time.Second

// Main carries out an order, in place of m.Run.
func Main(m *testing.M, b Backend) int {
	flag.Parse()
	// A test that begins others in turn would leave them without a driver to fail.
	for name, value := range map[string]string{"test.short": "true", "test.v": "true", "test.timeout": limit.String(), "test.count": "1"} {
		if err := flag.Set(name, value); err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
	}
	var o order
	c := &child{m: m, b: &b}
	if err := c.begin(&o); err != nil {
		fmt.Fprintln(os.Stderr, "injection:", err)
		return 1
	}
	current = c
	drivertest.Patience = limit / 30
	if err := c.obey(o); err != nil {
		fmt.Fprintln(os.Stderr, "injection:", err)
		return 1
	}
	return 0
}

func (c *child) begin(o *order) (err error) {
	if err := json.Unmarshal([]byte(os.Getenv(orderEnv)), o); err != nil {
		return err
	}
	if err := os.Unsetenv(orderEnv); err != nil { // a test's own children get no orders
		return err
	}
	if c.out, err = os.OpenFile(o.Results, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return err
	}
	// The library is loaded when the first device is asked for.
	d, err := c.b.Open()
	if err != nil {
		return err
	}
	if err := d.Close(); err != nil {
		return err
	}
	if c.fake, err = control.Open(c.b.Library()); err != nil {
		return err
	}
	c.engine = c.fake
	if c.b.Engine != nil {
		if c.engine, err = control.Open(c.b.Engine()); err != nil {
			return err
		}
	}
	if c.said, err = os.CreateTemp("", "triad-inject-*"); err != nil {
		return err
	}
	return os.Remove(c.said.Name())
}

func (c *child) obey(o order) error {
	if len(o.Kept) > 0 {
		c.meet(o.Kept, o.After)
		return nil
	}
	tests := o.Only
	if len(tests) == 0 {
		tests = c.tests()
	}
	if o.Match != "" {
		re, err := regexp.Compile(o.Match)
		if err != nil {
			return err
		}
		tests = slices.DeleteFunc(tests, func(t string) bool { return !re.MatchString(t) })
	}
	tests = sample(shard(tests, o.Shard, o.Shards), o.Tests, o.Seed)
	if o.Mode == "run" {
		c.lacking = true
		for _, test := range tests {
			c.report(c.inject(Injection{Test: test}))
		}
		return nil
	}
	traces, err := c.traces(o, tests)
	if o.Mode == "trace" || err != nil {
		return err
	}
	c.meet(sample(c.b.plan(traces), o.Failures, o.Seed), o.After)
	return nil
}

// meet has tests meet failures, those after one where there is one.
func (c *child) meet(list []Injection, after *Injection) {
	if after != nil {
		list = list[slices.Index(list, *after)+1:]
	}
	for _, i := range list {
		c.report(begun{i})
		c.report(c.inject(i))
	}
}

// traces tells what tests call that pass without a failure. A child that goes on
// where another ended has it from that one.
func (c *child) traces(o order, tests []string) (map[string]traced, error) {
	traces := make(map[string]traced)
	if text, err := os.ReadFile(o.Traces); err == nil {
		return traces, json.Unmarshal(text, &traces)
	}
	for _, test := range tests {
		t := c.trace(test)
		switch {
		case o.Mode == "trace":
			c.report(t)
		case len(t.Problems) > 0:
			c.report(t.Result)
		case t.Outcome == "passed":
			traces[test] = t
		}
	}
	text, err := json.Marshal(traces)
	if err == nil && o.Traces != "" {
		err = os.WriteFile(o.Traces, text, 0o600)
	}
	return traces, err
}

func (c *child) report(line any) {
	text, err := json.Marshal(line)
	if err == nil {
		_, err = c.out.Write(append(text, '\n'))
	}
	if err != nil {
		panic(err)
	}
}

// tests are the names of all that are to run.
func (c *child) tests() (list []string) {
	_ = flag.Set("test.list", "^Test")
	text := c.quietly(func() { c.m.Run() })
	_ = flag.Set("test.list", "")
	split := make(map[string]bool)
	for _, name := range c.b.Tests {
		split[group(name)] = true
		if c.b.Skip[name] == "" {
			list = append(list, name)
		}
	}
	for _, name := range strings.Fields(text) {
		if !split[name] && c.b.Skip[name] == "" {
			list = append(list, name)
		}
	}
	return list
}

// quietly has what f writes to the standard output in a file, and returns it.
func (c *child) quietly(f func()) string {
	before := os.Stdout
	_ = c.said.Truncate(0)
	_, _ = c.said.Seek(0, 0)
	os.Stdout = c.said
	defer func() { os.Stdout = before }()
	f()
	info, err := c.said.Stat()
	if err != nil {
		return err.Error()
	}
	text := make([]byte, info.Size())
	_, _ = c.said.ReadAt(text, 0)
	return string(text)
}

// pattern matches one test.
func pattern(test string) string {
	return "^" + strings.ReplaceAll(test, "/", "$/^") + "$"
}
