package repolint

import (
	"fmt"
	"go/ast"
	"go/token"
	"path"
	"regexp"
	"strings"
)

// checkExportedC looks for C's types in what other packages see: signatures of
// exported functions and methods, exported types and their exported fields,
// exported variables and constants.
func checkExportedC(r *repo) (ps []problem) {
	for _, f := range r.files {
		if _, ok := r.imports(f)["C"]; !ok || f.ast.Name.Name == "main" {
			continue
		}
		report := func(name string, n ast.Node) {
			ps = append(ps, problem{f.name, r.line(n), fmt.Sprintf(
				"%s exports a C type, which no other package can name; use a Go type and convert inside", name)})
		}
		for _, decl := range f.ast.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if visible(d) && mentionsC(d.Type) {
					report(d.Name.Name, d)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					switch s := spec.(type) {
					case *ast.TypeSpec:
						if s.Name.IsExported() && mentionsC(s.Type) {
							report(s.Name.Name, s)
						}
					case *ast.ValueSpec:
						if exportsC(s) {
							report(s.Names[0].Name, s)
						}
					}
				}
			}
		}
	}
	return ps
}

// visible reports whether other packages can call the function.
func visible(d *ast.FuncDecl) bool {
	return d.Name.IsExported() && (d.Recv == nil || ast.IsExported(receiver(d)))
}

