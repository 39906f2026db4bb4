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
	missing, err := o.missing()
	if err != nil {
		return Paths{}, err
	}
	settings := o.Settings
	if len(missing.cuda) > 0 {
		settings = "missing=" + strings.Join(missing.cuda, ",") + ";" + settings
	}
	hips := settings
	if o.HIP != 0 {
		hips = fmt.Sprintf("version=%d;%s", o.HIP, settings)
	}
	key := sha256.Sum256(fmt.Appendf(nil, "%s %q %q %d", p.Cuda, o.Missing, settings, o.HIP))
	home := filepath.Join(dir, fmt.Sprintf("variant-%x", key[:12]))
	v := Paths{
		Cuda: filepath.Join(home, filepath.Base(p.Cuda)), Nvrtc: filepath.Join(home, filepath.Base(p.Nvrtc)),
		Hip: filepath.Join(home, soname(p.Hip, o.HIP)), Hiprtc: filepath.Join(home, soname(p.Hiprtc, o.HIP)),
		Include: p.Include,
	}
	return v, once(home, func(dir string) error {
		for _, l := range []struct {
			from, to, settings string
			missing            []string
		}{
			{p.Cuda, v.Cuda, settings, missing.cuda}, {p.Nvrtc, v.Nvrtc, settings, nil},
			{p.Hip, v.Hip, hips, missing.hip}, {p.Hiprtc, v.Hiprtc, hips, missing.hiprtc},
		} {
			if err := rewrite(l.from, filepath.Join(dir, filepath.Base(l.to)), l.missing, l.settings); err != nil {
				return err
			}
		}
		return nil
	})
}

// lacking are the symbols that each library lacks.
type lacking struct{ cuda, hip, hiprtc []string }

func (o Options) missing() (l lacking, err error) {
	for _, name := range o.Missing {
		switch {
		case strings.HasPrefix(name, "hiprtc"):
			l.hiprtc = append(l.hiprtc, name)
		case strings.HasPrefix(name, "hip"):
			l.hip = append(l.hip, name)
		default:
			l.cuda = append(l.cuda, name)
		}
	}
	if o.HIP == 0 {
		return l, nil
	}
	for _, x := range []struct {
		header string
		list   *[]string
	}{{"triad_hip.h", &l.hip}, {"triad_hiprtc.h", &l.hiprtc}} {
		later, err := newer(x.header, o.HIP)
		if err != nil {
			return l, err
		}
		*x.list = append(*x.list, later...)
		slices.Sort(*x.list)
		*x.list = slices.Compact(*x.list)
	}
	return l, nil
}

// soname is what a library of HIP's is called in a version; 0 is the one it has.
func soname(path string, version int) string {
	base := filepath.Base(path)
	if version == 0 {
		return base
	}
	return fmt.Sprintf("%s.%d", strings.TrimSuffix(base, filepath.Ext(base)), version/10000)
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
	if err := rename(f, image, filepath.Base(from), filepath.Base(to)); err != nil {
		return fmt.Errorf("%s: %w", from, err)
	}
	return os.WriteFile(to, image, 0o700)
}

// rename changes a library's soname to one of the same length.
func rename(f *elf.File, image []byte, from, to string) error {
	names := f.Section(".dynstr")
	if from == to {
		return nil
	}
	if names == nil || len(from) != len(to) {
		return fmt.Errorf("it can't be called %s", to)
	}
	at := bytes.Index(image[names.Offset:names.Offset+names.Size], []byte("\x00"+from+"\x00"))
	if at < 0 {
		return fmt.Errorf("it is not called %s", from)
	}
	copy(image[names.Offset+uint64(at)+1:], to)
	return nil
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
