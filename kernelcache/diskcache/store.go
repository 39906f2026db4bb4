package diskcache

import (
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// DefaultLimit is the most that a folder may hold unless told otherwise, bytes.
const DefaultLimit = 512 << 20

// Store is a folder of entries. All methods may be called from any goroutine,
// and any number of processes may have a Store of one folder.
type Store struct {
	dir   string
	limit int64
}

const (
	suffix     = ".kernel"
	tempPrefix = "writing-"
)

// Open opens a folder, making it if need be, for its owner alone. limit is the
// most that it may hold in bytes; 0 means DefaultLimit. It refuses a folder that
// others may write to or that belongs to another user.
func Open(dir string, limit int64) (*Store, error) {
	if limit <= 0 {
		limit = DefaultLimit
	}
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("kernel cache: %w", err)
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("kernel cache: %w", err)
	}
	s := &Store{dir: dir, limit: limit}
	if err := s.checkFolder(); err != nil {
		return nil, err
	}
	return s, nil
}

func (s *Store) checkFolder() error {
	info, err := os.Stat(s.dir)
	switch {
	case err != nil:
		return fmt.Errorf("kernel cache: %w", err)
	case !info.IsDir():
		return fmt.Errorf("kernel cache: %s is no folder", s.dir)
	}
	if err := trusted(info); err != nil {
		return fmt.Errorf("kernel cache: the folder %s is not to be trusted: %w", s.dir, err)
	}
	return nil
}

// Dir is the folder's path.
func (s *Store) Dir() string { return s.dir }

func (s *Store) path(key Key) string { return filepath.Join(s.dir, key.String()+suffix) }

// Get finds an entry, and marks it as used now. What is damaged is removed and
// is not found; neither is what can't be read or could have been written by
// somebody else.
func (s *Store) Get(key Key) (*Entry, bool) {
	if s.checkFolder() != nil { // its rights may have changed since Open
		return nil, false
	}
	path := s.path(key)
	e, err := s.read(key, path)
	switch {
	case errors.Is(err, errDamaged):
		_ = os.Remove(path) // if not now, then by the next who finds it
	case err == nil:
		now := time.Now()
		_ = os.Chtimes(path, now, now) // without it, the entry goes sooner
	}
	return e, err == nil
}

func (s *Store) read(key Key, path string) (*Entry, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	info, err := f.Stat() // of what was opened, whatever the name means by now
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no file", path)
	case info.Size() > s.limit:
		return nil, damaged("%d bytes are more than the whole cache may have", info.Size())
	}
	if err := trusted(info); err != nil {
		return nil, err
	}
	b := make([]byte, info.Size())
	if _, err := io.ReadFull(f, b); err != nil {
		return nil, damaged("%v", err)
	}
	return decode(key, b)
}

// Put stores an entry, replacing the key's former one, and evicts what was not
// used for longest where the folder would grow beyond its limit. An error means
// that the entry isn't there; nothing else is the worse for it.
func (s *Store) Put(key Key, e *Entry) (err error) {
	defer func() {
		if err != nil {
			err = fmt.Errorf("kernel cache: storing %s: %w", e.Source, err)
		}
	}()
	b := encode(key, e)
	if int64(len(b)) > s.limit {
		return fmt.Errorf("%d bytes are more than the limit of the whole cache, %d", len(b), s.limit)
	}
	if err := s.checkFolder(); err != nil {
		return err
	}
	f, err := os.CreateTemp(s.dir, tempPrefix+"*") // mode 0600
	if err != nil {
		return err
	}
	_, err = f.Write(b)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Rename(f.Name(), s.path(key))
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return err
	}
	s.evict()
	return nil
}

// Remove forgets an entry.
func (s *Store) Remove(key Key) error {
	err := os.Remove(s.path(key))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// keyOfFile is the key that a file's name stands for.
func keyOfFile(name string) (key Key, ok bool) {
	digits, ok := strings.CutSuffix(name, suffix)
	if !ok || len(digits) != 2*len(key) {
		return key, false
	}
	_, err := hex.Decode(key[:], []byte(digits))
	return key, err == nil && key.String() == digits
}
