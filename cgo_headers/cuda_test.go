package cgo_headers_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/cgo_headers"
)

// oldest is the version of CUDA whose header has all that ours have.
const oldestCUDA = 13000

// superseded are forms of calls that cuda.h does not declare any more, since it gives
// their names to newer forms; libraries have both. There is nothing to compare them
// with.
var superseded = map[string]string{
	"cuDeviceGetUuid":    "the name is that of cuDeviceGetUuid_v2 now",
	"cuCtxCreate_v2":     "only cuCtxCreate_v4 is declared",
	"cuEventElapsedTime": "the name is that of cuEventElapsedTime_v2 now",
	"cuMemAdvise":        "the name is that of cuMemAdvise_v2 now",
	"cuMemPrefetchAsync": "the name is that of cuMemPrefetchAsync_v2 now",
}

var (
	cuRow      = regexp.MustCompile(`(?m)X\((REQUIRED|OPTIONAL), (\d+), (\w+), (\w+), (\w+), (\(.*\))\)(?: \\)?$`)
	cuValue    = regexp.MustCompile(`(?m)^#define (CU\w+) (\(?-?\w+\)?)$`)
	cuTypedef  = regexp.MustCompile(`(?m)^typedef ([\w ]+[ *])(CU\w+|cuuint\w+);$`)
	cuCallback = regexp.MustCompile(`(?m)^typedef (.*)\(\*(CU\w+)\)(\(.*\));$`)
	cuStruct   = regexp.MustCompile(`(?ms)^typedef (?:struct|union) (\w+) \{\n(.*?)^\} (\w+);$`)
	cuName     = regexp.MustCompile(`\b(CU\w+|cuuint\w+)\b`)
	cuComment  = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cuVersion  = regexp.MustCompile(`(?m)^#define CUDA_VERSION (\d+)`)
)

// The headers that are compared, by what they hold.
const (
	cuFunctions  = "triad_cu.h"
	cuTypes      = "triad_cu_types.h"
	cuValues     = "triad_cu_values.h"
	cuAttributes = "triad_cu_attributes.h"
)

func triadCU(t *testing.T) map[string]string {
	t.Helper()
	ours := map[string]string{}
	for _, name := range []string{cuFunctions, cuTypes, cuValues, cuAttributes} {
		text, err := cgo_headers.Files.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		ours[name] = string(text)
	}
	return ours
}

// cudaInclude finds the folder of NVIDIA's cuda.h, of a version that has all that our
// declarations have.
func cudaInclude(t *testing.T) string {
	t.Helper()
	under := func(root string) string {
		if root == "" {
			return ""
		}
		return filepath.Join(root, "include")
	}
	for _, dir := range []string{os.Getenv("TRIAD_CUDA_INCLUDE"), under(os.Getenv("CUDA_HOME")), under(os.Getenv("CUDA_PATH")), "/usr/local/cuda/include"} {
		text, err := os.ReadFile(filepath.Join(dir, "cuda.h"))
		if err != nil || dir == "" {
			continue
		}
		version := 0
		if hit := cuVersion.FindSubmatch(text); hit != nil {
			version, _ = strconv.Atoi(string(hit[1]))
		}
		if version < oldestCUDA {
			requireOrSkip(t, "cuda-headers", fmt.Sprintf("%s/cuda.h is of CUDA %d; 13.0 or later is needed", dir, version))
		}
		return dir
	}
	requireOrSkip(t, "cuda-headers", "cuda.h is not installed: neither in TRIAD_CUDA_INCLUDE nor below CUDA_HOME, CUDA_PATH or /usr/local/cuda")
	return ""
}

// fields are the paths of a struct's members, those of structs within it included.
func fields(body, prefix string) (list []string) {
	for body = strings.TrimSpace(body); body != ""; body = strings.TrimSpace(body) {
		open, end := strings.IndexByte(body, '{'), strings.IndexByte(body, ';')
		if open < 0 || end < open {
			for _, declarator := range strings.Split(body[:end], ",") {
				name, _, _ := strings.Cut(declarator, "[")
				list = append(list, prefix+name[strings.LastIndexAny(name, " *")+1:])
			}
			body = body[end+1:]
			continue
		}
		depth, at := 1, open+1
		for ; depth > 0; at++ {
			switch body[at] {
			case '{':
				depth++
			case '}':
				depth--
			}
		}
		end = at + strings.IndexByte(body[at:], ';')
		list = append(list, fields(body[open+1:at-1], prefix+strings.TrimSpace(body[at:end])+".")...)
		body = body[end+1:]
	}
	return list
}

