package describe

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
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
func optionNames() []string {
	return slices.Concat(lists.Map(owners(), func(o owner) []string { return catalog.Names(o.fields) })...)
}

// explainOption describes the options of a name, together with all that have
// them. Options with one description share it.
func explainOption(w *strings.Builder, name string) {
	var in groups.Groups[string, string] // the names of owners by the description
	fields := map[string][]catalog.Field{}
	for _, o := range owners() {
		if f := catalog.Find(o.fields, name); f != nil {
			var text strings.Builder
			explainFields(&text, "", []catalog.Field{*f}, nil)
			in.Add(text.String(), o.name)
			fields[text.String()] = []catalog.Field{*f}
		}
	}
	if len(in.Keys) == 0 {
		return
	}
	w.WriteString(name + " (option)\n")
	for _, text := range in.Keys {
		title := strings.TrimSuffix(usage.Wrap("Of "+strings.Join(in.Of[text], ", "), "", 96), "\n")
		explainFields(w, title, fields[text], nil)
	}
}
