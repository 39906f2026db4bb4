package cgo_headers_test

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/triad-gpu/triad/cgo_headers"
)

const module = "github.com/triad-gpu/triad"

// cgoPackages are those whose C code includes our headers. The ones that exist
// are tested.
var cgoPackages = []string{"waitpool", "opencl", "cuda", "cuda/nvrtc", "hip", "hip/hiprtc"}

// TestVendoredModuleBuilds does what a team that vendors its dependencies does:
// a program that imports our packages, go mod vendor, a build without the
// network or the module cache.
func TestVendoredModuleBuilds(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles every cgo package anew")
	}
	needGo(t)
	root := repoRoot(t)
	imports := []string{"cgo_headers", "driver"}
	for _, pkg := range cgoPackages {
		if isPackage(filepath.Join(root, pkg)) {
			imports = append(imports, pkg)
		}
	}

	dir := t.TempDir()
	write(t, filepath.Join(dir, "go.mod"), goMod(t, root))
	copyFile(t, filepath.Join(root, "go.sum"), filepath.Join(dir, "go.sum"))
	write(t, filepath.Join(dir, "main.go"), mainGo(imports))
	write(t, filepath.Join(dir, "main_test.go"), programTest)

	offline := []string{"GOPROXY=off", "GOFLAGS=-mod=mod", "GOWORK=off"}
	run(t, dir, offline, "go", "mod", "vendor")

	vendored := filepath.Join(dir, "vendor", filepath.FromSlash(module), "cgo_headers")
	if diff := cmp.Diff(headerTexts(t, filepath.Join(root, "cgo_headers")), headerTexts(t, vendored)); diff != "" {
		t.Errorf("the vendored headers differ from ours (-ours +vendored):\n%s", diff)
	}

	// A module cache that is empty: what builds now, builds from vendor alone.
	alone := []string{"GOPROXY=off", "GOFLAGS=-mod=vendor", "GOWORK=off", "GOMODCACHE=" + t.TempDir()}
	run(t, dir, alone, "go", "build", "-o", filepath.Join(t.TempDir(), "program"), ".")
	run(t, dir, append(alone, "CGO_ENABLED=0"), "go", "build", "-o", filepath.Join(t.TempDir(), "program"), ".")

	// The sources of the fake driver come along, and their tests of the program can
	// be built and run.
	sources := filepath.Join("testdata", "fakedriver", "src")
	if diff := cmp.Diff(texts(t, filepath.Join(root, sources), ""), texts(t, filepath.Join(dir, "vendor", filepath.FromSlash(module), sources), "")); diff != "" {
		t.Errorf("the vendored sources of the fake driver differ from ours (-ours +vendored):\n%s", diff)
	}
	out := run(t, dir, append(alone, "TRIAD_REQUIRE="), "go", "test", "-v", ".")
	if !strings.Contains(out, "--- PASS: TestOnAFakeDevice") && !strings.Contains(out, "--- SKIP: TestOnAFakeDevice") {
		t.Errorf("the program's test on a fake device did not run:\n%s", out)
	}
}

// programTest is a test of that program.
const programTest = `package main

import (
	"testing"

	"` + module + `/driver"
	"` + module + `/driver/fake"
)

func TestOnAFakeDevice(t *testing.T) {
	dev := fake.Start(t, fake.H200)
	s, err := dev.NewStream(driver.StreamOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ran := make(chan uint32, 1)
	k := fake.Kernel(t, dev, "tell", func(_ fake.Grid, a struct{ N uint32 }) error { ran <- a.N; return nil })
	args := struct{ N uint32 }{42}
	if err := k.Launch(s, driver.Grid1D(1, 1), driver.ArgsOf(&args)); err != nil {
		t.Fatal(err)
	}
	if got := <-ran; got != 42 {
		t.Errorf("the kernel got %d", got)
	}
}
`

// TestEditedHeaderRebuilds shows that whoever edits a header gets the packages
// that include it rebuilt: the go command does not follow #include by itself.
func TestEditedHeaderRebuilds(t *testing.T) {
	needGo(t)
	if !strings.HasPrefix(run(t, repoRoot(t), nil, "go", "env", "CGO_ENABLED"), "1") {
		requireOrSkip(t, "cgo", "cgo is off, so that no header is compiled")
	}
	dir := t.TempDir()
	copySource(t, repoRoot(t), dir)

	// A package of our own, in the way the others use the headers, so that the
	// test means something before the first of them exists.
	const user = "cgo_headers/internal/user"
	if err := os.MkdirAll(filepath.Join(dir, filepath.FromSlash(user)), 0o777); err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, filepath.FromSlash(user), "user_cgo.go"), `package user

// #cgo CFLAGS: -I${SRCDIR}/../..
// #include "probe.h"
import "C"

import _ "`+module+`/cgo_headers"

const Probe = C.TRIAD_TEST_PROBE
`)
	probe := filepath.Join(dir, "cgo_headers", "probe.h")
	// The build cache remembers earlier runs, so no two runs have the same text.
	begin := time.Now().UnixNano()
	header := func(n int) string {
		return fmt.Sprintf("#define TRIAD_TEST_PROBE %d // %d\n", n, begin)
	}
	write(t, probe, header(1))

	env := []string{"GOPROXY=off", "GOWORK=off"}
	list := func(pkg, what string) string { return run(t, dir, env, "go", "list", "-f", what, pkg) }
	pkg := "./" + user
	run(t, dir, env, "go", "build", pkg)
	if list(pkg, "{{.Stale}}") != "false\n" {
		t.Fatal("it is stale right after it was built; the test is worth nothing")
	}
	write(t, probe, header(2))
	if list(pkg, "{{.Stale}}") != "true\n" {
		t.Error("it isn't rebuilt after a header was edited")
	}

	// What does the same is rebuilt in the same way.
	for _, pkg := range cgoPackages {
		if isPackage(filepath.Join(dir, pkg)) && !strings.Contains(list("./"+pkg, "{{.Imports}}"), module+"/cgo_headers") {
			t.Errorf("%s isn't rebuilt after a header was edited; it has to import %s/cgo_headers", pkg, module)
		}
	}
}

