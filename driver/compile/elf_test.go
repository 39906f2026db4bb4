package compile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"strings"
	"testing"
)

// object is a file with one segment and one section, both of its last 4 bytes, and a
// change made to its headers.
func object(change func(*elf.Header64, *elf.Prog64, *elf.Section64)) []byte {
	const head, segment, section = 64, 56, 64
	const body = head + segment + 2*section
	h := elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1}, Type: uint16(elf.ET_EXEC), Version: 1,
		Phoff: head, Shoff: head + segment, Ehsize: head, Phentsize: segment, Phnum: 1, Shentsize: section, Shnum: 2, Shstrndx: 1,
	}
	p := elf.Prog64{Type: uint32(elf.PT_LOAD), Off: body, Filesz: 4}
	s := elf.Section64{Type: uint32(elf.SHT_STRTAB), Off: body, Size: 4}
	change(&h, &p, &s)
	var b bytes.Buffer
	for _, v := range []any{h, p, elf.Section64{}, s, [4]byte{}} {
		_ = binary.Write(&b, binary.LittleEndian, v)
	}
	return b.Bytes()
}

func TestWholeELF(t *testing.T) {
	for want, change := range map[string]func(*elf.Header64, *elf.Prog64, *elf.Section64){
		"":                               func(*elf.Header64, *elf.Prog64, *elf.Section64) {},
		"segment 0 lies at":              func(_ *elf.Header64, p *elf.Prog64, _ *elf.Section64) { p.Filesz++ },
		"segment 0 lies at 922337203":    func(_ *elf.Header64, p *elf.Prog64, _ *elf.Section64) { p.Off = 1<<63 - 2 },
		"EOF":                            func(_ *elf.Header64, _ *elf.Prog64, s *elf.Section64) { s.Size++ },
		"table of segments lies at 1000": func(h *elf.Header64, _ *elf.Prog64, _ *elf.Section64) { h.Phoff, h.Phnum = 1000, 0 },
		"ELFDATA2MSB": func(h *elf.Header64, p *elf.Prog64, s *elf.Section64) {
			*h = elf.Header64{Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2MSB), 1}, Version: 1 << 24, Type: 0x200}
		},
	} {
		err := WholeELF(object(change))
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, error %v", want, err)
		}
	}
	if err := WholeELF([]byte("\x7fELF")); err == nil {
		t.Error("the magic alone was taken for a file")
	}
}
