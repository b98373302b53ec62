package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
)

// View is what a page asks about: a scenario of the file, and what differs from the file.
type View struct {
	Scenario string      `json:"scenario"`
	Rows     []string    `json:"rows,omitempty"`   // algorithms; nil for those of the file
	Faults   []string    `json:"faults,omitempty"` // each as YAML; nil for those of the file
	NoFaults bool        `json:"nofaults,omitempty"`
	Sets     [][2]string `json:"sets,omitempty"` // path and value, in order
}

// The limits of a view keep what one request can ask for small.
const (
	mostSets   = 300
	mostRows   = 40
	mostFaults = 20
	mostValue  = 4096 // bytes
)

// check returns an error if the view is larger than any that the page makes.
func (v *View) check() error {
	switch {
	case len(v.Sets) > mostSets:
		return fmt.Errorf("%d settings, want at most %d", len(v.Sets), mostSets)
	case len(v.Rows) > mostRows:
		return fmt.Errorf("%d algorithms, want at most %d", len(v.Rows), mostRows)
	case len(v.Faults) > mostFaults:
		return fmt.Errorf("%d faults, want at most %d", len(v.Faults), mostFaults)
	}
	for _, s := range v.Sets {
		if len(s[0]) > mostValue || len(s[1]) > mostValue {
			return fmt.Errorf("a setting is longer than %d bytes", mostValue)
		}
	}
	return nil
}

// sets returns the view as settings of the scenario: first what changes which settings
// there are.
func (v *View) sets() (list []scenarios.Set) {
	if v.Rows != nil {
		list = append(list, scenarios.Set{Path: "algorithms", Value: "[" + strings.Join(lists.Map(v.Rows, scenarios.Quote), ", ") + "]"})
	}
	switch {
	case v.NoFaults:
		list = append(list, scenarios.Set{Path: "faults"})
	case v.Faults != nil:
		list = append(list, scenarios.Set{Path: "faults", Value: "[" + strings.Join(v.Faults, ", ") + "]"})
	}
	return append(list, lists.Map(v.Sets, func(s [2]string) scenarios.Set { return scenarios.Set{Path: s[0], Value: s[1]} })...)
}

// with returns the view with further values.
func (v View) with(sets ...[2]string) View {
	v.Sets = slices.Concat(v.Sets, sets)
	return v
}
