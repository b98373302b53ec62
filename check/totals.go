package check

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/report/table"
)

// Log is what rules do to the requests of a log.
type Log struct {
	Files    []string `json:"files"`
	Read     []string `json:"read"` // how the files were read
	Warnings []string `json:"warnings"`
	FirstNs  int64    `json:"first_ns"`
	LastNs   int64    `json:"last_ns"`
	Spread   string   `json:"spread"` // of requests to replicas
	Totals
	Unruled int64       `json:"unruled"` // requests to which no judged rule applies
	Keyless int64       `json:"keyless"` // requests to which rules apply, and that have no key for any of them
	Rules   []RuleOnLog `json:"rules"`

	course course
}

// Totals counts requests.
type Totals struct {
	Requests int64 `json:"requests"`
	Refused  int64 `json:"refused"`
	Delayed  int64 `json:"delayed"`
	Passed   int64 `json:"passed"` // at once
}

func (t *Totals) add(d decision) {
	t.Requests++
	switch {
	case d.refused:
		t.Refused++
	case d.waitMs > 0:
		t.Delayed++
	default:
		t.Passed++
	}
}

// RuleOnLog is what one rule does. A request that is refused or delayed counts for the
// rule that does it: of several, the first that refuses, or the one with the longest wait.
// It also counts for each rule in shadow mode that would refuse it.
type RuleOnLog struct {
	Position
	Name        string     `json:"name"`
	NotJudged   string     `json:"not_judged"` // why, or ""
	Only        bool       `json:"counts_only"`
	Applied     int64      `json:"applied"` // requests with a key
	Keyless     int64      `json:"keyless"`
	Refused     int64      `json:"refused"`
	Delayed     int64      `json:"delayed"`
	P50Ms       int64      `json:"p50_ms"` // of the delays
	P99Ms       int64      `json:"p99_ms"`
	LongestMs   int64      `json:"longest_ms"`
	RefusedKeys int64      `json:"refused_keys"`
	Top         []KeyCount `json:"top"` // the keys refused most, at most ten

	waits   []int32
	refused map[int32]int64
}

// KeyCount is a key and a number of requests.
type KeyCount struct {
	Key      string `json:"key"`
	Requests int64  `json:"requests"`
}

// Judging says how a log is judged.
type Judging struct {
	Replicas int
	Spread   string              // even, random, hash or sticky
	Hide     func(string) string // nil if keys are shown
}

// OnLog decides the requests of a log. With another configuration, it also returns the
// difference.
func (c *Config) OnLog(ctx context.Context, r *logs.Recording, f *Fields, o Judging) (*Log, error) {
	q := f.requests(r)
	j, err := c.newJudge(q, o.Replicas, o.Spread)
	if err != nil {
		return nil, err
	}
	l := c.newLog(r, j, o)
	err = q.each(ctx, func(n, now int64, at int, _ *logs.Cursor) { l.take(j, now, j.decide(n, now, at)) })
	l.finish(j, o)
	return l, err
}

// newLog describes how a log was read.
func (c *Config) newLog(r *logs.Recording, j *judge, o Judging) *Log {
	l := &Log{Files: r.Facts.Files, Read: []string{}, Warnings: []string{}, Rules: []RuleOnLog{}, FirstNs: r.Facts.FirstNs, LastNs: r.Facts.LastNs, Spread: o.Spread,
		course: newCourse(r.Facts.FirstNs, r.Facts.LastNs, r.Facts.ResolutionNs)}
	for _, choice := range r.Facts.Choices {
		l.Warnings = append(l.Warnings, choice.Warnings...)
		l.Read = append(l.Read, choice.String())
	}
	l.Read = lists.Distinct(l.Read)
	if r.Facts.ResolutionNs >= 1e9 {
		l.Warnings = append(l.Warnings, "the stamps resolve to 1 s: requests of one second count as arriving together")
	}
	if c.Doubt != "" {
		l.Warnings = append(l.Warnings, c.Doubt)
	}
	if c.WithoutHost != "" && j.q.column("host") < 0 {
		l.Warnings = append(l.Warnings, c.WithoutHost)
	}
	for i, rule := range c.Rules {
		l.Rules = append(l.Rules, RuleOnLog{Position: rule.Position, Name: rule.Name, NotJudged: j.why[i], Only: rule.Only, Top: []KeyCount{}, refused: map[int32]int64{}})
	}
	return l
}

// take counts the decision on a request at a time.
func (l *Log) take(j *judge, now int64, d decision) {
	keyed := false
	for _, h := range j.held {
		if h.key < 0 {
			l.Rules[h.rule].Keyless++
			continue
		}
		keyed = true
		l.Rules[h.rule].Applied++
	}
	switch {
	case len(j.held) == 0:
		l.Unruled++
	case !keyed:
		l.Keyless++
	}
	refused := j.would
	if d.refused {
		refused = append(refused, hold{d.rule, d.key})
	}
	for _, h := range refused {
		l.Rules[h.rule].Refused++
		l.Rules[h.rule].refused[h.key]++
	}
	if d.rule >= 0 && !d.refused {
		r := &l.Rules[d.rule]
		r.Delayed++
		r.waits = append(r.waits, int32(min(d.waitMs, 1<<31-1)))
	}
	if j.current >= 0 && j.Places[j.current].Only { // all passes
		d = decision{}
	}
	l.add(d)
	l.course.add(now, d)
}

