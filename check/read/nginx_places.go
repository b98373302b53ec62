package read

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// places makes a place of each server and location, and the function that chooses one.
func (x *nginx) places() {
	var add func(l *level)
	add = func(l *level) {
		p := check.Place{Name: l.where(l.Position), Only: l.dry() != nil}
		if s := l.server(); s != nil && len(s.names) > 0 {
			p.Server = s.names[0]
		}
		if answered := l.kind != "http" && l.answered() != nil; !answered && !l.inside() {
			own, _ := l.effective()
			p.Rules = lists.Map(own, func(m *limit) int { return m.rule })
		}
		l.place = len(x.c.Places)
		x.c.Places = append(x.c.Places, p)
		for _, inner := range l.children {
			add(inner)
		}
	}
	add(x.http)
	servers := x.http.children
	x.c.Fields = []string{"target"}
	if len(servers) == 0 {
		x.c.Choose = func(func(string) string) int { return x.http.place }
		return
	}
	var alone *level // takes all requests of a log without hosts
	if x.matters(x.http); len(servers) > 1 || x.unnamed != nil {
		x.c.Fields = append(x.c.Fields, "host")
		if limited := lists.Where(servers, x.limited); len(limited) == 1 {
			alone = limited[0]
			x.c.WithoutHost = fmt.Sprintf("the log has no hosts: all requests are taken for those of %s, which alone has limits", alone.where(check.Position{}))
		}
	}
	var doubts []string
	for _, n := range x.notes {
		if strings.HasSuffix(n.what, unread) && x.matters(n.level) {
			doubts = append(doubts, fmt.Sprintf("requests of %s at %s are taken for those of others", n.what, n.From(check.Position{})))
		}
	}
	server, shared := x.serverOf(servers)
	if shared {
		doubts = append(doubts, "the log does not show the port: of servers with the same host, the first with limits is taken")
	}
	x.c.Doubt = strings.Join(doubts, "; ")
	x.c.Choose = func(field func(string) string) int {
		s := alone
		if s == nil || field("host") != "" {
			s = server(field)
		}
		found, _ := s.find(normal(field("target")))
		return found.place
	}
}

// limited reports whether a server has limits, and does not answer all requests by `return`.
func (x *nginx) limited(s *level) bool {
	return !s.redirects() && (x.refused[s] != nil || x.refused[x.http] != nil)
}

// redirects reports whether a server answers every request by `return`, but for those of
// locations without limits.
func (l *level) redirects() bool {
	return l.answer != nil || slices.ContainsFunc(l.children, func(c *level) bool { return c.pattern == "/" && c.modifier == "" && c.answer != nil }) &&
		!slices.ContainsFunc(l.children, func(c *level) bool { return len(c.own) > 0 || c.proxies })
}

// named is a name of a server.
type named struct {
	name  string
	re    *regexp.Regexp
	level *level
}

// anyOther stands for the hosts that no server of a port names.
const anyOther = " "

// serverOf returns the server that a request reaches by its host. shared reports that servers
// of which one has limits have the same host.
func (x *nginx) serverOf(servers []*level) (choose func(field func(string) string) *level, shared bool) {
	others := map[string]*level{} // by port: the server of hosts that none there names
	for _, s := range servers {
		for _, at := range s.ports() {
			if others[at] == nil || s.isDefault {
				others[at] = s
			}
		}
	}
	var names []named
	index := map[string]int{}
	if x.unnamed != nil {
		names, index[anyOther], others = []named{{name: anyOther, level: x.unnamed}}, 0, nil
	}
	for _, s := range servers {
		all := slices.Clone(s.names)
		if slices.ContainsFunc(s.ports(), func(at string) bool { return others[at] == s }) {
			all = append(all, anyOther)
		}
		for _, n := range all {
			e := named{name: n, level: s}
			if pattern, isRegexp := strings.CutPrefix(n, "~"); isRegexp {
				e.re, _ = regexp.Compile(pattern)
			}
			i, known := index[strings.ToLower(n)]
			if !known {
				index[strings.ToLower(n)], names = len(names), append(names, e)
				continue
			}
			limited, before := x.limited(s), x.limited(names[i].level)
			if shared = shared || names[i].level != s && (limited || before); limited && !before {
				names[i] = e
			}
		}
	}
	return func(field func(string) string) *level {
		host := strings.TrimSuffix(requestValue("host", field("host")), ".")
		if found, ok := hostname(host, names, func(n named) string { return n.name }); ok {
			return found.level
		}
		for _, n := range names {
			if n.re != nil && n.re.MatchString(host) {
				return n.level
			}
		}
		return names[index[anyOther]].level
	}, shared
}

