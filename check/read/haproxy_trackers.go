package read

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// tracker is a track-sc that counts requests.
type tracker struct {
	action
	table *stickTable
	all   check.Key // that a lookup reads, of every request: of several values of a header the first
	key   check.Key // of those that it counts
	what  string    // its expression
	loose string
	rules []int    // that read it
	step  int      // the number of steps before it
	since int      // the number of rewrites before it
	part  bool     // it may not count a request that has its key
	every bool     // it counts every request, as each has a key
	lacks bool     // its table does not hold the addresses of IPv6 clients, which reach it
	first *tracker // the one before with its slot: a request is counted by the first that it meets
}

// severalValues matches headers whose values commas part, without the number of one.
var severalValues = regexp.MustCompile(`^(?:req\.)?hdr(?:_ip)?\([^,)]*\)`)

// noKey matches types of tables with what HAProxy does not convert to them.
var noKey = regexp.MustCompile(`^(?:(?:ip|ipv6|integer) (?:method|(?:base|url)32\+src)|ip(?:v6)? (?:always_true|bool\(.*\)))$`)

// track reads a track-sc.
func (s *section) track(a action) {
	slot, table := strings.TrimPrefix(a.words[0], "track-sc"), a.table()
	t := s.tables[table]
	if t == nil && isFilled(table) {
		t = &stickTable{Position: a.Position, name: table, stores: true, text: gap}
	}
	s.tried[slot] = cmp.Or(t, &stickTable{})
	switch {
	case !slices.Contains([]string{"0", "1", "2"}, slot):
		s.invalid(a.Position, "track-sc%s: want 0 to 2", slot)
	case t == nil:
		s.missing(a.Position, "no table %q for %s", table, a.words[0])
	case len(a.words) < 2:
		s.invalid(a.Position, "%s needs a key", a.words[0])
	case noKey.MatchString(t.keys + " " + a.words[1]):
		s.invalid(a.Position, "%s is no key of a table of type %s", a.words[1], t.keys)
	default:
		s.count(a, slot, table, t)
	}
}

// count reads a track-sc that HAProxy takes.
func (s *section) count(a action, slot, table string, t *stickTable) {
	tr := &tracker{action: a, table: t, what: a.words[1], step: len(s.place.Steps), since: len(s.rewrites), lacks: a.words[1] == "src" && s.misses(t)}
	tr.key, tr.loose = haproxyKey(a.words[1])
	from := fieldsOf(tr.what)
	if slices.Contains(from, "client") {
		tr.loose = s.source
	}
	not, fields, why := s.before(a)
	tr.part = a.when != nil || len(s.exempting(a)) > 0
	tr.every = !tr.part && len(not) == 0 && s.always(tr.what, t)
	if first := s.last[rateTest{slot: slot}]; first != nil {
		s.haproxy.name("several track-sc"+slot, "a request is counted by the first that it meets", a.Position)
		if first.every {
			return
		}
		tr.first, tr.part, why = first, true, "several track-sc"+slot+" of the section"
	}
	if a.when.why() != "" {
		why = "a condition of line " + strconv.Itoa(a.Line) + " is not read"
	}
	if !slices.Contains(from, unknown) {
		why = cmp.Or(s.rewritten(slices.Concat(from, a.when.fields()), s.hidden), why)
	}
	if whole := map[string]int{"binary": 16, "string": len("::ffff:255.255.255.255")}[t.keys]; slices.Contains(from, "client") && s.proxy.six && t.length < whole {
		why = cmp.Or(why, "its table cuts the IPv4 addresses of an IPv6 socket, which a log shows in short")
	}
	if why != "" {
		tr.key.Value, tr.key.Why = nil, why
	}
	kept := func(value func(func(string) string) string) func(func(string) string) string {
		return func(field func(string) string) string { return t.kept(value(field), isAddress(tr.what)) }
	}
	switch value := tr.key.Value; {
	case value == nil || len(tr.key.Fields) == 0 && !t.never(tr.what):
	case t.keys == "integer" && tr.what != "src":
		tr.key = check.Key{Why: "its table holds numbers"}
	default:
		tr.key.Value = kept(value)
	}
	tr.all = tr.key
	if header := severalValues.FindString(tr.what); header != "" && tr.all.Value != nil {
		first, _ := haproxyKey(strings.TrimSuffix(header, ")") + ",1)")
		tr.all.Value = kept(first.Value)
	}
	if value := tr.key.Value; value != nil {
		tr.key.Fields = lists.Distinct(slices.Concat(tr.key.Fields, a.when.fields(), fields))
		tr.key.Value = func(field func(string) string) string {
			if a.when != nil && !a.when.holds(field) || slices.ContainsFunc(not, func(c condition) bool { return c.holds(field) }) {
				return ""
			}
			return value(field)
		}
	}
	s.trackers = append(s.trackers, tr)
	for _, read := range []rateTest{{slot: slot}, {slot: slot, table: table}, {key: tr.what, table: table}} {
		s.last[read] = tr
		for _, e := range s.ahead[read] {
			s.lookedUp(tr, e)
		}
	}
}

// always reports whether every request has the key of an expression in a table.
func (s *section) always(what string, t *stickTable) bool {
	key, loose := haproxyKey(what)
	return key.Value != nil && loose == "" && (t.length > 0 || what == "src" && !s.misses(t))
}

// misses reports whether a table does not hold the addresses of IPv6 clients, which reach the section.
func (s *section) misses(t *stickTable) bool {
	return (t.keys == "ip" || t.keys == "integer") && (s.proxy.six || s.kind == "backend" && s.haproxy.six)
}

// tracks reports whether a rule counts the requests of a key in a table.
func (a action) tracks(read rateTest) bool {
	return strings.HasPrefix(a.words[0], "track-sc") && len(a.words) > 1 && a.words[1] == read.key && a.table() == read.table
}

