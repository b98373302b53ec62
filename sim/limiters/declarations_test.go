package limiters

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// sourcesOf calls see with each Go file of a package folder, without its tests.
func sourcesOf(t *testing.T, folder string, see func(f *ast.File)) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("../..", folder, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range files {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		see(f)
	}
}

// literal returns the text of a string literal.
func literal(n ast.Node) (string, bool) {
	l, ok := n.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	text, err := strconv.Unquote(l.Value)
	return text, err == nil
}

var optionTag = regexp.MustCompile(`option:"([a-z_]+)`)

// TestEveryOptionIsRead checks that each option that an enforcement or a counter
// declares is named once more, where it is read: by its name or in the tag of a
// Config. An option that nobody reads changes nothing, without a word to its user.
func TestEveryOptionIsRead(t *testing.T) {
	read := map[string]bool{}
	collect := func(f *ast.File) {
		declared := map[ast.Node]bool{}
		ast.Inspect(f, func(n ast.Node) bool {
			if kv, ok := n.(*ast.KeyValueExpr); ok {
				if key, ok := kv.Key.(*ast.Ident); ok && key.Name == "Name" {
					declared[kv.Value] = true
				}
			}
			if text, ok := literal(n); ok && !declared[n] {
				read[text] = true
				if tag := optionTag.FindStringSubmatch(text); tag != nil {
					read[tag[1]] = true
				}
			}
			return true
		})
	}
	shared := []string{"algorithms/capacity", "algorithms/counting", "algorithms/routing", "algorithms/sql", "algorithms/rover/described", "sim/limiters/rover", "sim/engine", "sim/network", "algorithms/settlement"}
	check := func(owner string, names []string, folders ...string) {
		clear(read)
		for _, folder := range append(folders, shared...) {
			sourcesOf(t, folder, collect)
		}
		for _, name := range names {
			if !read[name] {
				t.Errorf("%s declares the option %s, and nothing reads it", owner, name)
			}
		}
	}
	for _, e := range Enforcements() {
		folder := folderOf(e.Name)
		var names []string
		for _, f := range e.Fields {
			names = append(names, f.Name)
		}
		check(e.Name, names, "algorithms/"+folder, "sim/limiters/"+folder)
	}
	for _, c := range Counters() {
		var names []string
		for _, f := range c.Fields {
			names = append(names, f.Name)
		}
		check(c.Name, names)
	}
}

// TestRandomStreamsAreUsedOnce checks that no limiter draws two things from streams
// of one name: they would have the same random numbers.
func TestRandomStreamsAreUsedOnce(t *testing.T) {
	drawing := map[string]bool{"Stream": true, "NewHop": true, "NewLink": true}
	for _, e := range Enforcements() {
		used := map[string]int{}
		sourcesOf(t, "sim/limiters/"+folderOf(e.Name), func(f *ast.File) {
			ast.Inspect(f, func(n ast.Node) bool {
				call, ok := n.(*ast.CallExpr)
				if !ok || len(call.Args) == 0 {
					return true
				}
				if s, ok := call.Fun.(*ast.SelectorExpr); ok && drawing[s.Sel.Name] {
					if name, ok := literal(call.Args[len(call.Args)-1]); ok {
						used[name]++
					}
				}
				return true
			})
		})
		for name, n := range used {
			if n > 1 {
				t.Errorf("%s makes %d streams called %q, with the same random numbers", e.Name, n, name)
			}
		}
	}
}
