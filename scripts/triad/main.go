// Command triad shows what the library finds and does on a machine.
//
//	triad info [-json]     backends, libraries, devices
//	triad demo [flags]     blurs a picture on a device and checks the result
//	triad bench [flags]    measures the library against the same work in C
//	triad watch DIR        launches a kernel while its file is edited
//	triad cache [ACTION]   lists, clears or verifies the kernels kept on disk
//	triad help [command]   flags of a command
//
// It exits with 0, with 1 when something failed, and with 2 when the command
// line was wrong.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"

	_ "github.com/triad-gpu/triad/driver/all"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	code := run(ctx, os.Args[1:], os.Stdout, os.Stderr)
	stop()
	os.Exit(code)
}

// command is a subcommand. setup declares its flags and returns what runs once
// they are parsed. operands is how many words may follow the flags.
type command struct {
	name, args, summary string
	more                string // for the command's own usage text
	setup               func(*flag.FlagSet) func(context.Context, output) error
	operands            int
}

// output is where a command writes: results to out, progress to log.
type output struct{ out, log io.Writer }

var commands = []command{
	{"info", "[-json]", "list backends, libraries and devices", infoHelp, setupInfo, 0},
	{"demo", "[-device D] [-in IMG] [-out PNG] [-frames N] [-json]", "blur a picture on a device and check the result", demoHelp, setupDemo, 0},
	{"bench", "[-device D] [-suite S] [-rounds N] [-peers FILE] [-check] [-json]", "measure the library against the same work in C", benchHelp, setupBench, 0},
	{"watch", "[-device D] [-for T] [-every T] DIR", "launch the kernel of DIR while its file is edited", watchHelp, setupWatch, 1},
	{"cache", "[list|clear|verify]", "list, clear or verify the compiled kernels on disk", cacheHelp, setupCache, 1},
}

// errUsage is a wrong command line that has been reported already.
var errUsage = errors.New("wrong command line")

// run is main without the process: it returns the exit code.
func run(ctx context.Context, args []string, stdout, stderr io.Writer) int {
	err := dispatch(ctx, args, output{stdout, stderr})
	switch {
	case err == nil:
		return 0
	case errors.Is(err, errUsage):
		return 2
	}
	fmt.Fprintf(stderr, "triad: %v\n", err)
	return 1
}

func dispatch(ctx context.Context, args []string, o output) error {
	if len(args) == 0 {
		usage(o.log)
		return errUsage
	}
	name, rest := args[0], args[1:]
	switch name {
	case "help", "-h", "-help", "--help":
		if len(rest) == 0 {
			usage(o.out)
			return nil
		}
		name, rest = rest[0], []string{"-h"}
	}
	for _, c := range commands {
		if c.name == name {
			return c.run(ctx, rest, o)
		}
	}
	fmt.Fprintf(o.log, "triad: there is no command %q\n\n", name)
	usage(o.log)
	return errUsage
}

func (c command) run(ctx context.Context, args []string, o output) error {
	flags := flag.NewFlagSet(c.name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	do := c.setup(flags)
	err := flags.Parse(args)
	if err == nil && flags.NArg() > c.operands {
		err = fmt.Errorf("unexpected argument %q", flags.Arg(c.operands))
	}
	if errors.Is(err, flag.ErrHelp) {
		c.usage(flags, o.out)
		return nil
	}
	if err != nil {
		fmt.Fprintf(o.log, "triad %s: %v\n\n", c.name, err)
		c.usage(flags, o.log)
		return errUsage
	}
	return do(ctx, o)
}

func (c command) usage(flags *flag.FlagSet, w io.Writer) {
	fmt.Fprintf(w, "usage: triad %s %s\n\n%s\n\n", c.name, c.args, c.more)
	flags.SetOutput(w)
	flags.PrintDefaults()
}

func usage(w io.Writer) {
	fmt.Fprintln(w, "usage: triad COMMAND [flags]")
	fmt.Fprintln(w)
	for _, c := range commands {
		fmt.Fprintf(w, "  %-6s %s\n         triad %s %s\n", c.name, c.summary, c.name, c.args)
	}
	fmt.Fprintf(w, "  %-6s %s\n         triad help [COMMAND]\n", "help", "show this, or a command's flags")
	fmt.Fprint(w, `
A device is "auto", a backend, or a backend and an index, class or part of a
name: opencl, opencl:1, opencl:gpu, opencl:pocl. "auto" takes what the variable
TRIAD_DEVICE selects, else the first GPU, else any device.
`)
}

// deviceFlag declares -device.
func deviceFlag(flags *flag.FlagSet) *string {
	return flags.String("device", "auto", "`device` to use; see triad help")
}
