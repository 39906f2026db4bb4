package fakedriver

import (
	"os"
	"path/filepath"
	"time"
)

func cacheDir() (string, error) {
	dir, err := os.UserCacheDir()
	if err != nil {
		dir = os.TempDir()
	}
	dir = filepath.Join(dir, "triad-fakedriver")
	return dir, os.MkdirAll(dir, 0o700)
}

// ImagesEnv names a folder for images, each of which is then compiled once; see
// nvrtc/kept.c.
const ImagesEnv = "TRIAD_FAKE_IMAGES"

// KeepImages has this process, and those that it starts, compile each program once.
// What it returns removes the images. A folder that the environment names stays.
func KeepImages() (remove func(), err error) {
	if os.Getenv(ImagesEnv) != "" {
		return func() {}, nil
	}
	dir, err := os.MkdirTemp("", "triad-images-")
	if err != nil {
		return nil, err
	}
	return func() { _ = os.RemoveAll(dir) }, os.Setenv(ImagesEnv, dir)
}

// kept is how long what nobody asks for stays.
const kept = 7 * 24 * time.Hour

// once makes a folder with what fill puts there, unless it is there. Of several
// processes that do so at the same time one wins. Folders beside it that nobody has
// asked for in a long time go: each change of a source leaves some behind.
func once(home string, fill func(dir string) error) error {
	now := time.Now()
	if os.Chtimes(home, now, now) == nil { // it is there
		return nil
	}
	dir := filepath.Dir(home)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	tidy(dir, now.Add(-kept))
	tmp, err := os.MkdirTemp(dir, "new-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if err := fill(tmp); err != nil {
		return err
	}
	if err := os.Rename(tmp, home); err != nil {
		if _, there := os.Stat(home); there != nil {
			return err
		}
	}
	return nil
}

// tidy removes folders that were last asked for before then.
func tidy(dir string, then time.Time) {
	entries, err := os.ReadDir(dir)
	if err != nil {
		return
	}
	for _, e := range entries {
		if info, err := e.Info(); err == nil && e.IsDir() && info.ModTime().Before(then) {
			_ = os.RemoveAll(filepath.Join(dir, e.Name())) // another process may be at it
		}
	}
}
