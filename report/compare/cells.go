package compare

import (
	"fmt"

	"github.com/limitgauge/limitgauge/report/format"
	"github.com/limitgauge/limitgauge/report/pairing"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/stats"
)

const noFigure = "-"

// value is a figure with its interval; why there is none is a footnote.
func value(e *entry, f *footnotes) string {
	if e == nil {
		return "absent"
	}
	if e.summary.Mean == nil {
		return noFigure + f.mark("no data: "+e.summary.Reason)
	}
	return table.Cell(e.summary)
}

// change holds a figure against the base's: the change in percent and the
// p-value. Tested is whether chance had a part in it.
func (t *tabulation) change(base, now *entry, heads []table.Column, i int, f *footnotes) (change, p string, tested bool) {
	if base == nil || now == nil || base.summary.Mean == nil || now.summary.Mean == nil {
		return noFigure, noFigure, false
	}
	x, err := pairing.Sample(base.row, base.summary)
	y, errNow := pairing.Sample(now.row, now.summary)
	if err == nil {
		err = errNow
	}
	if err != nil {
		return noFigure, noFigure + f.mark("not comparable: the figure "+err.Error()), false
	}
	paired, why := t.paired(*base, *now, heads[0].Header, heads[i].Header)
	c := stats.Compare(x, y, paired)
	if paired && c.Method == stats.Ranks {
		why = "the numbers of replications differ"
	}
	return t.text(c, why, f)
}

// text writes a change. Footnotes say how it was judged.
func (t *tabulation) text(c stats.Change, why string, f *footnotes) (change, p string, tested bool) {
	if c.Method == stats.Deterministic {
		if c.Same {
			return "=", "exact" + f.mark(exactNote), false
		}
		return percent(c), "exact" + f.mark(exactNote), false
	}
	mark := f.mark(method(c, why))
	if c.Same {
		return "=", "1.000" + mark, false
	}
	if !c.Enough(t.o.Alpha, true) {
		need := c.Needed(t.o.Alpha, 1, true)
		mark += " " + f.mark(fmt.Sprintf("too few replications: no change could be told from chance before there are %d", need))
	}
	p = fmt.Sprintf("%.3f", c.Test.Either)
	if c.Test.Either < 0.0005 {
		p = "<0.001"
	}
	change = percent(c)
	if c.Test.Either > t.o.Alpha {
		change = "~"
	}
	return change, p + mark, true
}

const exactNote = "exact: no random draws, one replication says all, any difference is one"

// percent is the change in percent of the base.
func percent(c stats.Change) string {
	x, ok := c.Percent()
	switch {
	case !ok:
		return "from 0"
	case x > 0:
		return "+" + format.Number(x)
	}
	return format.Number(x)
}

// method says how two figures were compared, and why not as pairs.
func method(c stats.Change, why string) string {
	n := fmt.Sprintf("n=%d", c.N[0])
	if c.N[0] != c.N[1] {
		n = fmt.Sprintf("n=%d+%d", c.N[0], c.N[1])
	}
	switch c.Method {
	case stats.Paired:
		return fmt.Sprintf("paired, as both saw the same traffic: sign-flip test, %s", n)
	case stats.OneSide:
		return fmt.Sprintf("one side is exact: sign-flip test of the other's differences from it, n=%d", max(c.N[0], c.N[1]))
	}
	return fmt.Sprintf("unpaired (%s): Mann-Whitney U test, %s", why, n)
}

// paired reports whether replications of two figures are pairs; if not, why.
func (t *tabulation) paired(a, b entry, headA, headB string) (ok bool, why string) {
	if a.fields[Scenario] != b.fields[Scenario] {
		return false, "other scenarios"
	}
	if a.doc == b.doc {
		return true, ""
	}
	if t.o.Col[0] != File {
		headA, headB = a.fields[File], b.fields[File]
	}
	x, y := t.docs[a.doc], t.docs[b.doc]
	if d := t.differences(a.doc, b.doc); len(d) > 0 {
		return false, fmt.Sprintf("%s: %s in %s, %s in %s", d[0].What, d[0].Base, headA, d[0].Now, headB)
	}
	why = pairing.Unpaired(x, y, a.fields[Scenario])
	return why == "", why
}

// differences are those between two documents that keep their replications from
// being pairs, found once.
func (t *tabulation) differences(a, b int) []pairing.Difference {
	k := [2]int{a, b}
	list, known := t.differ[k]
	if !known {
		list = append(pairing.Seeds(t.docs[a], t.docs[b]), pairing.Scenarios(t.docs[a], t.docs[b])...)
		t.differ[k] = list
	}
	return list
}
