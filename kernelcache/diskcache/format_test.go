package diskcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"reflect"
	"testing"
)

func TestEveryDamageIsFound(t *testing.T) {
	key, e := entry(1)
	e.Binary = []byte("binary")
	good := encode(key, e)
	if got, err := decode(key, good); err != nil || !reflect.DeepEqual(got, e) {
		t.Fatalf("%+v, %v", got, err)
	}
	refuse := func(what string, b []byte) {
		t.Helper()
		if _, err := decode(key, b); !errors.Is(err, errDamaged) {
			t.Errorf("%s: error %v", what, err)
		}
	}
	for n := range good {
		refuse("cut off", good[:n])
		b := bytes.Clone(good)
		b[n] ^= 0x10
		refuse("a flipped bit", b)
	}
	refuse("longer", append(bytes.Clone(good), 0))
	other, _ := entry(2)
	refuse("of another key", encode(other, e))
}

// seal gives a file the checksum of what it holds, so that what lies behind the
// checksum is reached.
func seal(b []byte) []byte {
	sum := sha256.Sum256(b)
	return append(bytes.Clone(b), sum[:]...)
}

func TestAbsurdLengthsAreRefused(t *testing.T) {
	key, e := entry(1)
	good := encode(key, e)
	for part := range parts {
		for _, n := range []uint64{1 << 63, 1<<64 - 1, uint64(len(good)), 1 << 40} {
			b := bytes.Clone(good[:len(good)-sha256.Size])
			binary.LittleEndian.PutUint64(b[len(magic)+sha256.Size+8*part:], n)
			if _, err := decode(key, seal(b)); !errors.Is(err, errDamaged) {
				t.Errorf("part %d of %d bytes: %v", part, n, err)
			}
		}
	}
}

// Whatever the file, decode returns an entry that encodes to it, or an error.
// The first byte says whether the rest gets the right checksum and key.
func FuzzDecode(f *testing.F) {
	key, e := entry(1)
	e.Binary = []byte("binary")
	good := encode(key, e)
	f.Add(append([]byte{0}, good...))
	f.Add(append([]byte{1}, good[:len(good)-sha256.Size]...))
	f.Add([]byte{1})
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 {
			return
		}
		b := data[1:]
		if data[0]&1 != 0 {
			b = bytes.Clone(b)
			if len(b) >= len(magic)+sha256.Size {
				copy(b, magic)
				copy(b[len(magic):], key[:])
			}
			b = seal(b)
		}
		before := bytes.Clone(b)
		got, err := decode(key, b)
		if !bytes.Equal(before, b) {
			t.Fatal("decode changed the file")
		}
		if err != nil {
			if !errors.Is(err, errDamaged) {
				t.Fatalf("error %v", err)
			}
			return
		}
		if again := encode(key, got); !bytes.Equal(again, b) {
			t.Fatalf("%x reads as %+v, which is %x", b, got, again)
		}
	})
}
