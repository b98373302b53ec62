package read

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/check"
)

// conclude makes rules, findings and places of what was read.
func (x *nginx) conclude() {
	slices.SortStableFunc(x.zones, func(a, b *zone) int {
		return cmp.Or(cmp.Compare(x.order(a.File), x.order(b.File)), cmp.Compare(a.Line, b.Line))
	})
	order := map[string]int{} // by zone; those that are not given come last
	for i, z := range x.zones {
		order[z.name] = i - len(x.zones)
	}
	isTemplate := func(z *zone) bool { return filledIn.MatchString(z.name) }
	all := !slices.ContainsFunc(x.zones, isTemplate) // the names of all zones are known
	x.inherit(x.http)
	byZone := slices.Clone(x.limit)
	slices.SortStableFunc(byZone, func(a, b *limit) int { return cmp.Compare(order[a.zone], order[b.zone]) })
	for _, m := range byZone {
		x.rule(m)
		if x.zone(m.zone) == nil && !m.inherited && all {
			x.find(check.Undefined, m.zone, m.Position, "names the zone %s, which no limit_req_zone of these files defines", m.zone)
		}
	}
	for _, z := range x.zones {
		if other := x.conns[z.name]; other != nil {
			x.invalid(z.directive, "the shared memory zone %q is already declared for a different use, at %s", z.name, other.From(z.Position))
		}
		z.used = z.used || slices.Contains(x.templates, z.name) || slices.ContainsFunc(x.templates, filledIn.MatchString)
		x.zoneFindings(z)
	}
	for _, m := range x.limit {
		x.limitFindings(m)
	}
	for _, m := range x.limit {
		if m.level.inside() && !m.inherited {
			x.name(m.level.name, "not followed: requests come from other locations", m.level.Position)
		}
	}
	for _, n := range x.notes {
		if x.matters(n.level) && (n.what != "error_page" || x.refuses(n.level, n.words[1:])) && (!n.changesPath() || x.readsPath()) {
			x.name(n.what, "not followed", n.Position)
		}
	}
	if x.header != nil && len(x.limit) > 0 {
		x.name(strings.Join(x.header.words, " "), "the address that a proxy sends is taken as the log has it", x.header.Position)
	}
	x.places()
}

// order returns the number of a file.
func (x *nginx) order(name string) int {
	return slices.IndexFunc(x.files, func(f File) bool { return f.Name == name })
}

// top returns the server of a level, or the level itself outside of servers.
func (l *level) top() *level {
	if s := l.server(); s != nil {
		return s
	}
	return l
}

// matters reports whether limits apply in the server of a level.
func (x *nginx) matters(l *level) bool {
	if x.refused == nil {
		x.refused = map[*level][]string{}
		for _, m := range x.limit {
			for _, at := range []*level{m.level.top(), nil} {
				if status := strconv.Itoa(m.level.statusCode()); !slices.Contains(x.refused[at], status) {
					x.refused[at] = append(x.refused[at], status)
				}
			}
		}
	}
	return x.refused[l.top()] != nil || x.refused[x.http] != nil
}

// readsPath reports whether a limit counts by the path or the query.
func (x *nginx) readsPath() bool {
	return slices.ContainsFunc(x.c.Rules, func(r check.Rule) bool { return slices.Contains(r.Of.Fields, "target") })
}

// refuses reports whether one of the words is the status of a refused request below a level.
func (x *nginx) refuses(l *level, words []string) bool {
	all := slices.Concat(x.refused[l.top()], x.refused[x.http])
	return slices.ContainsFunc(words, func(word string) bool { return slices.Contains(all, word) })
}

// answered returns what answers every request of a level before limits are looked at, or nil.
func (l *level) answered() *directive {
	if s := l.server(); s != nil && s.answer != nil {
		return s.answer
	}
	if l.kind == "server" {
		return l.everywhere()
	}
	if l.kind != "http" || len(l.children) == 0 {
		return l.answer
	}
	if l.open || slices.ContainsFunc(l.children, func(s *level) bool { return s.answer == nil }) {
		return nil
	}
	return l.children[0].answer
}

// everywhere returns what answers every request of a server that has no limits of its own in
// a location: `return` in `location /`, if all other locations have one, too. Else nil.
func (l *level) everywhere() (all *directive) {
	for _, inner := range l.children {
		if inner.pattern == "/" && (inner.modifier == "" || inner.modifier == "^~") {
			all = inner.answer
		}
	}
	if l.reaches() {
		return nil
	}
	return all
}

// reaches reports whether a location within a level has its limits, and does not answer every
// request before it looks at them.
func (l *level) reaches() bool {
	return slices.ContainsFunc(l.children, func(inner *level) bool {
		return (len(inner.own) == 0 || inner.own[0].inherited) && (inner.answer == nil || inner.reaches())
	})
}

// limitFindings finds where a limit does not apply.
func (x *nginx) limitFindings(m *limit) {
	if dry := m.level.dry(); dry != nil {
		x.find(check.CountsOnly, m.zone, dry.Position, "refuses and delays nothing: limit_req_dry_run at %s counts only", dry.From(m.Position))
	}
	if a := m.level.answered(); a != nil && !(m.level.kind == "location" && a == m.level.answer && m.level.reaches()) {
		x.find(check.Unreached, m.zone, m.Position, "never applies: `%s` (%s) answers before limits are looked at", a.name(), a.From(m.Position))
	}
	var below func(l *level)
	below = func(l *level) {
		for _, inner := range l.children {
			switch {
			case len(inner.own) == 0:
				below(inner)
			case !slices.ContainsFunc(inner.own, func(o *limit) bool { return o.rule == m.rule || o.directive == m.directive }):
				x.find(check.Replaced, m.zone, m.Position, "does not apply in %s, which has a limit_req of its own", inner.where(m.Position))
			}
		}
	}
	below(m.level)
}
