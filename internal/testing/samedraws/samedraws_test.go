package samedraws

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strings"
	"testing"
)

// Every package with property tests imports samedraws.
func TestEveryPropertyTestDrawsTheSame(t *testing.T) {
	draws, same := map[string]bool{}, map[string]bool{}
	err := filepath.WalkDir("../../..", func(path string, _ fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			switch i.Path.Value {
			case `"pgregory.net/rapid"`:
				draws[filepath.Dir(path)] = true
			case `"github.com/limitgauge/limitgauge/internal/testing/samedraws"`:
				same[filepath.Dir(path)] = true
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(draws) == 0 {
		t.Error("found no property tests")
	}
	for dir := range draws {
		if !same[dir] {
			t.Errorf("%s has property tests and does not import samedraws", dir)
		}
	}
}
