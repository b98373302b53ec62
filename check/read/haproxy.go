package read

import (
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// haproxyText matches lines that only a configuration of HAProxy has.
var haproxyText = newSign(`^[ \t]*(?:(?:frontend|backend|listen)[ \t]+[\w.:-]+[ \t]*(?:#.*)?\r?$|stick-table[ \t]+type[ \t]|(?:http|tcp)-request[ \t]+[a-z])`, "frontend", "backend", "listen", "stick-table", "-request")

func isHAProxy(text []byte) bool { return !isKubernetes.Match(text) && haproxyText.Match(text) }

// haproxy reads stick tables and the rules on their http_req_rate as HAProxy 2.6 does.
type haproxy struct {
	found
	tables map[string]*stickTable
	all    []*proxy
	// defaults are those of all that others inherit.
	defaults []*proxy
	marks    map[string]bool       // variables that rates set
	rates    []*rateTest           // that name a table
	at       check.Position        // of the line
	six      bool                  // IPv6 clients reach a section
	slots    map[string][]tracking // by the numbers of track-sc
	counted  map[*stickTable]bool  // by a track-sc
	unjudged bool                  // a line about a rate is

	// filled are the lines with a value that is filled in elsewhere, or that need what may be.
	// template says that whole lines are, so that a line that seems to be missing may be there.
	filled   map[check.Position]bool
	template bool
	branched bool // there are lines from .if to .endif, which may hold what seems to be missing
}

// sections are the statements that begin one.
var sections = []string{"frontend", "backend", "listen", "defaults", "global", "peers", "userlist", "resolvers", "cache", "program", "mailers", "ring", "http-errors", "fcgi-app"}

// proxy is a section with its rules, in the order in which a request meets them.
type proxy struct {
	check.Position
	kind, label string
	http        bool
	disabled    bool
	next        string // the backend that gets all requests
	chooses     bool   // has use_backend
	six         bool   // IPv6 clients reach it
	upgrades    bool   // it is in mode tcp, and may lead to a backend in mode http, which counts requests
	follows     bool   // its rules are read in other sections: those that inherit them, or the only frontend that leads to it
	acls        map[string]condition
	names       map[string]bool // words of conditions: ACLs
	extends     bool            // an ACL by a line behind one that names it
	rules       []action
}

// action is a rule that counts, refuses or ends the rules of a section.
type action struct {
	check.Position
	words []string // after http-request
	tests []string // from if or unless on
	when  condition
	phase string
	of    *proxy // which states it
	in    *proxy // in which it is read: of, or a section that inherits it
}

// phases are those of actions, in the order in which a request meets them: of tcp-request, of
// http-request, which is "", and that in which a proxy states the address of its client.
var phases = []string{"connection", proxied, "session", "content", ""}

const proxied = "the header of a proxy"

// String returns the name of the statement and of the action.
func (a action) String() string {
	if a.phase == proxied {
		return a.phase
	}
	if a.phase != "" {
		return "tcp-request " + a.phase + " " + a.words[0]
	}
	return "http-request " + a.words[0]
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
		h := &haproxy{found: newFound(), tables: map[string]*stickTable{}, marks: marks, filled: map[check.Position]bool{}}
		if err := h.read(files); err != nil || len(marks) == known || reading == mostReadings {
			return h.c, err
		}
	}
}

