package codeobject

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"slices"
)

// pack writes MessagePack, of what unpack reads and of ints.
func pack(v any) []byte {
	text := func(s string) []byte {
		if len(s) < 32 {
			return append([]byte{0xa0 | byte(len(s))}, s...)
		}
		return append([]byte{0xd9, byte(len(s))}, s...)
	}
	switch v := v.(type) {
	case nil:
		return []byte{0xc0}
	case bool:
		if v {
			return []byte{0xc3}
		}
		return []byte{0xc2}
	case int:
		if v >= 0 && v < 128 {
			return []byte{byte(v)}
		}
		return binary.BigEndian.AppendUint64([]byte{0xd3}, uint64(v))
	case string:
		return text(v)
	case []any:
		out := binary.BigEndian.AppendUint16([]byte{0xdc}, uint16(len(v)))
		for _, e := range v {
			out = append(out, pack(e)...)
		}
		return out
	case map[string]any:
		out := binary.BigEndian.AppendUint16([]byte{0xde}, uint16(len(v)))
		var names []string
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		for _, name := range names {
			out = append(append(out, text(name)...), pack(v[name])...)
		}
		return out
	}
	panic(fmt.Sprintf("pack doesn't know a %T", v))
}

// noteOf writes an ELF note.
func noteOf(name string, kind uint32, desc []byte) []byte {
	var b bytes.Buffer
	for _, n := range []uint32{uint32(len(name) + 1), uint32(len(desc)), kind} {
		binary.Write(&b, binary.LittleEndian, n)
	}
	pad := func() {
		for b.Len()%4 != 0 {
			b.WriteByte(0)
		}
	}
	b.WriteString(name + "\x00")
	pad()
	b.Write(desc)
	pad()
	return b.Bytes()
}

// elfFile writes an ELF file of 64 bits with notes, and a section of that name.
func elfFile(machine uint16, flags uint32, notes []byte, section string, data []byte) []byte {
	const header, program = 64, 56
	names := "\x00" + section + "\x00.shstrtab\x00"
	notesAt := uint64(header + program)
	dataAt := notesAt + uint64(len(notes))
	namesAt := dataAt + uint64(len(data))
	sectionsAt := namesAt + uint64(len(names))
	var b bytes.Buffer
	w := func(values ...any) {
		for _, v := range values {
			binary.Write(&b, binary.LittleEndian, v)
		}
	}
	b.WriteString("\x7fELF\x02\x01\x01\x40\x02")
	b.Write(make([]byte, 7))
	w(uint16(3), machine, uint32(1), uint64(0), uint64(header), sectionsAt, flags, uint16(header), uint16(program), uint16(1), uint16(64), uint16(3), uint16(2))
	w(uint32(4), uint32(4), notesAt, notesAt, notesAt, uint64(len(notes)), uint64(len(notes)), uint64(4))
	b.Write(notes)
	b.Write(data)
	b.WriteString(names)
	b.Write(make([]byte, 64))
	w(uint32(1), uint32(1), uint64(0), uint64(0), dataAt, uint64(len(data)), uint32(0), uint32(0), uint64(1), uint64(0))
	w(uint32(2+len(section)), uint32(3), uint64(0), uint64(0), namesAt, uint64(len(names)), uint32(0), uint32(0), uint64(1), uint64(0))
	return b.Bytes()
}

// objectOf writes a code object with kernels.
func objectOf(target string, kernels ...any) []byte {
	tree := map[string]any{"amdhsa.version": []any{1, 2}, "amdhsa.target": "amdgcn-amd-amdhsa--" + target, "amdhsa.kernels": kernels}
	return elfFile(uint16(machineAMDGPU), 0, noteOf("AMDGPU", noteMetadata, pack(tree)), ".text", nil)
}

// bundleOf writes a bundle: names and codes in turn.
func bundleOf(parts ...string) []byte {
	out := []byte(bundleMagic)
	out = binary.LittleEndian.AppendUint64(out, uint64(len(parts)/2))
	at := len(out)
	for i := 0; i < len(parts); i += 2 {
		at += 24 + len(parts[i])
	}
	codes := []byte{}
	for i := 0; i < len(parts); i += 2 {
		for _, n := range []int{at + len(codes), len(parts[i+1]), len(parts[i])} {
			out = binary.LittleEndian.AppendUint64(out, uint64(n))
		}
		out = append(out, parts[i]...)
		codes = append(codes, parts[i+1]...)
	}
	return append(out, codes...)
}
