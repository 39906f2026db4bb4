package compile

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
)

// WholeELF checks that a file of machine code says nothing of bytes that it doesn't
// have: drivers take an address without a length, and find out how large the file is
// by its headers. The error says what is wrong, and not of which file.
func WholeELF(image []byte) error {
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Class != elf.ELFCLASS64 || f.Data != elf.ELFDATA2LSB {
		return fmt.Errorf("it is an ELF file of %v and %v", f.Class, f.Data)
	}
	have := uint64(len(image))
	beyond := func(off, n uint64) bool { return off > have || n > have-off }
	for _, s := range f.Sections {
		if s.Type != elf.SHT_NOBITS && beyond(s.Offset, s.FileSize) {
			return fmt.Errorf("it is cut short: its section %q lies at %d, %d bytes long, and there are %d bytes", s.Name, s.Offset, s.FileSize, have)
		}
	}
	for i, p := range f.Progs {
		if beyond(p.Off, p.Filesz) {
			return fmt.Errorf("it is cut short: its segment %d lies at %d, %d bytes long, and there are %d bytes", i, p.Off, p.Filesz, have)
		}
	}
	// Tables that have entries were read; others may be said to lie anywhere.
	for _, table := range []struct {
		what string
		at   int // of its offset, in the file's header
	}{{"segments", 32}, {"sections", 40}} {
		if off := binary.LittleEndian.Uint64(image[table.at:]); beyond(off, 0) {
			return fmt.Errorf("it is cut short: its table of %s lies at %d, and there are %d bytes", table.what, off, have)
		}
	}
	return nil
}