// cudaCheck is a C program that compiles if our declarations are cuda.h's. Our types
// come under names of their own beside cuda.h's, enumerations, which are int with us,
// by their size only.
func cudaCheck(ours map[string]string) string {
	var b strings.Builder
	b.WriteString("#include <stddef.h>\n#include <cuda.h>\n#define TRIAD_CU_TYPES_GIVEN\n#include \"triad_cu.h\"\n")
	assert := func(condition, what string, args ...any) {
		fmt.Fprintf(&b, "_Static_assert(%s, \"%s\");\n", condition, fmt.Sprintf(what, args...))
	}
	b.WriteString("#define MEMBER(kind, version, result, symbol, base, params) result(*m_##symbol) params;\nstruct table { TRIAD_CU_FUNCTIONS(MEMBER) };\n")
	for _, row := range cuRow.FindAllStringSubmatch(ours[cuFunctions], -1) {
		result, symbol, base, params := row[3], row[4], row[5], row[6]
		if reason, old := superseded[symbol]; old {
			fmt.Fprintf(&b, "#ifndef %s\n#error function %s is declared, though %s\n#endif\n", base, symbol, reason)
			continue
		}
		assert(fmt.Sprintf("__builtin_types_compatible_p(__typeof__(%s), %s %s)", symbol, result, params), "function %s", symbol)
	}
	for _, row := range cuValue.FindAllStringSubmatch(ours[cuValues]+ours[cuAttributes], -1) {
		assert(fmt.Sprintf("(long long)%s == (%s)", row[1], row[2]), "value %s", row[1])
	}
	types := cuComment.ReplaceAllString(strings.Replace(ours[cuTypes], "/* Enumerations. */", "enumerations:", 1), "")
	scalars, enums, _ := strings.Cut(types, "enumerations:")
	b.WriteString(cuName.ReplaceAllString(scalars+enums, "our_$1"))
	enums, rest, _ := strings.Cut(strings.TrimSpace(enums), "\n\n")
	for _, row := range cuTypedef.FindAllStringSubmatch(scalars+rest, -1) {
		assert(fmt.Sprintf("__builtin_types_compatible_p(%s, %s)", row[2], row[1]), "type %s", row[2])
	}
	for _, row := range cuTypedef.FindAllStringSubmatch(enums, -1) {
		assert(fmt.Sprintf("sizeof(%[1]s) == sizeof(our_%[1]s)", row[2]), "type %s", row[2])
	}
	for _, row := range cuCallback.FindAllStringSubmatch(types, -1) {
		assert(fmt.Sprintf("__builtin_types_compatible_p(%s, %s(*)%s)", row[2], row[1], row[3]), "type %s", row[2])
	}
	for _, row := range cuStruct.FindAllStringSubmatch(types, -1) {
		name := row[3]
		assert(fmt.Sprintf("sizeof(%[1]s) == sizeof(our_%[1]s) && _Alignof(%[1]s) == _Alignof(our_%[1]s)", name), "size of %s", name)
		for _, field := range fields(row[2], "") {
			assert(fmt.Sprintf("offsetof(%[1]s, %[2]s) == offsetof(our_%[1]s, %[2]s)", name, field), "place of %s.%s", name, field)
			assert(fmt.Sprintf("sizeof(((%[1]s *)0)->%[2]s) == sizeof(((our_%[1]s *)0)->%[2]s)", name, field), "size of %s.%s", name, field)
		}
	}
	return b.String()
}

// checkAgainstCUDA returns what the compiler complains of.
func checkAgainstCUDA(t *testing.T, include string, ours map[string]string) string {
	t.Helper()
	if _, err := exec.LookPath("gcc"); err != nil {
		requireOrSkip(t, "cgo", "there is no C compiler")
	}
	dir := t.TempDir()
	for name, text := range ours {
		write(t, filepath.Join(dir, name), text)
	}
	write(t, filepath.Join(dir, "check.c"), cudaCheck(ours))
	cmd := exec.Command("gcc", "-std=gnu11", "-fsyntax-only", "-Wno-deprecated-declarations", "-I"+include, "check.c")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err != nil && len(out) == 0 {
		t.Fatal(err)
	}
	return string(out)
}

func TestDeclarationsAreCUDAsOwn(t *testing.T) {
	ours := triadCU(t)
	if out := checkAgainstCUDA(t, cudaInclude(t), ours); out != "" {
		t.Errorf("triad_cu*.h differ from cuda.h:\n%s", out)
	}
}