// ports returns where a server listens.
func (l *level) ports() []string {
	if len(l.listens) == 0 {
		return []string{"80"}
	}
	return l.listens
}

// location reads a location.
func (x *nginx) location(d *directive, parent *level) error {
	l := x.under(parent, "location", d.Position)
	words := d.words[1:]
	if len(words) == 1 { // =/path without a blank
		for _, modifier := range []string{"=", "^~", "~*", "~"} {
			if rest, ok := strings.CutPrefix(words[0], modifier); ok && rest != "" {
				words = []string{modifier, rest}
				break
			}
		}
	}
	if len(words) == 0 {
		x.invalid(d, "invalid number of arguments in %q directive", "location")
		return nil
	}
	if l.pattern = words[len(words)-1]; filledIn.MatchString(l.pattern) {
		x.notes = append(x.notes, note{parent, "location with a template", d})
	}
	if len(words) > 1 {
		l.modifier = words[0]
	}
	if path := strings.TrimLeft(l.modifier, "^~") + l.pattern; l.static() && d.text == "" {
		if parent.paths[path] {
			x.invalidIfWhole(d, "duplicate location %q", l.pattern)
		}
		if parent.paths == nil {
			parent.paths = map[string]bool{}
		}
		parent.paths[path] = true
	}
	if l.name = d.text; l.name == "" { // a name that the reader of another system gives
		l.name = "location " + strings.Join(words, " ")
	}
	switch l.modifier {
	case "~":
		l.re = x.compile(parent, d, strings.Join(words, " "), l.pattern)
	case "~*":
		l.re = x.compile(parent, d, strings.Join(words, " "), "(?i)"+l.pattern)
	}
	return x.walk(d.block, inLocation, l)
}

// static reports whether a location is found by its path, not by a regular expression.
func (l *level) static() bool {
	return l.kind == "location" && !strings.HasPrefix(l.modifier, "~") && !strings.HasPrefix(l.pattern, "@")
}

// unread ends what is said of a regular expression that is not one of Go.
const unread = " (a regular expression that is not read here)"

// compile reads the regular expression of a location or a server. It concerns limits of l, or of
// any server if l is nil.
func (x *nginx) compile(l *level, d *directive, written, pattern string) *regexp.Regexp {
	re, err := regexp.Compile(pattern)
	if err != nil {
		x.notes = append(x.notes, note{l, d.name() + " " + written + unread, d})
	}
	return re
}

// inside reports whether requests come to a level from other locations alone.
func (l *level) inside() bool {
	return l != nil && (l.internal || strings.HasPrefix(l.pattern, "@") || l.parent.inside())
}

// find returns the location of a path, as ngx_http_core_find_location does. It also reports
// whether the search has ended: at an exact location, or at a regular expression.
func (l *level) find(path string) (found *level, ended bool) {
	var longest *level
	for _, c := range l.children {
		switch {
		case !c.static():
		case c.modifier == "=":
			if c.pattern == path {
				return c, true
			}
		case strings.HasPrefix(path, c.pattern) && (longest == nil || len(c.pattern) > len(longest.pattern)):
			longest = c
		}
	}
	for _, c := range l.children { // a redirect to the path with a slash comes before limits
		if c.kind == "location" && c.proxies && c.re == nil && c.pattern == path+"/" && (longest == nil || longest.pattern != path) {
			return &level{place: -1}, true
		}
	}
	found = l
	if longest != nil {
		if found, ended = longest.find(path); ended {
			return found, true
		}
		if longest.modifier == "^~" {
			return found, false
		}
	}
	for _, c := range l.children {
		if c.re != nil && c.re.MatchString(path) {
			found, _ = c.find(path)
			return found, true
		}
	}
	return found, false
}
