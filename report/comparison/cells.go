package comparison

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/compare"
	"github.com/limitgauge/limitgauge/report/table"
)

const exactNote = "exact: no random draws, one replication says all, any difference is one"

// value returns a figure with its interval. If it has none, a footnote states
// why.
func value(figure *compare.Figure, f *footnotes) string {
	switch {
	case figure == nil:
		return "absent"
	case figure.Summary.Mean == nil:
		return format.NoData + f.mark("no data: "+figure.Summary.Reason)
	}
	return table.Cell(figure.Summary)
}

// change returns the change in percent and its p-value. Footnotes state how
// they were computed.
func (r *renderer) change(base, now compare.Cell, f *footnotes) (change, p string) {
	c := now.Change
	switch {
	case now.Problem != nil:
		return format.NoData, format.NoData + f.mark("not comparable: the figure "+now.Problem.Error())
	case c == nil:
		return format.NoData, format.NoData
	case c.Method == stats.Deterministic && c.Same:
		return "=", "exact" + f.mark(exactNote)
	case c.Method == stats.Deterministic:
		return percent(*c), "exact" + f.mark(exactNote)
	}
	mark := f.mark(r.method(base, now))
	if c.Same {
		return "=", "1.000" + mark
	}
	r.tested++
	if !c.Enough(compare.Alpha, true) {
		need := c.Needed(compare.Alpha, true)
		mark += " " + f.mark(fmt.Sprintf("too few replications: no change could be told from chance before there are %d", need))
	}
	p = fmt.Sprintf("%.3f", c.Test.Either)
	if c.Test.Either < 0.0005 {
		p = "<0.001"
	}
	change = percent(*c)
	if c.Test.Either > compare.Alpha {
		change = "~"
	}
	return change, p + mark
}

// percent returns the change in percent of the base.
func percent(c stats.Change) string {
	x, ok := c.Percent()
	if !ok {
		return "from 0"
	}
	return format.Signed(x)
}

// method returns how two figures were compared, and why not as pairs.
func (r *renderer) method(base, now compare.Cell) string {
	c := now.Change
	n := fmt.Sprintf("n=%d", c.N[0])
	if c.N[0] != c.N[1] {
		n = fmt.Sprintf("n=%d+%d", c.N[0], c.N[1])
	}
	switch c.Method {
	case stats.Paired:
		return fmt.Sprintf("paired, as both saw the same traffic: sign-flip test, %s", n)
	case stats.OneSide:
		return fmt.Sprintf("one side is exact: sign-flip test of the other's differences from it, n=%d", c.Runs())
	}
	why := now.Unpaired.Reason
	if d := now.Unpaired.Difference; d != nil {
		why = fmt.Sprintf("%s: %s in %s, %s in %s", d.What, d.Base, r.file(base), d.Now, r.file(now))
	}
	return fmt.Sprintf("unpaired (%s): Welch's t, %s", why, n)
}

// file returns the name of a cell's document, as columns show it.
func (r *renderer) file(c compare.Cell) string {
	name := c.Figure.Fields[compare.File]
	if r.col == compare.File {
		return r.head(name).Header
	}
	return name
}
