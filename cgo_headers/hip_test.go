package cgo_headers_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/cgo_headers"
)

var (
	hipRow      = regexp.MustCompile(`(?m)X\((REQUIRED|OPTIONAL), (\d+), ([\w ]+?\*?), (\w+), (\(.*\))\)(?: \\)?$`)
	hipValue    = regexp.MustCompile(`(?m)^#define ((?:hip|HIP)\w+) (\(?-?\w+\)?)$`)
	hipChange   = regexp.MustCompile(`(?m)X\((\w+), (\d+), (\d+)\)(?: \\)?$`)
	hipTypedef  = regexp.MustCompile(`(?m)^typedef ([\w ]+[ *])(hip\w+|HIP\w+);$`)
	hipCallback = regexp.MustCompile(`(?m)^typedef (.*)\(\*(hip\w+)\)(\(.*\));$`)
	hipStruct   = regexp.MustCompile(`(?ms)^typedef (?:struct|union)(?: \w+)? \{\n(.*?)^\} (\w+);$`)
	hipName     = regexp.MustCompile(`\b(hip[A-Z]\w+|HIP\w+|triad_hip_memcpy3d_5)\b`)
	hipVersion  = regexp.MustCompile(`(?m)^#define HIP_VERSION_(MAJOR|MINOR) (\d+)`)
)

// The headers that are compared, by what they hold.
const (
	hipFunctions  = "triad_hip.h"
	hipTypes      = "triad_hip_types.h"
	hipProps      = "triad_hip_props.h"
	hipValues     = "triad_hip_values.h"
	hipAttributes = "triad_hip_attributes.h"
)

func triadHIP(t *testing.T) map[string]string {
	t.Helper()
	ours := map[string]string{}
	for _, name := range []string{hipFunctions, hipTypes, hipProps, hipValues, hipAttributes} {
		text, err := cgo_headers.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		ours[name] = string(text)
	}
	return ours
}

// realHIP are AMD's headers in a folder.
type realHIP struct {
	include string
	version int             // as the table counts: 70100
	words   map[string]bool // that are in them
}

var (
	hipWord    = regexp.MustCompile(`\w+`)
	hipComment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)
)

// hipIncludes finds AMD's headers: those of Debian, of ROCm, and those that the
// environment names.
func hipIncludes(t *testing.T) (found []realHIP) {
	t.Helper()
	dirs, _ := filepath.Glob("/opt/rocm-*/include")
	dirs = append(dirs, filepath.SplitList(os.Getenv("TRIAD_HIP_INCLUDE"))...)
	for _, root := range []string{"HIP_PATH", "ROCM_PATH"} {
		if at := os.Getenv(root); at != "" {
			dirs = append(dirs, filepath.Join(at, "include"))
		}
	}
	for _, dir := range append(dirs, "/opt/rocm/include", "/usr/include", filepath.Join("..", ".deps", "root", "usr", "include")) {
		if abs, err := filepath.Abs(dir); err == nil {
			dir = abs // the compiler runs elsewhere
		}
		if r, ok := readHIP(t, dir); ok && !slices.ContainsFunc(found, func(x realHIP) bool { return x.version == r.version }) {
			found = append(found, r)
		}
	}
	if len(found) == 0 {
		requireOrSkip(t, "hip-headers", "hip/hip_runtime_api.h is not installed: neither in TRIAD_HIP_INCLUDE nor below HIP_PATH, ROCM_PATH, /opt/rocm or /usr")
	}
	return found
}

func readHIP(t *testing.T, dir string) (r realHIP, ok bool) {
	t.Helper()
	paths, _ := filepath.Glob(filepath.Join(dir, "hip", "*.h"))
	if dir == "" || !slices.Contains(paths, filepath.Join(dir, "hip", "hip_runtime_api.h")) {
		return r, false
	}
	r.include, r.words = dir, map[string]bool{}
	for _, path := range paths {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for _, word := range hipWord.FindAllString(hipComment.ReplaceAllString(string(text), " "), -1) {
			r.words[word] = true
		}
		for _, hit := range hipVersion.FindAllStringSubmatch(string(text), -1) {
			n, _ := strconv.Atoi(hit[2])
			r.version += n * map[string]int{"MAJOR": 10000, "MINOR": 100}[hit[1]]
		}
	}
	return r, true
}

// What HIP has had in another way before a version: places of fields, whole structs,
// and parameters. Of the structs, our headers have another form, or leave them to
// later versions.
var (
	changedFields = map[string]int{"hipPointerAttribute_t.type": 60000, "hipMemPoolProps.maxSize": 60200, "hipMemPoolProps.reserved": 60200}
	changedTypes  = map[string]int{"HIP_MEMCPY3D": 60000, "hipMemAllocationProp": 60000, "hipLaunchAttributeValue": 70000, "HIP_ARRAY3D_DESCRIPTOR": 0}
	changedCalls  = map[string]changedCall{"hipMemcpyHtoDAsync": {70000, "(hipDeviceptr_t, void *, size_t, hipStream_t)"}}
)

// changedCall are a function's parameters before a version.
type changedCall struct {
	until  int
	params string
}

