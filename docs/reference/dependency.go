package main

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// requirement describes a module that go.mod requires directly.
type requirement struct{ path, version string }

// requirements reads the direct requirements of go.mod.
func (s *site) requirements() ([]requirement, error) {
	text, err := os.ReadFile(filepath.Join(s.root, "go.mod"))
	if err != nil {
		return nil, err
	}
	var list []requirement
	block := false
	for _, line := range strings.Split(string(text), "\n") {
		words := strings.Fields(line)
		switch {
		case len(words) == 2 && words[0] == "require" && words[1] == "(":
			block = true
			continue
		case len(words) > 0 && words[0] == ")":
			block = false
		case len(words) > 0 && words[0] == "require":
			words = words[1:]
		case !block:
			continue
		}
		if len(words) >= 2 && !strings.Contains(line, "// indirect") {
			list = append(list, requirement{words[0], words[1]})
		}
	}
	return list, nil
}

// dependency states the required version of a module and the packages that
// import it.
func (s *site) dependency(path string) (string, error) {
	all, err := s.requirements()
	if err != nil {
		return "", err
	}
	for _, r := range all {
		if r.path != path {
			continue
		}
		program, tests, err := s.importers(path)
		if err != nil {
			return "", err
		}
		out := "`" + r.version + "`"
		if len(program) > 0 {
			out += "; imported by " + strings.Join(program, ", ")
		}
		if len(tests) > 0 {
			out += "; in tests of " + strings.Join(tests, ", ")
		}
		return out + ".\n", nil
	}
	return "", fmt.Errorf("go.mod does not require %q directly", path)
}

// importers returns the folders that import a module: those of the program, and
// those whose tests alone import it.
func (s *site) importers(module string) (program, tests []string, err error) {
	err = filepath.WalkDir(s.root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && path != s.root && (strings.HasPrefix(d.Name(), ".") || d.Name() == "bench" || d.Name() == "testdata"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go":
			return nil
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, spec := range file.Imports {
			name, err := strconv.Unquote(spec.Path.Value)
			if err != nil || name != module && !strings.HasPrefix(name, module+"/") {
				continue
			}
			list := &program
			if strings.HasSuffix(path, "_test.go") {
				list = &tests
			}
			if folder := "`" + s.short(filepath.Dir(path)) + "`"; !slices.Contains(*list, folder) {
				*list = append(*list, folder)
			}
		}
		return nil
	})
	slices.Sort(program)
	slices.Sort(tests)
	return program, tests, err
}
