package house

import (
	"bytes"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"maps"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
)

// promised are the packages that stay compatible within a major version.
var promised = []string{"algorithms/counter", "algorithms/rover", "cmd", "gauge", "live"}

// noPromise is what the comments of all other packages say that a program could import.
const noPromise = "no promise"

// checkPromises finds packages that neither promise to stay compatible nor say that they
// do not.
func checkPromises(t *tree) (problems []string) {
	says := map[string]bool{}
	for _, s := range t.sources {
		dir := s.dir()
		if s.isTest() || s.isMain || underAny(dir, "internal", "bench", "docs") || strings.Contains(dir, "/internal/") {
			continue
		}
		says[dir] = says[dir] || strings.Contains(s.doc, noPromise)
	}
	for _, dir := range slices.Sorted(maps.Keys(says)) {
		switch isPromised := slices.Contains(promised, dir); {
		case isPromised && says[dir]:
			problems = append(problems, fmt.Sprintf("%s is promised, and its comment says %q", dir, noPromise))
		case !isPromised && !says[dir]:
			problems = append(problems, fmt.Sprintf("the comment of %s does not say %q", dir, noPromise))
		}
	}
	return problems
}

// TestPromisedTypes checks that no exported name of a promised package has a type of a
// package that promises nothing.
func TestPromisedTypes(t *testing.T) {
	for _, problem := range exposed(t, promised) {
		t.Error(problem)
	}
	if len(exposed(t, []string{"sim"})) == 0 {
		t.Error("types of other packages are not found in sim, which has some")
	}
}

// exposed returns the exported names of packages that have types of other packages of
// this module.
func exposed(t *testing.T, folders []string) (problems []string) {
	args := []string{"list", "-export", "-deps", "-f", "{{.ImportPath}} {{.Export}}"}
	for _, f := range folders {
		args = append(args, module+"/"+f)
	}
	out, err := exec.Command("go", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	compiled := map[string]string{}
	for line := range bytes.Lines(out) {
		name, file, _ := strings.Cut(strings.TrimSpace(string(line)), " ")
		compiled[name] = file
	}
	packages := importer.ForCompiler(token.NewFileSet(), "gc", func(name string) (io.ReadCloser, error) { return os.Open(compiled[name]) })
	for _, f := range folders {
		p, err := packages.Import(module + "/" + f)
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range p.Scope().Names() {
			if o := p.Scope().Lookup(name); o.Exported() {
				w := walk{folders: folders, from: p, where: f + "." + name, seen: map[types.Type]bool{}}
				w.visit(o.Type())
				problems = append(problems, w.problems...)
			}
		}
	}
	return problems
}

// walk visits the types that an exported name shows.
type walk struct {
	folders  []string
	from     *types.Package
	where    string
	seen     map[types.Type]bool
	problems []string
}

func (w *walk) visit(t types.Type) {
	if w.seen[t] {
		return
	}
	w.seen[t] = true
	switch t := t.(type) {
	case *types.Alias:
		w.visitName(t.Obj())
		w.visit(types.Unalias(t))
	case *types.Named:
		for a := range t.TypeArgs().Types() {
			w.visit(a)
		}
		if w.visitName(t.Obj()) { // an unexported type has fields and methods for others, too
			for m := range types.NewMethodSet(types.NewPointer(t)).Methods() {
				if m.Obj().Exported() {
					w.visit(m.Obj().Type())
				}
			}
			w.visit(t.Underlying())
		}
	case *types.Struct:
		for f := range t.Fields() {
			if f.Exported() || f.Embedded() {
				w.visit(f.Type())
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			if m.Exported() {
				w.visit(m.Type())
			}
		}
	case *types.Signature:
		w.visit(t.Params())
		w.visit(t.Results())
	case *types.Tuple:
		for v := range t.Variables() {
			w.visit(v.Type())
		}
	case *types.Map:
		w.visit(t.Key())
		w.visit(t.Elem())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels
		w.visit(t.Elem())
	}
}

// visitName notes a type of another package of this module that is not promised. It
// reports whether the type is of the package itself.
func (w *walk) visitName(o *types.TypeName) bool {
	if o.Pkg() == nil || o.Pkg() == w.from {
		return true
	}
	folder, ours := strings.CutPrefix(o.Pkg().Path(), module+"/")
	if ours && !slices.Contains(w.folders, folder) {
		w.problems = append(w.problems, fmt.Sprintf("%s has the type %s.%s, which promises nothing", w.where, folder, o.Name()))
	}
	return false
}