// ownFields are fields that stand for several of HIP's.
var ownFields = map[string]bool{"hipDeviceArch_t.bits": true, "hipResourceDesc.res.pitch2D.desc": true}

// hipCheck is a C program that compiles if our declarations are those of AMD's headers,
// as far as these know what is declared. Our types come under names of their own,
// enumerations, which are int with us, by their size only. said are what is compared.
func hipCheck(ours map[string]string, real realHIP) (program string, said []string) {
	var b strings.Builder
	b.WriteString("#define __HIP_PLATFORM_AMD__ 1\n#include <stddef.h>\n#include <stdbool.h>\n#include <hip/hip_runtime_api.h>\n#if __has_include(<hip/hip_deprecated.h>)\n#include <hip/hip_deprecated.h>\n#endif\n#define TRIAD_HIP_TYPES_GIVEN\n#include \"triad_hip.h\"\ntypedef enum hipLimit_t hipLimit_t;\n")
	assert := func(condition, what string, args ...any) {
		what = fmt.Sprintf(what, args...)
		said = append(said, what)
		fmt.Fprintf(&b, "_Static_assert(%s, \"%s\");\n", condition, what)
	}
	if real.version < 60000 {
		b.WriteString("typedef hipDeviceProp_t hipDeviceProp_tR0000;\ntypedef HIP_MEMCPY3D triad_hip_memcpy3d_5;\n")
	}
	skip := func(name string) bool {
		return !real.words[name] && (real.version >= 60000 || name != "hipDeviceProp_tR0000" && name != "triad_hip_memcpy3d_5")
	}
	for _, row := range hipRow.FindAllStringSubmatch(ours[hipFunctions], -1) {
		version, _ := strconv.Atoi(row[2])
		result, symbol, params := row[3], row[4], row[5]
		if version > real.version || symbol == "hipGetDeviceProperties" && real.version >= 60000 {
			continue // it came later, or its name is that of a newer form now
		}
		if old, ok := changedCalls[symbol]; ok && real.version < old.until {
			params = old.params
		}
		assert(fmt.Sprintf("__builtin_types_compatible_p(__typeof__(%s), %s %s)", symbol, result, params), "function %s", symbol)
	}
	older := map[string]string{}
	for _, row := range hipChange.FindAllStringSubmatch(ours[hipValues], -1) {
		older[row[1]] = row[2]
	}
	for _, row := range hipValue.FindAllStringSubmatch(ours[hipValues]+ours[hipAttributes], -1) {
		name, value := row[1], row[2]
		if old, ok := older[name]; ok && real.version < 60000 {
			value = old
		}
		if real.words[name] {
			assert(fmt.Sprintf("(long long)%s == (long long)(%s)", name, value), "value %s", name)
		}
	}
	types := cuComment.ReplaceAllString(strings.Replace(ours[hipTypes], "/* Enumerations. */", "enumerations:", 1), "") +
		strings.ReplaceAll(cuComment.ReplaceAllString(ours[hipProps], ""), "#include", "//")
	scalars, enums, _ := strings.Cut(types, "enumerations:")
	b.WriteString(hipName.ReplaceAllString(scalars+enums, "our_$1"))
	enums, rest, _ := strings.Cut(strings.TrimSpace(enums), "\n\n")
	for _, row := range hipTypedef.FindAllStringSubmatch(scalars+rest, -1) {
		if !skip(row[2]) {
			assert(fmt.Sprintf("__builtin_types_compatible_p(%s, %s)", row[2], row[1]), "type %s", row[2])
		}
	}
	for _, row := range hipTypedef.FindAllStringSubmatch(enums, -1) {
		if !skip(row[2]) {
			assert(fmt.Sprintf("sizeof(%[1]s) == sizeof(our_%[1]s)", row[2]), "type %s", row[2])
		}
	}
	for _, row := range hipCallback.FindAllStringSubmatch(types, -1) {
		assert(fmt.Sprintf("__builtin_types_compatible_p(%s, %s(*)%s)", row[2], row[1], row[3]), "type %s", row[2])
	}
	for _, row := range hipStruct.FindAllStringSubmatch(types, -1) {
		name := row[2]
		if skip(name) || real.version < changedTypes[name] {
			continue
		}
		assert(fmt.Sprintf("sizeof(%[1]s) == sizeof(our_%[1]s) && _Alignof(%[1]s) == _Alignof(our_%[1]s)", name), "size of %s", name)
		for _, field := range fields(row[1], "") {
			if at := name + "." + field; ownFields[at] || real.version < changedFields[at] {
				continue
			}
			ourField := hipName.ReplaceAllString(field, "our_$1")
			assert(fmt.Sprintf("offsetof(%[1]s, %[2]s) == offsetof(our_%[1]s, %[3]s)", name, field, ourField), "place of %s.%s", name, field)
			assert(fmt.Sprintf("sizeof(((%[1]s *)0)->%[2]s) == sizeof(((our_%[1]s *)0)->%[3]s)", name, field, ourField), "size of %s.%s", name, field)
		}
	}
	return b.String(), said
}

