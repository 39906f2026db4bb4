package kernelcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/triad-gpu/triad/driver"
	"github.com/triad-gpu/triad/kernelcache/diskcache"
)

// shelf is a module's place on disk. The module's lock guards it.
type shelf struct {
	store  *diskcache.Store
	key    diskcache.Key
	source string // for people

	stored bool
	failed bool              // to store; it isn't tried for every kernel of the module
	desc   [sha256.Size]byte // of the description that is stored
}

// stores are the folders in use: one, but for programs that change the
// environment.
var stores struct {
	sync.Mutex
	m map[diskcache.Config]*diskcache.Store
}

// openStore is the store that the environment asks for; nil when it is off.
func openStore() (*diskcache.Store, error) {
	c, err := diskcache.FromEnv()
	if err != nil || c.Dir == "" {
		return nil, err
	}
	stores.Lock()
	defer stores.Unlock()
	if s := stores.m[c]; s != nil {
		return s, nil
	}
	s, err := diskcache.Open(c.Dir, c.Limit)
	if err != nil {
		return nil, err // looked at again by the next compile
	}
	if stores.m == nil {
		stores.m = make(map[diskcache.Config]*diskcache.Store)
	}
	stores.m[c] = s
	return s, nil
}

// shelfOf is where a module of that text and those options belongs on disk; nil,
// and why, if nowhere.
func shelfOf(dev driver.Device, txt *text, opts *options) (*shelf, string) {
	if why := keepOff(txt, opts); why != "" {
		return nil, why
	}
	store, err := openStore()
	switch {
	case err != nil:
		return nil, err.Error()
	case store == nil:
		return nil, "the disk cache is off"
	}
	i, compiler := dev.Info(), ""
	if c, ok := dev.(driver.Compiler); ok {
		compiler = c.CompilerID()
	}
	key := diskcache.KeyOf(i.Backend, i.Platform, i.Vendor, i.Name, i.Version, i.Driver, compiler,
		txt.kind.String(), txt.name, hex.EncodeToString(txt.sum[:]), opts.key)
	return &shelf{store: store, key: key, source: txt.name}, ""
}

// others are words of texts that depend on more than themselves: on files that
// the key says nothing of, or on the time. Finding one where it means nothing,
// in a comment, costs no more than a compile.
var others = []string{"include", "import", "embed", "__DATE__", "__TIME__", "__TIMESTAMP__"}

// keepOff tells why a module must not come from disk; "" if it may.
func keepOff(txt *text, opts *options) string {
	if txt.kind == driver.SourceBinary {
		return "the source is a binary"
	}
	for _, f := range opts.build.Flags {
		if strings.Contains(f, "include") || strings.Contains(f, "imacros") || strings.HasPrefix(f, "@") {
			return fmt.Sprintf("option %q reads a file that the cache does not", f)
		}
	}
	if txt.kind != driver.SourceText {
		return ""
	}
	code := txt.code
	for _, splice := range []string{"\\\r\n", "\\\n", "??/\r\n", "??/\n"} { // may stand within a word
		if bytes.Contains(code, []byte(splice)) {
			code = bytes.ReplaceAll(code, []byte(splice), nil)
		}
	}
	if i := slices.IndexFunc(others, func(w string) bool { return bytes.Contains(code, []byte(w)) }); i >= 0 {
		return fmt.Sprintf("the text says %q, and may depend on more than itself", others[i])
	}
	return ""
}

func (s *shelf) get() (*diskcache.Entry, bool) {
	e, ok := s.store.Get(s.key)
	if ok {
		s.stored, s.desc = true, sha256.Sum256(e.Description)
	}
	return e, ok
}

func (s *shelf) remove() {
	_ = s.store.Remove(s.key)
	s.stored = false
}

// put stores a module's binary and description, unless they are on disk or that
// failed before.
func (s *shelf) put(l *loaded, dev driver.Device, opts *options) (err error) {
	if s.failed {
		return nil
	}
	defer func() { s.failed = err != nil }()
	var desc []byte
	if d, ok := l.Module.(driver.Describer); ok {
		if desc, err = d.Description(); err != nil {
			return err
		}
	}
	sum := sha256.Sum256(desc)
	if s.stored && s.desc == sum {
		return nil
	}
	binary, err := l.Binary()
	if err != nil {
		return err
	}
	e := &diskcache.Entry{
		Source: s.source, Device: dev.Info().Name, Options: opts.String(), Log: l.log,
		Description: desc, Binary: binary,
	}
	if err := s.store.Put(s.key, e); err != nil {
		return err
	}
	s.stored, s.desc = true, sum
	return nil
}
