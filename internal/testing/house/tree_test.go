// Package house holds the rules of the tree of folders, as tests: which folders
// stand at the root, which of them may import which, and how large they may grow.
// docs/architecture.md explains them.
package house

import (
	"go/ast"
	"go/build/constraint"
	"go/parser"
	"go/scanner"
	"go/token"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
)

// module precedes the path of each package of this module.
const module = "github.com/limitgauge/limitgauge"

// tree holds what the rules read: the entries of the root and all files of Go.
type tree struct {
	folders, files []string // of the root, without hidden ones
	sources        []source
}

// source is a file of Go.
type source struct {
	path    string   // from the root: "sim/run.go"
	imports []string // packages of this module by their folders; others as they are
	tags    []string // of its build constraint
	lines   int      // lines of code, without comments and blank lines
	isEntry bool     // it declares an entry of a list; see entry
	isMain  bool     // it is part of a program
	doc     string   // its part of the comment of the package
}

// dir returns the folder of the file, from the root.
func (s source) dir() string { return path.Dir(s.path) }

// isTest reports whether the file is compiled into tests alone.
func (s source) isTest() bool { return strings.HasSuffix(s.path, "_test.go") }

// under reports whether a folder is another one or stands in it.
func under(dir, parent string) bool { return dir == parent || strings.HasPrefix(dir, parent+"/") }

// underAny reports whether a folder is one of others or stands in one.
func underAny(dir string, parents ...string) bool {
	return slices.ContainsFunc(parents, func(p string) bool { return under(dir, p) })
}

// has reports whether the tree has files of Go in a folder.
func (t *tree) has(dir string) bool {
	return slices.ContainsFunc(t.sources, func(s source) bool { return s.dir() == dir })
}

// readTree reads the tree whose root is the root of files.
func readTree(files fs.FS) (*tree, error) {
	t := &tree{}
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || name == ".":
			return err
		case strings.HasPrefix(d.Name(), "."), d.Name() == "testdata", name == "limitgauge-out":
			return skip(d)
		}
		if !strings.Contains(name, "/") {
			t.addEntry(d)
		}
		if d.IsDir() || path.Ext(name) != ".go" {
			return nil
		}
		text, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		s, err := readSource(name, text)
		t.sources = append(t.sources, s)
		return err
	})
	return t, err
}

// skip passes over an entry.
func skip(d fs.DirEntry) error {
	if d.IsDir() {
		return fs.SkipDir
	}
	return nil
}

// addEntry adds an entry of the root. It leaves out what .gitignore names: the
// program and the files of the testing package.
func (t *tree) addEntry(d fs.DirEntry) {
	switch ext := path.Ext(d.Name()); {
	case d.IsDir():
		t.folders = append(t.folders, d.Name())
	case d.Name() != "limitgauge" && ext != ".test" && ext != ".prof":
		t.files = append(t.files, d.Name())
	}
}

func readSource(name string, text []byte) (source, error) {
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, text, parser.ImportsOnly|parser.ParseComments)
	if err != nil {
		return source{}, err
	}
	s := source{path: name, tags: tagsOf(f), lines: linesOf(text), isEntry: entry.Match(text), isMain: f.Name.Name == "main", doc: f.Doc.Text()}
	for _, i := range f.Imports {
		imported, err := strconv.Unquote(i.Path.Value)
		if err != nil {
			return source{}, err
		}
		s.imports = append(s.imports, strings.TrimPrefix(imported, module+"/"))
	}
	return s, nil
}

// tagsOf returns the tags that the build constraint of a file names.
func tagsOf(f *ast.File) (tags []string) {
	for _, group := range f.Comments {
		for _, c := range group.List {
			if x, err := constraint.Parse(c.Text); err == nil && c.Pos() < f.Package {
				x.Eval(func(tag string) bool { tags = append(tags, tag); return true })
			}
		}
	}
	return tags
}

// linesOf counts the lines that hold code.
func linesOf(text []byte) (lines int) {
	var s scanner.Scanner
	file := token.NewFileSet().AddFile("", -1, len(text))
	s.Init(file, text, nil, 0)
	last := 0
	for {
		pos, tok, literal := s.Scan()
		if tok == token.EOF {
			return lines
		}
		if tok == token.SEMICOLON && literal == "\n" {
			continue
		}
		first := file.Line(pos)
		end := first + strings.Count(literal, "\n")
		lines += end - max(first-1, last)
		last = end
	}
}
