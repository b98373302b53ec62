package scenarios

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Overrides holds what a command line may change in a loaded file.
type Overrides struct {
	Seed         *uint64
	Replications *int
	Only         []string // names of scenarios; empty means all
	Sets         []string // settings of these scenarios, as PATH=VALUE; LoadSound sets them
	Full         []string // metrics of the full set to show: it is measured if there are any
}

// Override applies o to every scenario, with precedence over the file, and
// keeps only the requested scenarios. Effective includes the result. The settings are
// those with which the file was loaded.
func (f *File) Override(o Overrides) error {
	if r := o.Replications; r != nil && (*r < 1 || *r > 10000) {
		return fmt.Errorf("replications must be from 1 to 10000, not %d", *r)
	}
	keep, err := f.only(o.Only)
	if err != nil {
		return err
	}
	f.Scenarios = keep
	f.keepCurves()
	if o.Seed != nil {
		f.Seed = *o.Seed
	}
	for i := range f.Scenarios {
		f.Scenarios[i].Full = f.Scenarios[i].Full || len(o.Full) > 0
		if o.Seed != nil {
			f.Scenarios[i].Seed = *o.Seed
		}
		if o.Replications != nil {
			f.Scenarios[i].Replications = *o.Replications
		}
	}
	return nil
}

// only returns the scenarios with the given names, in the order of the file.
func (f *File) only(wanted []string) ([]Scenario, error) {
	if len(wanted) == 0 {
		return f.Scenarios, nil
	}
	known := mapped(f.Scenarios, func(s Scenario) string { return s.Name })
	for _, name := range wanted {
		if !slices.Contains(known, name) {
			return nil, unknownName("scenario", name, known)
		}
	}
	return slices.DeleteFunc(slices.Clone(f.Scenarios), func(s Scenario) bool { return !slices.Contains(wanted, s.Name) }), nil
}

// ofCommandLine begins the field of a problem of a setting of a command line.
const ofCommandLine = "--set "

// parseSet splits PATH=VALUE. No value leaves the setting out.
func parseSet(text string) (Set, error) {
	path, value, ok := strings.Cut(text, "=")
	if path = strings.TrimSpace(path); !ok || path == "" {
		return Set{}, errors.New("want PATH=VALUE, such as policy.limit=500/s, or ROW.OPTION=VALUE, such as batch.interval=50ms")
	}
	return Set{path, strings.TrimSpace(value)}, nil
}

// withSets returns the file with the settings of a command line in the scenarios that it
// keeps.
func (l *loader) withSets(root *node, o Overrides) *node {
	for _, text := range o.Sets {
		at := place{path: &path{name: ofCommandLine + text}}
		set, err := parseSet(text)
		if err == nil {
			root, err = l.setInEach(root, set, o.Only, at)
		}
		if err != nil {
			l.report(at, "%v", err)
		}
	}
	return root
}

// setInEach returns the file with a setting in the scenarios of these names, or in all. A
// setting of an algorithm is one of the scenarios that compare it. With an error it returns
// the file as it was.
func (l *loader) setInEach(root *node, set Set, only []string, at place) (*node, error) {
	list := *cmp.Or(root.get("scenarios"), &node{})
	list.items = slices.Clone(list.items)
	var chosen []int
	var rows []string // of all chosen ones
	for i, s := range list.items {
		if len(only) > 0 && !slices.Contains(only, nameOf(s)) {
			continue
		}
		chosen = append(chosen, i)
		for _, row := range rowsOf(s) {
			if !slices.Contains(rows, row) {
				rows = append(rows, row)
			}
		}
	}
	if _, err := fullPath(set.Path, rows); err != nil {
		return root, err
	}
	changed := root
	var missing error
	done := false
	for _, i := range chosen {
		s := list.items[i]
		path, err := fullPath(set.Path, rowsOf(s))
		if err != nil {
			continue // a row of another scenario
		}
		one, err := l.apply(withScenario(changed, s), Set{path, set.Value}, at)
		switch {
		case err == nil:
			changed, list.items[i], done = one, onlyScenario(one), true
		case strings.HasPrefix(path, "algorithms."):
			missing = err
		case len(list.items) > 1:
			return root, fmt.Errorf("%w, in scenario %s", err, Clip(nameOf(s)))
		default:
			return root, err
		}
	}
	if !done {
		return root, missing
	}
	return changed.withField("scenarios", &list), nil
}

// nameOf and rowsOf return the name and the rows of a scenario.
func nameOf(s *node) string { return cmp.Or(s.get("name"), &node{}).text }
func rowsOf(s *node) []string {
	return mapped(s.list("algorithms"), func(item *node) string { return item.text })
}

// fullPath returns the path of a setting of the scenario, or the path itself if it is none.
func (s *Scenario) fullPath(path string) string {
	full, _ := fullPath(path, mapped(s.Algorithms, func(a Algorithm) string { return a.Name }))
	return cmp.Or(full, path)
}

// fullPath returns the path of a setting in a scenario with these rows, one of which it may
// begin with: batch.interval is algorithms.batch.interval.
func fullPath(path string, rows []string) (string, error) {
	first := firstField(path)
	if fields := slices.Concat(FileFields(), ScenarioFields()); catalog.Find(fields, first) != nil {
		return path, nil
	}
	// A name may have dots.
	if slices.ContainsFunc(rows, func(name string) bool { return strings.HasPrefix(path, name+".") }) {
		return "algorithms." + path, nil
	}
	if slices.Contains(rows, path) {
		return "", fmt.Errorf("is a row: want an option of it, such as %s.burst", Clip(path))
	}
	hint := Suggest(first, append(catalog.Names(ScenarioFields()), rows...))
	if hint == "" && len(rows) > 0 && first == path {
		hint = fmt.Sprintf(": an option of a row begins with the row, such as %s.%s", rows[0], Clip(path))
	}
	return "", fmt.Errorf("%s is neither a field of a scenario nor one of its rows (%s)%s", Clip(first), strings.Join(rows, ", "), hint)
}
