package hip

import (
	"go/ast"
	"go/parser"
	"go/printer"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exported are a package's exported identifiers and what they are: of "Open" and
// "Device.Close" the parameters and results, of "DeviceOptions.Flags" the field's type,
// of types what they are made of, of constants and variables their types, where these
// are written down. Types of the package itself have their names, so that they are equal
// to types of the same names in another package.
func exported(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) < 5 {
		t.Fatalf("%s has %d files, error %v", dir, len(paths), err)
	}
	names := map[string]string{}
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		declared(t, path, string(text), names)
	}
	return names
}

// declared adds what a file exports.
func declared(t *testing.T, path, text string, names map[string]string) {
	t.Helper()
	f, err := parser.ParseFile(token.NewFileSet(), path, text, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	add := func(name, what string) {
		for _, part := range strings.Split(name, ".") {
			if !ast.IsExported(part) {
				return
			}
		}
		names[name] = what
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			add(receiver(d)+d.Name.Name, "func"+pointer(d)+signature(d.Type))
		case *ast.GenDecl:
			typ := "" // of the constants before, whose followers have it too
			for _, spec := range d.Specs {
				switch spec := spec.(type) {
				case *ast.ValueSpec:
					if spec.Type != nil || len(spec.Values) > 0 || d.Tok == token.VAR {
						typ = source(spec.Type)
					}
					for _, name := range spec.Names {
						add(name.Name, d.Tok.String()+" "+typ)
					}
				case *ast.TypeSpec:
					declaredType(spec, add)
				}
			}
		}
	}
}

// declaredType adds a type, and the fields of a struct.
func declaredType(spec *ast.TypeSpec, add func(name, what string)) {
	name := spec.Name.Name
	s, ok := spec.Type.(*ast.StructType)
	if !ok {
		equal := ""
		if spec.Assign.IsValid() {
			equal = "= "
		}
		add(name, "type "+equal+source(spec.Type))
		return
	}
	add(name, "type struct"+types(spec.TypeParams))
	for _, field := range s.Fields.List {
		what := "field " + source(field.Type)
		if field.Names == nil {
			parts := strings.Split(strings.TrimPrefix(source(field.Type), "*"), ".")
			add(name+"."+parts[len(parts)-1], "embedded "+what)
		}
		for _, n := range field.Names {
			add(name+"."+n.Name, what)
		}
	}
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	return strings.TrimPrefix(source(d.Recv.List[0].Type), "*") + "."
}

// pointer tells whether a method is a pointer's.
func pointer(d *ast.FuncDecl) string {
	if d.Recv != nil && strings.HasPrefix(source(d.Recv.List[0].Type), "*") {
		return " of *"
	}
	return ""
}

// signature are the types that a function takes and gives, without names.
func signature(f *ast.FuncType) string {
	return types(f.TypeParams) + "(" + types(f.Params) + ") (" + types(f.Results) + ")"
}

func types(list *ast.FieldList) string {
	if list == nil {
		return ""
	}
	var all []string
	for _, field := range list.List {
		for range max(1, len(field.Names)) {
			all = append(all, source(field.Type))
		}
	}
	return strings.Join(all, ", ")
}

// source is a type as it is written; of a function without the parameters' names.
func source(typ ast.Expr) string {
	switch typ := typ.(type) {
	case nil:
		return ""
	case *ast.FuncType:
		return "func" + signature(typ)
	}
	var b strings.Builder
	if err := printer.Fprint(&b, token.NewFileSet(), typ); err != nil {
		return err.Error()
	}
	return b.String()
}

// difference is a group of identifiers that only one of the packages has. A name that
// ends in "*" stands for all that begin so.
type difference struct {
	reason string
	names  []string
}

