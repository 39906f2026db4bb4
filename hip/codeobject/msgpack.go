package codeobject

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
)

const maxDepth = 32 // of nesting; AMD's metadata has six levels

var errShort = errors.New("the metadata ends in the middle of a value")

// unpacker reads MessagePack. Each element that it makes took a byte of input at
// least, so that sizes which the input only claims cost nothing.
type unpacker struct {
	in    []byte
	depth int
}

// unpack reads one value, of which it makes nil, bool, int64, uint64, float64,
// string (also for binary data), []any or map[string]any.
func unpack(in []byte) (any, error) { return (&unpacker{in: in}).value() }

func (u *unpacker) take(n uint64) ([]byte, error) {
	if n > uint64(len(u.in)) {
		return nil, errShort
	}
	b := u.in[:n]
	u.in = u.in[n:]
	return b, nil
}

// number reads 1, 2, 4 or 8 bytes.
func (u *unpacker) number(size uint64) (uint64, error) {
	b, err := u.take(size)
	if err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint64(append(make([]byte, 8-size, 8), b...)), nil
}

func (u *unpacker) value() (any, error) {
	first, err := u.number(1)
	if err != nil {
		return nil, err
	}
	switch c := byte(first); {
	case c < 0x80:
		return uint64(c), nil
	case c < 0x90:
		return u.table(uint64(c & 0x0f))
	case c < 0xa0:
		return u.list(uint64(c & 0x0f))
	case c < 0xc0:
		return u.text(uint64(c & 0x1f))
	case c >= 0xe0:
		return int64(int8(c)), nil
	}
	return u.long(byte(first))
}

// long reads a value whose first byte only says how to go on: with a number of so
// many bytes, which is the value or the length of it.
func (u *unpacker) long(c byte) (any, error) {
	size := map[byte]uint64{
		0xc4: 1, 0xc5: 2, 0xc6: 4, 0xca: 4, 0xcb: 8, 0xcc: 1, 0xcd: 2, 0xce: 4, 0xcf: 8, 0xd0: 1, 0xd1: 2, 0xd2: 4, 0xd3: 8,
		0xd9: 1, 0xda: 2, 0xdb: 4, 0xdc: 2, 0xdd: 4, 0xde: 2, 0xdf: 4,
	}[c]
	n, err := u.number(size)
	if err != nil {
		return nil, err
	}
	switch c {
	case 0xc0:
		return nil, nil
	case 0xc2, 0xc3:
		return c == 0xc3, nil
	case 0xca:
		return float64(math.Float32frombits(uint32(n))), nil
	case 0xcb:
		return math.Float64frombits(n), nil
	case 0xcc, 0xcd, 0xce, 0xcf:
		return n, nil
	case 0xd0, 0xd1, 0xd2, 0xd3:
		return int64(n<<(64-8*size)) >> (64 - 8*size), nil
	case 0xc4, 0xc5, 0xc6, 0xd9, 0xda, 0xdb:
		return u.text(n)
	case 0xdc, 0xdd:
		return u.list(n)
	case 0xde, 0xdf:
		return u.table(n)
	}
	return nil, fmt.Errorf("the metadata has a value of MessagePack's type %#x, which it should not have", c)
}

func (u *unpacker) text(n uint64) (any, error) {
	b, err := u.take(n)
	return string(b), err
}

// enter opens a list or table of at least n bytes.
func (u *unpacker) enter(n uint64) error {
	if u.depth++; u.depth > maxDepth {
		return fmt.Errorf("the metadata is nested more than %d deep", maxDepth)
	}
	if n > uint64(len(u.in)) {
		return errShort
	}
	return nil
}

func (u *unpacker) list(n uint64) (any, error) {
	if err := u.enter(n); err != nil {
		return nil, err
	}
	defer func() { u.depth-- }()
	var list []any
	for range n {
		v, err := u.value()
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	return list, nil
}

func (u *unpacker) table(n uint64) (any, error) {
	if err := u.enter(2 * n); err != nil {
		return nil, err
	}
	defer func() { u.depth-- }()
	table := make(map[string]any)
	for range n {
		key, err := u.value()
		if err != nil {
			return nil, err
		}
		name, ok := key.(string)
		if !ok {
			return nil, fmt.Errorf("the metadata has the key %v, which is no text", key)
		}
		if table[name], err = u.value(); err != nil {
			return nil, err
		}
	}
	return table, nil
}
