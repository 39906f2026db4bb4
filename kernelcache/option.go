package kernelcache

import (
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"

	"golang.org/x/exp/constraints"

	"github.com/triad-gpu/triad/driver"
)

// Option is an option of a declared kernel. Those for the compiler are part of a
// kernel's identity: the same source with other options is another module.
type Option func(*options) error

// options are the compile options of one kernel.
type options struct {
	build       driver.BuildOptions
	key         string // identifies build
	keepFailure bool
}

// String is for people.
func (o *options) String() string {
	words := append([]string(nil), o.build.Flags...)
	for _, d := range o.build.Defines {
		words = append(words, d.Name+"="+d.Value)
	}
	for _, c := range o.build.Constants {
		words = append(words, fmt.Sprintf("constant %d=%x", c.ID, c.Value))
	}
	return strings.Join(words, " ")
}

// fit refuses options that the form of the code has no use for.
func (o *options) fit(t *text) error {
	switch {
	case len(o.build.Constants) > 0 && t.kind != driver.SourceSPIRV:
		return optionError("Constant", "specialization constants are for SPIR-V, and %s is %s; use Define", t.name, t.kind)
	case len(o.build.Defines) > 0 && t.kind != driver.SourceText:
		return optionError("Define", "macros are for source text, and %s is %s; SPIR-V takes Constant", t.name, t.kind)
	}
	return nil
}

func makeOptions(opts []Option) (options, error) {
	var o options
	for _, opt := range opts {
		if opt == nil {
			return o, optionError("Declare", "an option is nil")
		}
		if err := opt(&o); err != nil {
			return o, err
		}
	}
	// %q keeps neighbours apart, whatever is in them.
	o.key = fmt.Sprintf("%q%q", o.build.Flags, o.build.Defines)
	if len(o.build.Constants) > 0 {
		o.key += fmt.Sprintf("%x", o.build.Constants)
	}
	return o, nil
}

// Flags are passed to the compiler, one option to a string: "-cl-fast-relaxed-math",
// "--use_fast_math". The backend quotes them. They are not translated between
// compilers, so they fit kernels for one backend. Macros are set with Define.
func Flags(flags ...string) Option {
	return func(o *options) error {
		for _, f := range flags {
			switch {
			case f == "":
				return optionError("Flags", "a compiler flag is empty")
			case strings.ContainsFunc(f, isControl):
				return optionError("Flags", "compiler flag %q holds a control character", f)
			case strings.HasPrefix(f, "-D"):
				return optionError("Flags", "compiler flag %q sets a macro; use Define or DefineName", f)
			}
			o.build.Flags = append(o.build.Flags, f)
		}
		return nil
	}
}

func isControl(r rune) bool { return r < ' ' || r == 0x7f }

// Value is what a macro can be defined as.
type Value interface {
	~bool | constraints.Integer | constraints.Float
}

// Define defines a macro with a typed value, which the compiler sees as a
// literal of the matching type and nothing else:
//
//   - integers as themselves, 5 or (-5), with the suffix u for unsigned 32-bit
//     ones and l or ul for 64-bit ones; an int or uint counts as 32 bits when it
//     fits;
//   - floats so that they read back exactly: 0.5f for a float32, 0.5 for a
//     float64; infinities and NaN are refused;
//   - bools as 1 and 0.
func Define[V Value](name string, value V) Option {
	return func(o *options) error {
		text, err := literal(reflect.ValueOf(value))
		if err != nil {
			return optionError("Define", "macro %s: %v", name, err)
		}
		return o.define("Define", name, text)
	}
}

// DefineName defines a macro as a name: of a type, a function, another macro.
// value is an identifier such as "float4" or several, such as "unsigned int".
func DefineName(name, value string) Option {
	return func(o *options) error {
		for _, word := range strings.Split(value, " ") {
			if !isIdentifier(word) {
				return optionError("DefineName", "macro %s: %q is not an identifier, nor several with single spaces in between", name, value)
			}
		}
		return o.define("DefineName", name, value)
	}
}

func (o *options) define(op, name, value string) error {
	if !isIdentifier(name) {
		return optionError(op, "%.80q is not an identifier, so no macro can have that name", name)
	}
	for _, d := range o.build.Defines {
		if d.Name == name {
			return optionError(op, "macro %s is defined twice, as %s and as %s", name, d.Value, value)
		}
	}
	o.build.Defines = append(o.build.Defines, driver.Define{Name: name, Value: value})
	return nil
}

// maxName is the longest name in bytes: C++ compilers take names of several
// thousand characters, and a longer one was meant to be something else.
const maxName = 8192

// isIdentifier: letters, digits and underscores of ASCII, no digit in front.
func isIdentifier(s string) bool {
	if len(s) > maxName {
		return false
	}
	for i, c := range []byte(s) {
		letter := c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
		if !letter && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

// literal is v as a literal of C.
func literal(v reflect.Value) (string, error) {
	switch v.Kind() {
	case reflect.Bool:
		if v.Bool() {
			return "1", nil
		}
		return "0", nil
	case reflect.Float32:
		return floatLiteral(v.Float(), 32, "f")
	case reflect.Float64:
		return floatLiteral(v.Float(), 64, "")
	}
	if v.CanInt() {
		n := v.Int()
		long := v.Kind() == reflect.Int64 || n != int64(int32(n))
		return intLiteral(n, long), nil
	}
	n := v.Uint()
	switch {
	case v.Kind() == reflect.Uint8 || v.Kind() == reflect.Uint16:
		return strconv.FormatUint(n, 10), nil // an int, as C promotes them
	case v.Kind() == reflect.Uint64 || n > math.MaxUint32:
		return strconv.FormatUint(n, 10) + "ul", nil
	}
	return strconv.FormatUint(n, 10) + "u", nil
}

// intLiteral puts negative numbers in brackets, so that a macro in the middle of
// an expression stays one operand. C has no literal for the least number of a
// type: its digits alone are out of range.
func intLiteral(n int64, long bool) string {
	suffix, least := "", int64(math.MinInt32)
	if long {
		suffix, least = "l", math.MinInt64
	}
	switch {
	case n == least:
		return fmt.Sprintf("(%d%s-1)", n+1, suffix)
	case n < 0:
		return fmt.Sprintf("(%d%s)", n, suffix)
	}
	return fmt.Sprintf("%d%s", n, suffix)
}

func floatLiteral(f float64, bits int, suffix string) (string, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return "", fmt.Errorf("%v has no literal that every kernel language knows; pass it as an argument", f)
	}
	s := strconv.FormatFloat(f, 'g', -1, bits)
	if !strings.ContainsAny(s, ".e") {
		s += ".0" // else C takes it for an integer
	}
	if math.Signbit(f) { // -0 included
		return "(" + s + suffix + ")", nil
	}
	return s + suffix, nil
}

func optionError(op, format string, args ...any) error {
	return driver.Errorf("kernelcache", op, driver.ErrInvalidValue, format, args...)
}
