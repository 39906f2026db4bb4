package opencl

import (
	"context"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/triad-gpu/triad/driver"
)

// kernelParam is a parameter as the driver describes it (clGetKernelArgInfo).
type kernelParam struct {
	Name  string
	Base  string // the type without qualifiers, spaces and one *; "uint", "float4", "struct particle", "real_t"
	Space uint64 // argAddress…
	Ptr   bool
}

func (p kernelParam) String() string {
	s := p.Base
	if p.Ptr {
		s += "*"
	}
	if p.Space == argAddressLocal {
		s = "__local " + s
	}
	return strings.TrimSpace(s + " " + p.Name)
}

// NVIDIA's compiler (driver 580) turns the information on a kernel without
// parameters into PTX that its own assembler refuses, so that a module with such a
// kernel can only be built without any information. It is then built a second
// time, to be asked and never launched, with a parameter for those kernels.
var paramless = regexp.MustCompile(`(\b(?:__)?kernel\b(?:\s*__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\))*\s+void(?:\s*__attribute__\s*\(\((?:[^()]|\([^()]*\))*\)\))*\s+\w+\s*)\(\s*(?:void)?\s*\)`)

// withoutParamless is that second program; nil if it can't be built either.
func (m *Module) withoutParamless() handle {
	text := paramless.ReplaceAllString(m.facts.Source, "${1}(__global int *triad_unused)")
	p, code := rawProgramNew(m.dev.raw, int(driver.SourceText), []byte(text))
	if code != 0 {
		return nil
	}
	if rawProgramBuild(m.dev.raw, p, strings.TrimSpace(m.options+" -cl-kernel-arg-info")) != 0 {
		rawProgramFree(p)
		return nil
	}
	return p
}

// params are the parameters of a kernel as the driver tells them; first is one of
// its cl_kernels. Their number is always known; known tells whether the rest is.
func (m *Module) params(first handle, name string) (params []kernelParam, known bool) {
	n := int(infoUint(ofKernel, first, nil, kernelNumArgs))
	if n == 0 {
		return nil, true
	}
	if m.asked != nil {
		k, code := rawKernelProbe(m.asked, name)
		if code != 0 {
			return make([]kernelParam, n), false
		}
		defer rawKernelRelease(k)
		first = k
	}
	return describeParams(first, n)
}

// describeParams asks for a kernel's n parameters; known tells whether there was
// an answer to every question.
func describeParams(kernel handle, n int) (params []kernelParam, known bool) {
	params = make([]kernelParam, n)
	known = true
	for i := range params {
		p := &params[i]
		typ, ok1 := argString(kernel, i, kernelArgTypeName)
		p.Name, _ = argString(kernel, i, kernelArgName)
		var space [8]byte
		_, code := rawArgInfo(kernel, i, kernelArgAddressQualifier, space[:])
		if !ok1 || code != 0 || typ == "" {
			known = false
			continue
		}
		p.Space = uint64(uint32(space[0]) | uint32(space[1])<<8 | uint32(space[2])<<16)
		p.Base, p.Ptr = normalType(typ)
	}
	return params, known
}

func argString(kernel handle, i int, param uint32) (string, bool) {
	n, code := rawArgInfo(kernel, i, param, nil)
	if code != 0 || n == 0 {
		return "", false
	}
	buf := make([]byte, n)
	if _, code = rawArgInfo(kernel, i, param, buf); code != 0 {
		return "", false
	}
	s, _, _ := strings.Cut(string(buf), "\x00")
	return s, true
}

var spaces = regexp.MustCompile(`\s+`)

// normalType strips what compilers spell differently.
func normalType(s string) (base string, ptr bool) {
	s = strings.TrimSpace(spaces.ReplaceAllString(s, " "))
	if strings.HasSuffix(s, "*") {
		s, ptr = strings.TrimSpace(strings.TrimSuffix(s, "*")), true
	}
	for _, q := range []string{"const ", "volatile ", "restrict "} {
		s = strings.TrimPrefix(s, q)
	}
	if rest, ok := strings.CutPrefix(s, "unsigned "); ok {
		s = "u" + rest
	}
	return s, ptr
}

var builtinType = regexp.MustCompile(`^(char|uchar|short|ushort|int|uint|long|ulong|half|float|double)(2|3|4|8|16)?$`)

var scalarSize = map[string]uint32{"char": 1, "uchar": 1, "short": 2, "ushort": 2, "half": 2, "int": 4, "uint": 4, "float": 4, "long": 8, "ulong": 8, "double": 8}