// The comparison misses none of our declarations.
func TestAllCUDADeclarationsAreCompared(t *testing.T) {
	ours := triadCU(t)
	check := cudaCheck(ours)
	rows := cuRow.FindAllStringSubmatch(ours[cuFunctions], -1)
	if n := strings.Count(ours[cuFunctions], "    X("); n != len(rows) || n < 150 {
		t.Errorf("%d functions are compared, and the table has %d", len(rows), n)
	}
	symbols := map[string]bool{}
	for _, row := range rows {
		symbols[row[4]] = true
		if !strings.Contains(check, "function "+row[4]) {
			t.Errorf("%s is not compared", row[4])
		}
	}
	for symbol := range superseded {
		if !symbols[symbol] {
			t.Errorf("%s is excluded, and is not in the table", symbol)
		}
	}
	for _, name := range []string{cuValues, cuAttributes} {
		n := strings.Count(ours[name], "#define CU")
		if found := len(cuValue.FindAllString(ours[name], -1)); n != found || n < 100 {
			t.Errorf("%d values are compared, and %s has %d", found, name, n)
		}
	}
	for _, word := range regexp.MustCompile(`(?m)^(?:typedef [^{]*?|\} )\(?\*?(\w+)\)?(?:\(.*\))?;$`).FindAllStringSubmatch(ours[cuTypes], -1) {
		if !strings.Contains(check, "type "+word[1]+"\"") && !strings.Contains(check, "size of "+word[1]+"\"") {
			t.Errorf("the type %s is not compared", word[1])
		}
	}
	for _, field := range []string{"CUDA_MEMCPY2D.srcY", "CUDA_RESOURCE_DESC.res.pitch2D.pitchInBytes", "CUlaunchAttributeValue.clusterDim.z",
		"CUmemPoolProps.reserved", "CUDA_TEXTURE_DESC.addressMode", "CUDA_MEMCPY3D.srcHost", "CUaccessPolicyWindow.missProp"} {
		if !strings.Contains(check, "place of "+field+"\"") {
			t.Errorf("the field %s is not compared", field)
		}
	}
}

// wrongCUDA are differences of each kind, with what the compiler must name.
var wrongCUDA = []struct{ name, file, old, new, want string }{
	{"value", cuValues, "#define CUDA_ERROR_NOT_READY 600", "#define CUDA_ERROR_NOT_READY 601", "value CUDA_ERROR_NOT_READY"},
	{"sign of a value", cuValues, "#define CU_SHAREDMEM_CARVEOUT_DEFAULT (-1)", "#define CU_SHAREDMEM_CARVEOUT_DEFAULT 1", "value CU_SHAREDMEM_CARVEOUT_DEFAULT"},
	{"unknown value", cuValues, "#define CU_STREAM_NON_BLOCKING ", "#define CU_STREAM_NON_BLOKCING ", "CU_STREAM_NON_BLOKCING"},
	{"attribute", cuAttributes, "#define CU_DEVICE_ATTRIBUTE_WARP_SIZE 10", "#define CU_DEVICE_ATTRIBUTE_WARP_SIZE 11", "value CU_DEVICE_ATTRIBUTE_WARP_SIZE"},
	{"parameter", cuFunctions, "cuStreamQuery, (CUstream)", "cuStreamQuery, (CUstream, int)", "function cuStreamQuery"},
	{"const", cuFunctions, "cuDeviceGetByPCIBusId, (CUdevice *, const char *)", "cuDeviceGetByPCIBusId, (CUdevice *, char *)", "function cuDeviceGetByPCIBusId"},
	{"result", cuFunctions, "CUresult, cuStreamSynchronize,", "void, cuStreamSynchronize,", "function cuStreamSynchronize"},
	{"older form", cuFunctions, "cuMemAlloc_v2, cuMemAlloc, (CUdeviceptr *, size_t)", "cuMemAlloc_v2, cuMemAlloc, (unsigned int *, unsigned int)", "function cuMemAlloc_v2"},
	{"unknown function", cuFunctions, " cuMemAlloc_v2,", " cuMemAlloc_v9,", "cuMemAlloc_v9"},
	{"size of a type", cuTypes, "typedef unsigned long long CUdeviceptr;", "typedef unsigned int CUdeviceptr;", "type CUdeviceptr"},
	{"handle", cuTypes, "typedef struct CUstream_st *CUstream;", "typedef struct CUevent_st *CUstream;", "type CUstream"},
	{"enumeration", cuTypes, "typedef int CUresult;", "typedef long long CUresult;", "type CUresult"},
	{"callback", cuTypes, "typedef void (*CUhostFn)(void *user);", "typedef int (*CUhostFn)(void *user);", "type CUhostFn"},
	{"size of a struct", cuTypes, "    unsigned char reserved[64];\n} CUmemPoolPtrExportData;", "    unsigned char reserved[60];\n} CUmemPoolPtrExportData;", "size of CUmemPoolPtrExportData"},
	{"order of fields", cuTypes, "    CUmemLocationType type;\n    int id;", "    int id;\n    CUmemLocationType type;", "place of CUmemLocation.id"},
	{"size of a field", cuTypes, "    float hitRatio;", "    double hitRatio;", "size of CUaccessPolicyWindow.hitRatio"},
	{"nested field", cuTypes, "unsigned int x, y, z;", "unsigned int x, z, y;", "place of CUlaunchAttributeValue.clusterDim.y"},
	{"unknown field", cuTypes, "    CUlaunchAttribute *attrs;", "    CUlaunchAttribute *attributes;", "attributes"},
}

