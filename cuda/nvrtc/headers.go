package nvrtc

import (
	"io/fs"

	"github.com/triad-gpu/triad/driver"
)

// Headers reads all files of fsys, for Program.Headers: each is included by its
// path from the root of fsys, with slashes. Pass what fs.Sub makes of an embed.FS
// to have shorter names.
func Headers(fsys fs.FS) (map[string][]byte, error) {
	headers := make(map[string][]byte)
	if fsys == nil {
		return headers, nil
	}
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		headers[name], err = fs.ReadFile(fsys, name)
		return err
	})
	if err != nil {
		return nil, &driver.Error{Backend: backendName, Op: "nvrtcCreateProgram", Detail: "reading the headers", Err: err}
	}
	return headers, nil
}
