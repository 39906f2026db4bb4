package hip

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// exported are a package's exported identifiers: "Open", "Device.Close", and fields of
// structs as "DeviceOptions.Flags".
func exported(t *testing.T, dir string) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	paths, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil || len(paths) < 20 {
		t.Fatalf("%s has %d files, error %v", dir, len(paths), err)
	}
	fset := token.NewFileSet()
	for _, path := range paths {
		if strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		f, err := parser.ParseFile(fset, path, text, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			declared(d, names)
		}
	}
	for name := range names {
		for _, part := range strings.Split(name, ".") {
			if !ast.IsExported(part) {
				delete(names, name)
			}
		}
	}
	return names
}

func declared(d ast.Decl, names map[string]bool) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		names[receiver(d)+d.Name.Name] = true
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, name := range spec.Names {
					names[name.Name] = true
				}
			case *ast.TypeSpec:
				names[spec.Name.Name] = true
				s, ok := spec.Type.(*ast.StructType)
				if !ok {
					continue
				}
				for _, field := range s.Fields.List {
					for _, name := range field.Names {
						names[spec.Name.Name+"."+name.Name] = true
					}
				}
			}
		}
	}
}

func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil {
		return ""
	}
	typ := d.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	return typ.(*ast.Ident).Name + "."
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

// The packages offer the same; what differs is listed, and why.
func TestTheAPIIsThatOfCUDA(t *testing.T) {
	ours, cudas := exported(t, "."), exported(t, filepath.Join("..", "cuda"))
	compare := func(who string, have, other map[string]bool, listed []difference) {
		used := map[string]bool{}
		for _, name := range slices.Sorted(maps.Keys(have)) {
			if other[name] {
				continue
			}
			found := false
			for _, d := range listed {
				for _, pattern := range d.names {
					prefix, any := strings.CutSuffix(pattern, "*")
					if name == pattern || any && strings.HasPrefix(name, prefix) {
						found, used[pattern] = true, true
					}
				}
			}
			if !found {
				t.Errorf("only package %s has %s, and no reason is listed", who, name)
			}
		}
		for _, d := range listed {
			if d.reason == "" {
				t.Errorf("%v are listed without a reason", d.names)
			}
			for _, pattern := range d.names {
				if !used[pattern] {
					t.Errorf("%s is listed as package %s's alone, and is not", pattern, who)
				}
			}
		}
	}
	compare("cuda", cudas, ours, onlyCUDA)
	compare("hip", ours, cudas, onlyHIP)
}
