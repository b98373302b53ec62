package figure

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/results"
)

// accuracy shows the headline metrics side by side, or goodput where the backend has a
// deadline, and the fairness of tenants,
// or else of clients, where there is one: a bar with its 95 % interval and its
// value for each algorithm.
func accuracy(part *results.Document, m Medium) *Figure {
	rows := part.Rows(part.Scenarios[0].Name)
	if len(rows) == 0 {
		return nil
	}
	subtitle := replications(rows)
	if m == Picture {
		var more string
		rows, more = atMost(rows, 2*m.panels())
		subtitle += more
	}
	f := &Figure{
		Title:    "How far over and under the limit",
		Subtitle: subtitle,
		Note:     "Read them together: what a limiter gains on one it pays for with another. Shorter is better.",
		Legend:   rowsLegend(rows, Area),
		Columns:  4, Width: 430, Height: rowsHeight(24, len(rows)),
	}
	shown := []sweptMetric{
		{"over_limit_pct", "over-limit", "% of the limit, saturated windows"},
		{"burst_excess", "burst excess", part.Scenarios[0].LimitUnit(rows) + " beyond the policy's"},
		{"over_admission_pct", "over-admission", "% of what the reference admits"},
		{"under_admission_pct", "under-admission", "% of what the reference admits"},
	}
	if part.Scenarios[0].BestFixed != nil {
		f.Title, f.Note = "Good answers, and what they cost", "Good answers: longer is better. In the other panels shorter is better. An answer is good within the deadline of the backend."
		f.Legend[0].Label = "references: the exact limiter of the policy, the best fixed limit"
		shown = slices.DeleteFunc([]sweptMetric{
			{"goodput_per_s", "good answers", "per second"},
			{"goodput_lost_pct", "lost", "good answers of 100 requests, against best-fixed"},
			{"rejected_pct", "refused", "% of requests"},
			{"answer_p99_ms", "p99 of answers", "ms from arrival to answer"},
		}, func(m sweptMetric) bool { return !results.HasFigure(rows, m.metric) })
	}
	f.Panels = lists.Map(shown, func(one sweptMetric) Panel { return bars(rows, one.metric, one.title, one.axis) })
	for _, of := range []string{"tenant", "client"} {
		if metric := "fairness_" + of + "_run_min"; len(f.Panels) == 4 && results.HasFigure(rows, metric) {
			f.Panels = append(f.Panels, bars(rows, metric, "fairness of "+of+"s", "least admitted / fair share; 1 is fair"))
			f.Note = strings.Replace(f.Note, "Shorter is better.", "Shorter is better, except for fairness.", 1)
		}
	}
	f.Columns = len(f.Panels)
	return f
}

// rowsLegend explains a figure with a mark and an interval for each row.
func rowsLegend(rows []results.Result, s Sample) []Entry {
	if slices.ContainsFunc(rows, func(r results.Result) bool { return r.Live != nil }) {
		return []Entry{
			{"reference: the exact limiter", Reference, s}, {"measured: a real limiter", measured, s}, {"simulated", Algorithm, s},
			{"measured: certified to possible; simulated: 95 % interval", Interval, WhiskerSample},
		}
	}
	return []Entry{
		{"reference: the exact limiter", Reference, s}, {"algorithm", Algorithm, s}, {"95 % interval", Interval, WhiskerSample},
	}
}

// rowsHeight returns the height of a panel with this many rows, on a page.
// pitch is the height of a row in pixels.
func rowsHeight(pitch float64, rows int) float64 { return 60 + pitch*float64(rows) }

// replications returns a text with the number of runs that the means cover.
func replications(rows []results.Result) string {
	most, noDraws := 0, "exact: no random draws"
	for _, r := range rows {
		noDraws = r.NoDraws(noDraws)
		if !r.Exact && r.Live == nil {
			most = max(most, r.Replications)
		}
	}
	switch most {
	case 0:
		return noDraws
	case 1:
		return "one random run, no intervals"
	}
	return fmt.Sprintf("mean over %d replications", most)
}

func bars(rows []results.Result, metric, title, axis string) Panel {
	p := Panel{
		Title: title,
		Alt:   title + " of each algorithm, in " + axis + "; the table has the figures",
		X:     Axis{Label: axis, Grid: true},
		Y:     Axis{Rows: results.Labels(rows)},
	}
	longest := 0.0
	for i, r := range rows {
		s, row := r.Summary(metric), float64(i)
		shapes := []Shape{Value{Row: row, Words: "no data", Soft: true}}
		if s.Mean != nil {
			mean, end := max(0, *s.Mean), max(0, *s.Mean)
			shapes = []Shape{Bar{paintOf(r), row, 0, mean, 0.32, 21}}
			if hasWidth(s) {
				shapes = append(shapes, Whisker{Y: row, Lo: max(0, *s.Lo), Hi: max(0, *s.Hi)})
				end = max(end, *s.Hi)
			}
			words := format.Cell(s.Mean, s.Spread())
			if s.Bounds {
				words = format.Between(*s.Lo, *s.Hi)
			}
			shapes = append(shapes, Value{Row: row, X: end, Words: words})
			longest = max(longest, min(end/(1-share(words)), largestDraw))
		}
		p.Marks = append(p.Marks, Mark{fmt.Sprintf("%s, %s: %s", r.Label(), title, InWords(s)), 0, row, shapes})
	}
	// An axis whose end is too small for a float64 would show everything as 0.
	if longest < 1e-100 {
		longest = 1
	}
	p.X.Hi = longest
	p.X.tick(6)
	return p
}

// share returns the part of a panel's width that a value takes behind its bar, where
// five panels share a page.
func share(words string) float64 {
	const letter, panel = 6.5, 165.0 // pixels
	return min(0.7, (10+letter*float64(len([]rune(words))))/panel)
}

// measured is the paint of rows of real limiters.
var measured = Series(2)

func paintOf(r results.Result) Paint {
	switch {
	case r.Reference:
		return Reference
	case r.Live != nil:
		return measured
	}
	return Algorithm
}

// hasWidth reports whether a summary has an interval or bounds of a width above 0.
func hasWidth(s results.Summary) bool { return s.Spread() > 0 || s.Bounds && *s.Hi > *s.Lo }

// InWords writes a summary with its interval, or why it has no value.
func InWords(s results.Summary) string {
	if s.Mean == nil {
		return "no data: " + s.Reason
	}
	text := format.Number(*s.Mean)
	switch {
	case s.Bounds && hasWidth(s):
		text += fmt.Sprintf(", certainly from %s to %s", format.Number(*s.Lo), format.Number(*s.Hi))
	case s.Spread() > 0:
		text += fmt.Sprintf(", 95 %% interval %s to %s", format.Number(*s.Lo), format.Number(*s.Hi))
	}
	return text
}
