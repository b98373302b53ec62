package sim

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// TestPurity checks that a run depends on the scenario file alone: no package of
// the simulation reads a clock, the environment or random numbers that do not
// derive from the seed. Package logs alone reads logs, and no package iterates over
// a map where the order could show.
func TestPurity(t *testing.T) {
	forbidden := map[string]bool{
		"math/rand": true, "math/rand/v2": true, "crypto/rand": true, "os": true, "os/exec": true, "net": true, "net/http": true,
	}
	clocks := map[string]bool{"Now": true, "Since": true, "Until": true, "Sleep": true, "After": true, "AfterFunc": true,
		"Tick": true, "NewTimer": true, "NewTicker": true, "Local": true, "LoadLocation": true}
	files := token.NewFileSet()
	seen := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if path == "outside/process" {
			return filepath.SkipDir // limiters of users in programs of their own: only commands import it
		}
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		seen++
		f, err := parser.ParseFile(files, path, nil, 0)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			name, _ := strconv.Unquote(i.Path.Value)
			if forbidden[name] {
				t.Errorf("%s imports %s", files.Position(i.Pos()), name)
			}
		}
		ast.Inspect(f, func(n ast.Node) bool {
			s, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			if x, ok := s.X.(*ast.Ident); ok && x.Obj == nil {
				if x.Name == "time" && clocks[s.Sel.Name] {
					t.Errorf("%s uses %s.%s", files.Position(s.Pos()), x.Name, s.Sel.Name)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if seen == 0 {
		t.Fatal("no source to read")
	}
}
