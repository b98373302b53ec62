package size

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/table"
)

// Lead returns nothing: the tables come first.
func (d *Document) Lead(bool) string { return "" }

// Tables returns the tables of a document, in reading order: the log, the recommendation,
// the settings, the back-test, the heaviest keys, and what the log cannot say.
func (d *Document) Tables() []table.Table {
	list := []table.Table{d.inputTable()}
	if d.Recommended != nil {
		list = append(list, d.recommendation())
	}
	list = append(list, d.settingsTable())
	if d.Recommended != nil && d.Backtest.NotTested == "" {
		list = append(list, d.backtestTable())
	}
	if len(d.Heaviest) > 0 {
		list = append(list, d.heaviestTable())
	}
	if len(d.Unknown) > 0 {
		list = append(list, table.Table{Title: "what this log cannot say", Notes: d.Unknown})
	}
	return list
}

func number(header, unit string) table.Column {
	return table.Column{Header: header, Unit: unit, Right: true}
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

func optional(n *int64) string {
	if n == nil {
		return "·"
	}
	return whole(*n)
}

func (d *Document) inputTable() table.Table {
	in := &d.Input
	text := fmt.Sprintf("%s: %s of %s in %s, stamps resolve to %s", strings.Join(in.Files, ", "), format.Count(in.Requests, "request"), format.Count(in.Keys, "key"),
		format.Span(in.LastNs-in.FirstNs), format.Span(in.ResolutionNs))
	if in.Cost != in.Requests {
		text += fmt.Sprintf(", cost %d", in.Cost)
	}
	if in.Malformed > 0 {
		text += fmt.Sprintf("; %s malformed", format.Count(in.Malformed, "row"))
	}
	t := table.Table{Notes: append([]string{text}, in.Read...)}
	if in.AbuserKeys > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("abusers, kept out of the demand: %s of %s", format.Count(in.AbuserRequests, "request"), format.Count(in.AbuserKeys, "key")))
	}
	t.Notes = append(t.Notes, lists.Map(d.Warnings, func(text string) string { return "warning: " + text })...)
	return t
}

// allowanceName returns what is sized: the burst, or the count of a window.
func (d *Document) allowanceName() string {
	if slices.ContainsFunc(d.Settings, func(s Setting) bool { return s.Burst == nil }) {
		return "count"
	}
	return "burst"
}

func (d *Document) settingsTable() table.Table {
	t := table.Table{
		Title: fmt.Sprintf("%s: the least %s that refuses at most %s of the %s (%d of %d)", d.Algorithm, d.allowanceName(), d.Goal.AtMost, d.Goal.Of, d.Goal.Allowed, d.goalOf()),
		Columns: []table.Column{
			{Header: ""}, number("limit", ""), number("burst", ""), number("refused requests", ""), number("requests", "%"), number("refused keys", ""), number("keys", "%"),
		},
	}
	if d.Goal.Reserve != 1 {
		t.Title += ", times " + format.Number(d.Goal.Reserve)
	}
	if d.Input.AbuserKeys > 0 {
		t.Columns = append(t.Columns, number("abusers pass", "%"))
	}
	t.Columns = append(t.Columns, number("most", "/min"), table.Column{Header: "refused most"})
	for i, s := range d.Settings {
		mark, burst := "", optional(s.Burst)
		if d.Recommended != nil && i == *d.Recommended {
			mark = "*"
		}
		limit := s.Limit
		if !s.Least {
			if s.Burst != nil {
				burst = "<= " + burst
			} else {
				limit = "<= " + limit
			}
		}
		row := []string{mark, limit, burst, whole(s.RefusedRequests), format.Number(s.RefusedRequestsPct), whole(s.RefusedKeys), format.Number(s.RefusedKeysPct)}
		if s.AbuserPassesPct != nil {
			row = append(row, share(*s.AbuserPassesPct))
		}
		row = append(row, whole(s.MostPerMinute), whoText(s.Who))
		t.Rows = append(t.Rows, row)
	}
	if len(d.Settings) == 0 {
		t.Title, t.Columns, t.Notes = d.Algorithm, nil, []string{"no setting: see below"}
		return t
	}
	t.Notes = append(t.Notes, "most/min: a bound on what a key can be admitted in any minute")
	return t
}

func (d *Document) backtestTable() table.Table {
	t := table.Table{
		Title:   "each part of the log, under the setting that the others need",
		Columns: []table.Column{number("part", ""), {Header: "setting"}, number("requests", ""), number("refused", ""), number(d.Goal.Of, "%"), {Header: "refused most"}},
	}
	for _, p := range d.Backtest.Parts {
		most := []Who{}
		if p.Most != nil {
			most = append(most, *p.Most)
		}
		t.Rows = append(t.Rows, []string{strconv.Itoa(p.Part), p.String(), whole(p.Requests), whole(p.RefusedRequests), format.Number(p.RefusedPct), whoText(most)})
	}
	return t
}

// recommendation names the recommended setting and the reason. A document has it only
// with one.
func (d *Document) recommendation() table.Table {
	t := table.Table{Title: fmt.Sprintf("recommended: %s of %s", d.Algorithm, d.Best()), Notes: []string{d.Reason, d.tested()}}
	if d.Unstopped != "" {
		t.Notes = append([]string{d.Unstopped}, t.Notes...)
	}
	if d.Above != "" {
		t.Notes = append(t.Notes, d.Above)
	}
	if names := lists.Map(d.StandOut, format.Clean); names != nil {
		t.Notes = append(t.Notes, fmt.Sprintf("far above the other heavy keys: %s; if these are abusers, name them in a file and add --abusers FILE", strings.Join(names, ", ")))
	}
	return t
}

func (d *Document) goalOf() int64 {
	if d.Goal.Of == "keys" {
		return d.Goal.DemandKeys
	}
	return d.Goal.DemandRequests
}

// whoText names the key that is refused most.
func whoText(who []Who) string {
	if len(who) == 0 {
		return "none"
	}
	return fmt.Sprintf("%s: %d", format.Clean(who[0].Key), who[0].Requests)
}

func (d *Document) heaviestTable() table.Table {
	name := d.allowanceName()
	t := table.Table{
		Title: "the heaviest keys, and what each needs to be refused nothing",
		Columns: []table.Column{{Header: "key"}, number("requests", ""), number("share", "%"), number("peak", "/s"), number(name+" needed", ""),
			number("own limit", ""), number("own burst", ""), number("most", "/min")},
	}
	for _, k := range d.Heaviest {
		key := format.Clean(k.Key)
		if k.Abuser {
			key += " (abuser)"
		}
		own, most := "·", "·"
		if k.OwnLimit != "" {
			own, most = k.OwnLimit, whole(k.PerMinute)
		}
		t.Rows = append(t.Rows, []string{key, whole(k.Requests), format.Number(k.SharePct), whole(k.PeakPerS), optional(k.Need), own, optional(k.OwnBurst), most})
	}
	if best := d.Best(); best != nil {
		t.Notes = append(t.Notes, fmt.Sprintf("%s needed: under %s; own limit: of those tried, the one under which the key takes the least in any minute", name, best.Rate()))
	}
	return t
}

// String writes a setting: 300/min, burst 60.
func (s *Setting) String() string {
	if s.Burst == nil {
		return s.Limit
	}
	return fmt.Sprintf("%s, burst %d", s.Limit, *s.Burst)
}

// Rate returns the rate of a bucket, or the window.
func (s *Setting) Rate() string {
	if s.Burst != nil {
		return s.Limit
	}
	return "windows of " + format.Span(s.WindowNs)
}
