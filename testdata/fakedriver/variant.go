package fakedriver

import (
	"bytes"
	"crypto/sha256"
	"debug/elf"
	"encoding/binary"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// variant copies the libraries with symbols taken out and settings put in, which
// is quicker than building them anew.
func variant(dir string, p Paths, o Options) (Paths, error) {
	settings := o.Settings
	if len(o.Missing) > 0 {
		settings = "missing=" + strings.Join(o.Missing, ",") + ";" + settings
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %q %q", p.Cuda, o.Missing, settings))
	home := filepath.Join(dir, fmt.Sprintf("variant-%x", key[:12]))
	v := Paths{Cuda: filepath.Join(home, filepath.Base(p.Cuda)), Nvrtc: filepath.Join(home, filepath.Base(p.Nvrtc)), Include: p.Include}
	err := once(home, func(dir string) error {
		if err := rewrite(p.Cuda, filepath.Join(dir, filepath.Base(p.Cuda)), o.Missing, settings); err != nil {
			return err
		}
		return rewrite(p.Nvrtc, filepath.Join(dir, filepath.Base(p.Nvrtc)), nil, settings)
	})
	return v, err
}

// configSection is where a library keeps its built-in settings; see config.c.
const configSection = ".fakeconfig"

func rewrite(from, to string, missing []string, settings string) error {
	image, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	f, err := elf.NewFile(bytes.NewReader(image))
	if err != nil {
		return err
	}
	defer f.Close()
	config := f.Section(configSection)
	if config == nil || uint64(len(settings)) >= config.Size {
		return fmt.Errorf("%s has no room for %d bytes of settings", from, len(settings))
	}
	copy(image[config.Offset:], settings+"\x00")
	if err := forget(f, image, missing); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return os.WriteFile(to, image, 0o700)
}

// forget takes symbols' names away. The hash tables still lead to them, but no
// name that anyone looks for is equal to an empty one.
func forget(f *elf.File, image []byte, missing []string) error {
	if len(missing) == 0 {
		return nil
	}
	table := f.SectionByType(elf.SHT_DYNSYM)
	symbols, err := f.DynamicSymbols()
	if err != nil {
		return err
	}
	if table == nil || table.Entsize != elf.Sym64Size {
		return fmt.Errorf("no table of dynamic symbols, or not of 64 bits")
	}
	left := slices.Clone(missing)
	for i, s := range symbols {
		if at := slices.Index(left, s.Name); at >= 0 {
			left = slices.Delete(left, at, at+1)
			// The first entry of the table is not in the list.
			entry := table.Offset + uint64(i+1)*elf.Sym64Size
			binary.LittleEndian.PutUint32(image[entry:], 0)
		}
	}
	if len(left) > 0 {
		return fmt.Errorf("no symbols %s", strings.Join(left, ", "))
	}
	return nil
}
