package diskcache

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"math"
)

// Key identifies an entry: a digest of everything that the binary depends on.
type Key [sha256.Size]byte

func (k Key) String() string { return hex.EncodeToString(k[:]) }

// KeyOf digests a list of fields; lists that differ in any field, or in where
// one ends and the next begins, have different keys.
func KeyOf(fields ...string) Key {
	h := sha256.New()
	writeField(h, fmt.Sprintf("triad kernel %d", len(fields)))
	for _, f := range fields {
		writeField(h, f)
	}
	return Key(h.Sum(nil))
}

func writeField(h hash.Hash, f string) {
	var n [8]byte
	binary.LittleEndian.PutUint64(n[:], uint64(len(f)))
	h.Write(n[:])
	h.Write([]byte(f))
}

// Entry is a compiled module.
type Entry struct {
	Source      string // name of the source, for people
	Device      string // name of the device, for people
	Options     string // compile options, for people
	Log         string // what the compiler said
	Description []byte // what the backend knows beyond the binary
	Binary      []byte
}

// The file: the magic, the key, the number of bytes of each part as 64-bit
// little-endian numbers, the parts, and the SHA-256 of all before it.
const (
	magic      = "triadkc\x01"
	parts      = 6
	headerSize = len(magic) + sha256.Size + 8*parts
	overhead   = headerSize + sha256.Size
)

func (e *Entry) parts() [parts][]byte {
	return [parts][]byte{[]byte(e.Source), []byte(e.Device), []byte(e.Options), []byte(e.Log), e.Description, e.Binary}
}

// encode is the entry's file.
func encode(key Key, e *Entry) []byte {
	list := e.parts()
	size := overhead
	for _, p := range list {
		size += len(p)
	}
	b := make([]byte, 0, size)
	b = append(b, magic...)
	b = append(b, key[:]...)
	for _, p := range list {
		b = binary.LittleEndian.AppendUint64(b, uint64(len(p)))
	}
	for _, p := range list {
		b = append(b, p...)
	}
	sum := sha256.Sum256(b)
	return append(b, sum[:]...)
}

// errDamaged is what a file is that decode refuses.
var errDamaged = errors.New("damaged")

func damaged(format string, args ...any) error {
	return fmt.Errorf("%w: %s", errDamaged, fmt.Sprintf(format, args...))
}

// decode reads an entry's file. The parts alias b.
func decode(key Key, b []byte) (*Entry, error) {
	switch {
	case len(b) < overhead:
		return nil, damaged("%d bytes are too few", len(b))
	case !bytes.HasPrefix(b, []byte(magic)):
		return nil, damaged("it is no entry of this version")
	case sha256.Sum256(b[:len(b)-sha256.Size]) != [sha256.Size]byte(b[len(b)-sha256.Size:]):
		return nil, damaged("the checksum is wrong")
	case !bytes.Equal(b[len(magic):][:sha256.Size], key[:]):
		return nil, damaged("it is the entry of another key")
	}
	lengths, body := b[len(magic)+sha256.Size:headerSize], b[headerSize:len(b)-sha256.Size]
	var list [parts][]byte
	for i := range list {
		n := binary.LittleEndian.Uint64(lengths[8*i:])
		if n > math.MaxInt64 || n > uint64(len(body)) {
			return nil, damaged("part %d claims %d bytes of %d", i, n, len(body))
		}
		list[i], body = body[:n:n], body[n:]
	}
	if len(body) != 0 {
		return nil, damaged("%d bytes belong to no part", len(body))
	}
	return &Entry{string(list[0]), string(list[1]), string(list[2]), string(list[3]), list[4], list[5]}, nil
}
