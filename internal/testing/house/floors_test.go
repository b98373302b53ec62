package house

import (
	"fmt"
	"path"
	"slices"
	"strings"
)

// storeys orders the folders in one folder. A package may import those of lower
// floors, and of its own folder, but neither those beside it nor those above.
type storeys struct {
	in     string     // the folder; "" is the root
	floors [][]string // from the ground; "." is the package of the folder itself
	free   []string   // folders that import anything
	shown  []string   // folders that the rest of the module may import; nil means all
}

// plan holds the floors of the tree: of the root, and of the folders that are in parts.
var plan = []storeys{
	{
		floors: [][]string{
			{"internal", "scenarios"},
			{"algorithms", "logs"},
			{"sim"},
			{"report"},
			{"gauge", "live"},
			{"search", "bench"},
			{"check"},
			{"cmd"},
		},
		free: []string{"docs"}, // its tests and generators read everything
	},
	{
		in:     "logs",
		floors: [][]string{{"jsontext", "text"}, {"times", "kept"}, {"formats"}, {"."}},
		shown:  []string{".", "jsontext"},
	},
	{
		in:     "cmd",
		floors: [][]string{{"explore", "sibling"}, {"cli"}, {"."}, {"limitgauge", "limitgauge-live"}},
		shown:  []string{".", "cli", "explore", "sibling"},
	},
	{
		in:     "cmd/cli",
		floors: [][]string{{"usage"}, {"terminal"}, {"describe"}, {"inputs"}, {"workers"}, {"."}},
		shown:  []string{"."},
	},
}

// checkFloors finds imports of folders that are on the same floor or above, and
// imports from outside of folders that others do not show. Tests import anything.
func checkFloors(t *tree) (problems []string) {
	for _, s := range t.sources {
		if s.isTest() {
			continue
		}
		for _, imported := range s.imports {
			for _, h := range plan {
				if problem := h.check(s.dir(), imported); problem != "" {
					problems = append(problems, s.path+problem)
				}
			}
		}
	}
	return problems
}

// check returns what is wrong with a package of folder from that imports folder to.
func (h storeys) check(from, to string) string {
	target, ok := h.part(to)
	if !ok {
		return ""
	}
	if h.floor(target) < 0 {
		return fmt.Sprintf(" imports %s, which has no floor: give it one in internal/testing/house", to)
	}
	source, inside := h.part(from)
	switch {
	case !inside && h.shown != nil && !slices.Contains(h.shown, target):
		return fmt.Sprintf(" imports %s, a part of %s that it alone imports", to, h.in)
	case inside && source != target && !slices.Contains(h.free, source) && h.floor(source) <= h.floor(target):
		return fmt.Sprintf(" imports %s, which is not below it: the floors are %s", to, h)
	}
	return ""
}

// part returns the folder of h that holds dir, and whether there is one.
func (h storeys) part(dir string) (string, bool) {
	if h.in == "" {
		first, _, _ := strings.Cut(dir, "/")
		return first, h.floor(first) >= 0 || slices.Contains(h.free, first)
	}
	if !under(dir, h.in) {
		return "", false
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(dir, h.in), "/")
	first, _, _ := strings.Cut(rest, "/")
	return path.Clean(first), true
}

// floor returns the number of a folder's floor, -1 if it has none.
func (h storeys) floor(part string) int {
	return slices.IndexFunc(h.floors, func(floor []string) bool { return slices.Contains(floor, part) })
}

// String returns the floors from the ground: "jsontext, text < times".
func (h storeys) String() string {
	var floors []string
	for _, floor := range h.floors {
		floors = append(floors, strings.Join(floor, ", "))
	}
	return strings.Join(floors, " < ")
}

// checkPrograms finds packages of the simulation that import the limiters of users
// in programs of their own: a simulation depends on its scenario file alone.
func checkPrograms(t *tree) (problems []string) {
	const programs = "sim/outside/process"
	for _, s := range t.sources {
		if !s.isTest() && under(s.dir(), "sim") && s.dir() != programs && slices.Contains(s.imports, programs) {
			problems = append(problems, fmt.Sprintf("%s imports %s: a command passes its limiters to sim", s.path, programs))
		}
	}
	return problems
}