// receiver returns the name of a method's receiver type.
func receiver(d *ast.FuncDecl) string {
	t := d.Recv.List[0].Type
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// mentionsC reports whether a type names one of C's, apart from the unexported
// fields of structs.
func mentionsC(t ast.Node) (found bool) {
	ast.Inspect(t, func(n ast.Node) bool {
		switch x := n.(type) {
		case *ast.SelectorExpr:
			if id, ok := x.X.(*ast.Ident); ok && id.Name == "C" {
				found = true
			}
		case *ast.StructType:
			for _, field := range x.Fields.List {
				exported := len(field.Names) == 0
				for _, name := range field.Names {
					exported = exported || name.IsExported()
				}
				if exported && mentionsC(field.Type) {
					found = true
				}
			}
			return false
		}
		return !found
	})
	return found
}

// cTypeName matches what looks like a type of C's rather than a function: the
// syntax of a call and that of a conversion are the same.
var cTypeName = regexp.MustCompile(`^(u?(char|short|int|long|longlong)|schar|float|double|(struct|union|enum)_\w+|\w+_t|cl_[a-z]+\d*|CU[a-z]+)$`)

// exportsC reports whether a variable or constant is exported and, by its type
// or by its value being of it, C's. Constants of C's are untyped in Go, and
// what a C function returns can't be told from here.
func exportsC(s *ast.ValueSpec) bool {
	exported := false
	for _, name := range s.Names {
		exported = exported || name.IsExported()
	}
	if !exported {
		return false
	}
	if s.Type != nil {
		return mentionsC(s.Type)
	}
	for _, v := range s.Values {
		switch x := v.(type) {
		case *ast.CompositeLit:
			if x.Type != nil && mentionsC(x.Type) {
				return true
			}
		case *ast.CallExpr:
			if sel, ok := x.Fun.(*ast.SelectorExpr); ok && mentionsC(sel) && cTypeName.MatchString(sel.Sel.Name) {
				return true
			}
		}
	}
	return false
}

// checkPackageComment wants one file of each package to say what it is for.
func checkPackageComment(r *repo) (ps []problem) {
	type pkg struct {
		name, file string
		ok         bool
	}
	pkgs := make(map[string]*pkg)
	var folders []string
	for _, f := range r.files {
		if f.ast == nil || f.isTest() || strings.Contains(f.name, "testdata/") {
			continue
		}
		folder := path.Dir(f.name)
		p := pkgs[folder]
		if p == nil {
			p = &pkg{name: f.ast.Name.Name, file: f.name}
			pkgs[folder] = p
			folders = append(folders, folder)
		}
		p.ok = p.ok || strings.HasPrefix(f.ast.Doc.Text(), packageOpening(p.name, folder))
	}
	for _, folder := range folders {
		if p := pkgs[folder]; !p.ok {
			ps = append(ps, problem{p.file, 0, fmt.Sprintf(
				"package %s has no comment that starts with %q; say what it is for", p.name, packageOpening(p.name, folder))})
		}
	}
	return ps
}

func packageOpening(name, folder string) string {
	if name == "main" {
		return "Command " + path.Base(folder)
	}
	return "Package " + name
}

// wellKnown are methods whose meaning their name fixes.
var wellKnown = map[string]bool{"String": true, "Error": true, "Unwrap": true, "Is": true}

// checkDocComments wants a comment on each exported identifier. A group's
// comment, or one at the end of the line, will do. An interface's method without
// parameters may go without (Name, Device).
func checkDocComments(r *repo) (ps []problem) {
	for _, f := range r.files {
		if f.ast == nil || f.isTest() || f.isGenerated() || f.ast.Name.Name == "main" || strings.Contains(f.name, "testdata/") {
			continue
		}
		report := func(name string, n ast.Node) {
			ps = append(ps, problem{f.name, r.line(n), name + " is exported but has no comment; say what it is, what it returns and when it fails"})
		}
		for _, decl := range f.ast.Decls {
			switch d := decl.(type) {
			case *ast.FuncDecl:
				if visible(d) && d.Doc == nil && !(d.Recv != nil && wellKnown[d.Name.Name]) {
					report(d.Name.Name, d)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					checkSpecDoc(d, spec, report)
				}
			}
		}
	}
	return ps
}

func checkSpecDoc(d *ast.GenDecl, spec ast.Spec, report func(string, ast.Node)) {
	switch s := spec.(type) {
	case *ast.TypeSpec:
		if !s.Name.IsExported() {
			return
		}
		if s.Doc == nil && s.Comment == nil && d.Doc == nil {
			report(s.Name.Name, s)
		}
		if iface, ok := s.Type.(*ast.InterfaceType); ok {
			for _, m := range iface.Methods.List {
				if len(m.Names) == 1 && m.Names[0].IsExported() && m.Doc == nil && m.Comment == nil && len(m.Type.(*ast.FuncType).Params.List) > 0 {
					report(s.Name.Name+"."+m.Names[0].Name, m)
				}
			}
		}
	case *ast.ValueSpec:
		for _, name := range s.Names {
			if name.IsExported() && s.Doc == nil && s.Comment == nil && d.Doc == nil {
				report(name.Name, s)
			}
		}
	}
}

// fixedReason matches what a test may skip for without asking TRIAD_REQUIRE: a
// property of the build or of the command line, which no setup can change.
var fixedReason = regexp.MustCompile(`^(testing\.Short|runtime\.GOOS|runtime\.GOARCH|(\w+\.)?\w*[rR]ace\w*|(\w+\.)?\w*[aA]san\w*|(\w+\.)?[iI]nstrumented)$`)

// checkSkips wants each skip to be one that TRIAD_REQUIRE can forbid. Otherwise
// a machine that lacks something passes everything by testing nothing.
func checkSkips(r *repo) (ps []problem) {
	for _, f := range r.files {
		if _, ok := r.imports(f)["testing"]; !ok {
			continue
		}
		for _, decl := range f.ast.Decls {
			d, ok := decl.(*ast.FuncDecl)
			if !ok || d.Body == nil || mentions(d.Body, func(n ast.Node) bool {
				lit, ok := n.(*ast.BasicLit)
				return ok && lit.Kind == token.STRING && strings.Contains(lit.Value, "TRIAD_REQUIRE")
			}) {
				continue
			}
			allowed := make(map[*ast.CallExpr]bool)
			ast.Inspect(d.Body, func(n ast.Node) bool {
				if cond, ok := n.(*ast.IfStmt); ok && mentions(cond.Cond, isFixedReason) {
					for _, stmt := range cond.Body.List {
						if call := skipCall(stmt); call != nil && givesReason(call) {
							allowed[call] = true
						}
					}
				}
				return true
			})
			ast.Inspect(d.Body, func(n ast.Node) bool {
				stmt, ok := n.(ast.Stmt)
				if !ok {
					return true
				}
				if call := skipCall(stmt); call != nil && !allowed[call] {
					ps = append(ps, problem{f.name, r.line(call), "skips what TRIAD_REQUIRE cannot require; " +
						"call the helper that consults it, or skip right inside an if on testing.Short(), race or runtime.GOOS, with a literal reason"})
				}
				return true
			})
		}
	}
	return ps
}

func mentions(root ast.Node, want func(ast.Node) bool) (found bool) {
	ast.Inspect(root, func(n ast.Node) bool {
		found = found || n != nil && want(n)
		return !found
	})
	return found
}

func isFixedReason(n ast.Node) bool {
	switch x := n.(type) {
	case *ast.SelectorExpr:
		id, ok := x.X.(*ast.Ident)
		return ok && fixedReason.MatchString(id.Name+"."+x.Sel.Name)
	case *ast.Ident:
		return fixedReason.MatchString(x.Name)
	}
	return false
}

// skipCall returns the call if the statement is one of t.Skip, Skipf, SkipNow.
func skipCall(stmt ast.Stmt) *ast.CallExpr {
	expr, ok := stmt.(*ast.ExprStmt)
	if !ok {
		return nil
	}
	call, ok := expr.X.(*ast.CallExpr)
	if !ok {
		return nil
	}
	if sel, ok := call.Fun.(*ast.SelectorExpr); ok {
		switch sel.Sel.Name {
		case "Skip", "Skipf", "SkipNow":
			return call
		}
	}
	return nil
}

func givesReason(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	lit, ok := call.Args[0].(*ast.BasicLit)
	return ok && lit.Kind == token.STRING && len(lit.Value) > len(`""`)
}