// builtin describes OpenCL C's own scalars and vectors.
func builtin(base string) (driver.TypeInfo, bool) {
	hit := builtinType.FindStringSubmatch(base)
	if hit == nil {
		return driver.TypeInfo{}, false
	}
	t := driver.TypeInfo{Name: base, Kind: driver.ParamScalar, Size: scalarSize[hit[1]], Go: base}
	if hit[2] != "" {
		lanes, _ := strconv.Atoi(hit[2])
		if lanes == 3 {
			lanes = 4
		}
		t.Kind, t.Size = driver.ParamVector, t.Size*uint32(lanes)
	}
	t.Align = t.Size
	return t, true
}

// verify compares a kernel's parameters with a Go struct's. It returns what
// could not be compared, "" if all could.
func (m *Module) verify(ctx context.Context, name string, sig *driver.Signature, params []kernelParam, known bool) (string, error) {
	mismatch := func(format string, args ...any) error {
		return refused("clGetKernelArgInfo", driver.ErrSignature, "kernel %q of %q and %s: %s", name, m.name, sig.Go, fmt.Sprintf(format, args...))
	}
	if len(params) != len(sig.Params) {
		kernel := fmt.Sprintf("%d", len(params))
		if known {
			kernel += fmt.Sprintf(" %v", params)
		}
		return "", mismatch("the kernel takes %s parameters, the struct has %d fields %s", kernel, len(sig.Params), sig)
	}
	if !known {
		return fmt.Sprintf("%s has no information on the types of parameters in %q%s", m.dev.info.Platform, m.name, m.whyUnknown()), nil
	}
	var measures []measure
	for i, p := range params {
		g := sig.Params[i]
		if err := kindsMatch(p, g); err != nil {
			return "", mismatch("parameter %d: %v", i, err)
		}
		if p.Base != "void" && g.Type.Name != "void" && g.Type.Name != p.Base && !boolFits(p, g) {
			measures = append(measures, measure{index: i, base: p.Base, like: g.Type.Name})
		}
	}
	if len(measures) == 0 {
		return "", nil
	}
	if err := m.measure(ctx, measures); err != nil {
		return fmt.Sprintf("the sizes of %d parameters' types could not be measured: %v", len(measures), err), nil
	}
	for _, t := range measures {
		p, g := params[t.index], sig.Params[t.index]
		switch {
		case t.Size != g.Type.Size:
			return "", mismatch("parameter %d: the kernel's %s is %d bytes, the field %s (%s) is %d", t.index, p, t.Size, g.Field, g.Type.Go, g.Type.Size)
		case t.like != "" && !t.Alike:
			return "", mismatch("parameter %d: the kernel's %s is no %s, which the field %s (%s) is", t.index, p, t.like, g.Field, g.Type.Go)
		}
	}
	return "", nil
}

func (m *Module) whyUnknown() string {
	if m.facts.Source == "" {
		return ", since it was not built from source"
	}
	return ", since it could not be built with -cl-kernel-arg-info"
}

// kindsMatch refuses what differs whatever the sizes of structs are.
func kindsMatch(p kernelParam, g driver.Param) error {
	want := driver.ParamScalar
	switch {
	case strings.HasPrefix(p.Base, "image") || p.Base == "sampler_t" || p.Base == "pipe" || strings.HasPrefix(p.Base, "read_only ") || strings.HasPrefix(p.Base, "write_only "):
		return fmt.Errorf("the kernel's %s is an image, a sampler or a pipe, which are not supported", p)
	case p.Space == argAddressLocal:
		want = driver.ParamLocal
	case p.Ptr:
		want = driver.ParamPointer
	}
	have := g.Kind
	if have == driver.ParamVector || have == driver.ParamStruct {
		have = driver.ParamScalar
	}
	if want != have {
		return fmt.Errorf("the kernel's %s is %s, the field %s (%s) is %s", p, kindName(want), g.Field, g.GoType(), kindName(have))
	}
	t, ok := builtin(p.Base)
	if !ok || g.Type.Name == p.Base || g.Type.Name == "void" || boolFits(p, g) {
		return nil
	}
	if want == driver.ParamScalar {
		return fmt.Errorf("the kernel's %s is %d bytes, the field %s is a %s (%s) of %d", p, t.Size, g.Field, g.Describe(), g.Type.Go, g.Type.Size)
	}
	return fmt.Errorf("the kernel's %s points to elements of %d bytes, the field %s (%s) to %s of %d", p, t.Size, g.Field, g.GoType(), g.Type.Go, g.Type.Size)
}

func kindName(k driver.ParamKind) string {
	switch k {
	case driver.ParamPointer:
		return "a pointer to device memory (driver.Ptr)"
	case driver.ParamLocal:
		return "local memory (driver.Local)"
	}
	return "a value"
}

// boolFits: OpenCL has no bool parameters, so that Go's goes with a byte.
func boolFits(p kernelParam, g driver.Param) bool {
	return g.Type.Name == "bool" && (p.Base == "char" || p.Base == "uchar")
}

// measure is a type of a kernel's source whose size only the compiler knows: a
// struct or a typedef.
type measure struct {
	index int
	base  string // as the kernel's source spells it
	like  string // a built-in type that it should be; "" for structs

	measured
}

