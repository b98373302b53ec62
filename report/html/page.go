package html

import (
	"html/template"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// page holds the values of the template.
type page struct {
	Policy        string
	Style, Script template.HTML
	Title         string
	Partial       bool
	Verdict       verdict
	Lead          *lead // nil if the page begins with the verdict
	Scenarios     []scenario
	Curves        *curves
	Inputs        *table.Table // nil without rows, as are other tables
	Glossary      []definition
	Stamp         []fact
	Rerun         string
	Effective     string // the effective scenario file
}

// newGatePage returns the page of a gate. It always has a verdict.
func newGatePage(doc *results.Document, v gate.Verdicts, registry []catalog.Metric) *page {
	p := newPage(doc, v, registry)
	p.Title = strings.Replace(p.Title, "report", "gate", 1)
	p.Verdict.Expected, p.Lead = true, nil
	return p
}

// fact is a named value.
type fact struct{ Name, Value string }

// scenario is the section of one scenario.
type scenario struct {
	ID, Name, About string
	Mark            *status // the worst of its checks; nil without any
	Sentence        string
	Facts           []fact
	Warnings        []string
	Table           comparison
	Verdicts        []check
	Further         *further
	Figures         []*figure.Figure
	ByPolicy        *table.Table
	Rejections      *table.Table
	Worst           []string // the worst replication, and how to run it alone
}

func newPage(doc *results.Document, v gate.Verdicts, registry []catalog.Metric) *page {
	g := newGlossary(registry)
	ids := sectionIDs(doc)
	p := &page{
		Title:     title(doc.Stamp),
		Partial:   doc.Partial,
		Verdict:   newVerdict(v, ids, g),
		Inputs:    withRows(table.Inputs(doc)),
		Stamp:     stamp(doc.Stamp),
		Rerun:     doc.Stamp.Rerun,
		Effective: doc.Stamp.Scenario,
	}
	p.Verdict.measure(doc)
	p.Scenarios = lists.Map(doc.PerScenario(), func(part *results.Document) scenario {
		return newScenario(part, ids[part.Scenarios[0].Name], p.Verdict, g)
	})
	p.Lead = newLead(doc, p.Verdict, p.Scenarios)
	p.Curves = newCurves(doc, g)
	p.Glossary = g.definitions()
	return p
}

// newScenario builds the section of a part with one scenario.
func newScenario(doc *results.Document, id string, v verdict, g *glossary) scenario {
	s := doc.Scenarios[0]
	rows := doc.Rows(s.Name)
	labels := results.Labels(rows)
	out := scenario{
		ID: id, Name: s.Name, About: s.About,
		Sentence: table.Sentence(rows, catalog.Headline(), s.LimitUnit(rows)),
		Facts:    facts(s, rows),
		Warnings: s.Warnings,
		Table:    newComparison(id, s, rows, labels, g),
		Further:  newFurther(s, rows, labels, g),
		Worst:    table.WorstNote(doc, g.registry),
		Figures:  figures(figure.Of(doc, figure.Page)),
	}
	out.Verdicts = v.byScenario[s.Name]
	if worst, known := v.marks[s.Name]; known {
		mark := statusOf(worst)
		out.Mark = &mark
	}
	out.ByPolicy = withRows(table.ByPolicy(doc, nil, g.registry))
	if s.Keys > 1 {
		out.Rejections = withRows(table.Rejections(doc))
	}
	return out
}

// sectionIDs returns the anchors of the scenarios.
func sectionIDs(doc *results.Document) map[string]string {
	ids := map[string]string{}
	slugs := figure.Slugs(doc.Scenarios, func(s results.Scenario) string { return s.Name })
	for i, slug := range slugs {
		ids[doc.Scenarios[i].Name] = "scenario-" + slug
	}
	return ids
}

func title(s results.Stamp) string {
	switch s.ScenarioFile {
	case "", "-":
		return "limitgauge report"
	}
	return "limitgauge report: " + s.ScenarioFile
}

// facts returns what all rows of a scenario have in common.
func facts(s results.Scenario, rows []results.Result) []fact {
	policies := s.Policies
	if len(policies) == 0 {
		policies = []results.Policy{s.Policy}
	}
	out := lists.Map(policies, func(p results.Policy) fact { return fact{"policy " + p.Name, p.LimitText()} })
	most := 0
	for _, r := range rows {
		most = max(most, r.Replications)
	}
	return known(append(out,
		fact{"clients", strconv.Itoa(s.Clients)},
		fact{"servers", strconv.Itoa(s.Servers)},
		fact{"measured", format.Span(s.EndNs - s.StartNs)},
		fact{"keys", strconv.FormatInt(s.Keys, 10)},
		fact{"tenants", strconv.FormatInt(s.Tenants, 10)},
		fact{"replications", strconv.Itoa(most)},
		fact{"seed", strconv.FormatUint(s.Seed, 10)},
		fact{"metrics", s.MetricSet},
	))
}

func stamp(s results.Stamp) []fact {
	return known([]fact{
		{"tool", s.Tool + " " + s.Version},
		{"commit", s.Commit},
		{"scenario file", s.ScenarioFile},
		{"its SHA-256", s.ScenarioSHA256},
		{"seed", strconv.FormatUint(s.Seed, 10)},
	})
}

// known leaves out facts without a value.
func known(facts []fact) []fact {
	return slices.DeleteFunc(facts, func(f fact) bool { return f.Value == "" })
}

// withRows returns nil for a table without rows.
func withRows(t table.Table) *table.Table {
	if len(t.Rows) == 0 {
		return nil
	}
	return &t
}