func (h *haproxy) read(files []File) error {
	for _, f := range files {
		p := &proxy{Position: check.Position{File: f.Name, Line: 1 + f.Line}, kind: "frontend", http: true, acls: map[string]condition{}, names: map[string]bool{}}
		h.all = append(h.all, p)
		depth, first := 0, check.Position{} // of .if
		for i, line := range withGaps(f.Text) {
			at := check.Position{File: f.Name, Line: 1 + f.Line + i}
			words, col := haproxyWords(line)
			if col > 0 && isFilled(line) { // a template ends the quote
				h.filled[at] = true
				h.unread("", "", at)
				continue
			}
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
				h.found.name("lines that begin with a template", "their values are not filled in; what stands between them is read", at)
				continue
			}
			if len(words) > maxWords {
				h.invalid(at, "the line has more than %d words", maxWords)
				continue
			}
			begins := slices.Contains(sections, words[0])
			if begins {
				p = h.section(words, at)
				if h.all = append(h.all, p); p.kind == "defaults" {
					h.defaults = append(h.defaults, p)
				}
			}
			branch := slices.Contains([]string{".if", ".elif", ".else", ".endif"}, words[0])
			switch {
			case words[0] == ".if":
				if depth++; depth == 1 {
					first = at
				}
			case branch && depth == 0:
				h.invalid(at, "%s without .if", words[0])
			case words[0] == ".endif":
				depth--
			}
			if branch || depth > 0 {
				h.branched = true
				h.found.name("lines from .if to .endif", "their conditions are not read, and so they are not", at)
				continue
			}
			if begins {
				continue
			}
			switch words[0] {
			case "disabled", "enabled":
				p.disabled = words[0] == "disabled"
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
		if depth > 0 {
			h.invalid(first, ".if without .endif")
		}
	}
	h.conclude()
	return nil
}

// section starts a section with what it inherits: from the section of defaults that it names,
// or from the last one, which another section of defaults does not.
func (h *haproxy) section(words []string, at check.Position) *proxy {
	p := &proxy{Position: at, kind: words[0], acls: map[string]condition{}, names: map[string]bool{}}
	if len(words) > 1 {
		p.label = words[1]
	}
	named := slices.Index(words, "from") + 1
	for _, d := range slices.Backward(h.defaults) {
		if named == 0 && p.kind == "defaults" || named > 0 && named < len(words) && d.label != words[named] {
			continue
		}
		p.http, p.disabled = d.http, d.disabled
		if p.kind == "frontend" || p.kind == "listen" || p.kind == "defaults" {
			p.next = d.next
		}
		if p.kind == "frontend" || p.kind == "listen" || p.kind == "backend" {
			d.follows = true
			// They name tables as d does.
			p.rules = lists.Map(d.rules, func(a action) action { a.in = p; return a })
			p.rules = slices.DeleteFunc(p.rules, func(a action) bool { return p.kind == "backend" && a.words[0] == "monitor-uri" })
		}
		return p
	}
	if named > 0 && named < len(words) {
		h.missing(at, "no defaults section %q", words[named])
	}
	return p
}

// gap stands for a value that a template or the environment fills in.
const gap = "…"

func isFilled(word string) bool { return strings.Contains(word, gap) }

// long values, and comments of templates, can have several lines, gaps have one.
var long, gaps = regexp.MustCompile(`(?s)<%.*?%>|\{\{-?[ ]?/\*.*?\*/[ ]?-?\}\}`), newSign(`\{\{.*?\}\}|\{%.*?%\}|\$\{[^}]*\}|\$[A-Za-z_]\w*`, "{{", "{%", "$")

// withGaps returns the lines of a text with a gap for each such value.
func withGaps(text []byte) []string {
	lines := strings.Split(long.ReplaceAllStringFunc(string(text), func(value string) string {
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
		what, why = "what is filled in elsewhere", "by a template, the environment or lines from .if to .endif"
	}
	h.found.name(what, why, at)
}

// unread says that a line about a rate is not judged: it may read any table.
func (h *haproxy) unread(what, why string, at check.Position) {
	h.unjudged = true
	h.name(what, why, at)
}

func (h *haproxy) find(kind check.Kind, rule string, at check.Position, format string, args ...any) {
	if h.branched && slices.Contains([]check.Kind{check.NeverBinds, check.RefusesAll, check.Unkeyed, check.Unreached, check.Unused}, kind) {
		return
	}
	if h.filled[at] || h.template && (kind == check.Invalid || kind == check.NeverBinds) {
		h.filled[at] = true
		h.name("", "", at)
		return
	}
	h.found.find(kind, rule, at, format, args...)
}

// missing finds that something is not given, which HAProxy needs.
func (h *haproxy) missing(at check.Position, format string, args ...any) {
	h.filled[at] = h.filled[at] || h.branched
	h.invalid(at, format, args...)
}

func (h *haproxy) invalid(at check.Position, format string, args ...any) {
	h.find(check.Invalid, "", at, "HAProxy does not start: "+format, args...)
}
