package tune

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/search/tune/search"
)

// Lead returns the answer's values as YAML, if it has any, in text or Markdown. It is empty
// without an answer.
func (d *Document) Lead(markdown bool) string {
	if d.Answer == nil {
		return ""
	}
	lead := fmt.Sprintf("%s: the least %s that keeps the promise%s", d.Scenario, d.Least.Name, d.inEach())
	if slices.ContainsFunc(d.Settings, func(s Setting) bool { return s.Algorithm != d.Answer.Algorithm }) {
		lead += ", with " + d.Answer.Algorithm
	}
	switch {
	case d.YAML == "" && markdown: // an algorithm that no axis changes
		return fmt.Sprintf("### %s\n\n", format.Markdown(lead))
	case d.YAML == "":
		return format.Clean(lead) + "\n\n"
	case markdown:
		return fmt.Sprintf("### %s\n\n```yaml\n%s```\n\n", format.Markdown(lead), d.YAML)
	}
	return fmt.Sprintf("%s\n\n  %s\n\n", format.Clean(lead), strings.ReplaceAll(strings.TrimSpace(d.YAML), "\n", "\n  "))
}

// ScenarioText returns the scenario file with the answer's values.
func (d *Document) ScenarioText() string { return d.File }

// Tail returns nothing: the tables come last.
func (d *Document) Tail(bool) string { return "" }

// mostFront limits the rows of the front that a table shows.
const mostFront = 24

// Tables returns the tables of a document in reading order: what the answer costs and how
// sure it is, what each axis can do alone, and the front.
func (d *Document) Tables() []table.Table {
	lines := table.Table{Notes: d.lines()}
	if d.Answer == nil {
		lines.Title = d.Scenario + ": " + d.Reason
	}
	list := []table.Table{lines}
	if len(d.Alone) > 0 {
		list = append(list, d.aloneTable())
	}
	if len(d.Settings) > 0 {
		list = append(list, d.frontTable())
	}
	return list
}

// lines says what the answer costs, what the next cheaper setting breaks, and what the
// search took.
func (d *Document) lines() (lines []string) {
	if d.Unchanged {
		lines = append(lines, "change: none: the setting keeps the promise as it is, and no cheaper one does")
	}
	if s := d.Answer; s != nil {
		lines = append(lines, "cost: "+d.cost(s)+d.costOf(s))
		lines = append(lines, "promise: "+d.heldText(s))
		if d.GateReplications != d.Replications {
			lines = append(lines, "run and gate: "+d.gateText())
		}
		lines = append(lines, "next cheaper: "+d.cheaperText())
	}
	if s := d.Nearest; s != nil {
		lines = append(lines, fmt.Sprintf("nearest: %s, %s", d.Name(s), d.cost(s)), "promise: "+d.heldText(s))
	}
	lines = append(lines, d.axesText()...)
	w := d.Work
	lines = append(lines, fmt.Sprintf("work: %s, %d of them on fresh seeds, for %d of %s; all settings on one seed take %s, on %d seeds %s, of which this is %s %%",
		format.Count(w.Used, "run"), w.Fresh, w.Seen, format.Count(w.Settings, "setting"), format.Count(w.Sweep, "run"), w.FullSeeds, format.Count(w.Full, "run"), format.Number(w.OfFullPct)))
	return append(lines, lists.Map(d.Without, func(reason string) string { return "without figures: " + reason })...)
}

// inEach says of several scenarios that the promise holds in each.
func (d *Document) inEach() string {
	if len(d.Scenarios) > 1 {
		return " in each"
	}
	return ""
}

// costOf says over which scenarios and seeds the cost of a held setting is.
func (d *Document) costOf(s *Setting) string {
	of := ""
	switch n := len(d.Scenarios); {
	case n > 1 && d.Cost == Worst:
		of = fmt.Sprintf(", the largest of %d scenarios", n)
	case n > 1:
		of = fmt.Sprintf(", mean of %d scenarios", n)
	}
	if s.Exact {
		return of + " on every seed"
	}
	return of + ", mean of " + format.Count(s.Fresh.Seeds, "fresh seed")
}

// gateText says what run and gate need to find the promise kept.
func (d *Document) gateText() string {
	if d.GateReplications == 0 {
		return "may find the promise broken: they hold the bad end of the interval to it, not the mean"
	}
	return fmt.Sprintf("need --replications %d: they hold the bad end of the interval to the promise, not the mean", d.GateReplications)
}

// cost states what a setting costs: on fresh seeds, if it was held to them.
func (d *Document) cost(s *Setting) string {
	return fmt.Sprintf("%s %s", d.Least.Name, format.Number(s.cost()))
}

// Name names a setting by its algorithm and its values.
func (d *Document) Name(s *Setting) string {
	parts := []string{s.Algorithm}
	for i, text := range s.At {
		if text != "" {
			parts = append(parts, d.Axes[i].Name+"="+text)
		}
	}
	return strings.Join(parts, " ")
}

// promise returns a promise without the algorithm: over_limit_pct <= 5, or of several
// scenarios over_limit_pct <= 5 in peak.
func (d *Document) promise(p Promise) string {
	return fmt.Sprintf("%s %s %s%s", p.Metric, p.Op, format.Exact(p.Threshold), d.in(p.Scenario))
}

// in names a scenario after what is of it, if there are several.
func (d *Document) in(scenario string) string {
	if len(d.Scenarios) < 2 {
		return ""
	}
	return " in " + scenario
}

