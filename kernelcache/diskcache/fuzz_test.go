package diskcache

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// Whatever lies in the folder under whatever name, the store works: what is no
// entry is never taken for one, and never touched.
func FuzzFolder(f *testing.F) {
	key, e := entry(1)
	good := encode(key, e)
	f.Add(key.String()+suffix, good, uint16(0))
	f.Add(key.String()+suffix, good[:len(good)-1], uint16(0))
	f.Add(strings.ToUpper(key.String())+suffix, good, uint16(0))
	f.Add(key.String()+suffix+suffix, good, uint16(1))
	f.Add(tempPrefix+"1", []byte("half"), uint16(400))
	f.Add("README", []byte{}, uint16(3))
	f.Add(".kernel", []byte{0}, uint16(len(good)))
	f.Fuzz(func(t *testing.T, name string, content []byte, limit uint16) {
		if name == "." || name == ".." || name == "" || len(name) > 200 || strings.ContainsAny(name, "/\x00") {
			return // no name of a file
		}
		dir := t.TempDir()
		s, err := Open(dir, int64(limit))
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, content, 0o600); err != nil {
			return // not a name for this file system
		}
		named, ours := keyOfFile(name)
		if ours && named.String()+suffix != name {
			t.Fatalf("%q is taken for the file of %s", name, named)
		}
		whole := false
		if ours {
			_, err := decode(named, content)
			whole = err == nil
		}
		list, err := s.List()
		if err != nil || len(list) > 1 || (len(list) == 1) != ours || ours && (list[0].Err == nil) != (whole && int64(len(content)) <= s.limit) {
			t.Fatalf("%q, %d bytes, is listed as %+v, %v", name, len(content), list, err)
		}
		got, found := s.Get(key)
		if found && !(ours && named == key && whole) {
			t.Fatalf("%q, %q, was found as %+v", name, content, got)
		}
		fits := s.Put(key, e) == nil
		if fits != (int64(len(good)) <= s.limit) {
			t.Fatalf("storing %d bytes of %d: %v", len(good), s.limit, fits)
		}
		if got, found := s.Get(key); fits && (!found || !reflect.DeepEqual(got, e)) {
			t.Fatalf("what was stored reads as %+v, %v", got, found)
		}
		if !ours { // what others left is theirs
			if have, err := os.ReadFile(path); err != nil || !bytes.Equal(have, content) {
				t.Fatalf("%q was changed: %q, %v", name, have, err)
			}
		}
		if _, _, err := s.Clear(); err != nil {
			t.Fatal(err)
		}
		_, err = os.Stat(path)
		if kept := err == nil; kept == ours { // a writer's file stays, since it is new
			t.Fatalf("Clear: %q is still there: %v", name, kept)
		}
	})
}