// onlyCUDA is what hip lacks.
var onlyCUDA = []difference{
	{"HIP has no contexts: a process has one state of each device", []string{
		"Wrap", "DeviceOptions.OwnContext", "Device.ContextFlags", "Device.SetContextFlags", "ContextFlags", "SynchronousOps", "PrimaryState", "SetPrimaryFlags",
		"Device.ContextID", "Device.APIVersion", "PointerInfo.Context"}},
	{"the runtime's devices have other limits", []string{"Limit*"}},
	{"HIP has no such call or attribute of streams", []string{"Device.ResetPersistingL2", "Stream.CopyAttributes"}},
	{"the runtime has no compiler and no linker for modules", []string{
		"ImageOptions*", "OptLevel", "OptDefault", "Opt0", "Opt1", "Opt2", "Opt3", "Opt4", "LoadCache*", "Prefer", "PreferDefault", "PreferPTX", "PreferBinary",
		"Device.Link*", "Link*", "Input*"}},
	{"AMD's disassembler is a program of its own", []string{"Module.Disassembly"}},
	{"code is loaded with its module", []string{"LoadingMode", "EagerLoading", "LazyLoading", "ModuleLoading", "Kernel.Loaded"}},
	{"HIP takes the host's stub of a kernel for these, which functions of modules don't have", []string{"Kernel.SetAttribute", "Kernel.SetCacheConfig"}},
	{"HIP has no such call for functions of modules", []string{"Kernel.AvailableDynamicShared"}},
	{"AMD's devices have no clusters of blocks", []string{
		"Kernel.MaxActiveClusters", "Kernel.MaxPotentialClusterSize", "Cluster*", "LaunchAttributes.Cluster*", "FuncClusterSchedulingPolicy", "FuncClusterSizeMustBeSet",
		"FuncNonPortableClusterSizeAllowed", "FuncRequiredCluster*"}},
	{"launches have no such attributes", []string{
		"LaunchAttributes.ProgrammaticSerialization", "LaunchAttributes.Domain*", "LaunchAttributes.SharedCarveout", "LaunchAttributes.CarveoutSet"}},
	{"devices have other attributes", []string{"Attr*", "PeerOnlyPartialNativeAtomics"}},
	{"the runtime does not tell these of addresses", []string{"PointerInfo.Mapped", "PointerInfo.IPC"}},
	{"HIP has no such flags", []string{"ReadOnlyHost", "PhysicalOptions.Compressible", "PhysicalOptions.RDMA"}},
}

// onlyHIP is what cuda lacks.
var onlyHIP = []difference{
	{"devices have flags, where CUDA's contexts have them", []string{"DeviceFlags", "Device.Flags", "Device.SetFlags"}},
	{"the runtime's devices have other limits", []string{"Limit*"}},
	{"devices have other attributes", []string{"Attr*"}},
	{"architectures have names with features", []string{"Device.Arch"}},
	{"streams can be kept to some compute units", []string{"Device.MaskedStream", "Stream.CUMask"}},
	{"memory is coherent in several ways", []string{
		"Device.AllocFineGrained", "Device.AllocSignal", "Coherent", "NonCoherent", "CoarseGrained", "CoarseGrain", "NotCoarseGrain", "NUMAUser"}},
}

// otherwise is what both have, and not in the same form.
var otherwise = []difference{
	{"the device has the flags, where CUDA's context has them", []string{"BlockingSync", "SpinSync", "YieldSync", "KeepLocalMem", "DeviceOptions.Flags"}},
	{"HIP has no contexts: the device's number is all there is", []string{"Device.Native"}},
	{"the runtime has no compiler whose options there would be", []string{"Device.LoadImage"}},
}

// matches tells which of the patterns stands for a name.
func matches(listed []difference, name string) (pattern string, ok bool) {
	for _, d := range listed {
		for _, pattern := range d.names {
			if prefix, any := strings.CutSuffix(pattern, "*"); name == pattern || any && strings.HasPrefix(name, prefix) {
				return pattern, true
			}
		}
	}
	return "", false
}

// unlisted are the names of which listed says nothing; and what it says of none.
func unlisted(names []string, listed []difference) (unknown, unused []string) {
	used := map[string]bool{}
	for _, name := range names {
		pattern, ok := matches(listed, name)
		if !ok {
			unknown = append(unknown, name)
		}
		used[pattern] = true
	}
	for _, d := range listed {
		if d.reason == "" {
			unused = append(unused, d.names...)
		}
		for _, pattern := range d.names {
			if !used[pattern] {
				unused = append(unused, pattern)
			}
		}
	}
	return unknown, unused
}

