package cuda

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"errors"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/driver"
)

// tinyELF is a file with one segment and two sections, of which the second has the
// names.
func tinyELF(name string) []byte {
	names := "\x00" + name + "\x00"
	var b bytes.Buffer
	put := func(v any) { _ = binary.Write(&b, binary.LittleEndian, v) }
	const head, segment, section = 64, 56, 64
	body := uint64(head + segment + 3*section)
	put(elf.Header64{
		Ident: [16]byte{0x7f, 'E', 'L', 'F', byte(elf.ELFCLASS64), byte(elf.ELFDATA2LSB), 1}, Type: uint16(elf.ET_EXEC), Machine: 190, Version: 1,
		Phoff: head, Shoff: head + segment, Ehsize: head, Phentsize: segment, Phnum: 1, Shentsize: section, Shnum: 3, Shstrndx: 2,
	})
	put(elf.Prog64{Type: uint32(elf.PT_LOAD), Off: body, Filesz: 4, Memsz: 8})
	put(elf.Section64{})
	put(elf.Section64{Name: 1, Type: uint32(elf.SHT_PROGBITS), Off: body, Size: 4})
	put(elf.Section64{Type: uint32(elf.SHT_STRTAB), Off: body + 4, Size: uint64(len(names))})
	b.WriteString("code" + names)
	return b.Bytes()
}

// tinyFatbin is a fatbin's header with so many bytes behind it.
func tinyFatbin(header uint16, size uint64, have int) []byte {
	b := append([]byte{}, fatbinMagic...)
	b = append(b, 1, 0)
	b = binary.LittleEndian.AppendUint16(b, header)
	b = binary.LittleEndian.AppendUint64(b, size)
	return append(b, make([]byte, have)...)
}

// extentOf is how far a reader of an ELF file goes that trusts its headers.
func extentOf(t *testing.T, image []byte) (end uint64) {
	t.Helper()
	reach := func(off, n uint64) {
		if off+n < off {
			t.Fatalf("%d bytes at %d were let through", n, off)
		}
		end = max(end, off+n)
	}
	var h elf.Header64
	if err := binary.Read(bytes.NewReader(image), binary.LittleEndian, &h); err != nil {
		t.Fatal(err)
	}
	reach(h.Phoff, uint64(h.Phnum)*uint64(h.Phentsize))
	reach(h.Shoff, uint64(h.Shnum)*uint64(h.Shentsize))
	if end > uint64(len(image)) {
		return end // the tables themselves
	}
	for i := range uint64(h.Phnum) {
		var p elf.Prog64
		if binary.Read(bytes.NewReader(image[h.Phoff+i*uint64(h.Phentsize):]), binary.LittleEndian, &p) == nil {
			reach(p.Off, p.Filesz)
		}
	}
	for i := range uint64(h.Shnum) {
		var s elf.Section64
		if binary.Read(bytes.NewReader(image[h.Shoff+i*uint64(h.Shentsize):]), binary.LittleEndian, &s) == nil && elf.SectionType(s.Type) != elf.SHT_NOBITS {
			reach(s.Off, s.Size)
		}
	}
	return end
}

// The driver takes an address without a length, and reads as far as the headers
// say: whatever is let through says no more than there is.
func FuzzImage(f *testing.F) {
	f.Add(tinyELF(".text.kernel"), uint8(driver.SourceBinary))
	f.Add(tinyELF(".text."), uint8(driver.SourceBinary))
	f.Add(tinyELF(".text.kernel")[:100], uint8(driver.SourceBinary))
	long := tinyELF(".text.kernel")
	long[64+32] = 0xff // the size of the segment
	f.Add(long, uint8(driver.SourceBinary))
	f.Add(tinyFatbin(0, 8, 8), uint8(driver.SourceBinary))
	f.Add(tinyFatbin(16, 8, 8), uint8(driver.SourceBinary))
	f.Add(tinyFatbin(16, 9, 8), uint8(driver.SourceBinary))
	f.Add(tinyFatbin(65535, 1<<64-1, 8), uint8(driver.SourceBinary))
	f.Add([]byte(".version 8.0\n.target sm_90\n.visible .entry k(.param .u64 a)\n{ ret; }\n.entry\t_Z$.%(\n"), uint8(driver.SourcePTX))
	f.Add([]byte("// nothing\x00x"), uint8(driver.SourcePTX))
	f.Fuzz(func(t *testing.T, image []byte, kind uint8) {
		before := bytes.Clone(image)
		k := driver.SourceKind(kind)
		err := checkImage("op", "image", k, image)
		names := namesIn(kindOf(image), image)
		if !bytes.Equal(image, before) {
			t.Fatal("the image was changed")
		}
		for _, name := range names {
			if !bytes.Contains(image, []byte(name)) {
				t.Errorf("%q is no name in the image", name)
			}
		}
		if err != nil {
			if e := (*driver.Error)(nil); !errors.As(err, &e) || !strings.Contains(e.Detail, `"image"`) {
				t.Errorf("error %v", err)
			}
			return
		}
		switch {
		case k == driver.SourcePTX:
			if i := bytes.IndexByte(image, 0); i >= 0 && i < len(image)-1 {
				t.Errorf("a text that ends at %d of %d was let through", i, len(image))
			}
		case bytes.HasPrefix(image, fatbinMagic):
			size := binary.LittleEndian.Uint64(image[8:]) + uint64(binary.LittleEndian.Uint16(image[6:]))
			if size > uint64(len(image)) || size < 16 {
				t.Errorf("a fatbin of %d bytes says that it has %d", len(image), size)
			}
		default:
			if end := extentOf(t, image); end > uint64(len(image)) {
				t.Errorf("a file of %d bytes says that it reaches to %d", len(image), end)
			}
		}
	})
}

// Flags are options or are refused by name.
func FuzzImageFlags(f *testing.F) {
	for i := range imageFlags {
		f.Add(imageFlags[i].long + "=7 " + imageFlags[i].short)
		f.Add(imageFlags[i].short + "= " + imageFlags[i].long + "=sm_90a")
	}
	f.Add("-O3 -O -O9 -O=2 -dlcm=cg -maxrregcount=99999999999 -arch=compute_120f")
	f.Fuzz(func(t *testing.T, text string) {
		flags := strings.Split(text, " ")
		o, err := imageOptions("op", "image", flags)
		if err != nil {
			if !errors.Is(err, driver.ErrInvalidValue) || !strings.Contains(err.Error(), "image: the flag") {
				t.Errorf("%q: %v", flags, err)
			}
			return
		}
		if _, err := o.options("op"); err != nil && !errors.Is(err, driver.ErrUnsupported) { // of an older driver
			t.Errorf("%q were taken, as %+v: %v", flags, o, err)
		}
	})
}
