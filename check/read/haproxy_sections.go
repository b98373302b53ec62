package read

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// tracker is a track-sc that counts requests.
type tracker struct {
	check.Position
	slot  string
	table *stickTable
	all   check.Key // of every request
	key   check.Key // of those that it counts
	what  string    // its expression
	loose string
	rules []int // that read it
	step  int   // the number of steps before it
}

// section reads the rules of a proxy, and those of others that follow it.
type section struct {
	*haproxy
	*proxy
	place    *check.Place
	trackers []*tracker
	guards   []condition // that must not hold
	ended    *action     // answers every request
	unread   []action    // whose conditions are not read
	source   *action     // set-src
	exempt   []action    // allow
}

// conclude makes rules and places of what was read.
func (h *haproxy) conclude() {
	leads := map[string]int{}
	for _, p := range h.all {
		if p.kind != "defaults" {
			leads[p.next]++
		}
	}
	for _, p := range h.all {
		if p.kind == "defaults" || leads[p.next] != 1 || p.chooses || len(p.early)+len(p.rules) == 0 {
			continue
		}
		if i := slices.IndexFunc(h.all, func(b *proxy) bool { return b.kind == "backend" && b.label == p.next }); i >= 0 {
			b := h.all[i]
			b.follows, p.early, p.rules = true, append(p.early, b.early...), append(p.rules, b.rules...)
			p.http = p.http && (b.http || len(b.early)+len(b.rules) == 0)
		}
	}
	fronts := 0
	h.c.Choose = func(func(string) string) int { return 0 }
	for _, p := range h.all {
		if len(p.early)+len(p.rules) == 0 || p.follows {
			continue
		}
		if p.kind == "defaults" {
			h.find(check.Unused, "", p.Position, "no section inherits its rules")
			continue
		}
		s := &section{haproxy: h, proxy: p, place: &check.Place{Name: strings.TrimSpace(p.kind + " " + p.label)}}
		for _, a := range append(p.early, p.rules...) {
			s.take(a)
		}
		s.finish()
		if len(s.place.Rules) > 0 {
			fronts++
			h.c.Places = append(h.c.Places, *s.place)
		}
	}
	if fronts > 1 {
		h.c.Choose = nil // a log does not show the section
	}
	if fronts == 0 {
		h.c.Places = []check.Place{{Name: "all requests"}}
	}
	for _, name := range slices.Sorted(maps.Keys(h.tables)) {
		if t := h.tables[name]; t.stores && !t.read {
			h.find(check.Unused, "", t.Position, "stores http_req_rate, and no rule that is judged reads it")
		}
	}
}

// refusing are the actions that refuse, with the status that they have by themselves, -1
// for none.
var refusing = map[string]int{"deny": 403, "tarpit": 500, "reject": -1, "silent-drop": -1, "return": 200}

// ending are actions after which no further rule is looked at.
var ending = []string{"deny", "tarpit", "reject", "silent-drop", "return", "allow", "accept", "redirect", "auth", "use-service"}

// take reads a rule.
func (s *section) take(a action) {
	word := a.words[0]
	switch {
	case strings.HasPrefix(word, "track-sc"):
		s.track(a)
	case word == "set-src" && len(a.words) > 1:
		s.source = &a
	case slices.Contains(ending, word):
		s.end(a, word)
	case a.when.concerns(), s.concerns(a.words, s.proxy):
		s.haproxy.name("http-request "+word, "a variable or a mark of a rate", a.Position)
	}
}

