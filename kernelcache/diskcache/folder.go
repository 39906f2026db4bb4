package diskcache

import (
	"cmp"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// Listed is an entry as a listing shows it.
type Listed struct {
	Key   Key
	Size  int64     // of the file, bytes
	Used  time.Time // when it was last read or written
	Entry *Entry    // nil with Err
	Err   error     // why the entry can't be used
}

// file is an entry's file in the folder.
type file struct {
	name string
	key  Key
	size int64
	used time.Time
}

// files lists the entries' files, and those that writers left behind: a writer
// takes moments, so what is older than an hour has lost its own.
func (s *Store) files() (entries []file, left []string, err error) {
	list, err := os.ReadDir(s.dir)
	if err != nil {
		return nil, nil, err
	}
	for _, d := range list {
		key, isEntry := keyOfFile(d.Name())
		isTemp := strings.HasPrefix(d.Name(), tempPrefix)
		if !isEntry && !isTemp || !d.Type().IsRegular() {
			continue // not ours
		}
		info, err := d.Info()
		if err != nil {
			continue // gone since
		}
		switch {
		case isEntry:
			entries = append(entries, file{d.Name(), key, info.Size(), info.ModTime()})
		case time.Since(info.ModTime()) > time.Hour:
			left = append(left, d.Name())
		}
	}
	return entries, left, nil
}

// evict removes the entries that were not used for longest until the others fit
// the limit with a tenth to spare, so that not every write evicts.
func (s *Store) evict() {
	entries, left, err := s.files()
	if err != nil {
		return
	}
	for _, name := range left {
		_ = os.Remove(filepath.Join(s.dir, name))
	}
	var total int64
	for _, f := range entries {
		total += f.size
	}
	if total <= s.limit {
		return
	}
	slices.SortFunc(entries, func(a, b file) int { return a.used.Compare(b.used) })
	for _, f := range entries[:max(len(entries)-1, 0)] { // the newest stays
		if total <= s.limit/10*9 {
			return
		}
		if os.Remove(filepath.Join(s.dir, f.name)) == nil {
			total -= f.size
		}
	}
}

// List reads and checks all entries, the one used last first. It neither marks
// them as used nor removes anything.
func (s *Store) List() ([]Listed, error) {
	files, _, err := s.files()
	if err != nil {
		return nil, err
	}
	slices.SortFunc(files, func(a, b file) int {
		return cmp.Or(b.used.Compare(a.used), strings.Compare(a.name, b.name))
	})
	list := make([]Listed, 0, len(files))
	for _, f := range files {
		l := Listed{Key: f.key, Size: f.size, Used: f.used}
		l.Entry, l.Err = s.read(f.key, filepath.Join(s.dir, f.name))
		if !os.IsNotExist(l.Err) {
			list = append(list, l)
		}
	}
	return list, nil
}

// Clear removes all entries, and returns how many there were and their size in
// bytes. Files that are not the cache's stay.
func (s *Store) Clear() (n int, size int64, err error) {
	files, left, err := s.files()
	if err != nil {
		return 0, 0, err
	}
	for _, f := range files {
		if e := os.Remove(filepath.Join(s.dir, f.name)); e != nil {
			if !os.IsNotExist(e) {
				err = e
			}
			continue
		}
		n++
		size += f.size
	}
	for _, name := range left {
		_ = os.Remove(filepath.Join(s.dir, name))
	}
	return n, size, err
}
