package read

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// zone is a limit_req_zone.
type zone struct {
	*directive
	name, key string
	rate      string // as it is written
	count     int64
	minute    bool
	used      bool
	wrong     bool // it is invalid or a template
}

// thousandths returns the rate in thousandths of a request a second.
func (z *zone) thousandths() int64 {
	if z.minute {
		return z.count * 1000 / 60
	}
	return z.count * 1000
}

// filledIn matches what a template fills in. ${name} in small letters is a variable
// of nginx.
var filledIn = newSign(`\{\{|<%|\$\{[A-Z_][A-Z0-9_]*\}|\$[A-Z][A-Z0-9_]+\b|@{1,2}\w+@{1,2}|^%[a-z_]+%`, "{{", "<%", "$", "@", "%")

// limits reads a directive whose name begins with limit_req.
func (x *nginx) limits(d *directive, in int, l *level) {
	name, args := d.name(), d.words[1:]
	if i := slices.IndexFunc(args, filledIn.MatchString); i >= 0 {
		x.name(name+" with a template", fmt.Sprintf("%q is not filled in", args[i]), d.Position)
		if z := zoneName(args); z != "" {
			x.templated(d, z)
		}
		return
	}
	if d.hasBlock {
		x.invalid(d, "directive %q is not terminated by \";\"", name)
		return
	}
	before := len(x.c.Findings)
	wants := map[string][2]int{"limit_req": {1, 3}, "limit_req_zone": {3, 3}, "limit_req_status": {1, 1}, "limit_req_log_level": {1, 1}, "limit_req_dry_run": {1, 1}}
	want, isKnown := wants[name]
	switch {
	case !isKnown:
		x.name(name, "a directive of another module", d.Position)
	case in == inIf || in == inOther || in == inMain || l == nil, name == "limit_req_zone" && in != inHTTP:
		x.invalid(d, "%q directive is not allowed here", name)
		if name == "limit_req_zone" && len(args) == 3 && x.zone(zoneName(args)) == nil {
			x.readZone(d)
		}
	case len(args) < want[0] || len(args) > want[1]:
		x.invalid(d, "invalid number of arguments in %q directive", name)
	case name == "limit_req_zone":
		x.readZone(d)
	case name == "limit_req":
		x.readLimit(d, l)
	case name == "limit_req_status":
		code, ok := number(args[0])
		switch {
		case l.status != 0:
			x.invalidIfWhole(d, "%q directive is duplicate", name)
		case !ok:
			x.invalid(d, "invalid number")
		case code < 400 || code > 599:
			x.invalid(d, "value must be between 400 and 599")
		default:
			l.status = int(code)
		}
	case name == "limit_req_dry_run":
		switch value := strings.ToLower(args[0]); {
		case l.only != "":
			x.invalidIfWhole(d, "%q directive is duplicate", name)
		case value != "on" && value != "off":
			x.invalid(d, "invalid value %q in %q directive, it must be \"on\" or \"off\"", args[0], name)
		default:
			l.only, l.onlyAt = value, d
		}
	case !slices.Contains([]string{"info", "notice", "warn", "error"}, strings.ToLower(args[0])):
		x.invalid(d, "invalid value %q", args[0])
	}
	if z := zoneName(args); z != "" && len(x.c.Findings) > before {
		x.templated(d, z) // what is invalid is not missing, too
	}
}

// part reports whether a level is a file that is included at a place that is not known.
func (l *level) part() bool { return strings.HasPrefix(l.name, "each place where ") }

func zoneName(args []string) string {
	for _, a := range args {
		if rest, ok := strings.CutPrefix(a, "zone="); ok {
			name, _, _ := strings.Cut(rest, ":")
			return name
		}
	}
	return ""
}

// templated notes a zone or a limit whose numbers are not known: a template, or invalid.
func (x *nginx) templated(d *directive, name string) {
	if d.name() == "limit_req_zone" && x.zone(name) == nil {
		x.addZone(&zone{directive: d, name: name, wrong: true})
	}
	if d.name() == "limit_req" {
		x.templates = append(x.templates, name)
	}
}

func (x *nginx) zone(name string) *zone { return x.byName[name] }

func (x *nginx) addZone(z *zone) {
	x.byName[z.name] = z
	x.zones = append(x.zones, z)
}

// number reads digits as ngx_atoi does.
func number(text string) (int64, bool) {
	n, err := strconv.ParseInt(text, 10, 64)
	return n, err == nil && text[0] != '+' && text[0] != '-'
}

// sizeOf reads a size as ngx_parse_size does.
func sizeOf(text string) (int64, bool) {
	if text == "" {
		return 0, false
	}
	unit := int64(1)
	switch text[len(text)-1] {
	case 'k', 'K':
		unit = 1 << 10
	case 'm', 'M':
		unit = 1 << 20
	}
	if unit > 1 {
		text = text[:len(text)-1]
	}
	n, ok := number(text)
	return n * unit, ok && n <= 1<<40
}

