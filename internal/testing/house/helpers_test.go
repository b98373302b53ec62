package house

import (
	"fmt"
	"strings"
)

// isHelper reports whether a folder serves tests alone: those of internal/testing,
// and packages whose names end in "test", which stand beside what they test, as
// net/http/httptest does.
func isHelper(dir string) bool {
	if under(dir, "internal/testing") {
		return true
	}
	for element := range strings.SplitSeq(dir, "/") {
		if strings.HasSuffix(element, "test") {
			return true
		}
	}
	return false
}

// checkTestHelpers finds helpers of tests that the program imports.
func checkTestHelpers(t *tree) (problems []string) {
	for _, s := range t.sources {
		if s.isTest() || isHelper(s.dir()) {
			continue
		}
		for _, imported := range s.imports {
			if isHelper(imported) && t.has(imported) {
				problems = append(problems, fmt.Sprintf("%s imports %s, which is for tests alone", s.path, imported))
			}
		}
	}
	return problems
}
