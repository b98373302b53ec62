package html

import (
	"maps"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// definition is the definition of a metric at its anchor in the glossary.
type definition struct {
	ID, Name, Unit, Formula, Doc, Better string
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
	d := definition{ID: "metric-" + name, Name: name, Doc: "This version does not know the metric."}
	if m := catalog.Find(g.registry, name); m != nil {
		d.Unit, d.Formula, d.Doc = m.Unit, m.Formula, m.Doc
		d.Better = map[int]string{-1: "lower is better", +1: "higher is better"}[m.Better]
	}
	g.used[name] = d
	return d
}

// definitions returns the definitions in use, in the order of the registry.
func (g *glossary) definitions() []definition {
	return lists.Map(table.InOrder(maps.Keys(g.used), g.registry), func(name string) definition { return g.used[name] })
}
