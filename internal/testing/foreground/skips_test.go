package foreground

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestSkips checks that no test skips itself for something that is missing, but with Missing
// or Need: under REQUIRE_TOOLS that is a failure. Other skips are those of short runs, and
// those whose reason begins with "only", which .ci/run permits.
func TestSkips(t *testing.T) {
	module := os.DirFS(root(t))
	seen := 0
	err := fs.WalkDir(module, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && path != "." && (strings.HasPrefix(entry.Name(), ".") || path == "bench") {
			return fs.SkipDir // bench is another module
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := fs.ReadFile(module, path)
		if err != nil {
			return err
		}
		wrong, skips := skipsIn(t, path, text)
		for _, where := range wrong {
			t.Errorf(`%s: a skip without a reason that begins with "only": if something is missing, call foreground.Need or foreground.Missing`, where)
		}
		seen += skips
		return nil
	})
	if err != nil || seen < 20 {
		t.Errorf("%d skips are found: the test sees too few of them (%v)", seen, err)
	}
}

// root returns the folder of the module.
func root(t *testing.T) string {
	t.Helper()
	dir, err := os.Getwd()
	for err == nil {
		if _, missing := os.Stat(filepath.Join(dir, "go.mod")); missing == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			break
		}
		dir = filepath.Dir(dir)
	}
	t.Fatalf("no go.mod above (%v)", err)
	return ""
}

// skipsIn returns the places of skips in a file that are neither of short runs nor explained,
// and how many skips it has. Missing itself skips, and so do property tests, whose skips
// only reject an input.
func skipsIn(t *testing.T, path string, text []byte) (wrong []string, all int) {
	t.Helper()
	files := token.NewFileSet()
	file, err := parser.ParseFile(files, path, text, 0)
	if err != nil {
		t.Fatal(err)
	}
	var above []ast.Node
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil {
			above = above[:len(above)-1]
			return true
		}
		above = append(above, n)
		call, is := n.(*ast.CallExpr)
		if !is || !skips(call) || slices.ContainsFunc(above, rejectsInputs) {
			return true
		}
		if all++; !explained(call) && !slices.ContainsFunc(above, permits) {
			wrong = append(wrong, files.Position(call.Pos()).String())
		}
		return true
	})
	return wrong, all
}

func skips(call *ast.CallExpr) bool {
	of, is := call.Fun.(*ast.SelectorExpr)
	return is && slices.Contains([]string{"Skip", "Skipf", "SkipNow"}, of.Sel.Name)
}

func explained(call *ast.CallExpr) bool {
	if len(call.Args) == 0 {
		return false
	}
	reason, is := call.Args[0].(*ast.BasicLit)
	if !is {
		return false
	}
	text, err := strconv.Unquote(reason.Value)
	return err == nil && strings.HasPrefix(text, "only ")
}

// permits reports whether skips inside of a node are those of short runs, or of Missing.
func permits(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.FuncDecl:
		return n.Name.Name == "Missing"
	case *ast.IfStmt:
		call, is := n.Cond.(*ast.CallExpr)
		if !is {
			return false
		}
		of, is := call.Fun.(*ast.SelectorExpr)
		return is && of.Sel.Name == "Short"
	}
	return false
}

// rejectsInputs reports whether a node is a function with a *rapid.T.
func rejectsInputs(n ast.Node) bool {
	var signature *ast.FuncType
	switch n := n.(type) {
	case *ast.FuncDecl:
		signature = n.Type
	case *ast.FuncLit:
		signature = n.Type
	default:
		return false
	}
	return slices.ContainsFunc(signature.Params.List, func(p *ast.Field) bool {
		pointer, is := p.Type.(*ast.StarExpr)
		if !is {
			return false
		}
		of, is := pointer.X.(*ast.SelectorExpr)
		if !is {
			return false
		}
		from, is := of.X.(*ast.Ident)
		return is && from.Name == "rapid"
	})
}

// TestSkipsAreFound breaks the rule, and does not.
func TestSkipsAreFound(t *testing.T) {
	for body, want := range map[string]int{
		`t.Skip("redis is not here")`:                       1,
		`t.SkipNow()`:                                       1,
		`t.Skipf("%s is only on Unix", x)`:                  1,
		`t.Skip("only with REDIS=1")`:                       0,
		`if testing.Short() { t.Skip("runs long") }`:        0,
		`if missing() { t.Skip("redis") }`:                  1,
		`rapid.Check(t, func(t *rapid.T) { t.Skip("no") })`: 0,
	} {
		if wrong, _ := skipsIn(t, "x_test.go", []byte("package x\nfunc TestX(t *testing.T) { "+body+" }")); len(wrong) != want {
			t.Errorf("%s: %v, want %d", body, wrong, want)
		}
	}
}
