package html

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// definition is the definition of a metric at its anchor in the glossary.
type definition struct {
	ID, Name, Unit, Formula, Doc, Better string
	place                                int // in the registry; unknown metrics come last
}

// Short returns the definition in one line, for tooltips.
func (d definition) Short() string {
	text := d.Doc
	if d.Formula != "" {
		text += " Formula: " + d.Formula + "."
	}
	return strings.TrimSpace(text)
}

// glossary collects the metrics that the page shows. The page defines these and
// no others.
type glossary struct {
	registry []catalog.Metric
	used     map[string]definition
}

func newGlossary(registry []catalog.Metric) *glossary {
	return &glossary{registry, map[string]definition{}}
}

// use adds a metric to the glossary and returns its definition.
func (g *glossary) use(name string) definition {
	if d, ok := g.used[name]; ok {
		return d
	}
	d := definition{ID: "metric-" + name, Name: name, Doc: "This version does not know the metric.", place: len(g.registry)}
	if i := slices.IndexFunc(g.registry, func(m catalog.Metric) bool { return m.Name == name }); i >= 0 {
		m := g.registry[i]
		d = definition{ID: d.ID, Name: name, Unit: m.Unit, Formula: m.Formula, Doc: m.Doc, place: i}
		switch {
		case m.Better < 0:
			d.Better = "lower is better"
		case m.Better > 0:
			d.Better = "higher is better"
		}
	}
	g.used[name] = d
	return d
}

// definitions returns the definitions in use, in the order of the registry.
func (g *glossary) definitions() []definition {
	var all []definition
	for _, d := range g.used {
		all = append(all, d)
	}
	slices.SortFunc(all, func(a, b definition) int {
		if a.place != b.place {
			return a.place - b.place
		}
		return strings.Compare(a.Name, b.Name)
	})
	return all
}
