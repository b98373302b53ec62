package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/report/table"
)

// Difference is what another configuration decides differently about the requests of a log.
// Two decisions are equal if their statuses are, and their waits within 1 ms.
type Difference struct {
	Files []string `json:"files"` // of the other configuration
	Said
	Log       *Log        `json:"log"`
	Differ    int64       `json:"differ"` // requests decided differently
	First     *First      `json:"first"`  // null if all are equal
	Gained    []KeyChange `json:"gained"` // clients with more refusals, at most ten
	Lost      []KeyChange `json:"lost"`   // and with fewer
	GainedAll int         `json:"gained_keys"`
	LostAll   int         `json:"lost_keys"`
}

// First is the first request that is decided differently.
type First struct {
	Position
	TimeNs  int64    `json:"time_ns"`
	Client  string   `json:"client"`
	Old     Side     `json:"old"`
	New     Side     `json:"new"`
	Reasons []string `json:"reasons"` // of key, scope, rate, burst, delay, status and window: what explains it
	Reason  string   `json:"reason"`
}

// because states the only member that explains the difference.
func (f *First) because(member, format string, args ...any) {
	f.Reasons, f.Reason = []string{member}, member+": "+fmt.Sprintf(format, args...)
}

// Side is a decision with its rule. A request that all rules admit at once has the rule
// that stands for the one that decides on the other side.
type Side struct {
	Status int    `json:"status"` // 0 if the request passes
	WaitMs int64  `json:"wait_ms"`
	Rule   string `json:"rule"` // with its position; empty if none applies
	Counts string `json:"counts"`
	Key    string `json:"key"`
	Level  int64  `json:"level"` // requests that the rule would have admitted at once or with a wait
}

// KeyChange is how many requests of a client are refused.
type KeyChange struct {
	Key string `json:"key"`
	Old int64  `json:"old"`
	New int64  `json:"new"`
}

// effect is what a client sees of a decision.
type effect struct {
	status int // 0 if the request passes
	waitMs int64
}

// effect returns what a client sees of a decision: nothing if the rules count only.
func (j *judge) effect(d decision) effect {
	switch {
	case j.current >= 0 && j.Places[j.current].Only:
		return effect{}
	case d.refused:
		return effect{status: j.Rules[d.rule].Status}
	}
	return effect{waitMs: d.waitMs}
}

// equals reports whether a client sees the same.
func (e effect) equals(other effect) bool {
	return e.status == other.status && max(e.waitMs-other.waitMs, other.waitMs-e.waitMs) <= 1
}

// Instead decides the requests of a log by two configurations. It returns what the first
// does, and how the second differs.
func (c *Config) Instead(ctx context.Context, other *Config, r *logs.Recording, f *Fields, o Judging) (*Log, *Difference, error) {
	q := f.requests(r)
	a, errA := c.newJudge(q, o.Replicas, o.Spread)
	b, errB := other.newJudge(q, o.Replicas, o.Spread)
	if err := cmp.Or(errA, errB); err != nil {
		return nil, nil, err
	}
	before, after := c.newLog(r, a, o), other.newLog(r, b, o)
	d := &Difference{Log: after, Said: other.Said, Gained: []KeyChange{}, Lost: []KeyChange{}}
	refused := make([][2]int64, len(q.columns[0].Of))
	first := int64(-1)
	err := q.each(ctx, func(n, now int64, at int, cursor *logs.Cursor) {
		x, y := a.decide(n, now, at), b.decide(n, now, at)
		before.take(a, now, x)
		after.take(b, now, y)
		old, new := a.effect(x), b.effect(y)
		client := q.codes[0][at]
		refused[client][0] += one01[int64](old.status != 0)
		refused[client][1] += one01[int64](new.status != 0)
		if old.equals(new) {
			return
		}
		if d.Differ++; first < 0 {
			first = n
			d.First = &First{TimeNs: now, Client: o.shown(q.columns[0].Of[client])}
			file, line := cursor.Line(at)
			d.First.Position = Position{File: file, Line: int(line)}
		}
	})
	before.finish(a, o)
	after.finish(b, o)
	d.changes(q, refused, o)
	if err == nil && first >= 0 {
		err = d.explain(ctx, c, other, q, first, o)
	}
	return before, d, err
}