// id tells measures of one module apart: "real_t is float".
func (m *measure) id() string { return m.base + " is " + m.like }

// measure fills in the sizes, asking the compiler for those not known yet.
func (m *Module) measure(ctx context.Context, list []measure) error {
	missing := m.facts.recall(list)
	if len(missing) == 0 {
		return nil
	}
	if err := m.askCompiler(ctx, missing); err != nil {
		return err
	}
	m.facts.remember(missing)
	return nil
}

// askCompiler has the compiler tell the sizes: it builds the module's source once
// more, followed by an empty kernel per type whose required work-group size is
// the type's size, alignment, and one more than whether it is a given built-in
// type. Nothing runs. (The kernels have a parameter, since NVIDIA's compiler fails
// over information on kernels that have none.)
func (m *Module) askCompiler(ctx context.Context, list []*measure) error {
	if m.facts.Source == "" {
		return fmt.Errorf("there is no source")
	}
	var b strings.Builder
	b.WriteString(m.facts.Source)
	b.WriteByte('\n')
	for i, t := range list {
		alike := "1"
		if t.like != "" && t.like != "bool" {
			alike = fmt.Sprintf("1 + __builtin_types_compatible_p(%s, %s)", t.base, t.like)
		}
		fmt.Fprintf(&b, "__kernel __attribute__((reqd_work_group_size(sizeof(%s), __alignof__(%s), %s))) void triad_measure_%d(__global int *unused) {}\n", t.base, t.base, alike, i)
	}
	if ctx != nil && ctx.Err() != nil {
		return ctx.Err()
	}
	p, code := rawProgramNew(m.dev.raw, int(driver.SourceText), []byte(b.String()))
	if err := failure("clCreateProgramWithSource", code, ""); err != nil {
		return err
	}
	defer rawProgramFree(p)
	if err := failure("clBuildProgram", rawProgramBuild(m.dev.raw, p, m.facts.Options), "measuring types"); err != nil {
		return err
	}
	for i := range list {
		k, code := rawKernelProbe(p, fmt.Sprintf("triad_measure_%d", i))
		if err := failure("clCreateKernel", code, "measuring %s", list[i].base); err != nil {
			return err
		}
		sizes := infoSizes(ofWorkGroup, k, m.dev.native, kernelCompileWorkGroupSize)
		rawKernelRelease(k)
		if len(sizes) != 3 || sizes[0] == 0 {
			return fmt.Errorf("%s does not tell the required work-group size", m.dev.info.Platform)
		}
		list[i].measured = measured{uint32(sizes[0]), uint32(sizes[1]), sizes[2] == 2}
	}
	return nil
}

// signatureOf makes the signature of a kernel that was bound without one.
func signatureOf(op string, m *Module, name string, params []kernelParam, known bool) (*driver.Signature, error) {
	if !known {
		return nil, refused(op, driver.ErrUnsupported, "the parameters of kernel %q are not known: %s has no information on them%s; bind it with a signature", name, m.dev.info.Platform, m.whyUnknown())
	}
	list := make([]driver.Param, len(params))
	var measures []measure
	for i, p := range params {
		q := driver.Param{Field: p.Name, Kind: driver.ParamPointer, Size: 8}
		t, ok := builtin(p.Base)
		switch {
		case p.Space == argAddressLocal:
			q.Kind = driver.ParamLocal
		case !p.Ptr:
			q.Kind, q.Size = t.Kind, t.Size
		}
		switch {
		case p.Base == "void":
			t = driver.TypeInfo{Name: "void", Kind: driver.ParamScalar, Align: 1, Go: "void"}
		case !ok:
			t = driver.TypeInfo{Kind: driver.ParamStruct, Go: p.Base}
			measures = append(measures, measure{index: i, base: p.Base})
		}
		q.Type = t
		list[i] = q
	}
	if len(measures) > 0 {
		if err := m.measure(context.Background(), measures); err != nil {
			return nil, refused(op, driver.ErrUnsupported, "the sizes of kernel %q's parameter types are not known: %v; bind it with a signature", name, err)
		}
	}
	for _, t := range measures {
		q := &list[t.index]
		q.Type.Size, q.Type.Align = t.Size, t.Align
		if q.Kind != driver.ParamPointer && q.Kind != driver.ParamLocal {
			q.Kind, q.Size = driver.ParamStruct, t.Size
		}
	}
	var total uint64
	for i := range list {
		total += uint64(list[i].Size) + mostAlign
	}
	// Sizes may come from a damaged description. No device takes nearly as much.
	if total > 1<<30 {
		return nil, refused(op, driver.ErrUnsupported, "the %d parameters of kernel %q would have %d bytes", len(list), name, total-mostAlign*uint64(len(list)))
	}
	return driver.NewSignature(list), nil
}
