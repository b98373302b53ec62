package figure

import (
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// Decided is what one or two configurations decide about the requests of a log.
type Decided struct {
	Title, Setting string
	StartNs, BinNs int64
	Offered        []int64 // requests in each bin
	Courses        []Course
	Changes        []Change // of clients, the most gained first
	ChangesTitle   string
}

// Course is how many requests pass in each bin under a configuration.
type Course struct {
	Name     string
	Admitted []int64
}

// Change is how many requests of a client are refused by each of two configurations.
type Change struct {
	Key      string
	Old, New int64
}

// Figure shows what passes over time, a step curve for each configuration, and with two of
// them a bar for each client whose refusals change.
func (d Decided) Figure() *Figure {
	bin := format.Span(d.BinNs)
	f := &Figure{
		Name: "check", Title: d.Title, Setting: d.Setting, Columns: 1, Width: 900, Height: 320,
		Subtitle: "bins of " + bin + "; a delayed request counts when it passes",
		Legend:   []Entry{{"requests of the log", Offered, Area}},
	}
	if len(d.Courses) > 1 {
		f.Subtitle += "; where the curves are equal, the thin one lies on the thick one"
	}
	width := float64(d.BinNs) / 1e9
	seconds := width * float64(len(d.Offered))
	p := Panel{Title: "Requests that pass, in each " + bin, Alt: "requests that pass over time", X: Axis{Label: "time", Hi: seconds}}
	if end := float64(d.StartNs) + seconds*1e9; end <= latest {
		p.X.Ticks, p.X.Label = timeTicks(d.StartNs, int64(end), 10)
	}
	top := slices.Max(d.Offered)
	p.Marks = []Mark{{Shapes: []Shape{Steps{Offered, width, scaled(d.Offered, 1)}}}}
	for i, c := range d.Courses {
		paint := ReferenceLine
		if i > 0 {
			paint = Series(1)
		}
		top = max(top, slices.Max(c.Admitted))
		f.Legend = append(f.Legend, Entry{c.Name, paint, LineSample})
		p.Marks = append(p.Marks, Mark{Title: c.Name, Shapes: []Shape{Line{paint, steps(scaled(c.Admitted, 1), width)}}})
		p.Alt += "; " + c.Name
	}
	p.Y = Axis{Label: "requests", Hi: 1.05 * float64(max(top, 1)), Grid: true}
	p.Y.tick(5)
	f.Panels = []Panel{p}
	if len(d.Changes) > 0 {
		f.Legend = append(f.Legend, Entry{"refusals gained", Excess, Area}, Entry{"refusals lost", Admitted, Area})
		f.Panels = append(f.Panels, d.changes())
	}
	return f
}

// changes returns a panel with a bar for each client: right of 0 for refusals gained, left
// for those lost.
func (d Decided) changes() Panel {
	p := Panel{Title: d.ChangesTitle, X: Axis{Label: "refusals gained, or lost left of 0", Grid: true}}
	p.Y.Rows = shortened(lists.Map(d.Changes, func(c Change) string { return c.Key }))
	for i, c := range d.Changes {
		by, paint := float64(c.New-c.Old), Excess
		if by < 0 {
			paint = Admitted
		}
		p.X.Lo, p.X.Hi = min(p.X.Lo, by), max(p.X.Hi, by)
		said := fmt.Sprintf("%+d: %d to %d", c.New-c.Old, c.Old, c.New)
		p.Marks = append(p.Marks, Mark{Title: c.Key + ": " + said, Y: float64(i), Shapes: []Shape{
			Bar{paint, float64(i), 0, by, 0.36, 14}, Value{Row: float64(i), X: max(by, 0), Words: said},
		}})
		p.Alt += fmt.Sprintf("; %s %s", c.Key, said)
	}
	p.Alt = "refusals by client" + p.Alt
	for _, t := range niceTicks(max(p.X.Hi, -p.X.Lo), 6) {
		if t.Value != math.Trunc(t.Value) {
			continue // of a part of a request
		}
		if t.Value > 0 && -t.Value >= p.X.Lo {
			p.X.Ticks = slices.Insert(p.X.Ticks, 0, Tick{-t.Value, t.Label})
		}
		if t.Value <= p.X.Hi {
			p.X.Ticks = append(p.X.Ticks, t)
		}
	}
	p.X.Hi += 0.25 * (p.X.Hi - p.X.Lo) // for the values
	return p
}
