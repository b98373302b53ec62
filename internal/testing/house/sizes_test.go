package house

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// mostFiles is how many files of Go a package may have, tests not counted: more than
// a reader takes in from a listing.
const mostFiles = 45

// larger holds the packages that have more files, with their numbers. These may only
// fall, but for one file per new command in cmd/cli.
var larger = map[string]int{
	"cmd/cli":   49,
	"scenarios": 48,
}

// entry finds the declaration of a log format or of metrics. A file with one does not
// count: its package has a list of all of them, and adding one must not need room.
var entry = regexp.MustCompile(`(?m)^(var |\t)\w+ += (Format|\[\]catalog\.Metric)\{$`)

// checkPackages finds packages with too many files.
func checkPackages(t *tree) (problems []string) {
	files := map[string]int{}
	for _, s := range t.sources {
		if !s.isTest() && !s.isEntry {
			files[s.dir()]++
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(files)) {
		bound, isLarger := larger[dir]
		switch n := files[dir]; {
		case isLarger && n <= mostFiles:
			problems = append(problems, fmt.Sprintf("%s has %d files: strike its exception from the list of larger packages", dir, n))
		case n > max(bound, mostFiles):
			problems = append(problems, fmt.Sprintf("%s has %d files of Go without tests, more than %d: put a part of it into a package of its own", dir, n, max(bound, mostFiles)))
		}
	}
	return problems
}

// checkFolders finds folders at the root with more than a third of the product's
// code. Tests, their helpers, pages and benchmarks are not part of the product.
func checkFolders(t *tree) (problems []string) {
	lines, sum := map[string]int{}, 0
	for _, s := range t.sources {
		folder, _, _ := strings.Cut(s.path, "/")
		if s.isTest() || isHelper(s.dir()) || folder == "docs" || folder == "bench" {
			continue
		}
		lines[folder] += s.lines
		sum += s.lines
	}
	for _, folder := range slices.Sorted(maps.Keys(lines)) {
		if n := lines[folder]; 3*n > sum {
			problems = append(problems, fmt.Sprintf("%s has %d of the product's %d lines of code, more than a third: move a part of it to a folder where it fits", folder, n, sum))
		}
	}
	return problems
}