// finish computes what needs all requests.
func (l *Log) finish(j *judge, o Judging) {
	for i := range l.Rules {
		r := &l.Rules[i]
		if n, most := j.counter[i], j.Rules[i].Holds; n != nil && most > 0 && int64(len(n.names)) > most {
			l.Warnings = append(l.Warnings, fmt.Sprintf("%s %s: its %s holds %d keys at a time, and the log has %d: "+
				"which of them are dropped or not counted is not judged", r.Position, r.Name, j.Rules[i].Counter, most, len(n.names)))
		}
		if len(r.waits) > 0 {
			slices.Sort(r.waits)
			at := func(share float64) int64 {
				return int64(r.waits[min(int(share*float64(len(r.waits))), len(r.waits)-1)])
			}
			r.P50Ms, r.P99Ms, r.LongestMs = at(0.5), at(0.99), int64(r.waits[len(r.waits)-1])
		}
		r.RefusedKeys = int64(len(r.refused))
		keys := slices.SortedFunc(maps.Keys(r.refused), func(a, b int32) int { return cmp.Or(cmp.Compare(r.refused[b], r.refused[a]), cmp.Compare(a, b)) })
		for _, key := range keys[:min(10, len(keys))] {
			r.Top = append(r.Top, KeyCount{o.shown(j.counter[i].names[key]), r.refused[key]})
		}
	}
}

// shown returns a key as it may be shown.
func (o Judging) shown(key string) string {
	if o.Hide != nil {
		return o.Hide(key)
	}
	return key
}

func number(header, unit string) table.Column {
	return table.Column{Header: header, Unit: unit, Right: true}
}

func whole(n int64) string { return strconv.FormatInt(n, 10) }

// notJudged says of each rule that is not judged on the log why.
func (l *Log) notJudged() []string {
	rules := lists.Where(l.Rules, func(r RuleOnLog) bool { return r.NotJudged != "" })
	return lists.Map(rules, func(r RuleOnLog) string {
		return fmt.Sprintf("%s %s: not judged on this log: %s", r.Position, r.Name, r.NotJudged)
	})
}

// tables returns what happens to the requests of a log: all, by rule, and the keys that
// are refused most.
func (l *Log) tables() []table.Table {
	t := table.Table{
		Title: fmt.Sprintf("%s: %s in %s, of which %d refused and %d delayed", strings.Join(l.Files, ", "), format.Count(l.Requests, "request"), format.Span(l.LastNs-l.FirstNs), l.Refused, l.Delayed),
		Columns: []table.Column{{Header: "rule"}, number("requests", ""), number("refused", ""), number("keys refused", ""), number("delayed", ""),
			number("p50", "ms"), number("p99", "ms"), number("longest", "ms"), number("without key", "")},
		Notes: slices.Concat(l.Read, l.notJudged()),
	}
	var keys table.Table
	for _, r := range l.Rules {
		name := fmt.Sprintf("%s %s", r.Position, r.Name)
		if r.NotJudged != "" {
			continue
		}
		row := []string{name, whole(r.Applied), whole(r.Refused), whole(r.RefusedKeys), whole(r.Delayed), "·", "·", "·", whole(r.Keyless)}
		if r.Delayed > 0 {
			row[5], row[6], row[7] = whole(r.P50Ms), whole(r.P99Ms), whole(r.LongestMs)
		}
		if r.Only && r.Refused+r.Delayed > 0 {
			t.Notes = append(t.Notes, name+": counts only; what it would refuse and delay is shown, and passes")
		}
		t.Rows = append(t.Rows, row)
		for _, k := range r.Top {
			keys.Rows = append(keys.Rows, []string{name, format.Clean(k.Key), whole(k.Requests)})
		}
	}
	if len(t.Rows) == 0 {
		t.Columns = nil
	}
	if l.Unruled+l.Keyless > 0 {
		t.Notes = append(t.Notes, fmt.Sprintf("not limited: %d without a rule that is judged, %d without a key", l.Unruled, l.Keyless))
	}
	t.Notes = append(t.Notes, lists.Map(l.Warnings, func(text string) string { return "warning: " + text })...)
	if len(keys.Rows) == 0 {
		return []table.Table{t}
	}
	keys.Title = "the keys that each rule refuses most"
	keys.Columns = []table.Column{{Header: "rule"}, {Header: "key"}, number("refused", "")}
	return []table.Table{t, keys}
}
