//go:build !unix

package diskcache

import "io/fs"

// trusted has nothing to look at: modes and owners are Unix's.
func trusted(fs.FileInfo) error { return nil }
