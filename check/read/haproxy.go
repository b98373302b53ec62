package read

import (
	"fmt"
	"math"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// haproxyText matches lines that only a configuration of HAProxy has.
var haproxyText = newSign(`^[ \t]*(?:(?:frontend|backend|listen)[ \t]+[\w.:-]+[ \t]*(?:#.*)?\r?$|stick-table[ \t]+type[ \t]|(?:http|tcp)-request[ \t]+[a-z])`, "frontend", "backend", "listen", "stick-table", "-request")

func isHAProxy(text []byte) bool { return !isKubernetes.Match(text) && haproxyText.Match(text) }

// haproxy reads stick tables and the rules on their http_req_rate as HAProxy 2.6 does.
type haproxy struct {
	c      *check.Config
	tables map[string]*stickTable
	all    []*proxy
	// defaults are those of all that others inherit.
	defaults []*proxy
	parts    map[string]int
	marks    map[string]bool       // variables that rates set
	at       check.Position        // of the line
	six      bool                  // IPv6 clients reach a section
	slots    map[string][]tracking // by the numbers of track-sc
	counted  map[*stickTable]bool  // by a track-sc
	unjudged bool                  // a line about a rate is

	// filled are the lines with a value that is filled in elsewhere. template says that
	// whole lines are, so that a line that seems to be missing may be there.
	filled   map[check.Position]bool
	template bool
}

// proxy is a section with its rules, in the order in which a request meets them.
type proxy struct {
	check.Position
	kind, label string
	http        bool
	next        string // the backend that gets all requests
	chooses     bool   // has use_backend
	six         bool   // IPv6 clients reach it
	follows     bool   // its rules are read in other sections: those that inherit them, or the only frontend that leads to it
	acls        map[string]condition
	early       []action // tcp-request
	rules       []action // http-request
}

type stickTable struct {
	check.Position
	name   string
	keys   string // the type
	length int    // bytes of a key that are kept, 0 for all
	stores bool
	period int64 // ms
	text   string
	forget int64 // ns, 0 for never
	read   bool
}

// action is a rule that counts, refuses or ends the rules of a section.
type action struct {
	check.Position
	words []string // after http-request
	when  condition
	phase string // of tcp-request: connection, session or content; "" of http-request
	of    *proxy // which states it
	in    *proxy // in which it is read: of, or a section that inherits it
}

// mostReadings bounds how often files are read.
const mostReadings = 8

// readHAProxy reads files until it finds no further variable of a rate, as a line can read a
// variable that a later line sets. A variable that is set from as many others, each after
// the line that reads it, is not found.
func readHAProxy(files []File) (*check.Config, error) {
	marks := map[string]bool{}
	for reading := 1; ; reading++ {
		known := len(marks)
		h := &haproxy{c: &check.Config{}, tables: map[string]*stickTable{}, parts: map[string]int{}, marks: marks, filled: map[check.Position]bool{}}
		if err := h.read(files); err != nil || len(marks) == known || reading == mostReadings {
			return h.c, err
		}
	}
}

func (h *haproxy) read(files []File) error {
	for _, f := range files {
		p := &proxy{Position: check.Position{File: f.Name, Line: 1 + f.Line}, kind: "frontend", http: true, acls: map[string]condition{}}
		h.all = append(h.all, p)
		for i, line := range withGaps(f.Text) {
			at := check.Position{File: f.Name, Line: 1 + f.Line + i}
			words, col := haproxyWords(line)
			if col > 0 {
				at.Col = col
				return &SyntaxError{at, "the quote does not end"}
			}
			if len(words) == 0 {
				continue
			}
			if slices.ContainsFunc(words, isFilled) {
				h.filled[at] = true
			}
			if isFilled(words[0]) {
				h.template = true
				h.note("lines that begin with a template", "their values are not filled in; what stands between them is read", at)
				continue
			}
			if len(words) > maxWords {
				h.invalid(at, "the line has more than %d words", maxWords)
				continue
			}
			switch words[0] {
			case "frontend", "backend", "listen", "defaults", "global", "peers", "userlist", "resolvers", "cache", "program", "mailers", "ring", "http-errors", "fcgi-app":
				p = h.section(words, at)
				if h.all = append(h.all, p); p.kind == "defaults" {
					h.defaults = append(h.defaults, p)
				}
				continue
			case "mode":
				p.http = len(words) > 1 && words[1] == "http" || h.filled[at]
				continue
			}
			if len(words) > 1 && words[0] == "default_backend" {
				p.next = words[1]
			}
			p.chooses = p.chooses || words[0] == "use_backend" || isFilled(p.next)
			h.line(p, words, at)
		}
	}
	h.conclude()
	return nil
}

// section starts a section with what it inherits: from the section of defaults that it names,
// or from the last one, which another section of defaults does not.
func (h *haproxy) section(words []string, at check.Position) *proxy {
	p := &proxy{Position: at, kind: words[0], acls: map[string]condition{}}
	if len(words) > 1 {
		p.label = words[1]
	}
	named := slices.Index(words, "from") + 1
	for _, d := range slices.Backward(h.defaults) {
		if named == 0 && p.kind == "defaults" || named > 0 && named < len(words) && d.label != words[named] {
			continue
		}
		p.http = d.http
		if p.kind == "frontend" || p.kind == "listen" || p.kind == "defaults" {
			p.next = d.next
		}
		if p.kind == "frontend" || p.kind == "listen" || p.kind == "backend" {
			d.follows = true
			p.early, p.rules = d.inherited(d.early, p), d.inherited(d.rules, p)
		}
		return p
	}
	if named > 0 && named < len(words) {
		h.invalid(at, "no defaults section %q", words[named])
	}
	return p
}

// inherited returns rules of a section of defaults as p reads them. They name tables as d does.
func (d *proxy) inherited(rules []action, p *proxy) []action {
	return lists.Map(rules, func(a action) action { a.in = p; return a })
}

// gap stands for a value that a template or the environment fills in.
const gap = "…"

func isFilled(word string) bool { return strings.Contains(word, gap) }

// erb can have several lines, gaps have one.
var erb, gaps = regexp.MustCompile(`(?s)<%.*?%>`), newSign(`\{\{.*?\}\}|\{%.*?%\}|\$\{[^}]*\}|\$[A-Za-z_]\w*`, "{{", "{%", "$")

// withGaps returns the lines of a text with a gap for each such value.
func withGaps(text []byte) []string {
	lines := strings.Split(erb.ReplaceAllStringFunc(string(text), func(value string) string {
		return gap + strings.Repeat("\n", strings.Count(value, "\n"))
	}), "\n")
	for i, line := range lines {
		if gaps.may(line) {
			lines[i] = gaps.ReplaceAllString(line, gap)
		}
	}
	return lines
}

// maxWords bounds the words of a line, as HAProxy does, and maxTests the lines of an ACL.
const maxWords, maxTests = 64, 100

// haproxyWords divides a line. col is that of a quote that does not end, or 0.
func haproxyWords(line string) (words []string, col int) {
	var word []byte
	in, quote, opened := false, byte(0), 0
	for i := 0; i < len(line); i++ {
		b := line[i]
		switch {
		case b == '\\' && quote != '\'' && i+1 < len(line):
			i++
			word, in = append(word, line[i]), true
		case quote != 0 && b == quote:
			quote = 0
		case quote != 0:
			word = append(word, b)
		case b == '"' || b == '\'':
			quote, opened, in = b, i+1, true
		case b == '#':
			i = len(line)
		case b == ' ' || b == '\t' || b == '\r':
			if in {
				words, word, in = append(words, string(word)), nil, false
			}
		default:
			word, in = append(word, b), true
		}
	}
	if quote != 0 {
		return nil, opened
	}
	if in {
		words = append(words, string(word))
	}
	return words, 0
}

// name says that a line is not judged. Of a line that is filled in elsewhere that is the reason.
func (h *haproxy) name(what, why string, at check.Position) {
	if h.filled[at] {
		what, why = "what is filled in elsewhere", "by a template or the environment"
	}
	h.note(what, why, at)
}

// unread says that a line about a rate is not judged: it may read any table.
func (h *haproxy) unread(what, why string, at check.Position) {
	h.unjudged = true
	h.name(what, why, at)
}

func (h *haproxy) note(what, why string, at check.Position) {
	i, ok := h.parts[what+why]
	if !ok {
		i = len(h.c.NotJudged)
		h.parts[what+why] = i
		h.c.NotJudged = append(h.c.NotJudged, check.Part{What: what, Why: why})
	}
	h.c.NotJudged[i].Lines = append(h.c.NotJudged[i].Lines, at)
}

func (h *haproxy) find(kind check.Kind, rule string, at check.Position, format string, args ...any) {
	if h.filled[at] || h.template && (kind == check.Invalid || kind == check.NeverBinds) {
		h.filled[at] = true
		h.name("", "", at)
		return
	}
	h.c.Findings = append(h.c.Findings, check.Finding{Position: at, Kind: kind, Rule: rule, Text: fmt.Sprintf(format, args...)})
}

func (h *haproxy) invalid(at check.Position, format string, args ...any) {
	h.find(check.Invalid, "", at, "HAProxy does not start: "+format, args...)
}

// others are what touches limits and is not judged, by a word of the line.
var others = []struct {
	sign
	what, why string
}{
	{newSign(`(?:gp[ct]\d?\b|gp[ct]\d?_rate|sc-(?:inc|set|add)-)`, "gpc", "gpt", "sc-"), "marks of a stick table", "gpc and gpt"},
	{newSign(`(?:conn|sess|http_err|http_fail|bytes_in|bytes_out)_rate|conn_cur|(?:conn|sess|http_req|http_err|http_fail)_cnt|kbytes_`, "conn_", "sess_", "err_", "fail_", "bytes_", "_cnt"), "another count of a stick table", "only http_req_rate is read"},
	{newSign(`^(?:maxconn|fullconn)$`, "maxconn", "fullconn"), "maxconn", "concurrency"},
	{newSign(`^(?:rate-limit|maxconnrate|maxsessrate|maxsslrate|fe_(?:conn|sess|req)_rate|be_(?:conn|sess)_rate|fe_conn|be_conn|queue|avg_queue)\b`, "rate", "fe_conn", "be_conn", "queue"), "rates and numbers of connections", "connections, not requests of a key"},
	{newSign(`bwlim|bandwidth`, "bwlim", "bandwidth"), "limits of bandwidth", "bandwidth"},
	{newSign(`^lua\.`, "lua."), "Lua", "Lua"},
}

// line reads a statement of a section.
func (h *haproxy) line(p *proxy, words []string, at check.Position) {
	shared := p.kind == "peers" && words[0] == "table" && len(words) > 1
	line := strings.Join(words, " ")
	if words[0] != "stick-table" && !shared {
		for _, o := range others {
			if o.may(line) && slices.ContainsFunc(words, o.MatchString) {
				h.name(o.what, o.why, at)
				break
			}
		}
	}
	h.at = at
	if words[0] == "bind" && len(words) > 1 {
		six := slices.ContainsFunc(strings.Split(words[1], ","), func(address string) bool {
			return strings.HasPrefix(address, "ipv6@") || strings.Count(address, ":") > 1
		})
		p.six, h.six = p.six || six, h.six || six
	}
	if _, refuses := refusing[words[min(1, len(words)-1)]]; h.filled[at] && (refuses || shared || words[0] == "stick-table" || h.concerns(words, p)) {
		h.unread("", "", at)
	}
	if strings.Contains(line, "set-var") && h.concerns(words, p) {
		if m := setsVariable.FindStringSubmatch(line); m != nil {
			h.marks[m[1]] = true
		}
	}
	if shared {
		h.table(p.label+"/"+words[1], words[2:], at)
		return
	}
	if end := len(words) - 1; words[end] == `\` && continued.MatchString(words[0]) {
		h.invalid(at, `a line does not go on after its end; \ there is a word of its own`)
		words = words[:end]
	}
	switch words[0] {
	case "stick-table":
		h.table(p.label, words[1:], at)
	case "acl":
		if len(words) < 3 {
			h.invalid(at, "an acl needs a name and a test")
			return
		}
		more := p.acls[words[1]]
		if len(more) == maxTests {
			h.name("acl", "one of more than 100 lines", at)
			return
		}
		p.acls[words[1]] = append(more, conjunction{h.test(words[2:], p)})
	case "http-request", "tcp-request":
		a := action{Position: at, of: p, in: p, words: words[1:]}
		if early := words[0] == "tcp-request"; early && len(a.words) > 1 && slices.Contains([]string{"connection", "session", "content"}, a.words[0]) {
			a.phase, a.words = a.words[0], a.words[1:]
		} else if early {
			a.phase = "connection"
		}
		if len(a.words) == 0 {
			h.invalid(at, "%s needs an action", words[0])
			return
		}
		if i := slices.IndexFunc(a.words, func(w string) bool { return w == "if" || w == "unless" }); i >= 0 {
			var ok bool
			if a.when, ok = h.condition(a.words[i+1:], p, at); !ok {
				return
			}
			if a.words[i] == "unless" {
				a.when = a.when.not()
			}
			a.words = a.words[:i]
		}
		if a.phase != "" {
			p.early = append(p.early, a)
		} else {
			p.rules = append(p.rules, a)
		}
	default:
		concerns := h.concerns(words, p)
		if continuation.MatchString(words[0]) || concerns && rateContinuation.MatchString(words[0]) {
			h.invalid(at, "unknown keyword %q", words[0])
		} else if concerns {
			h.unread(words[0]+" on a stick table", "it is not followed", at)
		}
	}
}

// continued matches statements that end with their line. continuation matches what begins no
// statement, and rateContinuation what begins none of those that state a rate: HAProxy
// does not take them for the rest of the line before.
var continued, continuation, rateContinuation = regexp.MustCompile(`^(?:stick-table|(?:http|tcp)-request)$`), regexp.MustCompile(`[(){},|]|^(?:if|unless|or)$`), regexp.MustCompile(`^(?:store|expire|size|type|deny|tarpit|track-sc\d)$`)

var setsVariable, readsVariable = regexp.MustCompile(`\bset-var(?:-fmt)?\(([^),]+)`), regexp.MustCompile(`\b(?:proc|sess|txn|req|res)\.[\w.]+`)

// marked reports whether a word reads a variable that a rate sets.
func (h *haproxy) marked(word string) bool {
	return slices.ContainsFunc(readsVariable.FindAllString(word, -1), func(name string) bool { return h.marks[name] })
}

// concerns reports whether a line states a rate or a variable of one, or names an ACL that does.
func (h *haproxy) concerns(words []string, p *proxy) bool {
	when := slices.IndexFunc(words, func(w string) bool { return w == "if" || w == "unless" })
	return slices.ContainsFunc(words, func(w string) bool {
		return strings.Contains(w, "http_req_rate") || strings.HasPrefix(w, "track-sc") || h.marked(w)
	}) || when >= 0 && slices.ContainsFunc(words[when:], func(w string) bool { return p.acls[strings.TrimLeft(w, "!")].concerns() })
}

var duration = regexp.MustCompile(`^(\d+)(us|ms|s|m|h|d)?$`)

// milliseconds reads a time of HAProxy, without a unit in ms.
func milliseconds(text string) (ms int64, ok bool) {
	m := duration.FindStringSubmatch(text)
	if m == nil {
		return 0, false
	}
	n, err := strconv.ParseInt(m[1], 10, 64)
	unit := map[string]int64{"": 1, "ms": 1, "s": 1000, "m": 60_000, "h": 3_600_000, "d": 86_400_000}[m[2]]
	if m[2] == "us" {
		return n / 1000, err == nil
	}
	return n * unit, err == nil && n <= math.MaxInt32/unit
}

// kept returns a key as a table of addresses keeps it, "" if it does not. Texts are not
// converted from one version of IP to the other, as the address of a client is.
func (t *stickTable) kept(key string, client bool) string {
	a, err := netip.ParseAddr(key)
	if client {
		a = a.Unmap()
	}
	if err != nil || t.keys == "ip" && !a.Is4() || t.keys == "ipv6" && !client && a.Is4() {
		return ""
	}
	return a.String()
}

// addresses says what a table of addresses holds, "" for other tables.
func (t *stickTable) addresses() string {
	return map[string]string{"ip": "an IPv4 address", "ipv6": "an IPv6 address"}[t.keys]
}

var storesRate = regexp.MustCompile(`^http_req_rate\((.*)\)$`)

// table reads a stick-table, or a table that peers share.
func (h *haproxy) table(name string, words []string, at check.Position) {
	t := &stickTable{Position: at, name: name}
	if h.tables[name] != nil {
		h.invalid(at, "there are two stick tables %q", name)
		return
	}
	h.tables[name] = t
	sized := false
	for i := 0; i < len(words); i += 2 {
		value := ""
		if i+1 < len(words) {
			value = words[i+1]
		}
		switch words[i] {
		case "nopurge", "recv-only":
			i--
		case "brates-factor", "peers", "srvkey", "write-to":
		case "size":
			sized = true
		case "type":
			t.keys = value
			t.length = map[string]int{"string": 31, "binary": 32}[t.keys]
		case "len":
			t.length, _ = strconv.Atoi(value)
		case "expire":
			ms, ok := milliseconds(value)
			if !ok {
				h.invalid(at, "expire of the stick table is not a time")
			}
			t.forget = ms * 1e6
		case "store":
			for _, s := range strings.Split(value, ",") {
				m := storesRate.FindStringSubmatch(strings.TrimSpace(s))
				if m == nil {
					if s == "http_req_rate" {
						h.invalid(at, "http_req_rate needs a period")
					}
					continue
				}
				ms, ok := milliseconds(m[1])
				if !ok {
					h.invalid(at, "the period of http_req_rate is not a time of at most 24.8 days")
				}
				t.stores, t.period, t.text = true, ms, m[1]
			}
		default:
			h.invalid(at, "stick-table: unknown argument %q", words[i])
			i = len(words)
		}
	}
	if !sized {
		h.invalid(at, "the stick table has no size")
	}
}
