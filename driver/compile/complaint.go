package compile

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// complaints are the forms of an error in a compiler's log: file and line.
var complaints = []*regexp.Regexp{
	regexp.MustCompile(`([^:\n]*):(\d+):\d+: (?:fatal )?error: .*`),       // clang and its kin
	regexp.MustCompile(`error: ([^:\n]*):(\d+):\d+: .*`),                  // PoCL's way of telling clang's
	regexp.MustCompile(`([^(\n]*)\((\d+)\): (?:catastrophic )?error\b.*`), // NVIDIA's compilers
}

// Complaint is the source line of the log's first error, as "name:number: line",
// for driver.BuildError. headers are further files, by the names that the program
// includes them by; it may be nil. "" where the log names no line, and for
// programs that aren't text.
func Complaint(log string, src driver.ModuleSource, headers map[string][]byte) string {
	if src.Kind != driver.SourceText {
		return ""
	}
	for _, re := range complaints {
		hit := re.FindStringSubmatchIndex(log)
		if hit == nil {
			continue
		}
		name, code := src.Name, src.Code
		if header, ok := headerOf(log[hit[2]:hit[3]], headers); ok {
			name, code = header, headers[header]
		}
		lines := strings.Split(string(code), "\n")
		n, _ := strconv.Atoi(log[hit[4]:hit[5]])
		n = quotedLine(lines, n, log[hit[1]:])
		if n >= 1 && n <= len(lines) {
			return fmt.Sprintf("%s:%d: %s", name, n, strings.TrimSpace(lines[n-1]))
		}
	}
	return ""
}

// headerOf finds the header that a log means; compilers may put the path on
// which they found it in front. The longest fitting name is meant.
func headerOf(file string, headers map[string][]byte) (string, bool) {
	best, found := "", false
	file = strings.TrimSpace(file)
	for name := range headers {
		if (file == name || strings.HasSuffix(file, "/"+name)) && len(name) >= len(best) {
			best, found = name, true
		}
	}
	return best, found
}

// quotedLine corrects a line's number by the line itself, which compilers quote
// below their complaint: some count from a text of their own.
func quotedLine(lines []string, n int, rest string) int {
	quoted, _, _ := strings.Cut(strings.TrimPrefix(rest, "\n"), "\n")
	quoted = strings.TrimSpace(quoted)
	if quoted == "" || n >= 1 && n <= len(lines) && strings.TrimSpace(lines[n-1]) == quoted {
		return n
	}
	for i, line := range lines {
		if strings.TrimSpace(line) == quoted {
			return i + 1
		}
	}
	return n
}