func one01[T int32 | int64](holds bool) T {
	if holds {
		return 1
	}
	return 0
}

// changes fills in the clients with more and fewer refusals.
func (d *Difference) changes(q *requests, refused [][2]int64, o Judging) {
	most := func(sign int64) (list []KeyChange, all int) {
		for code, n := range refused {
			if sign*(n[1]-n[0]) > 0 {
				list = append(list, KeyChange{q.columns[0].Of[code], n[0], n[1]})
			}
		}
		slices.SortFunc(list, func(a, b KeyChange) int {
			return cmp.Or(cmp.Compare(sign*(b.New-b.Old), sign*(a.New-a.Old)), strings.Compare(a.Key, b.Key))
		})
		return append([]KeyChange{}, lists.Map(list[:min(10, len(list))], func(k KeyChange) KeyChange {
			return KeyChange{o.shown(k.Key), k.Old, k.New}
		})...), len(list)
	}
	d.Gained, d.GainedAll = most(1)
	d.Lost, d.LostAll = most(-1)
}

// traced is a decision with what led to it.
type traced struct {
	decision
	seen   effect
	only   bool   // the rules of the place count only
	held   []hold // the rules of the place that are judged
	levels []int64
	keys   []string
}

// errReached ends a run at the request that is looked at.
var errReached = errors.New("reached")

