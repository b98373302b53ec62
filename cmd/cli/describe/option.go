package describe

import (
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim"
)

// owner is a part of a scenario file that takes fields.
type owner struct {
	name   string // with its kind, such as "enforcement remote"
	fields []catalog.Field
}

// owners lists all parts of a scenario file and their fields.
func owners() []owner {
	all := sim.Catalog()
	var list []owner
	for _, kind := range []struct {
		name    string
		entries []catalog.Entry
	}{{"enforcement ", all.Enforcements}, {"counter ", all.Counters}, {"pattern ", all.Patterns}, {"fault ", scenarios.FaultKinds()}} {
		for _, e := range kind.entries {
			list = append(list, owner{kind.name + e.Name, e.Fields})
		}
	}
	return append(list,
		owner{"a policy", scenarios.PolicyFields()}, owner{"a topology", scenarios.TopologyFields()},
		owner{"an algorithm's definition", scenarios.AlgorithmFields()}, owner{"a traffic entry", scenarios.TrafficFields()},
		owner{"retries", scenarios.RetriesFields()}, owner{"a scenario", append(scenarios.RunFields(), scenarios.ScenarioFields()...)})
}

// optionNames lists the names of all options and fields, with repetitions.
func optionNames() (names []string) {
	for _, o := range owners() {
		names = append(names, catalog.Names(o.fields)...)
	}
	return names
}

// explainOption describes the options of a name, together with all that have
// them. Options with one description share it.
func explainOption(w *strings.Builder, name string) {
	type shared struct {
		field *catalog.Field
		in    []string
	}
	var list []*shared
	where := map[string]*shared{}
	for _, o := range owners() {
		f := catalog.Find(o.fields, name)
		if f == nil {
			continue
		}
		var text strings.Builder
		explainFields(&text, "", []catalog.Field{*f}, nil)
		s := where[text.String()]
		if s == nil {
			s = &shared{field: f}
			where[text.String()] = s
			list = append(list, s)
		}
		s.in = append(s.in, o.name)
	}
	if len(list) == 0 {
		return
	}
	w.WriteString(name + " (option)\n")
	for _, s := range list {
		title := strings.TrimSuffix(Wrap("Of "+strings.Join(s.in, ", "), "", 96), "\n")
		explainFields(w, title, []catalog.Field{*s.field}, nil)
	}
}
