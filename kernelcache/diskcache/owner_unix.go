//go:build unix

package diskcache

import (
	"fmt"
	"io/fs"
	"os"
	"syscall"
)

// trusted refuses what others can change.
func trusted(info fs.FileInfo) error {
	if info.Mode().Perm()&0o022 != 0 {
		return fmt.Errorf("its mode is %v, so that others may write to it; take that right away (chmod go-w)", info.Mode())
	}
	if st, ok := info.Sys().(*syscall.Stat_t); ok && int(st.Uid) != os.Geteuid() {
		return fmt.Errorf("it belongs to user %d, and this process to user %d", st.Uid, os.Geteuid())
	}
	return nil
}
