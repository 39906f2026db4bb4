package hiprtc

import (
	"io/fs"

	"github.com/triad-gpu/triad/driver/compile"
)

// Headers reads all files of fsys, for Program.Headers: each is included by its
// path from the root of fsys, with slashes. Pass what fs.Sub makes of an embed.FS
// to have shorter names.
func Headers(fsys fs.FS) (map[string][]byte, error) { return compile.Headers(creating, fsys) }