// heldText says what the fresh seeds say of a setting.
func (d *Document) heldText(s *Setting) string {
	f := s.Fresh
	switch {
	case f == nil:
		return "tried on no fresh seeds"
	case s.Exact:
		return fmt.Sprintf("%s on every seed, because the setting is deterministic: %s", s.Verdict, d.figures(f))
	}
	text := fmt.Sprintf("kept on %d of %s (95 %% interval %s to %s %%): %s", f.Kept, format.Count(f.Seeds, "fresh seed"),
		format.Number(f.KeptLoPct), format.Number(f.KeptHiPct), d.figures(f))
	if s.Verdict == Undecided {
		text += "; more seeds would decide"
	}
	return text
}

// figures lists the figures of fresh seeds against their promises.
func (d *Document) figures(f *Fresh) string {
	if len(f.Promises) == 0 {
		return f.NoData
	}
	return strings.Join(lists.Map(f.Promises, func(h Held) string {
		return fmt.Sprintf("%s, mean %s, worst %s", d.promise(h.Promise), format.Beside(h.Mean, h.Threshold), format.Beside(h.Worst, h.Threshold))
	}), "; ")
}

// cheaperText says what the next cheaper setting breaks.
func (d *Document) cheaperText() string {
	s := d.NextCheaper
	if s == nil {
		return "none: no setting that was seen costs less"
	}
	text := fmt.Sprintf("%s, %s", d.Name(s), d.cost(s))
	if s.Fresh == nil || s.Verdict != Broken {
		return text + ": not decided, because the budget is used up"
	}
	if s.Fresh.NoData != "" {
		return text + ": " + s.Fresh.NoData
	}
	of := fmt.Sprintf("of %s", format.Count(s.Fresh.Seeds, "fresh seed"))
	if s.Exact {
		of = "of 1 run, which is deterministic"
	}
	for _, h := range s.Fresh.Promises {
		if h.Broken > 0 {
			text += fmt.Sprintf("; breaks %s on %d %s, mean %s", d.promise(h.Promise), h.Broken, of, format.Beside(h.Mean, h.Threshold))
		}
	}
	return text
}

// frontTable lists the front from the cheapest setting. A long front is shown around the
// answer.
func (d *Document) frontTable() table.Table {
	figure := d.Tightest.Metric + d.in(d.Tightest.Scenario)
	t := table.Table{Title: fmt.Sprintf("what %s costs", figure), Columns: []table.Column{{Header: ""}, {Header: "algorithm"}}}
	all := d.front()
	centre := slices.IndexFunc(all, d.isAnswer)
	first := max(0, min(centre-mostFront/2, len(all)-mostFront))
	shown := all[first:min(len(all), first+mostFront)]
	var axes []int // with a value in a row
	for i, a := range d.Axes {
		if slices.ContainsFunc(shown, func(s Setting) bool { return s.At[i] != "" }) {
			axes = append(axes, i)
			t.Columns = append(t.Columns, table.Column{Header: a.Name}) // a key, as the algorithm is
		}
	}
	t.Columns = append(t.Columns, table.Column{Header: d.Least.Name, Right: true})
	both := figure != d.Least.Name
	if both {
		t.Columns = append(t.Columns, table.Column{Header: figure, Right: true})
	}
	t.Columns = append(t.Columns, table.Column{Header: "replications", Right: true}, table.Column{Header: "fresh seeds"})
	for _, s := range shown {
		row := []string{"", s.Algorithm}
		if d.isAnswer(s) {
			row[0] = "*"
		}
		for _, i := range axes {
			row = append(row, s.At[i])
		}
		row = append(row, format.Number(s.Cost))
		if both {
			row = append(row, format.Number(s.Figures[s.index(d.Tightest)].Mean))
		}
		t.Rows = append(t.Rows, append(row, fmt.Sprint(s.Replications), freshText(s)))
	}
	in := ""
	if both {
		in = " in both figures"
	}
	t.Notes = []string{"the settings that no other is better than" + in + ", around the answer (*); means over replications of the search's seed"}
	if slices.ContainsFunc(shown, func(s Setting) bool { return s.Fresh == nil }) {
		t.Notes = append(t.Notes, "not tried: on no fresh seed, because the setting surely breaks the promise or is no cheaper than the answer")
	}
	if slices.ContainsFunc(shown, func(s Setting) bool { return s.Fresh != nil && s.Verdict == Broken }) {
		t.Notes = append(t.Notes, fmt.Sprintf("broken: more than %d of %d fresh seeds break the promise, or fewer seeds show that already", search.FullSeeds-search.Enough, search.FullSeeds))
	}
	if centre >= 0 && !all[centre].Front {
		t.Notes = append(t.Notes, "* the answer is not on the front: a setting that does not keep the promise is better in both figures, or one that costs the same within 1 %")
	}
	if more := len(all) - len(shown); more > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("%d more settings in the document", more))
	}
	return t
}

// front returns the settings on the front, the answer and the next cheaper one.
func (d *Document) front() []Setting {
	return lists.Where(d.Settings, func(s Setting) bool { return s.Front || d.isAnswer(s) || d.NextCheaper != nil && s.is(d.NextCheaper) })
}

// is reports whether two settings are the same.
func (s *Setting) is(other *Setting) bool {
	return s.Algorithm == other.Algorithm && slices.Equal(s.At, other.At)
}

func (d *Document) isAnswer(s Setting) bool {
	return d.Answer != nil && s.is(d.Answer)
}

// index returns the number of the figure of a promise, or -1.
func (s *Setting) index(p Promise) int {
	return slices.IndexFunc(s.Figures, func(f Figure) bool { return f.Metric == p.Metric && f.Scenario == p.Scenario })
}

// freshText says in short what the fresh seeds say of a setting.
func freshText(s Setting) string {
	if s.Fresh == nil {
		return "not tried"
	}
	text := fmt.Sprintf("kept on %d of %d", s.Fresh.Kept, s.Fresh.Seeds)
	if s.Verdict == Kept {
		return text
	}
	return s.Verdict + ", " + text
}
