package repolint

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

type rule struct {
	name  string
	check func(*repo) []problem
}

// rules are all of them, in the order in which they are reported.
var rules = []rule{
	{"parse", checkParse},
	{"top level", checkTopLevel},
	{"cgo files", checkCgoFiles},
	{"unsafe files", checkUnsafeFiles},
	{"exported C types", checkExportedC},
	{"size", checkSize},
	{"package comment", checkPackageComment},
	{"doc comment", checkDocComments},
	{"imports", checkImports},
	{"modules", checkModules},
	{"open ends", checkOpenEnds},
	{"places", checkPlaces},
	{"skips", checkSkips},
}

func checkParse(r *repo) (ps []problem) {
	for _, f := range r.files {
		if f.err != nil {
			ps = append(ps, problem{f.name, 0, "cannot be parsed, so no rule looks at it: " + f.err.Error()})
		}
	}
	return ps
}

// topLevel is what the root may hold, apart from dot-files.
var topLevel = strings.Fields(`
	go.mod go.sum README.md LICENSE CHANGELOG.md CONTRIBUTING.md
	driver opencl cuda hip waitpool kernelcache cgo_headers testdata scripts`)

func checkTopLevel(r *repo) (ps []problem) {
	seen := make(map[string]bool)
	for _, f := range r.files {
		top, _, _ := strings.Cut(f.name, "/")
		if seen[top] || strings.HasPrefix(top, ".") || slices.Contains(topLevel, top) {
			continue
		}
		seen[top] = true
		ps = append(ps, problem{f.name, 0, fmt.Sprintf(
			"%s has no place at the top level; move it into one of the folders there (small programs: scripts)", top)})
	}
	return ps
}

func checkCgoFiles(r *repo) (ps []problem) {
	for _, f := range r.files {
		line, ok := r.imports(f)["C"]
		if !ok {
			continue
		}
		if !strings.HasSuffix(f.name, "_cgo.go") {
			ps = append(ps, problem{f.name, line,
				`imports "C"; move that part into a file whose name ends in _cgo.go`})
		}
		if strings.HasPrefix(f.name, "driver/") {
			ps = append(ps, problem{f.name, line,
				"package driver and those below it have no cgo; move this into a backend or into waitpool"})
		}
	}
	return ps
}

func checkUnsafeFiles(r *repo) (ps []problem) {
	for _, f := range r.files {
		line, ok := r.imports(f)["unsafe"]
		if !ok {
			continue
		}
		base := strings.TrimSuffix(strings.TrimSuffix(f.name, ".go"), "_test")
		if !strings.HasSuffix(base, "_unsafe") && !strings.HasSuffix(base, "_cgo") {
			ps = append(ps, problem{f.name, line,
				"imports unsafe; move that part into a file whose name ends in _unsafe.go or _cgo.go (tests: _unsafe_test.go)"})
		}
	}
	return ps
}

const maxLines = 450

// longFiles are hand-written files above maxLines, with the reason for each.
var longFiles = map[string]string{}

func checkSize(r *repo) (ps []problem) {
	excused := make(map[string]bool)
	for _, f := range r.files {
		if !f.isCode() || f.isGenerated() {
			continue
		}
		n := strings.Count(f.text, "\n")
		if n <= maxLines {
			continue
		}
		if longFiles[f.name] != "" {
			excused[f.name] = true
			continue
		}
		ps = append(ps, problem{f.name, 0, fmt.Sprintf(
			"%d lines; split it by subject so that each part has at most %d, or give a reason in longFiles in scripts/repolint", n, maxLines)})
	}
	for name := range longFiles {
		if !excused[name] {
			ps = append(ps, problem{name, 0, "is excused in longFiles in scripts/repolint but is no longer too long; remove it there"})
		}
	}
	return ps
}

// openEnds matches the markers of unfinished work. It is put together so that
// this file does not break its own rule.
var openEnds = regexp.MustCompile(`\b(` + strings.Join([]string{"TO" + "DO", "FIX" + "ME", "XX" + "X"}, "|") + `)\b`)

func checkOpenEnds(r *repo) (ps []problem) {
	for _, f := range r.files {
		if !f.isCode() {
			continue
		}
		f.lines(func(n int, line string) {
			if m := openEnds.FindString(line); m != "" {
				ps = append(ps, problem{f.name, n, m + ": finish it, or file an issue and say here what holds today"})
			}
		})
	}
	return ps
}

// registries matches hosts from which packages are fetched. Which one is used
// is the business of the machine's configuration. Some are split, as above.
var registries = regexp.MustCompile(strings.NewReplacer(".", `\.`, "~", "").Replace(
	`(proxy~.golang.org|goproxy~.(io|cn)|deb~.debian.org|(archive|ports)~.ubuntu.com|registry~.npmjs.org|` +
		`pypi~.org|pythonhosted~.org|crates~.io|hub~.docker.com|conda~.anaconda.org)`))

// privatePaths matches absolute paths that exist on one person's machine only.
var privatePaths = regexp.MustCompile("(^|[\\s\"'`=:(,])/(home|root|Users|work|mnt/[a-z]+|builds?)/[A-Za-z0-9_]")

