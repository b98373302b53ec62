// Package figure describes each figure of a report as data: panels with axes,
// marks, a legend and notes, made from a results document. It also lays out a
// panel on a Canvas. The packages figure/png and figure/svg implement Canvas. A
// new figure needs a file here and a line in kinds.
//
// The package makes no promise: it can change at any time.
package figure

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// Figure is a set of panels under one title and legend.
type Figure struct {
	Name     string // end of the file name of a picture: "timeline"
	Scenario string
	Setting  string // limit and seed of the scenario
	Title    string
	Subtitle string // which data it shows
	Note     string // how to read it
	Legend   []Entry
	Panels   []Panel
	Shared   bool // all panels have the same axes

	Columns       int     // of panels in a picture
	Width, Height float64 // of a panel on a page, in pixels
	PageOnly      bool    // a page shows the figure, but there is no picture of it
}

// Panel is one plot of a figure.
type Panel struct {
	Title   string
	Alt     string // describes the panel to a screen reader
	X, Y    Axis
	Marks   []Mark
	Fields  bool     // marks are fields of a heat map, 1 wide and high
	Readout *Readout // values along X that a page shows under the pointer; nil without
}

// Readout holds the values that a page shows for the bin under the pointer.
type Readout struct {
	Name    string
	StartNs int64
	StepNs  int64
	Format  string      // of one step's values, each written as %s
	Values  [][]float64 // by series, then by step
}

// Entry explains a mark in a legend.
type Entry struct {
	Label  string
	Paint  Paint
	Sample Sample
}

// Medium is the kind of output that a figure is for. It determines how much one
// figure shows.
type Medium int

const (
	Picture Medium = iota // one image of 1200 x 800 pixels for all panels
	Page                  // panels of a fixed size that flow on a page
)

// panels returns the largest number of panels that a figure shows readably.
func (m Medium) panels() int {
	if m == Page {
		return 24
	}
	return 15
}

// kinds lists the figures of a part of a document that holds one scenario, in
// the order of a report. A figure is nil if the part has no data for it.
var kinds = []struct {
	name  string
	build func(*results.Document, Medium) *Figure
}{
	{"accuracy", accuracy},
	{"frontier", frontier},
	{"jobs", jobs},
	{"calls", calls},
	{"latency", latency},
	{"shares", shares},
	{"client-shares", clientShares},
	{"settlement", settlement},
	{"server-loads", serverLoads},
	{"guard", guard},
}

// Builder makes one figure when it is called. It returns nil if there is no
// data for it.
type Builder func() *Figure

// Of returns builders for the figures of a part of a document that holds one scenario, in
// order: the refusals of a log's keys, timelines of single keys, those of all policies
// together, then a timeline of each policy. Builders may run concurrently.
func Of(part *results.Document, m Medium) []Builder {
	s := part.Scenarios[0]
	list := timelinesOfKeys(part, m)
	if len(refusedKeys(part)) > 0 {
		list = slices.Insert(list, 0, func() *Figure { return named(refused(part, m), "refused", s) })
	}
	list = append(list, func() *Figure { return sumTimeline(part, m, "timeline", "") })
	for _, k := range kinds {
		list = append(list, func() *Figure { return named(k.build(part, m), k.name, s) })
	}
	slugs := Slugs(s.Policies, func(p results.Policy) string { return p.Name })
	for i, alone := range part.PerPolicy() {
		list = append(list, func() *Figure {
			return sumTimeline(alone, m, slugs[i]+"-timeline", ", policy "+s.Policies[i].Name)
		})
	}
	return list
}

// named completes a figure with what all figures of a scenario have in common.
func named(f *Figure, name string, s results.Scenario) *Figure {
	if f == nil {
		return nil
	}
	f.Name, f.Scenario = name, s.Name
	f.Setting = fmt.Sprintf("seed %d", s.Seed)
	if limit := s.LimitText(); limit != "" {
		f.Setting = "limit " + limit + " · " + f.Setting
	}
	return f
}

// Heading returns the title with the scenario's name, for a figure outside a
// page. A figure of all scenarios has its title alone.
func (f *Figure) Heading() string {
	if f.Scenario == "" {
		return f.Title
	}
	return f.Scenario + ": " + withFirst(strings.ToLower, f.Title)
}

// Caption returns a text that names the data of the figure and explains how to
// read it.
func (f *Figure) Caption() string {
	if f.Subtitle == "" {
		return f.Note
	}
	return strings.TrimSpace(withFirst(strings.ToUpper, f.Subtitle) + ". " + f.Note)
}

// withFirst changes the first letter of a text.
func withFirst(change func(string) string, text string) string {
	_, size := utf8.DecodeRuneInString(text)
	return change(text[:size]) + text[size:]
}

// references returns the names of a part's rows of the reference.
func references(part *results.Document) map[string]bool {
	names := map[string]bool{}
	for _, r := range part.Results {
		names[r.Algorithm] = r.Reference
	}
	return names
}

// referenceLine returns the paint of the line of a reference, another one if it shapes.
func referenceLine(doc *results.Document, name string) Paint {
	if slices.ContainsFunc(doc.Results, func(r results.Result) bool { return r.Algorithm == name && r.Waiting != "" }) {
		return ShaperLine
	}
	return ReferenceLine
}

// referenceFirst moves the rows of the reference to the front. Otherwise rows
// stay in the order of the document.
func referenceFirst[T any](part *results.Document, rows []T, algorithm func(T) string) {
	reference := references(part)
	rank := func(row T) int {
		if reference[algorithm(row)] {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(rows, func(a, b T) int { return rank(a) - rank(b) })
}

// first returns a row's figure in the first replication, which pictures of courses, shares
// and distributions show; NaN if it has none.
func first(part *results.Document, algorithm, metric string) float64 {
	for _, r := range part.Results {
		if v := r.Summary(metric).Values; r.Algorithm == algorithm && len(v) > 0 && v[0] != nil {
			return *v[0]
		}
	}
	return math.NaN()
}

// firstText returns words and a row's figure in the first replication, or "" if it has none.
func firstText(part *results.Document, algorithm, metric, words string) string {
	if x := first(part, algorithm, metric); !math.IsNaN(x) {
		return words + format.Number(x)
	}
	return ""
}

// atMost returns the first rows up to a limit, and a text that counts the
// others.
func atMost[T any](rows []T, limit int) (kept []T, more string) {
	if left := len(rows) - limit; left > 0 {
		return rows[:limit], fmt.Sprintf(" · %d more %s %s in the table", left, format.Plural(left, "algorithm"), format.Verb(left, "is", "are"))
	}
	return rows, ""
}
