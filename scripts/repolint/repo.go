package repolint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"
)

// module is the path of this module; the rules on imports need it.
const module = "github.com/triad-gpu/triad"

// repo is what the rules look at: files by their slash-separated name relative
// to the root. It can be a checkout or made up.
type repo struct {
	fset  *token.FileSet
	files []*file
}

type file struct {
	name string
	text string
	ast  *ast.File // nil if it isn't Go, or can't be parsed
	err  error     // why a Go file can't be parsed
}

// problem is one violation. line may be 0, for the file as a whole.
type problem struct {
	file string
	line int
	text string
}

func (p problem) String() string {
	if p.line == 0 {
		return p.file + ": " + p.text
	}
	return fmt.Sprintf("%s:%d: %s", p.file, p.line, p.text)
}

// newRepo makes a repo of the given files, text by name.
func newRepo(texts map[string]string) *repo {
	r := &repo{fset: token.NewFileSet()}
	for name, text := range texts {
		f := &file{name: name, text: text}
		if path.Ext(name) == ".go" {
			f.ast, f.err = parser.ParseFile(r.fset, name, text, parser.ParseComments)
			if f.err != nil {
				f.ast = nil
			}
		}
		r.files = append(r.files, f)
	}
	sort.Slice(r.files, func(i, j int) bool { return r.files[i].name < r.files[j].name })
	return r
}

// loadRepo reads the checkout whose root is dir. What git ignores is ignored
// here too; without git, as in an unpacked archive, everything outside
// dot-folders belongs. It walks the folders in any case, because go test caches
// results, and knows of a new file only if this process has read its folder.
func loadRepo(dir string) (*repo, error) {
	names, err := walkFiles(dir)
	if err != nil {
		return nil, err
	}
	if known, err := gitFiles(dir); err == nil {
		names = slices.DeleteFunc(names, func(name string) bool { return !known[name] })
	}
	texts := make(map[string]string, len(names))
	for _, name := range names {
		full := filepath.Join(dir, filepath.FromSlash(name))
		info, err := os.Lstat(full)
		if os.IsNotExist(err) || err == nil && !info.Mode().IsRegular() {
			continue // deleted but not yet committed, a link, a submodule
		}
		if err != nil {
			return nil, err
		}
		text, err := os.ReadFile(full)
		if err != nil {
			return nil, err
		}
		texts[name] = string(text)
	}
	if len(texts) == 0 {
		return nil, fmt.Errorf("no files in %s", dir)
	}
	return newRepo(texts), nil
}

// gitFiles returns the files that are committed or would be.
func gitFiles(dir string) (map[string]bool, error) {
	cmd := exec.Command("git", "ls-files", "-z", "--cached", "--others", "--exclude-standard")
	cmd.Dir = dir
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("git knows no files in %s", dir)
	}
	known := make(map[string]bool)
	for _, name := range strings.Split(string(out), "\x00") {
		known[name] = true
	}
	return known, nil
}

func walkFiles(dir string) ([]string, error) {
	var names []string
	err := filepath.WalkDir(dir, func(full string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, full)
		if err != nil {
			return err
		}
		if d.IsDir() && rel != "." && strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci" {
			return filepath.SkipDir
		}
		if !d.IsDir() {
			names = append(names, filepath.ToSlash(rel))
		}
		return nil
	})
	return names, err
}

func (f *file) isTest() bool { return strings.HasSuffix(f.name, "_test.go") }

// generated matches the line that marks a generated file, as the go command
// defines it, in Go and in C.
var generated = regexp.MustCompile(`(?m)^(//|/\*) Code generated .* DO NOT EDIT\.( \*/)?$`)

func (f *file) isGenerated() bool { return generated.MatchString(f.text) }

// isCode reports whether the file is source that people write: Go, C, kernels,
// models, and shell scripts, which have no extension here.
func (f *file) isCode() bool {
	switch path.Ext(f.name) {
	case ".go", ".c", ".h", ".cl", ".cu", ".hip", ".pml", ".sh":
		return true
	case "":
		return strings.HasPrefix(f.text, "#!") || strings.HasPrefix(f.name, "scripts/")
	}
	return false
}

func (f *file) isText() bool {
	return utf8.ValidString(f.text) && !bytes.ContainsRune([]byte(f.text), 0)
}

// lines calls fn with each line and its number, counted from 1.
func (f *file) lines(fn func(n int, line string)) {
	for i, line := range strings.Split(strings.TrimSuffix(f.text, "\n"), "\n") {
		fn(i+1, line)
	}
}

// imports returns the paths that a Go file imports, with their lines.
func (r *repo) imports(f *file) map[string]int {
	m := make(map[string]int)
	if f.ast == nil {
		return m
	}
	for _, spec := range f.ast.Imports {
		m[strings.Trim(spec.Path.Value, `"`+"`")] = r.line(spec)
	}
	return m
}

func (r *repo) line(n ast.Node) int { return r.fset.Position(n.Pos()).Line }
