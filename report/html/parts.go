package html

import (
	"html/template"

	"github.com/limitgauge/limitgauge/report/figure"
	"github.com/limitgauge/limitgauge/report/gate"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Style and Script are those of every page. Other pages with parts of this one add their
// own after them. A part that a script adds later must dispatch the event "added", which
// bubbles, to get its sorting and its readouts.
func Style() string { return styleText }

// Script returns the script of every page; see Style.
func Script() string { return scriptText }

// Parts holds the section of one scenario in pieces, for pages that lay them out in
// another way.
type Parts struct {
	Sentence string
	Warnings []string
	Table    template.HTML // of the headline metrics, with its notes and definitions
	Figures  []FigurePart
	Beside   []FigurePart // those of the document beside, on the same scales; nil without one
}

// FigurePart is a figure of a page.
type FigurePart struct {
	Name  string        `json:"name"` // what the figure shows: timeline, accuracy
	Title string        `json:"title"`
	HTML  template.HTML `json:"html,omitempty"` // "" if it is not drawn
}

// PartsOf returns the parts of a document's only scenario. id begins the identifiers of
// its elements; drawn selects the figures to draw, by name. beside is a document of the same
// scenario to compare the figures with, or nil.
func PartsOf(doc, beside *results.Document, id string, registry []catalog.Metric, drawn func(name string) bool) (*Parts, error) {
	g := newGlossary(registry)
	s := newScenario(doc, id, newVerdict(gate.Verdicts{}, nil, g), g)
	p := &Parts{Sentence: s.Sentence, Warnings: s.Warnings}
	var err error
	if p.Table, err = part("headline", s); err != nil {
		return nil, err
	}
	if beside != nil {
		others := figures(figure.Of(beside, figure.Page))
		for _, f := range s.Figures {
			for _, other := range others {
				figure.SameAxes(f, other)
			}
		}
		if p.Beside, err = figureParts(others, drawn); err != nil {
			return nil, err
		}
	}
	p.Figures, err = figureParts(s.Figures, drawn)
	return p, err
}

func figureParts(list []*figure.Figure, drawn func(name string) bool) (parts []FigurePart, err error) {
	for _, f := range list {
		one := FigurePart{Name: f.Name, Title: f.Title}
		if drawn(f.Name) {
			if one.HTML, err = part("figure", f); err != nil {
				return nil, err
			}
		}
		parts = append(parts, one)
	}
	return parts, nil
}

// Figures returns figures as pages show them, without those that show nothing.
func Figures(builders []figure.Builder) ([]FigurePart, error) {
	return figureParts(figures(builders), func(string) bool { return true })
}

// TablePart returns a table as pages show it, with its title and notes.
func TablePart(t table.Table) (template.HTML, error) { return part("whole", t) }

// part executes one of the page's templates.
func part(name string, data any) (template.HTML, error) {
	out, err := execute(pageTemplate(), name, data)
	return template.HTML(out), err
}
