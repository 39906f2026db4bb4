package codeobject

import (
	"math"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// table is a table of the metadata. What is missing, or of another type than it
// should be, reads as nothing: the metadata grows with every version.
type table map[string]any

func tableOf(v any) table {
	t, _ := v.(map[string]any)
	return t
}

func (t table) list(name string) []any {
	l, _ := t[name].([]any)
	return l
}

func (t table) text(name string) string {
	s, _ := t[name].(string)
	return s
}

func (t table) flag(name string) bool {
	switch v := t[name].(type) {
	case bool:
		return v
	case uint64:
		return v != 0
	}
	return false
}

func (t table) number(name string) uint32 { return number(t[name]) }

// number is a number that no honest file has above 32 bits; the largest there is
// stands for all above.
func number(v any) uint32 {
	switch v := v.(type) {
	case uint64:
		return uint32(min(v, math.MaxUint32))
	case int64:
		return uint32(min(max(v, 0), math.MaxUint32))
	}
	return 0
}

func kernelOf(t table) Kernel {
	k := Kernel{
		Name: t.text(".name"), Symbol: t.text(".symbol"),
		ArgBytes: t.number(".kernarg_segment_size"), MaxThreads: t.number(".max_flat_workgroup_size"),
		WavefrontSize: int(t.number(".wavefront_size")),
		SharedBytes:   t.number(".group_segment_fixed_size"), PrivateBytes: t.number(".private_segment_fixed_size"),
		SGPRs: int(t.number(".sgpr_count")), VGPRs: int(t.number(".vgpr_count")),
		SGPRSpills: int(t.number(".sgpr_spill_count")), VGPRSpills: int(t.number(".vgpr_spill_count")),
		UsesDynamicStack: t.flag(".uses_dynamic_stack"), UniformBlocksAlone: t.flag(".uniform_work_group_size"),
	}
	for i, n := range t.list(".reqd_workgroup_size") {
		if i < len(k.RequiredBlock) {
			k.RequiredBlock[i] = int(number(n))
		}
	}
	for _, v := range t.list(".args") {
		a := argOf(tableOf(v))
		if strings.HasPrefix(a.Kind, "hidden_") {
			k.Hidden = append(k.Hidden, a)
		} else {
			k.Args = append(k.Args, a)
		}
	}
	return k
}

func argOf(t table) Arg {
	return Arg{
		Name: t.text(".name"), Type: t.text(".type_name"), Offset: t.number(".offset"), Size: t.number(".size"),
		Kind: t.text(".value_kind"), AddressSpace: t.text(".address_space"), Access: t.text(".access"),
		PointeeAlign: t.number(".pointee_align"),
	}
}

// The errors of this package are the backend's.
const (
	backendName = "hip"
	op          = "code object"
)

func refused(kind error, format string, args ...any) error {
	return driver.Errorf(backendName, op, kind, format, args...)
}

// broken is the error of an image that is not what it seems to be.
func broken(err error) error {
	return &driver.Error{Backend: backendName, Op: op, Kind: driver.ErrInvalidValue, Detail: "the image is damaged", Err: err}
}