// end reads a rule that ends the rules.
func (s *section) end(a action, word string) {
	status, refuses := refusing[word]
	if a.when == nil && s.filled[a.Position] {
		return // it may have a condition
	}
	for i, w := range a.words {
		if (w == "deny_status" || w == "status") && i+1 < len(a.words) && !isFilled(a.words[i+1]) {
			status, _ = strconv.Atoi(a.words[i+1])
			if word != "return" && !slices.Contains([]int{200, 400, 401, 403, 404, 405, 407, 408, 410, 413, 421, 422, 425, 429, 500, 501, 502, 503, 504}, status) {
				s.invalid(a.Position, "unexpected status code")
			}
		}
	}
	allows := word == "allow" || word == "accept" // which ends the rules of its kind in its section
	if a.when == nil && allows {
		a.when = condition{nil}
		s.exempt = append(s.exempt, a)
		return
	}
	if a.when == nil {
		if s.ended == nil {
			s.ended = &a
		}
		return
	}
	var plain condition
	for _, c := range a.when {
		if i := slices.IndexFunc(c, func(t test) bool { return t.about }); i >= 0 {
			s.haproxy.name("http-request "+word, c[i].why, a.Position)
			continue
		}
		rates := lists.Where(c, func(t test) bool { return t.rate != nil })
		rest := conjunction(lists.Where(c, func(t test) bool { return t.rate == nil }))
		switch {
		case len(rates) == 0:
			plain = append(plain, c)
		case !refuses:
			why := "it answers otherwise than by a refusal"
			if allows {
				why = "it exempts requests"
			}
			s.haproxy.name("http-request "+word+" by a rate", why, a.Position)
		case len(rates) > 1 || rates[0].not:
			s.haproxy.name("http-request "+word, "several rates, or one that is negated, in a condition", a.Position)
		default:
			s.rule(a, rates[0].rate, rest, status)
		}
	}
	if plain == nil {
		return
	}
	if slices.ContainsFunc(plain, func(c conjunction) bool { return c.why() != "" }) {
		s.unread = append(s.unread, a)
		return
	}
	if a.when = plain; allows {
		s.exempt = append(s.exempt, a)
	} else {
		s.guards = append(s.guards, plain)
	}
}

// exempts reports whether an allow ends the rules before another rule.
func (e action) exempts(a action) bool { return e.in == a.in && e.phase == a.phase }

// before returns the conditions under which earlier rules end the rules before a.
func (s *section) before(a action) []condition {
	all := slices.Clone(s.guards)
	for _, e := range s.exempt {
		if e.exempts(a) {
			all = append(all, e.when)
		}
	}
	return all
}

// track reads a track-sc.
func (s *section) track(a action) {
	slot := strings.TrimPrefix(a.words[0], "track-sc")
	if !slices.Contains([]string{"0", "1", "2"}, slot) {
		s.invalid(a.Position, "track-sc%s: want 0 to 2", slot)
		return
	}
	table := a.of.label
	if i := slices.Index(a.words, "table"); i > 0 && i+1 < len(a.words) {
		table = a.words[i+1]
	}
	t := s.tables[table]
	if t == nil && isFilled(table) {
		t = &stickTable{Position: a.Position, name: table, stores: true, text: gap}
	}
	if t == nil {
		s.invalid(a.Position, "no table %q for %s", table, a.words[0])
		return
	}
	if len(a.words) < 2 {
		s.invalid(a.Position, "%s needs a key", a.words[0])
		return
	}
	tr := &tracker{Position: a.Position, slot: slot, table: t, what: a.words[1], step: len(s.place.Steps)}
	if a.phase != "" {
		tr.step = 0
	}
	tr.key, tr.loose = haproxyKey(a.words[1])
	if from, _, _ := strings.Cut(tr.what, ","); s.source != nil && from == "src" {
		if _, tr.loose = haproxyKey(s.source.words[1]); tr.loose == "" || s.source.when != nil {
			tr.loose = ""
			s.haproxy.name("http-request set-src", "it changes the address that is counted", s.source.Position)
		}
	}
	when := []condition{a.when}
	var not []condition
	not = append(not, s.before(a)...)
	for _, earlier := range s.trackers {
		if earlier.slot == slot {
			tr.key.Why = "several track-sc" + slot + " of the section"
			tr.key.Value = nil
		}
	}
	for _, c := range a.when {
		if c.why() != "" {
			tr.key.Value, tr.key.Why = nil, "a condition of line "+strconv.Itoa(a.Line)+" is not read"
		}
	}
	switch value := tr.key.Value; {
	case value == nil || len(tr.key.Fields) == 0:
	case t.addresses() != "":
		tr.key.Value = func(field func(string) string) string {
			return t.kept(value(field), tr.what == "src")
		}
	case t.keys == "integer" && tr.what != "src":
		tr.key = check.Key{Why: "its table holds numbers"}
	}
	tr.all = tr.key
	if value := tr.key.Value; value != nil {
		tr.key.Fields = lists.Distinct(slices.Concat(tr.key.Fields, fieldsOf(append(when, not...))))
		tr.key.Value = func(field func(string) string) string {
			if a.when != nil && !a.when.holds(field) || slices.ContainsFunc(not, func(c condition) bool { return c.holds(field) }) {
				return ""
			}
			return value(field)
		}
	}
	s.trackers = append(s.trackers, tr)
}

