package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// mutant is one edit of one file. Its identity holds no line number, so that
// it survives edits elsewhere in the file.
type mutant struct {
	file     string // relative to the module, with slashes
	path     string // of the file on this machine
	function string
	change   string // what the edit does, and which occurrence on equal lines of the function it is
	line     string // the source line, without its indentation
	from, to int    // the bytes that the edit replaces
	by       string
}

// text returns the file with the edit.
func (m mutant) text() ([]byte, error) {
	source, err := os.ReadFile(m.path)
	if err != nil {
		return nil, err
	}
	by := strings.Replace(m.by, original, string(source[m.from:m.to]), 1)
	return slices.Concat(source[:m.from], []byte(by), source[m.to:]), nil
}

// identity names the mutant in output and in the list of equivalent mutants.
func (m mutant) identity() string {
	return fmt.Sprintf("%s %s: %s", m.file, m.function, m.change)
}

// String also shows the source line. No two mutants have the same.
func (m mutant) String() string { return describe(m.identity(), m.line) }

func describe(identity, line string) string { return identity + "    " + line }

// mutantsOf returns all mutants of a file. It has none if it is generated.
func mutantsOf(dir, path string) ([]mutant, error) {
	source, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	files := token.NewFileSet()
	tree, err := parser.ParseFile(files, path, source, parser.ParseComments|parser.SkipObjectResolution)
	if err != nil {
		return nil, err
	}
	if ast.IsGenerated(tree) {
		return nil, nil
	}
	relative, err := filepath.Rel(dir, path)
	if err != nil {
		return nil, err
	}
	lines := strings.Split(string(source), "\n")
	seen := map[string]int{}
	var all []mutant
	for _, d := range tree.Decls {
		function := nameOf(d)
		for _, e := range editsOf(d) {
			from, to := files.Position(e.from), files.Position(e.to)
			m := mutant{
				file: filepath.ToSlash(relative), path: path, function: function, change: e.change,
				line: strings.TrimSpace(lines[from.Line-1]), from: from.Offset, to: to.Offset, by: e.text,
			}
			seen[m.String()]++
			if n := seen[m.String()]; n > 1 {
				m.change = fmt.Sprintf("%s (occurrence %d)", m.change, n)
			}
			all = append(all, m)
		}
	}
	return all, nil
}

// nameOf names a declaration: a function, a method with its receiver, or the
// first name that is declared.
func nameOf(d ast.Decl) string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil || len(d.Recv.List) == 0 {
			return d.Name.Name
		}
		return receiver(d.Recv.List[0].Type) + "." + d.Name.Name
	case *ast.GenDecl:
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.ValueSpec:
				return s.Names[0].Name
			case *ast.TypeSpec:
				return s.Name.Name
			}
		}
	}
	return "imports"
}

func receiver(t ast.Expr) string {
	switch t := t.(type) {
	case *ast.StarExpr:
		return receiver(t.X)
	case *ast.IndexExpr:
		return receiver(t.X)
	case *ast.IndexListExpr:
		return receiver(t.X)
	case *ast.Ident:
		return t.Name
	}
	return "?"
}