// lookedUp completes a rule that looks the key of a tracker up before that counts.
func (s *section) lookedUp(tr *tracker, e early) {
	r := &s.c.Rules[e.rule]
	why := cmp.Or(s.rewritten(fieldsOf(tr.what), s.rewrites[e.since:]), r.Of.Why)
	s.reads(r, tr, e.rate)
	if why != "" {
		r.Of = check.Key{Why: why}
	} else if r.Of.Value != nil && r.Limit.Window > 0 {
		tr.rules = append(tr.rules, e.rule)
	}
}

// table returns the name of the table in which a track-sc counts.
func (a action) table() string {
	if i := slices.Index(a.words, "table"); i > 0 && i+1 < len(a.words) {
		return a.words[i+1]
	}
	return a.of.label
}

// reads sets what a rule that reads a tracker counts, and finds what is to know about it.
func (s *section) reads(r *check.Rule, tr *tracker, rate *rateTest) {
	if r.Key, r.Counts = tr.what, haproxyCounts(tr.what); tr.first != nil {
		r.Key, r.Counts = "", "what the first track-sc that a request meets says"
	} else if tr.what == "src" && tr.phase == "connection" {
		r.Counts = "each address that connects"
	}
	r.Counter = "table " + tr.table.name
	r.Of, r.Forget, r.Holds = tr.key, tr.table.forget, tr.table.holds
	if rate.slot == "" { // looks the key up, also of a request that is not counted
		r.Of, r.Adds, r.Holds = tr.all, tr.key, 0
	}
	if r.Rate = tr.table.rate(rate); r.Rate != "" {
		r.PerSecond = float64(r.AtOnce) * 1000 / float64(tr.table.period)
		r.Limit = counting.Limit{Count: rate.most, Window: tr.table.period * 1e6}
	}
	s.keyed(r.Name, tr)
	if tr.when != nil && !tr.when.always() && tr.first == nil && rate.slot != "" {
		s.find(check.Unkeyed, r.Name, tr.Position, "not limited, as they have no key: requests that the condition of the line leaves out")
	}
	for first := tr.first; first != nil; first = first.first {
		first.table.use()
	}
	if s.filled[tr.table.Position] || s.filled[tr.Position] {
		r.Of = check.Key{Why: "its table or its key is filled in elsewhere"}
	}
}

// rate writes how many requests pass a rule that reads the table, "" if that is not known.
func (t *stickTable) rate(rate *rateTest) string {
	t.read = true
	if !t.stores || t.period == 0 {
		return ""
	}
	return fmt.Sprintf("%d in %s", max(rate.most, 0), format.Span(t.period*1e6))
}

// keyed finds which requests have no count in a tracker, or one that does not last.
func (s *section) keyed(name string, tr *tracker) {
	if tr.table.forget > 0 && tr.table.forget < tr.table.period*1e6 {
		s.find(check.Forgotten, name, tr.table.Position, "a key is dropped %s after its last request, before its period of %s ends", format.Span(tr.table.forget), format.Span(tr.table.period*1e6))
	}
	if tr.lacks {
		s.find(check.Unkeyed, name, tr.table.Position, "not limited, as they have no key: requests from IPv6 addresses, which a table of type %s does not hold", tr.table.keys)
	}
	if tr.loose != "" {
		s.find(check.LooseKey, name, tr.Position, "the client chooses the key: %s", tr.loose)
	}
	if tr.loose != "" && tr.first == nil && !strings.HasPrefix(tr.what, "src") {
		s.find(check.Unkeyed, name, tr.Position, "not limited, as they have no key: requests without %s", strings.TrimPrefix(tr.table.addresses(tr.what)+" in "+tr.loose, " in "))
	}
}

// tracking is a section with a track-sc.
type tracking struct {
	in    *proxy
	table *stickTable
}

// tracked notes the track-sc of all sections.
func (h *haproxy) tracked() {
	h.slots, h.counted = map[string][]tracking{}, map[*stickTable]bool{}
	for _, p := range lists.Where(h.all, func(p *proxy) bool { return !p.follows }) {
		for _, a := range p.rules {
			if slot, is := strings.CutPrefix(a.words[0], "track-sc"); is {
				t, list := h.tables[a.table()], h.slots[slot]
				if h.counted[t] = true; len(list) == 0 || list[len(list)-1].in != p {
					h.slots[slot] = append(list, tracking{p, t})
				}
			}
		}
	}
}

// elsewhere reports whether a rule of the files tracks what a rate reads.
func (s *section) elsewhere(rate *rateTest, t *stickTable) bool {
	list := s.slots[rate.slot]
	if i := slices.IndexFunc(list, func(other tracking) bool { return other.in != s.proxy }); i >= 0 {
		t = list[i].table
	} else if !s.counted[t] || rate.slot != "" && s.last[rateTest{slot: rate.slot}] == nil {
		return false
	}
	t.use()
	return true
}

// use notes that a rule reads a table, which may be missing.
func (t *stickTable) use() {
	if t != nil {
		t.read = true
	}
}

// finish puts the counts of the trackers between the rules.
func (s *section) finish() {
	of := map[*stickTable]int{}
	for _, t := range s.trackers {
		of[t.table]++
	}
	for _, t := range slices.Backward(s.trackers) {
		if of[t.table] > 1 {
			for _, i := range t.rules {
				s.c.Rules[i].Of = check.Key{Why: "several track-sc of the section count in its table"}
			}
		} else if len(t.rules) > 0 {
			s.place.Steps = slices.Insert(s.place.Steps, t.step, check.Step{Rule: t.rules[0], Count: true})
		}
	}
}
