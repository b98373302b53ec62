package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// pkg is a package that the product consists of.
type pkg struct {
	path    string   // its import path
	tests   []string // the packages whose tests judge it, in this order
	lines   int
	mutants []mutant // in the order of file names and of the text
}

// listing is what go list says of a package.
type listing struct {
	ImportPath, Dir           string
	Module                    struct{ Path string }
	GoFiles                   []string
	Imports, Deps             []string
	TestGoFiles, XTestGoFiles []string
}

func (l listing) tested() bool { return len(l.TestGoFiles)+len(l.XTestGoFiles) > 0 }

// relative returns the path of a package below its module, with a slash on
// both sides.
func (l listing) relative() string {
	return strings.TrimPrefix(l.ImportPath, l.Module.Path) + "/"
}

// product lists the packages of the module in dir, an absolute path, that match
// the patterns, compute something, and are tested by themselves or by a user.
func product(ctx context.Context, dir, patterns, tags string) ([]pkg, error) {
	everything, err := list(ctx, dir, "./...", tags)
	if err != nil {
		return nil, err
	}
	wanted, err := list(ctx, dir, patterns, tags)
	if err != nil {
		return nil, err
	}
	var all []pkg
	for _, l := range wanted {
		p := pkg{path: l.ImportPath, tests: judges(l, everything)}
		if helps(l) || len(p.tests) == 0 {
			continue
		}
		for _, name := range l.GoFiles {
			file := filepath.Join(l.Dir, name)
			found, err := mutantsOf(dir, file)
			if err != nil {
				return nil, err
			}
			if len(found) == 0 {
				continue
			}
			text, err := os.ReadFile(file)
			if err != nil {
				return nil, err
			}
			p.lines += bytes.Count(text, []byte("\n"))
			p.mutants = append(p.mutants, found...)
		}
		if len(p.mutants) > 0 {
			all = append(all, p)
		}
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no package of %s has tests and something to change", patterns)
	}
	return all, nil
}

// helps reports whether a package is there for tests, pages or examples.
func helps(l listing) bool {
	for element := range strings.SplitSeq(l.relative(), "/") {
		if element == "docs" || element == "examples" || element == "testing" || len(element) > 4 && strings.HasSuffix(element, "test") {
			return true
		}
	}
	return false
}

// judges returns the packages whose tests judge this one: itself, and its
// nearest users. These are the folders above it that depend on it, as sim does
// on what runs in it. If there are none, or the package has no tests, one that
// imports it is among them: the one with the same name, as an algorithm and its
// simulation have, or else the one with the fewest dependencies.
func judges(l listing, everything []listing) (tests []string) {
	var above []string
	best, least := "", 0
	for _, u := range everything {
		if !u.tested() || helps(u) {
			continue
		}
		imports, depends := slices.Contains(u.Imports, l.ImportPath), slices.Contains(u.Deps, l.ImportPath)
		switch {
		case u.ImportPath == l.ImportPath:
			tests = append(tests, l.ImportPath)
		case depends && u.relative() != "/" && strings.HasPrefix(l.relative(), u.relative()):
			above = append(above, u.ImportPath)
		case imports:
			rank := len(u.Deps)
			if path.Base(u.ImportPath) == path.Base(l.ImportPath) {
				rank = 0
			}
			if best == "" || rank < least {
				best, least = u.ImportPath, rank
			}
		}
	}
	if best != "" && (len(above) == 0 || len(tests) == 0) {
		above = append(above, best)
	}
	slices.Reverse(above) // the nearest one first
	return append(tests, above...)
}

func list(ctx context.Context, dir, patterns, tags string) ([]listing, error) {
	args := []string{"list", "-json=ImportPath,Dir,Module,GoFiles,Imports,Deps,TestGoFiles,XTestGoFiles", "-tags", tags}
	cmd := exec.CommandContext(ctx, "go", append(args, strings.Fields(patterns)...)...)
	cmd.Dir = dir
	var errs bytes.Buffer
	cmd.Stderr = &errs
	text, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list %s: %w: %s", patterns, err, bytes.TrimSpace(errs.Bytes()))
	}
	var all []listing
	for decoder := json.NewDecoder(bytes.NewReader(text)); ; {
		var l listing
		if err := decoder.Decode(&l); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list %s: %w", patterns, err)
		}
		all = append(all, l)
	}
	slices.SortFunc(all, func(a, b listing) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return all, nil
}
