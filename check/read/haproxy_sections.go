package read

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// section reads the rules of a proxy, and those of others that follow it.
type section struct {
	*haproxy
	*proxy
	place     *check.Place
	trackers  []*tracker
	last      map[rateTest]*tracker  // by what of it a rate reads
	rest      []action               // after the one that is read
	ahead     map[rateTest][]early   // rules that look a key up before it is tracked
	guards    []condition            // that must not hold
	fields    []string               // of guards
	ended     *action                // answers every request
	unclear   []action               // whose conditions are not read
	source    string                 // what of a request gives its address, by a set-src of all
	allows    []action               // and others of which it is not known which requests they end: without a condition
	rewrites  []action               // which change the request
	hidden    []action               // which keep a log from showing what is read: set-src ahead, and others before
	strictest map[reading]limiting   // rules without further conditions
	tried     map[string]*stickTable // tables of track-sc, also of those with which HAProxy does not start, by slots
}

// reading is what a rule reads, and the rules that an allow would end with it. slot has the table,
// too, if each request says which of several track-sc it reads; it is empty for a lookup.
type reading struct {
	*tracker
	slot  string
	in    *proxy
	phase string
}

// early is a rule that looks a key up before it is tracked, by its index.
type early struct {
	rule  int
	rate  *rateTest
	since int // the number of rewrites before
}

// limiting is a rule that refuses what is above a number.
type limiting struct {
	line int
	most int64
}

// conclude makes rules and places of what was read.
func (h *haproxy) conclude() {
	leads, backends := map[string]int{}, map[string]*proxy{}
	for _, p := range h.all {
		if p.disabled && p.kind != "defaults" {
			if len(p.rules) > 0 {
				h.found.name("disabled sections", "HAProxy leaves them out", p.Position)
			}
			p.rules, p.acls, p.next = nil, nil, ""
			if t := h.tables[p.label]; t != nil {
				t.read = true
			}
		}
		for i, a := range p.rules {
			if h.at = a.Position; a.of.extends && a.tests != nil {
				h.conditional(&p.rules[i])
			}
		}
		slices.SortStableFunc(p.rules, func(a, b action) int {
			return cmp.Compare(slices.Index(phases, a.phase), slices.Index(phases, b.phase))
		})
		if p.kind != "defaults" {
			leads[p.next]++
		}
		if p.kind == "backend" && backends[p.label] == nil {
			backends[p.label] = p
		}
	}
	for _, p := range h.all {
		b := backends[p.next]
		p.upgrades = !p.http && (p.chooses || b != nil && b.http)
		if ruled := slices.ContainsFunc(p.rules, func(a action) bool { return a.phase != proxied }); ruled && b != nil && p.kind != "defaults" && leads[p.next] == 1 && !p.chooses {
			b.follows, p.rules = true, append(p.rules, b.rules...)
		}
	}
	for _, r := range h.rates {
		if h.tables[r.table] == nil && !r.of.disabled {
			h.missing(r.at, "no table %q for a rate", r.table)
		}
	}
	for _, p := range h.all {
		for _, name := range slices.Sorted(maps.Keys(p.acls)) {
			if c := p.acls[name]; !p.names[name] && !h.template && c.rated() {
				at := slices.IndexFunc(c, func(all conjunction) bool { return all[0].rate != nil })
				h.find(check.Unused, "", c[at][0].rate.at, "no line names the ACL %s, which reads a rate", name)
			}
		}
	}
	h.tracked()
	h.c.Choose = func(func(string) string) int { return 0 }
	for _, p := range h.all {
		if len(p.rules) == 0 || p.follows {
			continue
		}
		if p.kind == "defaults" {
			h.find(check.Unused, "", p.Position, "no section inherits its rules")
			continue
		}
		s := &section{haproxy: h, proxy: p, last: map[rateTest]*tracker{}, strictest: map[reading]limiting{}, tried: map[string]*stickTable{}, ahead: map[rateTest][]early{}, place: &check.Place{Name: strings.TrimSpace(p.kind + " " + p.label)}}
		s.rest = p.rules
		s.hidden = lists.Where(s.rest, func(a action) bool { return a.words[0] == "set-src" })
		for len(s.rest) > 0 {
			a := s.rest[0]
			s.rest = s.rest[1:]
			s.take(a)
		}
		s.finish()
		if len(s.place.Rules) > 0 {
			h.c.Places = append(h.c.Places, *s.place)
		}
	}
	if len(h.c.Places) > 1 {
		h.c.Choose = nil // a log does not show the section
	}
	if len(h.c.Places) == 0 {
		h.c.Places = []check.Place{{Name: "all requests"}}
	}
	for _, name := range slices.Sorted(maps.Keys(h.tables)) {
		if t := h.tables[name]; t.stores && !t.read && !(h.unjudged && h.counted[t]) {
			h.find(check.Unused, "", t.Position, "stores http_req_rate, and no rule that is judged reads it")
		}
	}
}

