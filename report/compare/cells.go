package compare

import (
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/report/pairs"
	"github.com/limitgauge/limitgauge/report/table"
)

const exactNote = "exact: no random draws, one replication says all, any difference is one"

// value returns a figure with its interval; nil is a figure that no document has.
// If it has no data, a footnote states why.
func (f *figure) value(notes *footnotes) string {
	switch {
	case f == nil:
		return "absent"
	case f.summary.Mean == nil:
		return format.NoData + notes.mark("no data: "+f.summary.Reason)
	}
	return table.Cell(f.summary)
}

// change compares a figure with the one in the base column. It returns the change
// in percent and its p-value. Footnotes state how they were computed.
func (c *comparison) change(base, now *figure, f *footnotes) (change, p string) {
	if base == nil || now == nil || base.summary.Mean == nil || now.summary.Mean == nil {
		return format.NoData, format.NoData
	}
	unpaired := c.unpaired(base, now)
	d, err := pairs.Compare(base.row, now.row, base.summary, now.summary, unpaired == "")
	if err != nil {
		return format.NoData, format.NoData + f.mark("not comparable: the figure "+err.Error())
	}
	exact := base.row.NoDraws(now.row.NoDraws(exactNote))
	switch {
	case d.Method == stats.Deterministic && d.Same:
		return "=", "exact" + f.mark(exact)
	case d.Method == stats.Deterministic:
		return percent(d), "exact" + f.mark(exact)
	}
	how := method(d, unpaired)
	if pairs.Uneven(d, base.summary, now.summary) {
		how += "; other replications have no partner"
	}
	mark := f.mark(how)
	if d.Same {
		return "=", "1.000" + mark
	}
	c.tested++
	if !d.Enough(alpha, true) {
		need := d.Needed(alpha, true)
		mark += " " + f.mark(fmt.Sprintf("too few replications: no change could be told from chance before there are %d", need))
	}
	p = fmt.Sprintf("%.3f", d.Test.Either)
	if d.Test.Either < 0.0005 {
		p = "<0.001"
	}
	change = percent(d)
	if d.Test.Either > alpha {
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
func method(c stats.Change, unpaired string) string {
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
	return fmt.Sprintf("unpaired (%s): Welch's t, %s", unpaired, n)
}
