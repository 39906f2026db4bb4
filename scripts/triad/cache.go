package main

import (
	"context"
	"flag"
	"fmt"
	"strings"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache/diskcache"
)

const cacheHelp = `Lists the compiled kernels that are kept on disk, the one used last first;
removes all of them (clear); or checks each and removes those that could not be
used (verify), which fails if there were any.

They are in TRIAD_CACHE_DIR, or else in the folder triad of the user's cache
folder; TRIAD_CACHE_MB is the most that it holds, and TRIAD_CACHE=off turns the
cache off.`

func setupCache(flags *flag.FlagSet) func(context.Context, output) error {
	return func(_ context.Context, o output) error {
		action := flags.Arg(0)
		do := map[string]func(*diskcache.Store, output) error{
			"": listCache, "list": listCache, "clear": clearCache, "verify": verifyCache,
		}[action]
		if do == nil {
			return fmt.Errorf("cache: there is no action %q; there are list, clear and verify", action)
		}
		config, err := diskcache.FromEnv()
		if err != nil {
			return err
		}
		if config.Dir == "" {
			fmt.Fprintf(o.out, "the cache is off (%s=off)\n", diskcache.EnvSwitch)
			return nil
		}
		store, err := diskcache.Open(config.Dir, config.Limit)
		if err != nil {
			return err
		}
		return do(store, o)
	}
}

func listCache(store *diskcache.Store, o output) error {
	list, err := store.List()
	if err != nil {
		return err
	}
	var total int64
	for _, l := range list {
		total += l.Size
		fmt.Fprintf(o.out, "%s  %s  %9s  ", l.Key.String()[:12], l.Used.Format("2006-01-02 15:04"), driver.ByteSize(uint64(l.Size)))
		if l.Err != nil {
			fmt.Fprintf(o.out, "unusable: %v\n", l.Err)
			continue
		}
		fmt.Fprintln(o.out, strings.TrimSpace(fmt.Sprintf("%s for %s %s", l.Entry.Source, l.Entry.Device, l.Entry.Options)))
	}
	fmt.Fprintf(o.out, "%s: %d entries, %s\n", store.Dir(), len(list), driver.ByteSize(uint64(total)))
	return nil
}

func clearCache(store *diskcache.Store, o output) error {
	n, size, err := store.Clear()
	fmt.Fprintf(o.out, "%s: %d entries removed, %s\n", store.Dir(), n, driver.ByteSize(uint64(size)))
	return err
}

// verifyCache checks every entry, and removes those that could never be used.
func verifyCache(store *diskcache.Store, o output) error {
	list, err := store.List()
	if err != nil {
		return err
	}
	bad := 0
	for _, l := range list {
		if l.Err == nil {
			continue
		}
		bad++
		state := "removed"
		if err := store.Remove(l.Key); err != nil {
			state = err.Error()
		}
		fmt.Fprintf(o.out, "%s: %v; %s\n", l.Key, l.Err, state)
	}
	fmt.Fprintf(o.out, "%s: %d entries, %d unusable\n", store.Dir(), len(list), bad)
	if bad > 0 {
		return fmt.Errorf("cache: %d of %d entries were unusable", bad, len(list))
	}
	return nil
}