// refusing are the actions that refuse, with the status that they have by themselves, -1
// for none.
var refusing = map[string]int{"deny": 403, "tarpit": 500, "reject": -1, "silent-drop": -1, "return": 200}

// ending are actions after which no further rule is looked at.
var ending = []string{"deny", "tarpit", "reject", "silent-drop", "return", "allow", "accept", "redirect", "auth", "use-service", "monitor-uri"}

// rewriting are the fields of a request that actions change; nil stands for the header that they name.
var rewriting = map[string][]string{"set-path": {"target"}, "set-pathq": {"target"}, "set-uri": {"target", "host"}, "set-query": {"target"},
	"normalize-uri": {"target"}, "replace-path": {"target"}, "replace-pathq": {"target"}, "replace-uri": {"target", "host"},
	"set-method": {"method"}, "set-src": {"client"},
	"set-header": nil, "add-header": nil, "del-header": nil, "replace-header": nil, "replace-value": nil}

// take reads a rule.
func (s *section) take(a action) {
	word := a.words[0]
	tracks, ends := strings.HasPrefix(word, "track-sc"), slices.Contains(ending, word)
	if !tracks && !ends && (a.when.concerns() || s.concerns(a.words, s.proxy)) {
		s.haproxy.unread(a.String(), "a variable, a header or a mark of a rate", a.Position)
	}
	switch _, rewrites := rewriting[word]; {
	case a.phase == "" && !a.in.http && s.upgrades:
		s.haproxy.unread(a.String(), "it stands in mode tcp, ahead of a backend in mode http", a.Position)
	case tracks:
		s.track(a)
	case word == "set-src" && len(a.words) > 1: // the log shows the address for what follows
		i := slices.IndexFunc(s.hidden, func(a action) bool { return a.words[0] == word })
		s.rewrites, s.hidden, s.proxy.six = append(s.rewrites, a), slices.Delete(s.hidden, i, i+1), true
		if _, loose := haproxyKey(a.words[1]); a.when == nil && loose != "" {
			s.source = loose
		}
	case rewrites && len(a.words) > 1:
		s.rewrites, s.hidden = append(s.rewrites, a), append(s.hidden, a)
	case ends:
		s.end(a, word)
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
			own := w == "status" || slices.ContainsFunc(a.words, func(w string) bool {
				return slices.Contains([]string{"content-type", "hdr", "errorfile", "errorfiles"}, w)
			})
			if byFile := !own || slices.Contains(a.words, "default-errorfiles"); status < 200 || status > 599 || byFile && !slices.Contains([]int{200, 400, 401, 403, 404, 405, 407, 408, 410, 413, 421, 422, 425, 429, 500, 501, 502, 503, 504}, status) {
				s.invalid(a.Position, "unexpected status code")
			}
		}
	}
	allows := word == "allow" || word == "accept" // which ends the rules of its kind in its section
	if a.when == nil && allows {
		a.when = condition{nil}
	}
	if a.when == nil {
		s.ended = cmp.Or(s.ended, &a)
		return
	}
	var plain condition
	for _, c := range a.when {
		if i := slices.IndexFunc(c, func(t test) bool { return t.about }); i >= 0 {
			s.haproxy.unread(a.String(), c[i].why, a.Position)
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
			s.haproxy.unread(a.String()+" by a rate", why, a.Position)
		case len(rates) > 1 || rates[0].not:
			s.haproxy.unread(a.String(), "several rates, or one that is negated, in a condition", a.Position)
		default:
			s.rule(a, rates[0].rate, rest, status)
		}
	}
	changed := s.rewritten(plain.fields(), s.hidden) != ""
	known := !changed && plain.why() == ""
	if !known {
		s.unclear = append(s.unclear, a)
	}
	switch {
	case allows || changed:
		if !known || len(plain) < len(a.when) {
			a.when = nil
		}
		s.allows = append(s.allows, a)
	case known && plain != nil:
		s.guards, s.fields = append(s.guards, plain), lists.Distinct(append(s.fields, plain.fields()...))
	}
}

