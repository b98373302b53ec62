package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
)

// site describes the module that the pages belong to.
type site struct {
	root    string // directory of go.mod
	catalog catalog.Catalog
	shell   shell
}

// openSite returns the module that contains the working directory.
func openSite() (*site, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if filepath.Dir(dir) == dir {
			return nil, errors.New("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
	return &site{root: dir, shell: shell{root: dir}, catalog: sim.Catalog()}, nil
}

func (s *site) close() { s.shell.close() }

func (s *site) short(path string) string {
	if rel, err := filepath.Rel(s.root, path); err == nil {
		return filepath.ToSlash(rel)
	}
	return path
}

// pages returns the paths of the Markdown files in docs, in order.
func (s *site) pages() ([]string, error) {
	var list []string
	err := filepath.WalkDir(filepath.Join(s.root, "docs"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && filepath.Ext(path) == ".md" {
			list = append(list, path)
		}
		return err
	})
	return list, err
}

// files returns the files that are generated as a whole, by their paths in the
// module: the schema for editors and the manual pages.
func (s *site) files() (map[string]string, error) {
	files, err := s.manual()
	if err != nil {
		return nil, err
	}
	files["docs/scenario.schema.json"] = string(scenarios.Schema(s.catalog))
	return files, nil
}

const (
	opening = "<!-- generated: "
	closing = "<!-- end -->"
)

// rewrite returns the current text of a page and the text that it should have.
func (s *site) rewrite(path string) (old, text string, err error) {
	raw, err := os.ReadFile(path)
	if err != nil {
		return "", "", err
	}
	old = string(raw)
	var out strings.Builder
	for rest, line := old, 1; ; {
		start := strings.Index("\n"+rest, "\n"+opening)
		if start < 0 {
			out.WriteString(rest)
			return old, out.String(), nil
		}
		line += strings.Count(rest[:start], "\n")
		what, after, ok := strings.Cut(rest[start+len(opening):], " -->\n")
		end := strings.Index("\n"+after, "\n"+closing+"\n")
		if !ok || end < 0 || strings.Contains(what, "\n") {
			return "", "", fmt.Errorf("%s:%d: the generated part does not end with %s on a line of its own", s.short(path), line, closing)
		}
		section, err := s.section(path, what)
		if err != nil {
			return "", "", fmt.Errorf("%s:%d: %w", s.short(path), line, err)
		}
		out.WriteString(rest[:start] + opening + what + " -->\n" + strings.TrimRight(section, "\n") + "\n")
		line += strings.Count(rest[start:len(rest)-len(after)+end], "\n")
		rest = after[end:]
	}
}
