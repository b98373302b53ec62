package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// equivalents are the listed mutants, with the reasons why no caller can tell
// them from the product. The keys are those of String.
type equivalents map[string]string

// parseEquivalent reads paragraphs: the identity of a mutant, the source line,
// and the reason. Lines that begin with # are comments.
func parseEquivalent(text string) (equivalents, error) {
	all := equivalents{}
	for paragraph := range strings.SplitSeq(text, "\n\n") {
		var lines []string
		for line := range strings.Lines(paragraph) {
			if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
				lines = append(lines, line)
			}
		}
		switch {
		case len(lines) == 0:
			continue
		case len(lines) < 3:
			return nil, fmt.Errorf("equivalent mutant %q: want its identity, the source line and the reason", lines[0])
		}
		key := describe(lines[0], lines[1])
		if all[key] != "" {
			return nil, fmt.Errorf("equivalent mutant %q is listed twice", lines[0])
		}
		all[key] = strings.Join(lines[2:], " ")
	}
	return all, nil
}

// exist returns an error if a listed mutant is none. It does not know the
// mutants of files outside the packages.
func (e equivalents) exist(dir string, packages []pkg) error {
	files, all := map[string]bool{}, map[string]bool{}
	for _, p := range packages {
		for _, m := range p.mutants {
			files[m.file] = true
			all[m.String()] = true
		}
	}
	for key := range e {
		file, _, _ := strings.Cut(key, " ")
		_, err := os.Stat(filepath.Join(dir, filepath.FromSlash(file)))
		if files[file] && !all[key] || err != nil {
			return fmt.Errorf("equivalent.txt: no such mutant: %s", key)
		}
	}
	return nil
}
