package opencl

import (
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/triad-gpu/triad/cgo_headers"
)

func sourceText(t *testing.T, file string) string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// definitions are the values that C code defines, by name.
func definitions(t *testing.T, text string) map[string]int64 {
	t.Helper()
	all := make(map[string]int64)
	for _, row := range regexp.MustCompile(`(?m)^#define (CL_\w+)\s+\(?(-?\w+)\)?`).FindAllStringSubmatch(text, -1) {
		if v, err := strconv.ParseInt(row[2], 0, 64); err == nil {
			all[row[1]] = v
		}
	}
	return all
}

func headerValues(t *testing.T) map[string]int64 {
	t.Helper()
	text, err := cgo_headers.Files.ReadFile("triad_cl.h")
	if err != nil {
		t.Fatal(err)
	}
	return definitions(t, string(text))
}

// constantErrors compares each constant of Go text with the value of the name
// that its comment gives.
func constantErrors(text string, header map[string]int64) (n int, wrong []string) {
	for _, row := range regexp.MustCompile(`(?m)^\s+(\w+)\s*= (\w+)\s*// (CL_\w+)$`).FindAllStringSubmatch(text, -1) {
		n++
		v, err := strconv.ParseInt(row[2], 0, 64)
		if want, ok := header[row[3]]; !ok || err != nil || v != want {
			wrong = append(wrong, row[1]+" = "+row[2]+", "+row[3])
		}
	}
	return n, wrong
}

func TestConstantsAreThoseOfTheHeader(t *testing.T) {
	header, text := headerValues(t), sourceText(t, "constants.go")
	n, wrong := constantErrors(text, header)
	if lines := strings.Count(text, " = "); n != lines || n < 50 {
		t.Errorf("%d constants, of which %d name their C counterpart", lines, n)
	}
	if wrong != nil {
		t.Errorf("constants that differ from triad_cl.h: %q", wrong)
	}
	// The comparison finds what it should.
	if _, wrong := constantErrors("\tdeviceName = 0x102C // CL_DEVICE_NAME\n\tx = 1 // CL_NO_SUCH_NAME\n", header); len(wrong) != 2 {
		t.Errorf("of two wrong constants %d were found", len(wrong))
	}
}

func TestErrorNamesAreThoseOfTheHeader(t *testing.T) {
	sources := []map[string]int64{headerValues(t)}
	if text, err := os.ReadFile("/usr/include/CL/cl.h"); err == nil {
		sources = append(sources, definitions(t, string(text)))
	}
	for code, c := range codes {
		for _, source := range sources {
			if want, ok := source[c.name]; ok && want != int64(code) {
				t.Errorf("%s is %d in C and %d here", c.name, want, code)
			}
		}
	}
	for name, code := range sources[0] {
		if code < 0 && codes[int32(code)].name != name {
			t.Errorf("%s (%d) has no name here, or another: %q", name, code, codes[int32(code)].name)
		}
	}
}

// What Go and C agree on without a header in common.
func TestNumbersSharedWithCAreTheSame(t *testing.T) {
	c := sourceText(t, "triad_opencl.h") + sourceText(t, "cl_launch.c")
	for pattern, want := range map[string]string{
		`TRIAD_CL_MAX_EVENTS = (\d+)`:                                           strconv.Itoa(MaxEvents),
		`TRIAD_CL_PLATFORM = (\d+),\s+TRIAD_CL_DEVICE,`:                         strconv.Itoa(ofPlatform),
		`TRIAD_CL_AT_SVM = (\d+), TRIAD_CL_AT_BUFFER, TRIAD_CL_AT_HOST`:         strconv.Itoa(atSVM),
		`TRIAD_CL_WAIT_STREAM = (\d+), TRIAD_CL_WAIT_EVENT, TRIAD_CL_WAIT_COPY`: strconv.Itoa(waitStream),
		`TRIAD_CL_ENQUEUE_FAILED \(\(int64_t\)1 << (\d+)\)`:                     "32",
		`TRIAD_CL_ARG_VALUE = (\d+), TRIAD_CL_ARG_POINTER, TRIAD_CL_ARG_LOCAL`:  "0",
	} {
		hit := regexp.MustCompile(pattern).FindStringSubmatch(c)
		if hit == nil || hit[1] != want {
			t.Errorf("C's %s is %q, Go's is %s", pattern, hit, want)
		}
	}
	if enqueueFailed != 1<<32 || ofDevice != ofPlatform+1 || ofWorkGroup != ofPlatform+5 || atHost != atSVM+2 || waitCopy != waitStream+2 {
		t.Error("Go's numbers are not in C's order")
	}
}