// rule adds a rule that refuses by a rate.
func (s *section) rule(a action, rate *rateTest, rest conjunction, status int) {
	name := strings.TrimSpace(s.label + " " + a.words[0])
	var tr *tracker
	reads := rate.table
	for _, t := range s.trackers {
		switch {
		case rate.slot != "" && t.slot == rate.slot && (rate.table == "" || s.tables[rate.table] == t.table):
			tr = t
		case rate.slot == "" && s.tables[cmp.Or(rate.table, a.of.label)] == t.table && rate.key == t.what:
			tr = t
		}
	}
	r := check.Rule{Position: a.Position, System: "HAProxy", Name: name, Status: status, AtOnce: rate.most, Held: a.words[0] == "tarpit"}
	r.Options.NoDelay = true
	r.Uses = []check.Use{{Position: a.Position, Where: s.place.Name}}
	if rate.slot == "" {
		reads = cmp.Or(reads, a.of.label)
	}
	if reads != "" && s.tables[reads] == nil {
		s.invalid(a.Position, "no table %q for a rate", reads)
	}
	if len(rest) > 0 {
		r.Uses[0].Where += ", with the further conditions of the line"
	}
	ended := s.ended
	if i := slices.IndexFunc(s.exempt, func(e action) bool { return e.exempts(a) && e.when.always() }); i >= 0 && ended == nil {
		ended = &s.exempt[i]
	}
	switch {
	case !s.http:
		s.find(check.NeverBinds, name, a.Position, "limits nothing: the section is not in mode http")
	case ended != nil:
		s.find(check.Unreached, name, a.Position, "never applies: `%s` (line %d) answers before limits are looked at", ended.words[0], ended.Line)
	case tr == nil && s.elsewhere(rate, s.tables[reads]):
		r.Of.Why = "what it reads is tracked in another section, after it, or by another key"
		s.haproxy.name("http-request "+a.words[0]+" by a rate", r.Of.Why, a.Position)
	case tr == nil:
		s.find(check.NeverBinds, name, a.Position, "limits nothing: what it reads is not tracked before in %s, so the rate is 0", s.place.Name)
	case !tr.table.stores:
		s.find(check.NeverBinds, name, a.Position, "limits nothing: the table of line %d does not store http_req_rate", tr.table.Line)
	case tr.table.addresses() != "" && slices.Contains([]string{"path", "url", "method"}, tr.what):
		s.find(check.NeverBinds, name, a.Position, "limits nothing: %s is no address, and the table of line %d holds nothing else", tr.what, tr.table.Line)
	case tr.table.period < 1000 && tr.table.text == strconv.FormatInt(tr.table.period, 10):
		s.find(check.NeverBinds, name, a.Position, "limits nobody: http_req_rate(%s) counts in periods of %d ms", tr.table.text, tr.table.period)
	}
	for _, e := range lists.Where(s.exempt, func(e action) bool { return e.exempts(a) && !e.when.always() }) {
		s.find(check.Unkeyed, name, e.Position, "not limited, as `%s` ends the rules before: requests with %s", e.words[0], e.when)
	}
	for _, other := range s.unread {
		s.haproxy.name("http-request "+other.words[0], "its condition is not read; requests that it ends are taken to go on", other.Position)
	}
	s.unread = nil
	if tr != nil {
		tr.counts(&r, rate)
		s.keyed(name, tr)
		if s.filled[tr.table.Position] || s.filled[tr.Position] {
			r.Of = check.Key{Why: "its table or its key is filled in elsewhere"}
		}
	}
	if rate.most <= 0 {
		s.find(check.RefusesAll, name, a.Position, "no request passes: the first one is above the limit already")
		r.Of = check.Key{Why: "it refuses every request"}
	}
	guards := s.before(a)
	switch why := rest.why(); {
	case why != "":
		r.Of = check.Key{Why: "a condition of its line is not read"}
		s.haproxy.name("a condition of http-request "+a.words[0], why, a.Position)
	case len(rest) > 0 || len(guards) > 0:
		all := condition{rest}
		r.If = check.Key{Fields: lists.Distinct(fieldsOf(append([]condition{all}, guards...))), Value: func(field func(string) string) string {
			if !all.holds(field) || slices.ContainsFunc(guards, func(c condition) bool { return c.holds(field) }) {
				return ""
			}
			return "yes"
		}}
	}
	switch {
	case ended != nil || !s.http:
		r.Of = check.Key{Why: "it never applies"}
	case a.phase != "":
		r.Of = check.Key{Why: "a log does not have connections"}
	}
	i := len(s.c.Rules)
	s.c.Rules = append(s.c.Rules, r)
	s.place.Rules = append(s.place.Rules, i)
	s.place.Steps = append(s.place.Steps, check.Step{Rule: i})
	if tr != nil && r.Of.Value != nil && r.Limit.Window > 0 {
		tr.rules = append(tr.rules, i)
	}
}