// exempting returns those of the allows that may end the rules before another rule.
func (s *section) exempting(a action) []action {
	return lists.Where(s.allows, func(e action) bool { return e.in == a.in && e.phase == a.phase })
}

// before returns the conditions under which earlier rules end the rules before a, the fields
// of a request that they read, and why they are not known, "" if they are.
func (s *section) before(a action) (all []condition, fields []string, why string) {
	all, fields = slices.Clip(s.guards), slices.Clip(s.fields)
	for _, e := range s.exempting(a) {
		if all, fields = append(all, e.when), append(fields, e.when.fields()...); e.when == nil {
			why = fmt.Sprintf("it is not known which requests line %d ends", e.Line)
		}
	}
	return all, fields, why
}

// changes reports whether a rewriting line may change a field of a request.
func (s *section) changes(a action, field string) bool {
	if fields := rewriting[a.words[0]]; fields != nil || field == unknown {
		keepsHost := field == "host" && strings.HasPrefix(a.words[len(a.words)-1], "/")
		return field == unknown || slices.Contains(fields, field) && !keepsHost
	}
	kind, header, _ := strings.Cut(field, ":")
	if kind == "host" || kind == "cookie" {
		header = kind
	}
	if len(a.words) > 3 && a.words[2] == "-m" && header != "" && !isFilled(a.words[1]) {
		named := s.compare("url", a.words[3], true, a.words[1:2]) // the name in place of a URL
		return named.holds == nil || named.holds(func(string) string { return header })
	}
	return header != "" && (isFilled(a.words[1]) || strings.EqualFold(a.words[1], header))
}

// rewritten names those of some lines that may change one of some fields, and says which is the
// last of them, "" for none.
func (s *section) rewritten(fields []string, lines []action) (why string) {
	for _, a := range lines {
		if slices.ContainsFunc(fields, func(field string) bool { return s.changes(a, field) }) {
			s.haproxy.name(a.String(), "it changes what another line reads or what the log shows", a.Position)
			why = fmt.Sprintf("line %d changes what it reads or what the log shows", a.Line)
		}
	}
	return why
}