// checkAgainstHIP returns what the compiler complains of.
func checkAgainstHIP(t *testing.T, real realHIP, ours map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		requireOrSkip(t, "cgo", "there is no C compiler")
	}
	dir := t.TempDir()
	for name, text := range ours {
		write(t, filepath.Join(dir, name), text)
	}
	program, _ := hipCheck(ours, real)
	write(t, filepath.Join(dir, "check.c"), program)
	cmd := exec.Command("gcc", "-std=gnu11", "-fsyntax-only", "-Wno-deprecated-declarations", "-I"+real.include, "check.c")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}

func TestDeclarationsAreHIPsOwn(t *testing.T) {
	ours := triadHIP(t)
	for _, real := range hipIncludes(t) {
		t.Run(fmt.Sprint(real.version), func(t *testing.T) {
			if out := checkAgainstHIP(t, real, ours); out != "" {
				t.Errorf("triad_hip*.h differ from %s:\n%s", real.include, out)
			}
			_, said := hipCheck(ours, real)
			least := map[bool]int{false: 600, true: 900}[real.version >= 70000]
			if len(said) < least {
				t.Errorf("only %d things are compared", len(said))
			}
		})
	}
}

// The comparison finds differences of each kind.
func TestWrongHIPDeclarationsAreNoticed(t *testing.T) {
	ours := triadHIP(t)
	real := hipIncludes(t)[0]
	for _, x := range []struct{ name, file, old, new, want string }{
		{"value", hipValues, "#define hipErrorNotReady 600", "#define hipErrorNotReady 601", "value hipErrorNotReady"},
		{"flag", hipValues, "#define hipStreamNonBlocking 0x01", "#define hipStreamNonBlocking 0x02", "value hipStreamNonBlocking"},
		{"attribute", hipAttributes, "#define hipDeviceAttributeWarpSize 87", "#define hipDeviceAttributeWarpSize 88", "value hipDeviceAttributeWarpSize"},
		{"parameter", hipFunctions, "hipStreamQuery, (hipStream_t)", "hipStreamQuery, (hipStream_t, int)", "function hipStreamQuery"},
		{"result", hipFunctions, "hipError_t, hipStreamSynchronize,", "void, hipStreamSynchronize,", "function hipStreamSynchronize"},
		{"unknown function", hipFunctions, " hipMalloc,", " hipMallok,", "hipMallok"},
		{"handle", hipTypes, "typedef struct ihipStream_t *hipStream_t;", "typedef struct ihipEvent_t *hipStream_t;", "type hipStream_t"},
		{"enumeration", hipTypes, "typedef int hipError_t;", "typedef long long hipError_t;", "type hipError_t"},
		{"callback", hipTypes, "typedef void (*hipHostFn_t)(void *user);", "typedef int (*hipHostFn_t)(void *user);", "type hipHostFn_t"},
		{"size of a struct", hipTypes, "    char reserved[64];\n} hipIpcMemHandle_t;", "    char reserved[60];\n} hipIpcMemHandle_t;", "size of hipIpcMemHandle_t"},
		{"order of fields", hipTypes, "    hipMemLocationType type;\n    int id;", "    int id;\n    hipMemLocationType type;", "place of hipMemLocation.id"},
		{"size of a field", hipTypes, "    float hitRatio;", "    double hitRatio;", "size of hipAccessPolicyWindow.hitRatio"},
		{"nested field", hipTypes, "    size_t pitch, xsize, ysize;", "    size_t xsize, pitch, ysize;", "place of hipPitchedPtr.pitch"},
	} {
		t.Run(x.name, func(t *testing.T) {
			wrong := maps.Clone(ours)
			wrong[x.file] = strings.Replace(ours[x.file], x.old, x.new, 1)
			if wrong[x.file] == ours[x.file] {
				t.Fatalf("%s does not have %q", x.file, x.old)
			}
			if out := checkAgainstHIP(t, real, wrong); !strings.Contains(out, x.want) {
				t.Errorf("the compiler does not complain of %q:\n%s", x.want, out)
			}
		})
	}
}

// A symbol is required only if every runtime of HIP 5.2 has it, and the changed values
// are those that the header has for HIP 6.0 and later.
func TestRequiredSymbolsAreThoseOfTheHIP52Runtime(t *testing.T) {
	ours := triadHIP(t)
	rows := hipRow.FindAllStringSubmatch(ours[hipFunctions], -1)
	if n := strings.Count(ours[hipFunctions], "    X("); n != len(rows) || n < 140 {
		t.Errorf("%d functions are compared, and the table has %d", len(rows), n)
	}
	for _, row := range rows {
		version, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		if row[1] == "REQUIRED" && version > 50200 {
			t.Errorf("%s appeared in version %d and is required", row[4], version)
		}
	}
	changes := hipChange.FindAllStringSubmatch(ours[hipValues], -1)
	if len(changes) != 6 {
		t.Errorf("%d values have changed, and 6 are known to have", len(changes))
	}
	for _, x := range changes {
		if !strings.Contains(ours[hipValues], fmt.Sprintf("#define %s %s\n", x[1], x[3])) {
			t.Errorf("%s is not %s, as the table of changes says", x[1], x[3])
		}
	}
}