// counts says what a rule that reads a tracker counts.
func (tr *tracker) counts(r *check.Rule, rate *rateTest) {
	tr.table.read = true
	r.Key, r.Counts = tr.what, haproxyCounts(tr.what)
	r.Counter = "table " + tr.table.name
	r.Of, r.Forget = tr.key, tr.table.forget
	if rate.slot == "" { // looks the key up, also of a request that is not counted
		r.Of, r.Adds = tr.all, tr.key
	}
	if tr.table.stores && tr.table.period > 0 && rate.most > 0 {
		r.Rate = fmt.Sprintf("%d in %s", rate.most, time.Duration(tr.table.period)*time.Millisecond)
		r.PerSecond = float64(rate.most) * 1000 / float64(tr.table.period)
		r.Limit = counting.Limit{Count: rate.most, Window: tr.table.period * 1e6}
	}
}

// keyed finds which requests have no count in a tracker, or one that does not last.
func (s *section) keyed(name string, tr *tracker) {
	if tr.table.forget > 0 && tr.table.forget < tr.table.period*1e6 {
		s.find(check.Forgotten, name, tr.table.Position, "a key is dropped %s after its last request, before its period of %s ends", time.Duration(tr.table.forget), time.Duration(tr.table.period)*time.Millisecond)
	}
	if tr.what == "src" && tr.table.keys == "ip" && slices.ContainsFunc(s.all, func(p *proxy) bool { return p.six && (p == s.proxy || s.kind == "backend") }) {
		s.find(check.Unkeyed, name, tr.table.Position, "not limited, as they have no key: requests from IPv6 addresses, which a table of type ip does not hold")
	}
	if tr.loose != "" {
		s.find(check.LooseKey, name, tr.Position, "the client chooses the key: %s", tr.loose)
	}
	if tr.loose != "" && !strings.HasPrefix(tr.what, "src") {
		s.find(check.Unkeyed, name, tr.Position, "not limited, as they have no key: requests without %s", strings.TrimPrefix(tr.table.addresses()+" in "+tr.loose, " in "))
	}
}

// elsewhere reports whether a rule of the files tracks what a rate reads.
func (s *section) elsewhere(rate *rateTest, t *stickTable) bool {
	for _, p := range s.all {
		for _, a := range slices.Concat(p.early, p.rules) {
			slot, is := strings.CutPrefix(a.words[0], "track-sc")
			table := a.of.label
			if i := slices.Index(a.words, "table"); i > 0 && i+1 < len(a.words) {
				table = a.words[i+1]
			}
			if is && (rate.slot == slot && p != s.proxy || rate.slot == "" && s.tables[table] == t) {
				t = s.tables[table]
				t.use()
				return true
			}
		}
	}
	return false
}

// use notes that a rule reads a table, which may be missing.
func (t *stickTable) use() {
	if t != nil {
		t.read = true
	}
}

// finish puts the counts of the trackers between the rules.
func (s *section) finish() {
	for _, t := range slices.Backward(s.trackers) {
		if slices.ContainsFunc(s.trackers, func(other *tracker) bool { return other != t && other.table == t.table }) {
			for _, i := range t.rules {
				s.c.Rules[i].Of = check.Key{Why: "several track-sc of the section count in its table"}
			}
		} else if len(t.rules) > 0 {
			s.place.Steps = slices.Insert(s.place.Steps, t.step, check.Step{Rule: t.rules[0], Count: true})
		}
	}
}