// compared are the names that only one of two packages has, and those of which the
// packages have different things.
func compared(a, b map[string]string) (onlyA, onlyB, differ []string) {
	for _, name := range slices.Sorted(maps.Keys(a)) {
		switch what, ok := b[name]; {
		case !ok:
			onlyA = append(onlyA, name)
		case what != a[name]:
			differ = append(differ, name)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(b)) {
		if _, ok := a[name]; !ok {
			onlyB = append(onlyB, name)
		}
	}
	return onlyA, onlyB, differ
}

// What nvrtc has alone, hiprtc has alone, and both have in other forms.
var (
	onlyNVRTC      = []difference{{"NVIDIA's compiler makes machine code, PTX and LTO code", []string{"Result.CUBIN", "Result.PTX", "Result.LTOIR"}}}
	onlyHIPRTC     = []difference{{"AMD's compiler makes code objects and bitcode", []string{"Result.Code", "Result.Bitcode"}}}
	otherCompilers = []difference{{"architectures have names, where NVIDIA's have numbers", []string{"Architectures", "Target"}}}
)

// The packages offer the same, in the same form; what differs is listed, and why.
func TestTheAPIIsThatOfCUDA(t *testing.T) {
	for _, x := range []struct {
		hip, cuda               string
		least                   int
		onlyCUDA, onlyHIP, both []difference
	}{
		{".", "cuda", 400, onlyCUDA, onlyHIP, otherwise},
		{"hiprtc", "cuda/nvrtc", 15, onlyNVRTC, onlyHIPRTC, otherCompilers},
	} {
		ours, cudas := exported(t, x.hip), exported(t, filepath.Join("..", filepath.FromSlash(x.cuda)))
		cuda, hip, differ := compared(cudas, ours)
		if same := len(ours) - len(hip) - len(differ); same < x.least {
			t.Errorf("only %d identifiers of %s are the same", same, x.cuda)
		}
		for _, y := range []struct {
			names  []string
			listed []difference
			what   string
		}{
			{cuda, x.onlyCUDA, x.cuda + "'s alone"},
			{hip, x.onlyHIP, "ours alone, and not " + x.cuda + "'s"},
			{differ, x.both, "of another form in " + x.cuda},
		} {
			unknown, unused := unlisted(y.names, y.listed)
			for _, name := range unknown {
				t.Errorf("%s is %s, and no reason is listed\ncuda: %s\nhip:  %s", name, y.what, cudas[name], ours[name])
			}
			for _, name := range unused {
				t.Errorf("%s is listed as %s, and is not, or is without a reason", name, y.what)
			}
		}
	}
}

// The comparison notices differences of each kind, and nothing else.
func TestDifferencesOfAPIsAreNoticed(t *testing.T) {
	const text = `package p
type T struct { A, B int; c int; D }
type F func(n int) error
type E = T
type K uint32
const ( X K = iota; Y; Z = 5 )
var V error
func (t *T) M(a, b uint64, s *T) (x *T, err error) { return nil, nil }
func G(f func(a int), more ...string) {}
func g() {}
`
	read := func(text string) map[string]string {
		names := map[string]string{}
		declared(t, "p.go", text, names)
		return names
	}
	base := read(text)
	for name, want := range map[string]string{
		"T": "type struct", "T.A": "field int", "T.B": "field int", "T.D": "embedded field D", "F": "type func(int) (error)", "E": "type = T", "K": "type uint32",
		"X": "const K", "Y": "const K", "Z": "const ", "V": "var error", "T.M": "func of *(uint64, uint64, *T) (*T, error)", "G": "func(func(int) (), ...string) ()",
	} {
		if base[name] != want {
			t.Errorf("%s is %q; want %q", name, base[name], want)
		}
	}
	if len(base) != 13 {
		t.Errorf("there are %d exported names: %v", len(base), base)
	}
	for _, x := range []struct{ old, new, names string }{
		{"a, b uint64, s *T", "from, to uint64, other *T", ""},
		{"func(a int)", "func(int)", ""},
		{"func g()", "func g(int)", ""},
		{"c int", "c uint", ""},
		{"a, b uint64, s *T", "a, b uint32, s *T", "T.M"},
		{"x *T, err error", "x *T", "T.M"},
		{"t *T) M", "t T) M", "T.M"},
		{"func(a int)", "func(a uint)", "G"},
		{"...string", "[]string", "G"},
		{"A, B int", "A, B *int", "T.A,T.B"},
		{"; D }", "; *D }", "T.D"},
		{"type F func(n int) error", "type F func(n int)", "F"},
		{"type E = T", "type E T", "E"},
		{"X K", "X uint32", "X,Y"},
		{"Z = 5", "Z K = 5", "Z"},
		{"var V error", "var V *T", "V"},
	} {
		changed := strings.Replace(text, x.old, x.new, 1)
		onlyA, onlyB, differ := compared(base, read(changed))
		if got := strings.Join(differ, ","); got != x.names || len(onlyA)+len(onlyB) > 0 {
			t.Errorf("%q instead of %q: %q differ, only in one %v, %v; want %q", x.new, x.old, got, onlyA, onlyB, x.names)
		}
	}
	onlyA, onlyB, _ := compared(base, read(strings.Replace(text, "func G", "func H", 1)))
	if !slices.Equal(onlyA, []string{"G"}) || !slices.Equal(onlyB, []string{"H"}) {
		t.Errorf("another name is %v and %v alone", onlyA, onlyB)
	}
	listed := []difference{{"a reason", []string{"G", "T.*", "No"}}, {"", []string{"X"}}}
	unknown, unused := unlisted([]string{"G", "T.M", "T.A", "V", "X"}, listed)
	if !slices.Equal(unknown, []string{"V"}) || !slices.Equal(unused, []string{"No", "X"}) {
		t.Errorf("unknown %v, unused %v; want V, and No and X", unknown, unused)
	}
}