func checkPlaces(r *repo) (ps []problem) {
	for _, f := range r.files {
		if !f.isText() || strings.HasPrefix(f.name, "scripts/repolint/") {
			continue
		}
		f.lines(func(n int, line string) {
			if m := registries.FindString(line); m != "" {
				ps = append(ps, problem{f.name, n, "names the package registry " + m + "; leave the choice to the machine's configuration"})
			}
			if m := privatePaths.FindString(line); m != "" {
				ps = append(ps, problem{f.name, n, "names a path of one machine; use one relative to the repository, or a temporary folder"})
			}
		})
	}
	return ps
}

// allowedModules are the modules that go.mod may require.
var allowedModules = map[string]string{
	"golang.org/x/exp":          "constraints",
	"github.com/NVIDIA/go-nvml": "NVML",
	"github.com/google/go-cmp":  "tests",
}

var requirement = regexp.MustCompile(`^(?:require\s+)?([a-z0-9.-]+\.[a-z]+/\S+)\s+v\S+`)

func checkModules(r *repo) (ps []problem) {
	for _, f := range r.files {
		if f.name != "go.mod" {
			continue
		}
		f.lines(func(n int, line string) {
			line = strings.TrimSpace(line)
			if m := requirement.FindStringSubmatch(line); m != nil && allowedModules[m[1]] == "" {
				ps = append(ps, problem{f.name, n, "requires " + m[1] + "; users vendor us, so do without it (allowedModules in scripts/repolint lists what may be required)"})
			}
			switch word, _, _ := strings.Cut(line, " "); word {
			case "replace", "exclude", "toolchain":
				ps = append(ps, problem{f.name, n, "has a " + word + " directive, which users of the module don't see or can't undo; remove it"})
			}
		})
	}
	return ps
}

// mayImport says which packages of this module, and which foreign ones, the
// packages in a folder may import; the longest matching folder counts. A name
// that ends in /... includes what lies below. Folders that aren't here, such as
// scripts, may import anything.
var mayImport = map[string][]string{
	"driver":            {"driver/lifetime", "golang.org/x/exp/constraints"},
	"driver/all":        {"driver", "cuda", "hip", "opencl"},
	"driver/drivertest": {"driver", "driver/lifetime", "driver/drivertest/..."},
	"driver/bounds":     {"driver"},
	"driver/fake":       {"driver", "driver/drivertest", "driver/lifetime", "cuda", "hip", "kernelcache", "testdata/fakedriver/..."},
	"driver/compile":    {"driver"},
	"driver/library":    {"driver"},
	"driver/lifetime":   {},
	"driver/places":     {},
	"driver/staging":    {},
	"driver/texels":     {},
	"driver/waiters":    {},
	"waitpool":          {"cgo_headers", "waitpool/..."},
	"kernelcache":       {"driver", "driver/lifetime", "kernelcache/...", "golang.org/x/exp/constraints"},
	"cgo_headers":       {},
	"cuda":              append([]string{"cuda/..."}, backendImports...),
	"cuda/nvml":         append([]string{"cuda/...", "github.com/NVIDIA/go-nvml/..."}, backendImports...),
	"hip":               append([]string{"hip/..."}, backendImports...),
	"opencl":            append([]string{"opencl/..."}, backendImports...),
}

var backendImports = []string{"driver", "driver/bounds", "driver/compile", "driver/library", "driver/lifetime", "driver/places", "driver/staging", "driver/texels", "driver/waiters", "waitpool", "kernelcache", "cgo_headers", "golang.org/x/exp/constraints"}

var backends = []string{"cuda", "hip", "opencl"}

// checkImports checks who imports whom. Tests may import more than the package
// that they test (go-cmp, the conformance suite), but no backend of others.
func checkImports(r *repo) (ps []problem) {
	for _, f := range r.files {
		if f.ast == nil {
			continue
		}
		folder := path.Dir(f.name)
		for folder != "." && mayImport[folder] == nil {
			folder = path.Dir(folder)
		}
		allowed, ok := mayImport[folder]
		if !ok {
			continue
		}
		for imp, line := range r.imports(f) {
			target, ours := strings.CutPrefix(imp, module+"/")
			foreign := strings.Contains(strings.SplitN(imp, "/", 2)[0], ".") && !ours
			if !ours && !foreign || matches(allowed, target) {
				continue
			}
			if f.isTest() && (target == "github.com/google/go-cmp/cmp" || strings.HasPrefix(target, "github.com/google/go-cmp/cmp/") ||
				ours && (within(target, folder) || !inBackend(target) && target != "driver/all")) {
				continue
			}
			ps = append(ps, problem{f.name, line, fmt.Sprintf(
				"%s may not import %s; it may import %s (the reasons: CONTRIBUTING.md)", folder, target, orNothing(allowed))})
		}
	}
	return ps
}

func matches(patterns []string, target string) bool {
	for _, p := range patterns {
		below, ok := strings.CutSuffix(p, "/...")
		if target == p || ok && within(target, below) {
			return true
		}
	}
	return false
}

func within(target, folder string) bool {
	return target == folder || strings.HasPrefix(target, folder+"/")
}

func inBackend(target string) bool {
	return slices.ContainsFunc(backends, func(b string) bool { return within(target, b) })
}

func orNothing(list []string) string {
	if len(list) == 0 {
		return "nothing but the standard library"
	}
	return strings.Join(list, ", ")
}
