package attack

import (
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/limiters"
)

// Fault is a fault that the search has chosen.
type Fault struct {
	scenarios.Fault
	Until int64 // ns; the end also of a fault that states its length
	maker faultMaker
}

// faultMaker returns a fault of one kind between two instants in ns.
type faultMaker func(from, to int64) (Fault, error)

// faultTexts lists the faults that a search may choose: the kind, the field that
// holds the end or the length, and the other fields that make it total.
var faultTexts = []struct {
	kind, length string
	more         map[string]string
}{
	{"partition", "to", nil},
	{"store-down", "to", nil},
	{"server-restart", "down_for", nil},
	{"server-crash", "down_for", map[string]string{"noticed_after": "1d"}},
	{"report-loss", "to", map[string]string{"p": "100%"}},
	{"slow-server", "to", map[string]string{"factor": "1000000"}},
	{"store-latency", "to", map[string]string{"add": "1h"}},
	{"server-latency", "to", map[string]string{"add": "1h"}},
}

// faultsOf returns the faults that can affect the algorithm of a scenario.
func faultsOf(s *scenarios.Scenario) (makers []faultMaker) {
	l := limiters.Of(&s.Algorithms[0])
	for _, f := range faultTexts {
		if !l.IsAffectedBy(f.kind) {
			continue
		}
		fields := catalog.Find(scenarios.FaultKinds(), f.kind).Fields
		var maker faultMaker
		maker = func(from, to int64) (Fault, error) {
			texts := map[string]string{"from": units.FormatDuration(from), f.length: units.FormatDuration(to)}
			fault := scenarios.Fault{Kind: f.kind, From: from, To: to}
			if f.length != "to" {
				texts[f.length] = units.FormatDuration(to - from)
				fault.To = from
			}
			maps.Copy(texts, f.more)
			var err error
			fault.Values, err = scenarios.Options(fields, texts)
			return Fault{fault, to, maker}, err
		}
		makers = append(makers, maker)
	}
	return makers
}

// phasesOf returns the values without fields of the option phase of a scenario's
// algorithm, or nil if it has no such option.
func phasesOf(s *scenarios.Scenario) []string {
	field := phaseField(s)
	if field == nil {
		return nil
	}
	bare := lists.Where(field.Choices, func(choice catalog.Entry) bool { return len(choice.Fields) == 0 })
	return slices.Concat(field.Enum, catalog.Names(bare))
}

func phaseField(s *scenarios.Scenario) *catalog.Field {
	return catalog.Find(catalog.Find(sim.Catalog().Enforcements, s.Algorithms[0].Enforcement).Fields, "phase")
}