// TestFilesHoldsEveryHeader compares what is embedded with what is in the
// folder: a header that isn't embedded doesn't cause a rebuild.
func TestFilesHoldsEveryHeader(t *testing.T) {
	embedded := make(map[string]string)
	err := fs.WalkDir(cgo_headers.Files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(cgo_headers.Files, name)
		embedded[filepath.FromSlash(name)] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(headerTexts(t, "."), embedded); diff != "" {
		t.Errorf("the embedded headers differ from the folder's (-folder +embedded):\n%s", diff)
	}
}

func goMod(t *testing.T, root string) string {
	t.Helper()
	own, err := os.ReadFile(filepath.Join(root, "go.mod"))
	if err != nil {
		t.Fatal(err)
	}
	// Ours with another name: so every version is one whose checksum is in
	// go.sum and that is in the module cache.
	_, rest, ok := strings.Cut(string(own), "module "+module+"\n")
	if !ok {
		t.Fatalf("go.mod doesn't declare %s", module)
	}
	return fmt.Sprintf("module example.com/program\n%s\nrequire %s v0.0.0\n\nreplace %s => %s\n", rest, module, module, root)
}

func mainGo(imports []string) string {
	var b strings.Builder
	b.WriteString("package main\n\nimport (\n")
	for _, pkg := range imports {
		fmt.Fprintf(&b, "\t_ %q\n", module+"/"+pkg)
	}
	b.WriteString(")\n\nfunc main() {}\n")
	return b.String()
}

// headerTexts returns the headers below a folder, by relative name.
func headerTexts(t *testing.T, dir string) map[string]string {
	t.Helper()
	return texts(t, dir, ".h")
}

// texts returns the files below a folder whose names end so, by relative name.
func texts(t *testing.T, dir, ext string) map[string]string {
	t.Helper()
	texts := make(map[string]string)
	err := filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ext) {
			return err
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(dir, name)
		texts[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(texts) == 0 {
		t.Fatalf("no files in %s", dir)
	}
	return texts
}

// copySource copies the module, without dot-folders.
func copySource(t *testing.T, from, to string) {
	t.Helper()
	err := filepath.WalkDir(from, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, name)
		if err != nil {
			return err
		}
		switch {
		case d.IsDir() && rel != "." && strings.HasPrefix(d.Name(), "."):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(to, rel), 0o777)
		case d.Type().IsRegular() && !strings.HasPrefix(d.Name(), "."):
			copyFile(t, name, filepath.Join(to, rel))
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func copyFile(t *testing.T, from, to string) {
	t.Helper()
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	write(t, to, string(text))
}

func write(t *testing.T, name, text string) {
	t.Helper()
	if err := os.WriteFile(name, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// isPackage tells whether a folder has Go files.
func isPackage(dir string) bool {
	files, _ := filepath.Glob(filepath.Join(dir, "*.go"))
	return len(files) > 0
}

// run runs a command and returns its standard output.
func run(t *testing.T, dir string, env []string, name string, args ...string) string {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), env...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s in %s: %v\n%s%s", strings.Join(cmd.Args, " "), dir, err, out, stderr.String())
	}
	return string(out)
}

func repoRoot(t *testing.T) string {
	t.Helper()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	return root
}

// needGo skips where tests run without the go command, as a cross-built test
// binary on its target does.
func needGo(t *testing.T) {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		requireOrSkip(t, "go", "the go command isn't here")
	}
}

// requireOrSkip skips the test, unless TRIAD_REQUIRE names what it lacks. It is
// here and not in drivertest because this package depends on nothing.
func requireOrSkip(t *testing.T, what, reason string) {
	t.Helper()
	for _, required := range strings.Split(os.Getenv("TRIAD_REQUIRE"), ",") {
		if strings.TrimSpace(required) == what {
			t.Fatalf("TRIAD_REQUIRE asks for %s, but %s", what, reason)
		}
	}
	t.Skipf("%s", reason)
}
