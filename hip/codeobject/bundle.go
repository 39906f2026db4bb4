package codeobject

import (
	"bytes"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// How images begin.
const (
	bundleMagic     = "__CLANG_OFFLOAD_BUNDLE__"
	compressedMagic = "CCOB"
	elfMagic        = "\x7fELF"
)

// maxEntries bounds what a bundle may hold; there are about fifty architectures.
const maxEntries = 4096

// Entry is one architecture's part of an image.
type Entry struct {
	// Target is the architecture with its features: "gfx90a:sramecc+:xnack-". Of
	// code for something else than AMD's GPUs it is the bundle's whole name.
	Target string
	// Bundle is the name that a bundle gives it: "hipv4-amdgcn-amd-amdhsa--gfx90a";
	// "" for a code object in no bundle.
	Bundle string
	// Code is the code object, a part of the image.
	Code []byte
}

// List lists what an image holds: a code object, a bundle of them (also several,
// one after the other), or a program or library of the host with such in it. The
// host's own part of a bundle, which is empty, is left out. An image of another
// kind is driver.ErrInvalidValue; compressed bundles are driver.ErrUnsupported.
func List(image []byte) ([]Entry, error) {
	switch {
	case bytes.HasPrefix(image, []byte(bundleMagic)), bytes.HasPrefix(image, []byte(compressedMagic)):
		return bundles(image)
	case !bytes.HasPrefix(image, []byte(elfMagic)):
		return nil, refused(driver.ErrInvalidValue, "the image, of %s, is neither an ELF file nor a bundle; it begins with %q", driver.ByteSize(uint64(len(image))), image[:min(len(image), 8)])
	}
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return nil, broken(err)
	}
	defer f.Close()
	if f.Machine == machineAMDGPU {
		t, err := targetOf(f, image)
		return []Entry{{Target: t, Code: image}}, err
	}
	for _, s := range f.Sections {
		if s.Name != ".hip_fatbin" {
			continue
		}
		part, err := cut(image, s.Offset, s.FileSize)
		if err != nil {
			return nil, broken(fmt.Errorf("section %s: %w", s.Name, err))
		}
		return bundles(part)
	}
	return nil, refused(driver.ErrInvalidValue, "the image is an ELF file for %s, with no section .hip_fatbin and so with no code for AMD's GPUs", f.Machine)
}

// bundles reads bundles that follow each other, with any padding between them.
func bundles(image []byte) ([]Entry, error) {
	var all []Entry
	for {
		if bytes.HasPrefix(image, []byte(compressedMagic)) {
			return nil, refused(driver.ErrUnsupported, "the image is a compressed bundle (CCOB), which is not read here; compile with --no-offload-compress, or take it apart with clang-offload-bundler")
		}
		list, end, err := bundle(image)
		if err != nil {
			return nil, err
		}
		if all = append(all, list...); len(all) > maxEntries {
			return nil, refused(driver.ErrInvalidValue, "the image holds more than %d code objects", maxEntries)
		}
		next := bytes.Index(image[end:], []byte(bundleMagic))
		if next < 0 {
			return all, nil
		}
		image = image[end+uint64(next):]
	}
}

// bundle reads one bundle, and says where it ends.
func bundle(image []byte) (list []Entry, end uint64, err error) {
	short := func(err error) error { return broken(fmt.Errorf("the bundle is cut short: %w", err)) }
	at := uint64(len(bundleMagic))
	number := func() (n uint64) {
		var b []byte
		if err == nil {
			b, err = cut(image, at, 8)
			at += 8
		}
		if err == nil {
			n = binary.LittleEndian.Uint64(b)
		}
		return n
	}
	n := number()
	if n > maxEntries {
		return nil, 0, refused(driver.ErrInvalidValue, "the bundle claims to hold %d code objects", n)
	}
	for range n {
		offset, size, length := number(), number(), number()
		if err != nil {
			return nil, 0, short(err)
		}
		name, err := cut(image, at, length)
		if err != nil {
			return nil, 0, short(err)
		}
		at += length
		code, err := cut(image, offset, size)
		if err != nil {
			return nil, 0, short(fmt.Errorf("%s: %w", name, err))
		}
		end = max(end, offset+size)
		if !strings.HasPrefix(string(name), "host-") {
			list = append(list, Entry{Target: targetName(string(name)), Bundle: string(name), Code: code})
		}
	}
	if err != nil {
		return nil, 0, short(err)
	}
	return list, max(end, at), nil
}

// targetName is the target of a bundle's name for it.
func targetName(name string) string {
	if t := parseTarget(name); strings.HasPrefix(t.arch, "gfx") {
		return t.String()
	}
	return name
}

// cut is a part of the image.
func cut(image []byte, offset, size uint64) ([]byte, error) {
	if offset > uint64(len(image)) || size > uint64(len(image))-offset {
		return nil, fmt.Errorf("%d bytes from byte %d on are not in %d bytes", size, offset, len(image))
	}
	return image[offset : offset+size : offset+size], nil
}
