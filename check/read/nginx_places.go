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
		if answered := l.kind != "http" && l.answered() != nil; !answered {
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
	servers := lists.Where(x.http.children, func(l *level) bool { return !l.redirects() })
	if len(servers) == 0 {
		servers = x.http.children
	}
	x.c.Fields = []string{"target"}
	if dropped := len(x.http.children) - len(servers); dropped > 0 {
		x.c.Doubt = fmt.Sprintf("%d of %d servers answer every request by `return`; no request of the log is taken for theirs", dropped, len(x.http.children))
	}
	if len(servers) == 0 {
		x.c.Choose = func(func(string) string) int { return x.http.place }
		return
	}
	alone := -1 // the only server with limits
	if len(servers) > 1 {
		x.c.Fields = append(x.c.Fields, "host")
		x.matters(x.http)
		// of servers with the same names on several ports, the log does not show which
		limited := lists.Where(servers, func(l *level) bool { return x.refused[l] != nil })
		servers = slices.Concat(limited, lists.Where(servers, func(l *level) bool { return x.refused[l] == nil }))
		if len(limited) < 2 && x.refused[x.http] == nil {
			alone = 0
			x.c.WithoutHost = fmt.Sprintf("the log has no hosts: all requests are taken for those of %s, which alone has limits", servers[0].where(check.Position{}))
		}
	}
	server := serverOf(servers)
	x.c.Choose = func(field func(string) string) int {
		s := servers[0]
		if alone < 0 || field("host") != "" {
			s = server(field)
		}
		found, _ := s.find(normal(field("target")))
		return found.place
	}
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

// serverOf returns the server that a request reaches by its host.
func serverOf(servers []*level) func(field func(string) string) *level {
	var names []named
	for _, s := range servers {
		for _, n := range s.names {
			e := named{name: n, level: s}
			if pattern, isRegexp := strings.CutPrefix(n, "~"); isRegexp {
				e.re, _ = regexp.Compile(pattern)
			}
			names = append(names, e)
		}
	}
	fallback := slices.IndexFunc(servers, func(l *level) bool { return l.isDefault })
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
		return servers[max(fallback, 0)]
	}
}

// find returns the location of a path, as ngx_http_core_find_location does. It also reports
// whether the search has ended: at an exact location, or at a regular expression.
func (l *level) find(path string) (found *level, ended bool) {
	var longest *level
	for _, c := range l.children {
		switch {
		case c.kind != "location" || c.re != nil || c.modifier == "~" || c.modifier == "~*" || strings.HasPrefix(c.pattern, "@"):
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