func (x *nginx) readZone(d *directive) {
	z := &zone{directive: d, key: d.words[1], count: 1, rate: "1r/s"}
	failed := func(format string, args ...any) {
		x.invalid(d, format, args...)
		z.wrong = true
	}
	for _, word := range d.words[2:] {
		if rest, ok := strings.CutPrefix(word, "zone="); ok {
			name, size, sized := strings.Cut(rest, ":")
			n, ok := sizeOf(size)
			switch z.name = name; {
			case !sized || !ok:
				failed("invalid zone size %q", word)
			case n < 8*4096:
				failed("zone %q is too small", name)
			}
			continue
		}
		rest, ok := strings.CutPrefix(word, "rate=")
		if !ok {
			failed("invalid parameter %q", word)
			break
		}
		z.rate = rest
		digits, minute := strings.CutSuffix(rest, "r/m")
		z.minute = minute
		if z.count, ok = number(strings.TrimSuffix(digits, "r/s")); !ok || z.count <= 0 || minute && strings.HasSuffix(digits, "r/s") {
			failed("invalid rate %q", word)
			break
		}
	}
	if z.count > 1<<50 && !z.wrong {
		x.name("limit_req_zone "+z.name, "its rate is too large to be counted", d.Position)
		z.wrong = true
	}
	switch before := x.zone(z.name); {
	case z.wrong:
	case misnamed(z.key):
		failed("invalid variable name in %q", z.key)
	case z.name == "":
		failed("%q must have \"zone\" parameter", d.name())
	case before != nil:
		failed("limit_req_zone %q is already bound to key %q, at %s", z.name, before.key, before.From(d.Position))
		return
	}
	if z.name != "" && x.zone(z.name) == nil {
		x.addZone(z)
	}
}

func (x *nginx) readLimit(d *directive, l *level) {
	m := &limit{directive: d, level: l}
	for _, word := range d.words[1:] {
		name, value, _ := strings.Cut(word, "=")
		n, ok := number(value + "")
		switch {
		case word == "nodelay":
			m.nodelay = true
		case name == "zone" && word != name:
			m.zone = value
		case (name == "burst" || name == "delay") && word != name && (!ok || n <= 0):
			x.invalid(d, "invalid %s value %q", name, word)
			return
		case (name == "burst" || name == "delay") && n > 1<<50:
			x.name("limit_req "+word, "too large to be counted", d.Position)
			x.templated(d, zoneName(d.words))
			return
		case name == "burst" && word != name:
			m.burst = n
		case name == "delay" && word != name:
			m.delay, m.nodelay = n, false
		default:
			x.invalid(d, "invalid parameter %q", word)
			return
		}
	}
	switch {
	case m.zone == "":
		x.invalid(d, "\"limit_req\" must have \"zone\" parameter")
		return
	case slices.ContainsFunc(l.own, func(o *limit) bool { return o.zone == m.zone }):
		x.invalidIfWhole(d, "\"limit_req\" directive is duplicate: zone %s is limited here twice", m.zone)
		return
	}
	if m.delay >= m.burst {
		m.nodelay = m.nodelay || m.delay > 0
	}
	l.own = append(l.own, m)
	x.limit = append(x.limit, m)
}

// effective returns the limits that apply at a level, and the level that states them.
func (l *level) effective() ([]*limit, *level) {
	for ; l != nil; l = l.parent {
		if len(l.own) > 0 {
			return l.own, l
		}
	}
	return nil, nil
}

// inherit gives levels that inherit limits, and change what those do with a request, limits of
// their own.
func (x *nginx) inherit(l *level) {
	own, from := l.effective()
	if from != nil && l.answered() == nil && (l.statusCode() != from.statusCode() || l.dry() != from.dry()) {
		l.own = lists.Map(own, func(m *limit) *limit {
			copied := *m
			copied.level, copied.inherited = l, true
			return &copied
		})
		x.limit = append(x.limit, l.own...)
	}
	for _, inner := range l.children {
		x.inherit(inner)
	}
}

func (l *level) statusCode() int {
	for ; l != nil; l = l.parent {
		if l.status != 0 {
			return l.status
		}
	}
	return 503
}

func (l *level) dry() *directive {
	for ; l != nil; l = l.parent {
		switch l.only {
		case "on":
			return l.onlyAt
		case "off":
			return nil
		}
	}
	return nil
}

// server returns the server of a level, nil for http.
func (l *level) server() *level {
	for l != nil && l.kind != "server" {
		l = l.parent
	}
	return l
}

// where writes a level: location = /login (line 40).
func (l *level) where(from check.Position) string {
	name := l.name
	switch {
	case l.kind == "http":
		return "every server"
	case l.part():
		return name
	case name == "" && l.kind == "server":
		name = strings.TrimSpace("server " + strings.Join(l.names, " "))
	}
	return name + " (" + l.From(from) + ")"
}

// ruleNumbers are what limits of the same rule share.
type ruleNumbers struct {
	zone    string
	at      check.Position
	options counting.LeakyBucketOptions
	status  int
	only    bool
}

// rule adds a limit to the rule of its zone with the same numbers, or as a new one.
func (x *nginx) rule(m *limit) {
	z := x.zone(m.zone)
	r := check.Rule{Position: m.Position, System: x.system, Name: m.zone, Counter: x.system + " " + m.zone, Status: m.level.statusCode(), Only: m.level.dry() != nil}
	r.Options = counting.LeakyBucketOptions{Burst: m.burst, Delay: m.delay, NoDelay: m.nodelay}
	if z != nil {
		r.Position, z.used = z.Position, true
	}
	r.Col = 0
	r.Of.Why = "its zone is not given"
	if z != nil && !z.wrong {
		r.Key, r.Rate, r.PerSecond = z.key, z.rate, float64(z.thousandths())/1000
		r.Limit = counting.Limit{Count: z.count, Window: 1e9}
		if z.minute {
			r.Limit.Window = 60e9
		}
		r.Counts, r.Of = x.keyOf(z.key)
	}
	r.Finish()
	use := check.Use{Position: m.Position, Where: m.level.where(m.Position)}
	use.Col = 0
	numbers, known := ruleNumbers{r.Name, r.Position, r.Options, r.Status, r.Only}, false
	if m.rule, known = x.rules[numbers]; !known {
		m.rule = len(x.c.Rules)
		x.rules[numbers], x.c.Rules = m.rule, append(x.c.Rules, r)
	}
	x.c.Rules[m.rule].Uses = append(x.c.Rules[m.rule].Uses, use)
}