// rule adds a rule that refuses by a rate.
func (s *section) rule(a action, rate *rateTest, rest conjunction, status int) {
	r := check.Rule{Position: a.Position, System: "HAProxy", Name: strings.TrimSpace(s.label + " " + a.words[0]), Status: status, AtOnce: max(rate.most, 0), Held: a.words[0] == "tarpit"}
	r.Options.NoDelay = true
	r.Uses = []check.Use{{Position: a.Position, Where: s.place.Name}}
	if len(rest) > 0 {
		r.Uses[0].Where += ", where the other conditions of the line hold"
	}
	read := rateTest{slot: rate.slot, key: rate.key, table: rate.table}
	if rate.slot == "" {
		read.table = cmp.Or(rate.table, a.of.label)
	}
	if rate.table == "" && read.table != "" && s.tables[read.table] == nil {
		s.missing(a.Position, "no table %q for a rate", read.table)
	}
	tr, t := s.last[read], s.tables[read.table]
	between := s.hidden
	if tr != nil {
		between = s.rewrites[tr.since:]
	}
	if rate.slot == "" && s.rewritten(fieldsOf(rate.key), between) != "" {
		tr = nil
	}
	if tr == nil && t != nil && slices.ContainsFunc(s.rest, func(later action) bool { return later.tracks(read) }) ||
		tr != nil && a.phase != "" && tr.phase != "" && tr.in == a.in { // a request counts behind them
		more := *rate
		more.most++ // the request itself
		rate, r.AtOnce, r.Before = &more, more.most, true
	}
	of := reading{tr, rate.slot, a.in, a.phase}
	if tr != nil && tr.first != nil && rate.slot != "" {
		of.slot += "," + rate.table
	}
	applies := s.binds(&r, a, rate, rest, of, t)
	s.passing(r.Name, a)
	if known, ok := s.strictest[of]; tr != nil && len(rest) == 0 && (!ok || rate.most < known.most) {
		s.strictest[of] = limiting{a.Line, rate.most}
	}
	if tr != nil {
		s.reads(&r, tr, rate)
	} else if t != nil { // the rule says what it reads
		if r.Rate = t.rate(rate); rate.key != "" {
			r.Key, r.Counts = rate.key, haproxyCounts(rate.key)
		}
	}
	s.narrow(&r, a, rest)
	switch {
	case s.branched:
		r.Of = check.Key{Why: "lines from .if to .endif are not read"}
	case !applies:
		r.Of = check.Key{Why: "it never applies"}
	case a.phase != "":
		r.Of = check.Key{Why: "a log does not have connections"}
	}
	i := len(s.c.Rules)
	s.c.Rules = append(s.c.Rules, r)
	s.place.Rules = append(s.place.Rules, i)
	s.place.Steps = append(s.place.Steps, check.Step{Rule: i})
	if tr == nil && r.Before {
		s.ahead[read] = append(s.ahead[read], early{i, rate, len(s.rewrites)})
	} else if tr != nil && r.Of.Value != nil && r.Limit.Window > 0 {
		tr.rules = append(tr.rules, i)
	}
}

