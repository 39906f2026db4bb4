package cgo_headers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/cgo_headers"
)

var hiprtcRow = regexp.MustCompile(`X\((REQUIRED|OPTIONAL), (\d+), (?:hiprtcResult|const char \*), (hiprtc\w+), `)

func hiprtcText(t *testing.T) string {
	t.Helper()
	text, err := cgo_headers.Files.ReadFile("triad_hiprtc.h")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func hiprtcRows(t *testing.T) [][]string {
	t.Helper()
	rows := hiprtcRow.FindAllStringSubmatch(hiprtcText(t), -1)
	if len(rows) < 12 {
		t.Fatalf("only %d functions were found in triad_hiprtc.h", len(rows))
	}
	return rows
}

// A symbol is required if, and only if, every hiprtc from HIP 5.2 on has it.
func TestRequiredSymbolsAreThoseOfHiprtcIn52(t *testing.T) {
	for _, row := range hiprtcRows(t) {
		version, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		if required := row[1] == "REQUIRED"; required != (version <= 50200) {
			t.Errorf("%s appeared in version %d and is %s", row[3], version, row[1])
		}
	}
}

// hiprtcHeader finds AMD's own header.
func hiprtcHeader(t *testing.T) string {
	t.Helper()
	deps, err := filepath.Abs(filepath.Join("..", ".deps", "root", "usr"))
	if err != nil {
		t.Fatal(err)
	}
	for _, root := range []string{os.Getenv("HIP_PATH"), os.Getenv("ROCM_PATH"), "/opt/rocm", "/usr", deps} {
		header := filepath.Join(root, "include", "hip", "hiprtc.h")
		if _, err := os.Stat(header); err == nil && root != "" {
			return header
		}
	}
	requireOrSkip(t, "hip-headers", "hiprtc.h is not installed")
	return ""
}

func TestDeclarationsAreHiprtcsOwn(t *testing.T) {
	header := hiprtcHeader(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		requireOrSkip(t, "cgo", "there is no C compiler")
	}
	theirs, err := os.ReadFile(header)
	if err != nil {
		t.Fatal(err)
	}
	// Later headers promise more of the arrays that they take.
	ours := hiprtcText(t)
	if regexp.MustCompile(`const char\s*\*\s*const\s*\*\s*options`).Match(theirs) {
		ours = strings.ReplaceAll(ours, "const char **, const char **))", "const char *const *, const char *const *))")
		ours = strings.ReplaceAll(ours, "(hiprtcProgram, int, const char **)", "(hiprtcProgram, int, const char *const *)")
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "triad_hiprtc.h"), ours)
	program := "#define __HIP_PLATFORM_AMD__\n#include <hip/hip_runtime_api.h>\n#include <hip/hiprtc.h>\n#define TRIAD_HIPRTC_TYPES_GIVEN\n#include \"triad_hiprtc.h\"\n" +
		"#define CHECK(kind, version, result, name, params) CHECK_##name(result, name, params)\n" +
		"#define SAME(result, name, params) _Static_assert(__builtin_types_compatible_p(__typeof__(name), result params), \"function \" #name);\n"
	for _, row := range hiprtcRows(t) {
		to := " SAME(result, name, params)"
		if !regexp.MustCompile(`\b` + row[3] + `\s*\(`).Match(theirs) {
			if row[1] == "REQUIRED" {
				t.Errorf("%s has no %s", header, row[3])
			}
			to = ""
		}
		program += "#define CHECK_" + row[3] + "(result, name, params)" + to + "\n"
	}
	program += "TRIAD_HIPRTC_FUNCTIONS(CHECK)\n_Static_assert(sizeof(hiprtcResult) == sizeof(int), \"hiprtcResult\");\n" +
		"_Static_assert(HIPRTC_ERROR_INVALID_INPUT == 3 && HIPRTC_ERROR_INVALID_PROGRAM == 4, \"codes\");\n"
	file := filepath.Join(dir, "check.c")
	write(t, file, program)
	include := filepath.Dir(filepath.Dir(header))
	if out, err := exec.Command("gcc", "-std=gnu11", "-fsyntax-only", "-I"+dir, "-I"+include, file).CombinedOutput(); err != nil {
		t.Errorf("triad_hiprtc.h differs from %s: %v\n%s", header, err, out)
	}
}
