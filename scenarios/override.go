package scenarios

import (
	"fmt"
	"slices"
)

// Overrides holds what a command line may change in a loaded file.
type Overrides struct {
	Seed         *uint64
	Replications *int
	Only         []string // names of scenarios; empty means all
}

// Override applies o to every scenario, with precedence over the file, and
// keeps only the requested scenarios. Effective includes the result.
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
