package cgo_headers_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/triad-gpu/triad/cgo_headers"
)

var nvrtcRow = regexp.MustCompile(`X\((REQUIRED|OPTIONAL), (\d+), (?:nvrtcResult|const char \*), (nvrtc\w+), `)

func nvrtcRows(t *testing.T) [][]string {
	t.Helper()
	text, err := cgo_headers.Files.ReadFile("triad_nvrtc.h")
	if err != nil {
		t.Fatal(err)
	}
	rows := nvrtcRow.FindAllStringSubmatch(string(text), -1)
	if len(rows) < 15 {
		t.Fatalf("only %d functions were found in triad_nvrtc.h", len(rows))
	}
	return rows
}

// A symbol is required if, and only if, every NVRTC from 11.2 on has it.
func TestRequiredSymbolsAreThoseOfNVRTC112(t *testing.T) {
	for _, row := range nvrtcRows(t) {
		version, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		if required := row[1] == "REQUIRED"; required != (version <= 11020) {
			t.Errorf("%s appeared in version %d and is %s", row[3], version, row[1])
		}
	}
}

// nvrtcHeader finds NVIDIA's own header.
func nvrtcHeader(t *testing.T) string {
	t.Helper()
	for _, root := range []string{os.Getenv("CUDA_HOME"), os.Getenv("CUDA_PATH"), "/usr/local/cuda", "/usr"} {
		header := filepath.Join(root, "include", "nvrtc.h")
		if _, err := os.Stat(header); err == nil && root != "" {
			return header
		}
	}
	requireOrSkip(t, "cuda-headers", "nvrtc.h is not installed")
	return ""
}

func TestDeclarationsAreNVRTCsOwn(t *testing.T) {
	header := nvrtcHeader(t)
	if _, err := exec.LookPath("gcc"); err != nil {
		requireOrSkip(t, "cgo", "there is no C compiler")
	}
	// Older headers lack the newest functions, and their rows can't be compared.
	text, err := os.ReadFile(header)
	if err != nil {
		t.Fatal(err)
	}
	program := "#include \"" + header + "\"\n#define TRIAD_NVRTC_TYPES_GIVEN\n#include \"triad_nvrtc.h\"\n" +
		"#define CHECK(kind, version, result, name, params) CHECK_##name(result, name, params)\n" +
		"#define SAME(result, name, params) _Static_assert(__builtin_types_compatible_p(__typeof__(name), result params), \"function \" #name);\n"
	for _, row := range nvrtcRows(t) {
		to := " SAME(result, name, params)"
		if !regexp.MustCompile(`\b` + row[3] + `\s*\(`).Match(text) {
			if row[1] == "REQUIRED" {
				t.Errorf("%s has no %s", header, row[3])
			}
			to = ""
		}
		program += "#define CHECK_" + row[3] + "(result, name, params)" + to + "\n"
	}
	program += "TRIAD_NVRTC_FUNCTIONS(CHECK)\n_Static_assert(sizeof(nvrtcResult) == sizeof(int), \"nvrtcResult\");\n" +
		"_Static_assert(NVRTC_ERROR_INVALID_INPUT == 3, \"NVRTC_ERROR_INVALID_INPUT\");\n"
	file := filepath.Join(t.TempDir(), "check.c")
	write(t, file, program)
	if out, err := exec.Command("gcc", "-std=gnu11", "-fsyntax-only", "-I.", file).CombinedOutput(); err != nil {
		t.Errorf("triad_nvrtc.h differs from %s: %v\n%s", header, err, out)
	}
}