// binds finds why a rule limits nothing, or refuses all. It reports whether requests reach it. It
// reads a tracker in the table t, nil for nothing, or for what only a later rule tracks.
func (s *section) binds(r *check.Rule, a action, rate *rateTest, rest conjunction, reads reading, t *stickTable) (applies bool) {
	ended := s.ended
	exempting := s.exempting(a)
	if i := slices.IndexFunc(exempting, func(e action) bool { return e.when.always() }); i >= 0 && ended == nil {
		ended = &exempting[i]
	}
	tr, what := reads.tracker, rate.key
	among := tr != nil && tr.first != nil && rate.slot != ""
	strict, is := s.strictest[reads]
	if several := rate.slot != "" && tr != nil && severalValues.MatchString(tr.what); !is && !among && !several {
		reads.slot = ""
		strict, is = s.strictest[reads]
	}
	if tr != nil {
		t, what = tr.table, tr.what
	}
	of := cmp.Or(tr, s.last[rateTest{slot: rate.slot}]) // whose key it reads, nil if it names one itself
	// Of a key that nothing counts, the rate is 0, which is above what is below 0.
	above := rate.most == 0 && (tr != nil || r.Before) || rate.most < 0 && (of != nil || rate.slot == "")
	switch {
	case !a.in.http && !s.upgrades:
		s.find(check.NeverBinds, r.Name, a.Position, "limits nothing: the section is not in mode http")
	case ended != nil:
		s.find(check.Unreached, r.Name, a.Position, "never applies: `%s` (line %d) answers before limits are looked at", ended.words[0], ended.Line)
	case !above && of == nil && s.tried[rate.slot] != nil: // by a line that HAProxy does not take
		s.tried[rate.slot].use()
	case !above && tr == nil && !r.Before && s.elsewhere(rate, t):
		r.Of.Why = "what it reads is tracked in another section, or by another key"
		s.haproxy.name(a.String()+" by a rate", r.Of.Why, a.Position)
	case !above && tr == nil && !r.Before:
		s.find(check.NeverBinds, r.Name, a.Position, "limits nothing: what it reads is not tracked before in %s, so the rate is 0", s.place.Name)
	case t == nil:
	case !among && !t.stores && (tr != nil || !above):
		s.find(check.NeverBinds, r.Name, a.Position, "limits nothing: the table of line %d does not store http_req_rate", t.Line)
	case !among && t.never(what):
		s.find(check.NeverBinds, r.Name, a.Position, "limits nothing: %s is no address, and the table of line %d holds nothing else", what, t.Line)
	case is && strict.most <= rate.most && strict.line != a.Line:
		s.find(check.NeverBinds, r.Name, a.Position, "limits nothing: line %d refuses what is above %d already", strict.line, strict.most)
	case among: // each request says which it reads
	case above:
		if tr == nil && !r.Before {
			r.Of.Why = "the first request is above the limit already"
		}
		who := " with a key"
		if of != nil && of.every && of.what != "path" || of == nil && rate.key != "path" && s.always(rate.key, t) { // OPTIONS * has none
			who = ""
		}
		if len(s.guards) > 0 {
			who = " that reaches it" + who
		}
		if len(rest) == 0 && (of == nil || !of.part) && len(exempting) == 0 {
			s.find(check.RefusesAll, r.Name, a.Position, "no request%s passes: the first one is above the limit already", who)
		}
	case t.period < 1000 && t.text == strconv.FormatInt(t.period, 10):
		s.find(check.NeverBinds, r.Name, a.Position, "limits nobody: http_req_rate(%s) counts in periods of %d ms", t.text, t.period)
	}
	return (a.in.http || s.upgrades) && ended == nil
}

// passing finds which requests earlier rules let pass before a rule, or may let pass.
func (s *section) passing(name string, a action) {
	for _, e := range lists.Where(s.exempting(a), func(e action) bool { return e.when != nil && !e.when.always() }) {
		s.find(check.Unkeyed, name, e.Position, "not limited, as `%s` ends the rules before: requests with %s", e.words[0], e.when)
	}
	for _, other := range s.unclear {
		s.haproxy.name(other.String(), "it is not known which requests it ends: rules behind it are not judged, or as if it ended none", other.Position)
	}
	s.unclear = nil
}

// narrow sets which of the requests that a rule counts it refuses: those that the rest of its
// condition holds for, and that no earlier rule ends.
func (s *section) narrow(r *check.Rule, a action, rest conjunction) {
	guards, fields, why := s.before(a)
	if unread := rest.why(); unread != "" {
		why = "a condition of its line is not read"
		s.haproxy.name("a condition of "+a.String(), unread, a.Position)
	}
	all := condition{rest}
	if why = cmp.Or(s.rewritten(all.fields(), s.hidden), why); why != "" {
		r.Of = check.Key{Why: why}
	} else if len(rest) > 0 || len(guards) > 0 {
		r.If = check.Key{Fields: lists.Distinct(append(all.fields(), fields...)), Value: func(field func(string) string) string {
			if !all.holds(field) || slices.ContainsFunc(guards, func(c condition) bool { return c.holds(field) }) {
				return ""
			}
			return "yes"
		}}
	}
}
