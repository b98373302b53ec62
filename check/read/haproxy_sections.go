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
	last     map[rateTest]*tracker // by what of it a rate reads
	guards   []condition           // that must not hold
	fields   []string              // of guards
	ended    *action               // answers every request
	unread   []action              // whose conditions are not read
	source   *action               // set-src
	exempt   []action              // allow
}

// conclude makes rules and places of what was read.
func (h *haproxy) conclude() {
	leads, backends := map[string]int{}, map[string]*proxy{}
	for _, p := range h.all {
		if p.kind != "defaults" {
			leads[p.next]++
		}
		if p.kind == "backend" && backends[p.label] == nil {
			backends[p.label] = p
		}
	}
	for _, p := range h.all {
		if p.kind == "defaults" || leads[p.next] != 1 || p.chooses || len(p.early)+len(p.rules) == 0 {
			continue
		}
		if b := backends[p.next]; b != nil {
			b.follows, p.early, p.rules = true, append(p.early, b.early...), append(p.rules, b.rules...)
			p.http = p.http && (b.http || len(b.early)+len(b.rules) == 0)
		}
	}
	h.tracked()
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
		s := &section{haproxy: h, proxy: p, last: map[rateTest]*tracker{}, place: &check.Place{Name: strings.TrimSpace(p.kind + " " + p.label)}}
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
		s.guards, s.fields = append(s.guards, plain), lists.Distinct(append(s.fields, fieldsOf([]condition{plain})...))
	}
}

// exempts reports whether an allow ends the rules before another rule.
func (e action) exempts(a action) bool { return e.in == a.in && e.phase == a.phase }

// before returns the conditions under which earlier rules end the rules before a, and the
// fields of a request that they read.
func (s *section) before(a action) (all []condition, fields []string) {
	all, fields = slices.Clip(s.guards), slices.Clip(s.fields)
	for _, e := range s.exempt {
		if e.exempts(a) {
			all, fields = append(all, e.when), append(fields, fieldsOf([]condition{e.when})...)
		}
	}
	return all, fields
}

// track reads a track-sc.
func (s *section) track(a action) {
	slot := strings.TrimPrefix(a.words[0], "track-sc")
	if !slices.Contains([]string{"0", "1", "2"}, slot) {
		s.invalid(a.Position, "track-sc%s: want 0 to 2", slot)
		return
	}
	table := a.table()
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
	tr := &tracker{Position: a.Position, table: t, what: a.words[1], step: len(s.place.Steps)}
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
	not, fields := s.before(a)
	if s.last[rateTest{slot: slot}] != nil {
		tr.key.Value, tr.key.Why = nil, "several track-sc"+slot+" of the section"
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
	case t.length > 0:
		tr.key.Value = func(field func(string) string) string {
			text := value(field)
			return text[:min(len(text), t.length)]
		}
	case t.keys == "integer" && tr.what != "src":
		tr.key = check.Key{Why: "its table holds numbers"}
	}
	tr.all = tr.key
	if value := tr.key.Value; value != nil {
		tr.key.Fields = lists.Distinct(slices.Concat(tr.key.Fields, fieldsOf([]condition{a.when}), fields))
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
	}
}

// table returns the name of the table in which a track-sc counts.
func (a action) table() string {
	if i := slices.Index(a.words, "table"); i > 0 && i+1 < len(a.words) {
		return a.words[i+1]
	}
	return a.of.label
}

