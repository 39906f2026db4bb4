package cgo_headers_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/cgo_headers"
)

// OpenCL's own headers, as Debian's package opencl-headers installs them.
const openclHeader = "/usr/include/CL/cl.h"

var (
	defineRow  = regexp.MustCompile(`(?m)^#define (CL_\w+) (\(?-?\w+\)?)`)
	typedefRow = regexp.MustCompile(`(?m)^typedef ([\w ]+[ *])(cl_\w+);$`)
	tableRow   = regexp.MustCompile(`X\((REQUIRED|OPTIONAL), (\d+), .*?(cl[A-Z]\w+), \(`)
)

func triadCL(t *testing.T) string {
	t.Helper()
	text, err := cgo_headers.Files.ReadFile("triad_cl.h")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// checkAgainstOpenCL compiles our declarations beside OpenCL's own and has the
// compiler compare each value, type and function. It returns what the compiler
// complains of.
func checkAgainstOpenCL(t *testing.T, header string) string {
	t.Helper()
	if _, err := os.Stat(openclHeader); err != nil {
		requireOrSkip(t, "headers", "OpenCL's headers are not installed: "+err.Error())
	}
	if _, err := exec.LookPath("gcc"); err != nil {
		requireOrSkip(t, "cgo", "there is no C compiler")
	}
	var b strings.Builder
	b.WriteString(`#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>
#include <CL/cl_ext.h>
#define TRIAD_CL_TYPES_GIVEN
#include "triad_cl.h"
#define CHECK(kind, version, result, name, params) \
    _Static_assert(__builtin_types_compatible_p(__typeof__(name), result params), "function " #name);
TRIAD_CL_FUNCTIONS(CHECK)
struct triad_region { size_t origin, size; };
_Static_assert(sizeof(cl_buffer_region) == sizeof(struct triad_region), "cl_buffer_region");
_Static_assert(offsetof(cl_buffer_region, size) == offsetof(struct triad_region, size), "cl_buffer_region");
`)
	for _, row := range defineRow.FindAllStringSubmatch(header, -1) {
		fmt.Fprintf(&b, "#ifndef %[1]s\n#error value %[1]s is unknown to OpenCL\n#else\n_Static_assert((%[1]s) == (%[2]s), \"value %[1]s\");\n#endif\n", row[1], row[2])
	}
	for _, row := range typedefRow.FindAllStringSubmatch(header, -1) {
		fmt.Fprintf(&b, "_Static_assert(__builtin_types_compatible_p(%s, %s), \"type %s\");\n", row[2], row[1], row[2])
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "triad_cl.h"), header)
	write(t, filepath.Join(dir, "check.c"), b.String())
	cmd := exec.Command("gcc", "-std=gnu11", "-fsyntax-only", "-Wno-deprecated-declarations", "check.c")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}

func TestDeclarationsAreOpenCLsOwn(t *testing.T) {
	header := triadCL(t)
	if n := len(defineRow.FindAllString(header, -1)); n < 140 {
		t.Errorf("only %d values were found in triad_cl.h", n)
	}
	if n := len(typedefRow.FindAllString(header, -1)); n < 25 {
		t.Errorf("only %d types were found in triad_cl.h", n)
	}
	if n := len(tableRow.FindAllString(header, -1)); n < 50 {
		t.Errorf("only %d functions were found in triad_cl.h", n)
	}
	if out := checkAgainstOpenCL(t, header); out != "" {
		t.Errorf("triad_cl.h differs from OpenCL's headers:\n%s", out)
	}
}

// The comparison above finds differences of each kind.
func TestWrongDeclarationsAreNoticed(t *testing.T) {
	header := triadCL(t)
	for _, x := range []struct{ name, old, new, want string }{
		{"value", "#define CL_DEVICE_TYPE 0x1000", "#define CL_DEVICE_TYPE 0x1001", "value CL_DEVICE_TYPE"},
		{"sign of a value", "#define CL_INVALID_VALUE (-30)", "#define CL_INVALID_VALUE 30", "value CL_INVALID_VALUE"},
		{"unknown value", "#define CL_CONTEXT_PLATFORM ", "#define CL_CONTEXT_PLATFROM ", "value CL_CONTEXT_PLATFROM"},
		{"parameter", "clFlush, (cl_command_queue)", "clFlush, (cl_command_queue, int)", "function clFlush"},
		{"const", "clCreateProgramWithSource, (cl_context, cl_uint, const char **,", "clCreateProgramWithSource, (cl_context, cl_uint, char **,", "function clCreateProgramWithSource"},
		{"result", "cl_int, clFinish,", "void, clFinish,", "function clFinish"},
		{"size of a type", "typedef cl_bitfield cl_mem_flags;", "typedef cl_uint cl_mem_flags;", "type cl_mem_flags"},
		{"sign of a type", "typedef int32_t cl_int;", "typedef uint32_t cl_int;", "type cl_int"},
	} {
		t.Run(x.name, func(t *testing.T) {
			wrong := strings.Replace(header, x.old, x.new, 1)
			if wrong == header {
				t.Fatalf("triad_cl.h has no %q", x.old)
			}
			if out := checkAgainstOpenCL(t, wrong); !strings.Contains(out, x.want) {
				t.Errorf("the compiler does not complain of %q:\n%s", x.want, out)
			}
		})
	}
}

// A symbol is required only if every OpenCL 1.2 library has it.
func TestRequiredSymbolsAreThoseOfOpenCL12(t *testing.T) {
	for _, row := range tableRow.FindAllStringSubmatch(triadCL(t), -1) {
		if required := row[1] == "REQUIRED"; required && row[2] > "120" {
			t.Errorf("%s appeared in version %s and is required", row[3], row[2])
		}
	}
}