// trace decides the requests of a log up to the n-th, and returns its decision.
func (c *Config) trace(ctx context.Context, q *requests, n int64, o Judging) (t traced, err error) {
	j, err := c.newJudge(q, o.Replicas, o.Spread)
	if err != nil {
		return t, err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	err = q.each(ctx, func(i, now int64, at int, _ *logs.Cursor) {
		switch {
		case i < n:
			j.decide(i, now, at)
		case i == n:
			replica := j.replica(i)
			j.at = at
			if j.current = j.place.get(q, at, 0); j.current >= 0 {
				t.only = j.Places[j.current].Only
				for _, rule := range j.Places[j.current].Rules {
					if j.keys[rule] == nil {
						continue
					}
					h := hold{rule, j.keys[rule].get(q, at, j.current)}
					key, level := "", int64(0)
					if h.key >= 0 {
						key, level = j.counter[rule].names[h.key], j.table(rule, replica, h.key).level(h.key, now)
					}
					t.held, t.keys, t.levels = append(t.held, h), append(t.keys, key), append(t.levels, level)
				}
			}
			t.decision = j.decideAt(replica, now, at)
			t.seen = j.effect(t.decision)
			stop(errReached)
		}
	})
	if context.Cause(ctx) == errReached {
		err = nil
	}
	return t, err
}

// stands returns the place in t.held of the rule that decides, or of the one that stands
// for a rule of the other side; -1 if no rule applies.
func (t *traced) stands(c *Config, other *Rule) int {
	if t.rule >= 0 {
		return slices.IndexFunc(t.held, func(h hold) bool { return h.rule == t.rule })
	}
	for _, same := range []func(r *Rule) bool{
		func(r *Rule) bool { return other != nil && r.Counts == other.Counts && r.Name == other.Name },
		func(r *Rule) bool { return other != nil && r.Counts == other.Counts },
		func(r *Rule) bool { return other != nil && r.Name == other.Name },
		func(*Rule) bool { return true },
	} {
		if i := slices.IndexFunc(t.held, func(h hold) bool { return h.key >= 0 && same(&c.Rules[h.rule]) }); i >= 0 {
			return i
		}
	}
	return -1
}

// side describes a decision and the rule at a place in t.held.
func (t *traced) side(c *Config, i int, o Judging) Side {
	s := Side{Status: t.seen.status, WaitMs: t.seen.waitMs}
	if i >= 0 {
		r := &c.Rules[t.held[i].rule]
		s.Rule, s.Counts, s.Key, s.Level = fmt.Sprintf("%s %s", r.Position, r.Name), r.Counts, o.shown(t.keys[i]), t.levels[i]
	}
	return s
}

// explain fills in the first difference: both rules, and which of their members explains
// it. A member does if the old rule decides as the new one once it has that member alone.
func (d *Difference) explain(ctx context.Context, c, other *Config, q *requests, n int64, o Judging) error {
	a, err := c.trace(ctx, q, n, o)
	if err != nil {
		return err
	}
	b, err := other.trace(ctx, q, n, o)
	if err != nil {
		return err
	}
	var of, by *Rule
	if a.rule >= 0 {
		of = &c.Rules[a.rule]
	}
	if b.rule >= 0 {
		by = &other.Rules[b.rule]
	}
	i, k := a.stands(c, by), b.stands(other, of)
	f := d.First
	f.Old, f.New = a.side(c, i, o), b.side(other, k, o)
	switch {
	case i < 0 || k < 0:
		lacks, which := &a, "old"
		if k < 0 {
			lacks, which = &b, "new"
		}
		if len(lacks.held) > 0 {
			f.because("key", "the request has none for the rules of the %s configuration", which)
		} else {
			f.because("scope", "no rule of the %s configuration that is judged applies to this request", which)
		}
		return nil
	case a.only != b.only:
		f.because("scope", "the %s rules count only", map[bool]string{true: "old", false: "new"}[a.only])
		return nil
	case a.refused && b.refused:
		f.because("status", "%d against %d", f.Old.Status, f.New.Status)
		return nil
	}
	x, y := &c.Rules[a.held[i].rule], &other.Rules[b.held[k].rule]
	var texts, alone []string
	for _, m := range members {
		old, new := m.text(x), m.text(y)
		if m.name == "burst" && x.System != y.System { // each counts it in its own way
			old, new = whole(x.AtOnce+x.Waiting)+" in all", whole(y.AtOnce+y.Waiting)+" in all"
		}
		if m.name == "rate" && sameRate(x, y) || m.name != "rate" && old == new {
			continue
		}
		if old == new { // rates that differ after the last digit
			old, new = x.exactly(), y.exactly()
		}
		swaps := x.System == y.System || m.name == "key" // no other member of one system stands for that of another
		var t traced
		if swaps {
			if t, err = c.with(m, a.held[i].rule, y).trace(ctx, q, n, o); err != nil {
				return err
			}
			if m.name == "key" && t.decision == a.decision && slices.Equal(t.levels, a.levels) {
				continue // the keys differ in other requests, or in words alone
			}
		}
		f.Reasons = append(f.Reasons, m.name)
		texts = append(texts, fmt.Sprintf("%s: %s against %s", m.name, old, new))
		if swaps && t.seen.equals(b.seen) {
			alone = append(alone, texts[len(texts)-1])
		}
	}
	switch {
	case len(f.Reasons) == 0 && x.System != y.System:
		f.because("window", "%s against %s", x.rate(), y.rate())
	case len(f.Reasons) == 0:
		f.because("scope", "the rules are alike, and apply to other requests")
	case len(alone) > 0:
		f.Reason = strings.Join(alone, "; or ")
		f.Reasons = lists.Map(alone, func(text string) string { name, _, _ := strings.Cut(text, ":"); return name })
	default:
		f.Reason = strings.Join(texts, "; ")
		if len(texts) > 1 {
			f.Reason += " (together)"
		}
	}
	return nil
}

// sameRate reports whether two rules count one rate. In one system that counts windows, 180
// a minute is another limit than 3 a second.
func sameRate(x, y *Rule) bool {
	if x.System == y.System && (x.System == "HAProxy" || x.System == "envoyproxy/ratelimit") {
		return x.Limit == y.Limit
	}
	return math.Abs(x.PerSecond-y.PerSecond) <= 1e-12*x.PerSecond // rates are fractions of whole numbers
}

// with returns the configuration with one member of a rule, and of those that share its
// counter, as another rule has it.
func (c *Config) with(m member, rule int, from *Rule) *Config {
	changed := *c
	changed.Rules = slices.Clone(c.Rules)
	for at := range changed.Rules {
		if at == rule || changed.Rules[at].Counter == c.Rules[rule].Counter && m.name != "burst" && m.name != "delay" {
			m.set(&changed.Rules[at], from)
		}
	}
	return &changed
}

type member struct {
	name string
	text func(r *Rule) string
	set  func(r, from *Rule)
}

// members are what can explain a difference between two rules.
var members = []member{
	{"key", func(r *Rule) string { return r.Counts }, func(r, from *Rule) { r.Of, r.Adds = from.Of, from.Adds }},
	{"rate", func(r *Rule) string { return r.counted() }, func(r, from *Rule) { r.Limit = from.Limit }},
	{"burst", func(r *Rule) string { return whole(r.Options.Burst) }, func(r, from *Rule) { r.Options.Burst = from.Options.Burst }},
	{"delay", func(r *Rule) string {
		if r.Options.NoDelay {
			return "none waits"
		}
		return fmt.Sprintf("all above %d wait", r.Options.Delay+1)
	}, func(r, from *Rule) { r.Options.Delay, r.Options.NoDelay = from.Options.Delay, from.Options.NoDelay }},
}

// String writes a decision: refused with 429, waits 20 ms, passes.
func (s Side) String() string {
	text := "passes at once"
	switch {
	case s.Status != 0:
		text = "refused" + with(s.Status)
	case s.WaitMs > 0:
		text = fmt.Sprintf("waits %d ms", s.WaitMs)
	}
	if s.Rule == "" {
		return text + "; no rule that is judged applies"
	}
	return fmt.Sprintf("%s; %s (%s, here %s) had room for %s more", text, s.Rule, s.Counts, format.Clean(s.Key), whole(s.Level))
}

// tables returns the other rules, the first difference, totals, and keys.
func (d *Difference) tables(before *Log) []table.Table {
	title, by := "instead: no difference", ""
	if len(before.notJudged())+len(d.Log.notJudged()) > 0 {
		title, by = "instead: no difference is known", " by the rules that are judged"
	}
	if d.First == nil {
		return []table.Table{{Title: title, Notes: []string{fmt.Sprintf("all %s are decided alike%s", format.Count(before.Requests, "request"), by)}}}
	}
	f := d.First
	list := []table.Table{{Title: "instead: the first difference", Notes: []string{
		fmt.Sprintf("%s, %s, of %s", f.Position, format.Instant(f.TimeNs), format.Clean(f.Client)),
		"old: " + f.Old.String(), "new: " + f.New.String(), f.Reason,
	}}}
	totals := table.Table{
		Title:   fmt.Sprintf("%d of %s are decided differently%s", d.Differ, format.Count(before.Requests, "request"), by),
		Columns: []table.Column{{Header: ""}, number("refused", ""), number("delayed", ""), number("at once", "")},
	}
	for i, t := range []Totals{before.Totals, d.Log.Totals} {
		totals.Rows = append(totals.Rows, []string{[]string{"old", "new"}[i], whole(t.Refused), whole(t.Delayed), whole(t.Passed)})
	}
	list = append(list, totals)
	for i, keys := range [][]KeyChange{d.Gained, d.Lost} {
		t := table.Table{Title: fmt.Sprintf("keys refused %s: %d", []string{"more", "less"}[i], []int{d.GainedAll, d.LostAll}[i]),
			Columns: []table.Column{{Header: "key"}, number("old", ""), number("new", "")}}
		for _, k := range keys {
			t.Rows = append(t.Rows, []string{format.Clean(k.Key), whole(k.Old), whole(k.New)})
		}
		if len(keys) > 0 {
			list = append(list, t)
		}
	}
	return list
}
