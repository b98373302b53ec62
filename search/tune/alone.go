package tune

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/search/tune/search"
)

// better is the largest part of its distance to the promise that a setting may keep to be
// clearly nearer than another. Smaller differences may be chance.
const better = 0.9

// alone says what each axis can do alone: the parts of the search. The first candidate of
// each is the file's own setting.
func (d *Document) alone(found *search.Found, c Candidates) {
	kept, rest := []Alone{}, []Alone{}
	d.Unchanged = found.Parts != nil && found.Answer == found.Seen[0]
	for i, part := range found.Parts {
		now := found.Seen[0]
		one := Alone{Axis: d.Axes[i].Name, From: d.Axes[i].Values[0], Outcome: Kept}
		best := part.Answer
		if best == nil {
			one.Outcome = Broken
			if part.UsedUp {
				one.Outcome = Undecided
			}
			if best = part.Nearest; best == nil || !nearer(best, now) {
				best = nil
			}
		}
		if best != nil {
			one.Setting, one.To = settingOf(best, c), one.From
			if best != now {
				one.To = one.Setting.At[i]
			}
		}
		if one.Outcome == Kept {
			kept = append(kept, one)
		} else {
			rest = append(rest, one)
		}
	}
	slices.SortStableFunc(kept, func(a, b Alone) int { return cmp.Compare(a.Setting.cost(), b.Setting.cost()) })
	d.Alone = append(kept, rest...)
}

// nearer reports whether a candidate is clearly nearer to the promise than now, over the
// replications that both have, which drew the same random numbers.
func nearer(c, now *search.Candidate) bool {
	if now.NoData != "" {
		return true
	}
	i := now.Tightest()
	p := now.Promises[i]
	n := min(len(c.Costs), len(now.Costs))
	return p.Margin(stats.Mean(c.Figures[i][:n])) >= better*p.Margin(stats.Mean(now.Figures[i][:n]))
}

// aloneTable lists the axes that keep the promise alone, and those that come nearer to it.
func (d *Document) aloneTable() table.Table {
	t := table.Table{Title: "each option alone", Columns: []table.Column{{Header: "option"}, {Header: "from"}, {Header: "to"}, {Header: d.Least.Name, Right: true}}}
	for _, p := range d.Promises {
		t.Columns = append(t.Columns, table.Column{Header: p.Metric + d.in(p.Scenario), Right: true})
	}
	t.Columns = append(t.Columns, table.Column{Header: "promise"})
	rest := 0
	for _, one := range d.Alone {
		if one.Setting == nil || one.To == one.From {
			rest++
			continue
		}
		row := []string{one.Axis, one.From, one.To, format.Number(one.Setting.cost())}
		for i := range d.Promises {
			row = append(row, format.Number(one.Setting.mean(i)))
		}
		verdict := one.Outcome
		if verdict == Kept {
			verdict = freshText(*one.Setting)
		}
		t.Rows = append(t.Rows, append(row, verdict))
	}
	if len(t.Rows) == 0 {
		t.Columns = nil
	} else {
		t.Notes = append(t.Notes, "of the values tried the cheapest that keeps the promise, or the one that comes nearest to it; of equally cheap ones the smallest change")
	}
	if rest > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%s more: no value that was tried is cheaper or comes clearly nearer to the promise", format.Count(rest, "option")))
	}
	return t
}

// cost returns what a setting costs: on fresh seeds, if it has figures there.
func (s *Setting) cost() float64 {
	if s.Fresh != nil && len(s.Fresh.Promises) > 0 {
		return s.Fresh.Cost
	}
	return s.Cost
}

// mean returns the mean figure of a promise, likewise.
func (s *Setting) mean(promise int) float64 {
	if s.Fresh != nil && len(s.Fresh.Promises) > 0 {
		return s.Fresh.Promises[promise].Mean
	}
	return s.Figures[promise].Mean
}
