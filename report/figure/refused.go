package figure

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim/results"
)

// refused shows who is refused and since when: the keys of a recorded log with the
// most rejected cost, one panel for each algorithm and one row for each key. The
// height of a bar is the share of the key's cost in that bin that is not admitted.
func refused(part *results.Document, m Medium) *Figure {
	keys := refusedKeys(part)
	if len(keys) == 0 {
		return nil
	}
	series := seriesOf(part, m, func(one results.Series) bool { return len(one.Offered) > 0 })
	if len(series.all) == 0 {
		return nil
	}
	series.merge(wholeSeconds)
	f := series.figure("Who is refused, and when", "bins", "The height of a bar is the share of a key's requests in a bin that are not admitted",
		Entry{"not admitted", Excess, Area}, Entry{"all admitted", Offered, Area})
	f.Note += fmt.Sprintf(" The %s with the most rejected cost of all algorithms together.", format.Count(len(keys), "key"))
	f.Width, f.Height = 520, rowsHeight(22, len(keys))
	for _, one := range series.all {
		p := series.panel(one, "", 1)
		p.Readout, p.Y = nil, Axis{Rows: shortened(keys)}
		for row, key := range keys {
			k := slices.IndexFunc(part.KeySeries, func(k results.KeySeries) bool { return k.Key == key && k.Algorithm == one.Algorithm })
			if k < 0 {
				continue
			}
			p.Marks = append(p.Marks, refusals(part.KeySeries[k], one, float64(row)))
		}
		p.Alt = p.Title + ": share of the requests of " + fmt.Sprint(keys) + " that are refused, over time"
		f.Panels = append(f.Panels, p)
	}
	return f
}

// refusalBins is the largest number of bins in a row: narrow ones look like a comb,
// because stamps of logs are whole seconds.
const refusalBins = 60

// wholeSeconds returns the number of bins to merge into one, so that few are left and,
// if possible, each holds whole seconds.
func wholeSeconds(s results.Series) int {
	n := max(1, (s.Bins()+refusalBins-1)/refusalBins)
	if each := int(1e9 / s.BinNs); each > 1 && int64(each)*s.BinNs == 1e9 && s.Bins() >= refusalBins {
		n = (n + each - 1) / each * each
	}
	return n
}

// refusedKeys returns the most refused keys of a part that have series, in order.
func refusedKeys(part *results.Document) []string {
	if !slices.ContainsFunc(part.KeySeries, func(k results.KeySeries) bool { return k.Why == results.KeyRefused }) {
		return nil
	}
	return slices.DeleteFunc(part.MostRefused(len(part.KeySeries)), func(key string) bool {
		return !slices.ContainsFunc(part.KeySeries, func(k results.KeySeries) bool { return k.Key == key })
	})
}

// refusals returns the bars of one key in a row, in the bins of a panel.
func refusals(k results.KeySeries, panel results.Series, row float64) Mark {
	bins := k.Series.Merge(int(panel.BinNs / k.BinNs))
	offered, denied, first := int64(0), int64(0), -1
	var shapes []Shape
	for i, n := range bins.Offered {
		from, to := float64(i)*bins.BinSeconds(), float64(i+1)*bins.BinSeconds()
		missing := max(0, n-bins.Admitted[i])
		offered, denied = offered+n, denied+missing
		switch {
		case missing > 0:
			if first < 0 {
				first = i
			}
			shapes = append(shapes, Bar{Excess, row, from, to, max(0.06, 0.44*float64(missing)/float64(n)), 40})
		case n > 0:
			shapes = append(shapes, Bar{Offered, row, from, to, 0.06, 40})
		}
	}
	title := fmt.Sprintf("%s: nothing refused of %d", k.Key, offered)
	if first >= 0 {
		title = fmt.Sprintf("%s: %d of %d refused, the first %s after the start", k.Key, denied, offered, format.Span(int64(first)*bins.BinNs))
	}
	return Mark{Title: title, Y: row, Shapes: shapes}
}

// longestKey is the number of letters of a key's name in a figure.
const longestKey = 22

// shortened cuts the middle of long names, because prefixes are often alike.
func shortened(names []string) (short []string) {
	for _, name := range names {
		if r := []rune(name); len(r) > longestKey {
			name = string(r[:longestKey/2]) + "…" + string(r[len(r)-longestKey/2+1:])
		}
		short = append(short, name)
	}
	return short
}
