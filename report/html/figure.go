package html

import (
	"fmt"
	"html/template"

	"github.com/limitgauge/limitgauge/sim/results"
)

// figure is one or more drawings under a title, with what their colours mean.
type figure struct {
	Title  string
	Note   string
	Legend []legendItem
	Grid   string // how drawings flow: "small" multiples, or "large" ones
	Plots  []template.HTML
}

// legendItem is a sample of a mark and its meaning.
type legendItem struct {
	Swatch template.HTML
	Name   string
}

func swatch(body func(*drawing)) template.HTML {
	d := newDrawing(22, 12)
	body(d)
	return template.HTML(`<svg class="swatch" viewBox="0 0 22 12" aria-hidden="true">` + d.b.String() + `</svg>`)
}

func swatchFill(class string) template.HTML {
	return swatch(func(d *drawing) { d.rect(class, 1, 1, 20, 10) })
}

func swatchLine(class string) template.HTML {
	return swatch(func(d *drawing) { d.line(class, 0, 6, 22, 6) })
}

func swatchUpright(class string) template.HTML {
	return swatch(func(d *drawing) { d.line(class, 11, 0, 11, 12) })
}

func swatchDot(class string) template.HTML {
	return swatch(func(d *drawing) { d.circle(class, 11, 6, 4.5) })
}

// referenceFirst orders what is drawn of a scenario: the reference, then the
// document's order; at most mostPanels of them, and how many were left out.
func referenceFirst[T any](doc *results.Document, s results.Scenario, rows []T, algorithm func(T) string) (kept []T, left int) {
	reference := references(doc, s)
	for _, first := range []bool{true, false} {
		for _, r := range rows {
			if reference[algorithm(r)] == first {
				kept = append(kept, r)
			}
		}
	}
	if len(kept) > mostPanels {
		return kept[:mostPanels], len(kept) - mostPanels
	}
	return kept, 0
}

// references are the names of the scenario's rows of the exact limiter.
func references(doc *results.Document, s results.Scenario) map[string]bool {
	names := map[string]bool{}
	for _, r := range doc.Results {
		if r.Scenario == s.Name {
			names[r.Algorithm] = r.Reference
		}
	}
	return names
}

// andMore says how many algorithms a figure leaves out.
func andMore(left int) string {
	if left == 0 {
		return ""
	}
	return fmt.Sprintf(" %d more algorithms are in the table.", left)
}
