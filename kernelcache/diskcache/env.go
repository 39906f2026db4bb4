package diskcache

import (
	"fmt"
	"os"
	"path/filepath"
	"strconv"
)

// The environment variables that FromEnv reads.
const (
	EnvSwitch = "TRIAD_CACHE"     // "off" turns the cache off
	EnvDir    = "TRIAD_CACHE_DIR" // the folder
	EnvLimit  = "TRIAD_CACHE_MB"  // the most that it holds, in MiB
)

// Config is where the cache is.
type Config struct {
	Dir   string // "" when it is off
	Limit int64  // bytes; 0 for DefaultLimit
}

// FromEnv reads the environment: the folder is TRIAD_CACHE_DIR, or "triad" in
// the user's cache folder.
func FromEnv() (Config, error) {
	var c Config
	if os.Getenv(EnvSwitch) == "off" {
		return c, nil
	}
	if mb := os.Getenv(EnvLimit); mb != "" {
		n, err := strconv.ParseInt(mb, 10, 64)
		if err != nil || n < 1 || n > 1<<40 {
			return c, fmt.Errorf("kernel cache: %s is %q; it must be a number of MiB", EnvLimit, mb)
		}
		c.Limit = n << 20
	}
	if c.Dir = os.Getenv(EnvDir); c.Dir != "" {
		return c, nil
	}
	dir, err := os.UserCacheDir()
	if err != nil {
		return c, fmt.Errorf("kernel cache: there is no cache folder, and %s is not set: %w", EnvDir, err)
	}
	c.Dir = filepath.Join(dir, "triad")
	return c, nil
}