// rule adds a rule that refuses by a rate.
func (s *section) rule(a action, rate *rateTest, rest conjunction, status int) {
	r := check.Rule{Position: a.Position, System: "HAProxy", Name: strings.TrimSpace(s.label + " " + a.words[0]), Status: status, AtOnce: rate.most, Held: a.words[0] == "tarpit"}
	r.Options.NoDelay = true
	r.Uses = []check.Use{{Position: a.Position, Where: s.place.Name}}
	if len(rest) > 0 {
		r.Uses[0].Where += ", with the further conditions of the line"
	}
	read := rateTest{slot: rate.slot, key: rate.key, table: rate.table}
	if rate.slot == "" {
		read.table = cmp.Or(rate.table, a.of.label)
	}
	if read.table != "" && s.tables[read.table] == nil {
		s.invalid(a.Position, "no table %q for a rate", read.table)
	}
	tr := s.last[read]
	applies := s.binds(&r, a, rate, tr, s.tables[read.table])
	s.passing(r.Name, a)
	if tr != nil {
		tr.counts(&r, rate)
		s.keyed(r.Name, tr)
		if s.filled[tr.table.Position] || s.filled[tr.Position] {
			r.Of = check.Key{Why: "its table or its key is filled in elsewhere"}
		}
	}
	if rate.most <= 0 {
		s.find(check.RefusesAll, r.Name, a.Position, "no request passes: the first one is above the limit already")
		r.Of = check.Key{Why: "it refuses every request"}
	}
	s.narrow(&r, a, rest)
	switch {
	case !applies:
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

// binds finds why a rule limits nothing, and reports whether requests reach it. tr is what
// it reads in the table t, nil for nothing.
func (s *section) binds(r *check.Rule, a action, rate *rateTest, tr *tracker, t *stickTable) bool {
	ended := s.ended
	if i := slices.IndexFunc(s.exempt, func(e action) bool { return e.exempts(a) && e.when.always() }); i >= 0 && ended == nil {
		ended = &s.exempt[i]
	}
	switch {
	case !s.http:
		s.find(check.NeverBinds, r.Name, a.Position, "limits nothing: the section is not in mode http")
	case ended != nil:
		s.find(check.Unreached, r.Name, a.Position, "never applies: `%s` (line %d) answers before limits are looked at", ended.words[0], ended.Line)
	case tr == nil && s.elsewhere(rate, t):
		r.Of.Why = "what it reads is tracked in another section, after it, or by another key"
		s.haproxy.name("http-request "+a.words[0]+" by a rate", r.Of.Why, a.Position)
	case tr == nil:
		s.find(check.NeverBinds, r.Name, a.Position, "limits nothing: what it reads is not tracked before in %s, so the rate is 0", s.place.Name)
	case !tr.table.stores:
		s.find(check.NeverBinds, r.Name, a.Position, "limits nothing: the table of line %d does not store http_req_rate", tr.table.Line)
	case tr.table.addresses() != "" && slices.Contains([]string{"path", "url", "method"}, tr.what):
		s.find(check.NeverBinds, r.Name, a.Position, "limits nothing: %s is no address, and the table of line %d holds nothing else", tr.what, tr.table.Line)
	case tr.table.period < 1000 && tr.table.text == strconv.FormatInt(tr.table.period, 10):
		s.find(check.NeverBinds, r.Name, a.Position, "limits nobody: http_req_rate(%s) counts in periods of %d ms", tr.table.text, tr.table.period)
	}
	return s.http && ended == nil
}

// passing finds which requests earlier rules let pass before a rule, or may let pass.
func (s *section) passing(name string, a action) {
	for _, e := range lists.Where(s.exempt, func(e action) bool { return e.exempts(a) && !e.when.always() }) {
		s.find(check.Unkeyed, name, e.Position, "not limited, as `%s` ends the rules before: requests with %s", e.words[0], e.when)
	}
	for _, other := range s.unread {
		s.haproxy.name("http-request "+other.words[0], "its condition is not read; requests that it ends are taken to go on", other.Position)
	}
	s.unread = nil
}

// narrow sets which of the requests that a rule counts it refuses: those that the rest of its
// condition holds for, and that no earlier rule ends.
func (s *section) narrow(r *check.Rule, a action, rest conjunction) {
	guards, fields := s.before(a)
	switch why := rest.why(); {
	case why != "":
		r.Of = check.Key{Why: "a condition of its line is not read"}
		s.haproxy.name("a condition of http-request "+a.words[0], why, a.Position)
	case len(rest) > 0 || len(guards) > 0:
		all := condition{rest}
		r.If = check.Key{Fields: lists.Distinct(append(fieldsOf([]condition{all}), fields...)), Value: func(field func(string) string) string {
			if !all.holds(field) || slices.ContainsFunc(guards, func(c condition) bool { return c.holds(field) }) {
				return ""
			}
			return "yes"
		}}
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
	if tr.what == "src" && tr.table.keys == "ip" && (s.proxy.six || s.kind == "backend" && s.haproxy.six) {
		s.find(check.Unkeyed, name, tr.table.Position, "not limited, as they have no key: requests from IPv6 addresses, which a table of type ip does not hold")
	}
	if tr.loose != "" {
		s.find(check.LooseKey, name, tr.Position, "the client chooses the key: %s", tr.loose)
	}
	if tr.loose != "" && !strings.HasPrefix(tr.what, "src") {
		s.find(check.Unkeyed, name, tr.Position, "not limited, as they have no key: requests without %s", strings.TrimPrefix(tr.table.addresses()+" in "+tr.loose, " in "))
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
	for _, p := range h.all {
		for _, a := range slices.Concat(p.early, p.rules) {
			slot, is := strings.CutPrefix(a.words[0], "track-sc")
			if !is {
				continue
			}
			t, list := h.tables[a.table()], h.slots[slot]
			if h.counted[t] = true; len(list) == 0 || list[len(list)-1].in != p {
				h.slots[slot] = append(list, tracking{p, t})
			}
		}
	}
}

// elsewhere reports whether a rule of the files tracks what a rate reads.
func (s *section) elsewhere(rate *rateTest, t *stickTable) bool {
	for _, other := range s.slots[rate.slot] {
		if other.in != s.proxy {
			other.table.use()
			return true
		}
	}
	if rate.slot != "" || !s.counted[t] {
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
