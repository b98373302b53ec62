package explore

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/html"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Question is what the page asks: the figures of a view.
type Question struct {
	View    View     `json:"view"`
	Pinned  *View    `json:"pinned,omitempty"` // to compare with, if Preview is not set
	Preview bool     `json:"preview,omitempty"`
	Shape   string   `json:"shape,omitempty"`   // of the knobs that the page has
	ID      string   `json:"id,omitempty"`      // begins the identifiers of elements
	Figures []string `json:"figures,omitempty"` // to draw, by name
}

// Answer holds what the page shows.
type Answer struct {
	About      string            `json:"about"`
	Preview    string            `json:"preview,omitempty"` // what it leaves out; "" if nothing
	Runs       string            `json:"runs"`              // 10 replications of 30 s, seed 1
	TookMs     float64           `json:"took_ms"`
	Sentence   string            `json:"sentence"`
	Warnings   []string          `json:"warnings,omitempty"`
	Table      template.HTML     `json:"table"`
	Figures    []html.FigurePart `json:"figures"`
	Pinned     []html.FigurePart `json:"pinned,omitempty"` // of the pinned view, on the same scales
	Difference template.HTML     `json:"difference,omitempty"`
	Controls   *Controls         `json:"controls,omitempty"` // nil if the page has them
}

// Controls holds what the page makes its knobs of.
type Controls struct {
	Shape     string   `json:"shape"`
	Groups    []Group  `json:"groups"`
	Knobs     []Knob   `json:"knobs"`
	Rows      []string `json:"rows"`      // algorithms of the view
	FileRows  []string `json:"file_rows"` // algorithms of the file
	Faults    []string `json:"faults"`    // of the view, as YAML
	NewFaults []Option `json:"new_faults"`
}

// id begins the identifiers of elements; it must not break out of them.
func validID(id string) bool { return id == "" || id == "a" || id == "b" }

// Answer answers a question.
func (e *Explorer) Answer(ctx context.Context, q Question) (*Answer, error) {
	start := time.Now()
	if !validID(q.ID) {
		return nil, refuse("", "id: want a or b")
	}
	f, text, err := e.bind(q.View)
	if err != nil {
		return nil, err
	}
	s := &f.Scenarios[0]
	a := &Answer{About: s.About}
	d := e.known(string(text))
	if d == nil && q.Preview {
		d, a.Preview, err = e.previewed(ctx, q.View, s)
	}
	if d == nil && err == nil {
		d, err = e.full(ctx, q.View.Scenario, text)
	}
	if err != nil {
		return nil, err
	}
	base, refused, err := e.pinned(ctx, q, a.Preview == "")
	if err != nil {
		return nil, err
	}
	part := d.PerScenario()[0]
	parts, err := html.PartsOf(part, base, q.ID+"answer", e.o.Metrics, func(name string) bool { return slices.Contains(q.Figures, name) })
	if err != nil {
		return nil, err
	}
	a.Sentence, a.Warnings, a.Table = parts.Sentence, slices.Concat(parts.Warnings, refused), parts.Table
	a.Figures, a.Pinned = parts.Figures, parts.Beside
	a.Runs = runs(part.Scenarios[0], part)
	if base != nil && a.Preview == "" {
		if a.Difference, err = e.difference(base, d); err != nil {
			return nil, err
		}
	}
	if c := e.controls(q.View.Scenario, s); c.Shape != q.Shape {
		a.Controls = c
	}
	a.TookMs = float64(time.Since(start).Microseconds()) / 1000
	return a, nil
}

// pinned returns the document of the pinned view of a question, nil if there is none; while
// knobs move, only one that is kept. A view that cannot run is a warning.
func (e *Explorer) pinned(ctx context.Context, q Question, still bool) (d *results.Document, warnings []string, err error) {
	if q.Pinned == nil {
		return nil, nil, nil
	}
	if !still {
		if _, text, err := e.bind(*q.Pinned); err == nil {
			d = e.known(string(text))
		}
		return d, nil, nil
	}
	d, err = e.document(ctx, *q.Pinned)
	if refused, ok := errors.AsType[*Refused](err); ok {
		return nil, []string{"A cannot run: " + refused.Error()}, nil
	}
	return d, nil, err
}

// previewed returns a document of a part of the run, and says of which. Where a shorter
// duration does not fit the settings, it is left as it is.
func (e *Explorer) previewed(ctx context.Context, v View, s *scenarios.Scenario) (*results.Document, string, error) {
	shorter, said := e.preview(v, s)
	if said == "" {
		return nil, "", nil
	}
	f, err := e.load(shorter)
	if err != nil { // a time of the scenario lies behind the shorter end
		shorter, said = v.with([2]string{"replications", "1"}), fmt.Sprintf("1 of %d replications", s.Replications)
		if f, err = e.load(shorter); err != nil {
			return nil, "", err
		}
	}
	d, err := e.run(ctx, v.Scenario, f)
	return d, said, err
}

// runs says what figures are the means of.
func runs(s results.Scenario, d *results.Document) string {
	most := 0
	for _, r := range d.Results {
		most = max(most, r.Replications)
	}
	return fmt.Sprintf("%s, %s measured, seed %d", format.Count(most, "replication"), format.Span(s.EndNs-s.StartNs), s.Seed)
}

// controls returns the knobs of a scenario.
func (e *Explorer) controls(name string, s *scenarios.Scenario) *Controls {
	k := knobsOf(s, e.o.Catalog, e.values[name])
	c := &Controls{Groups: k.groups, Knobs: k.list, NewFaults: faultOptions(s)}
	nameOf := func(a scenarios.Algorithm) string { return a.Name }
	c.Rows, c.FileRows = lists.Map(s.Algorithms, nameOf), lists.Map(e.files[name].Scenarios[0].Algorithms, nameOf)
	c.Faults = lists.Map(s.Faults, func(f scenarios.Fault) string {
		return scenarios.ValueText(&catalog.Field{Kind: catalog.Union, Choices: scenarios.FaultKinds()}, catalog.Choice{Name: f.Kind, Values: f.Values})
	})
	// The values of sliders are known to the page; all else changes what it shows.
	var shape strings.Builder
	for _, knob := range c.Knobs {
		shape.WriteString(knob.Path + "\n")
		if knob.Kind != "slider" {
			shape.WriteString(knob.Value + "\n")
		}
	}
	shape.WriteString(strings.Join(slices.Concat(c.Rows, []string{"", name}), "\n"))
	sum := sha256.Sum256([]byte(shape.String()))
	c.Shape = hex.EncodeToString(sum[:8])
	return c
}