// seesWrong checks that each difference that there can be is named.
func seesWrong(t *testing.T, include string, ours map[string]string, least int) {
	n := 0
	for _, x := range wrongCUDA {
		wrong := maps.Clone(ours)
		wrong[x.file] = strings.Replace(ours[x.file], x.old, x.new, 1)
		if wrong[x.file] == ours[x.file] {
			continue
		}
		n++
		t.Run(x.name, func(t *testing.T) {
			if out := checkAgainstCUDA(t, include, wrong); !strings.Contains(out, x.want) {
				t.Errorf("the compiler does not complain of %q:\n%s", x.want, out)
			}
		})
	}
	if n < least {
		t.Errorf("only %d of the differences can be made", n)
	}
}

// The comparison finds differences of each kind.
func TestWrongCUDADeclarationsAreNoticed(t *testing.T) {
	seesWrong(t, cudaInclude(t), triadCU(t), len(wrongCUDA))
}

// The comparison itself, with a small header in place of NVIDIA's.
func TestTheCUDAComparisonWorks(t *testing.T) {
	include := t.TempDir()
	small, err := os.ReadFile(filepath.Join("testdata", "cuda.h.txt"))
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(include, "cuda.h"), string(small))
	ours := map[string]string{}
	for name, text := range triadCU(t) {
		ours[name] = known(name, text, string(small))
	}
	if out := checkAgainstCUDA(t, include, ours); out != "" {
		t.Errorf("what is the same differs:\n%s", out)
	}
	seesWrong(t, include, ours, len(wrongCUDA))
}

// known is what a header of ours declares that a small one knows too.
func known(file, ours, small string) string {
	const dropped = "/dropped/"
	has := func(name string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(small) }
	switch file {
	case cuFunctions:
		ours = cuRow.ReplaceAllStringFunc(ours, func(row string) string {
			if has(cuRow.FindStringSubmatch(row)[4]) {
				return row
			}
			return "\\"
		})
	case cuTypes:
		drop := func(re *regexp.Regexp, group int) {
			ours = re.ReplaceAllStringFunc(ours, func(row string) string {
				if has(re.FindStringSubmatch(row)[group]) {
					return row
				}
				return dropped
			})
			ours = strings.ReplaceAll(ours, dropped+"\n", "") // a blank line ends the enumerations
		}
		drop(cuStruct, 3)
		drop(cuTypedef, 2)
		drop(cuCallback, 2)
	default:
		ours = cuValue.ReplaceAllStringFunc(ours, func(row string) string {
			if has(cuValue.FindStringSubmatch(row)[1]) {
				return row
			}
			return ""
		})
	}
	return ours
}

// A symbol is required only if every driver of CUDA 11.4 has it, and no form of a call
// that another form can stand in for.
func TestRequiredSymbolsAreThoseOfCUDA114(t *testing.T) {
	for _, row := range cuRow.FindAllStringSubmatch(triadCU(t)[cuFunctions], -1) {
		version, err := strconv.Atoi(row[2])
		if err != nil {
			t.Fatal(err)
		}
		if row[1] == "REQUIRED" && version > 11040 {
			t.Errorf("%s appeared in version %d and is required", row[4], version)
		}
	}
}
