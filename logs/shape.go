package logs

import (
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/kept"
)

// shape returns which columns the rows have.
func (o *Options) shape() kept.Shape {
	s := kept.Shape{Client: o.Client != "", Verdict: o.Verdict != "", Estimate: len(o.Estimate) > 0, Answer: o.Answer != ""}
	has := func(column bool) bool { return column }
	s.Wide = 1 + lists.Count([]bool{len(o.Cost) > 0, s.Estimate, s.Answer, o.Lines}, has)
	s.Codes = 1 + len(o.Fields) + len(o.Optional) + lists.Count([]bool{s.Client, s.Verdict}, has)
	return s
}

// roomFor returns the memory for sorting rows.
func (o *Options) roomFor(s kept.Shape) kept.Room {
	r := kept.RoomIn(o.SortMemory, s)
	if o.room != nil {
		r.Rows, r.Memory, r.Runs = o.room.Rows, o.room.Memory, o.room.Runs
	}
	if o.create != nil {
		r.Create = o.create
	}
	return r
}

// The default and the minimum of Options.SortMemory.
const (
	DefaultSortMemory = kept.DefaultMemory
	LeastSortMemory   = kept.LeastMemory
)
