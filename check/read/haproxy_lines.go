package read

import (
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/check"
)

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
	if words[0] != "stick-table" && words[0] != "timeout" && !shared {
		for _, o := range others {
			if o.may(line) && slices.ContainsFunc(words, o.MatchString) {
				h.name(o.what, o.why, at)
				break
			}
		}
	}
	h.at = at
	six, states := bringsSix.MatchString(line), statesClient.MatchString(line)
	p.six, h.six = p.six || six, h.six || six || states || strings.Contains(line, "set-src")
	if states {
		p.rules = append(p.rules, action{Position: at, of: p, in: p, words: []string{"set-src", "src"}, phase: proxied})
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
	conditional := false
	for _, w := range words {
		if conditional = conditional || w == "if" || w == "unless"; conditional {
			p.names[strings.TrimLeft(w, "!")] = true
		}
		if list, ok := strings.CutPrefix(w, "acl("); ok {
			for name := range strings.SplitSeq(strings.TrimSuffix(list, ")"), ",") {
				p.names[strings.TrimLeft(name, "!")] = true
			}
		}
	}
	switch words[0] {
	case "stick-table":
		h.table(p.label, words[1:], at)
	case "acl":
		h.acl(p, words[1:], at)
	case "monitor-uri": // answers before the rules
		if len(words) > 1 {
			p.rules = slices.Insert(p.rules, 0, action{Position: at, of: p, in: p, words: words[:1], when: condition{{h.test([]string{"url", words[1]}, p)}}})
		}
	case "http-request", "tcp-request":
		h.action(p, words, at)
	default:
		concerns := h.concerns(words, p)
		if continuation.MatchString(words[0]) || concerns && rateContinuation.MatchString(words[0]) {
			h.invalid(at, "unknown keyword %q", words[0])
		} else if concerns {
			h.unread(words[0]+" on a stick table", "it is not followed", at)
		}
	}
}

// acl reads the name and the test of an ACL.
func (h *haproxy) acl(p *proxy, words []string, at check.Position) {
	if len(words) < 2 {
		h.invalid(at, "an acl needs a name and a test")
		return
	}
	more := p.acls[words[0]]
	if len(more) == maxTests {
		h.name("acl", "one of more than 100 lines", at)
		return
	}
	p.extends = p.extends || more != nil && p.names[words[0]]
	p.acls[words[0]] = append(more, conjunction{h.test(words[1:], p)})
}

// action reads a rule of http-request or tcp-request.
func (h *haproxy) action(p *proxy, words []string, at check.Position) {
	a := action{Position: at, of: p, in: p, words: words[1:]}
	if early := words[0] == "tcp-request"; early && len(a.words) > 1 && slices.Contains([]string{"connection", "session", "content"}, a.words[0]) {
		a.phase, a.words = a.words[0], a.words[1:]
	} else if early {
		a.phase = "connection"
	}
	if i := slices.IndexFunc(a.words, func(w string) bool { return w == "if" || w == "unless" }); i >= 0 {
		a.words, a.tests = a.words[:i], a.words[i:]
		if !h.conditional(&a) {
			return
		}
	}
	if len(a.words) == 0 {
		h.invalid(at, "%s needs an action", words[0])
		return
	}
	p.rules = append(p.rules, a)
}

// conditional reads the condition of an action. It reports whether that is valid.
func (h *haproxy) conditional(a *action) (ok bool) {
	a.when, ok = h.condition(a.tests[1:], a.of, a.Position)
	if ok && a.tests[0] == "unless" {
		a.when = a.when.not()
	}
	return ok
}

// bringsSix matches lines by which clients have IPv6 addresses, and statesClient those by which
// a proxy states their addresses.
var bringsSix, statesClient = newSign(`^bind (?:\S*,)?(?:[\w+]*6@|[^ ,:]*:[^ ,:]*:)`, "bind"), newSign(`^bind .* accept-(?:proxy|netscaler)|^tcp-request .*expect-`, "accept-", "expect-")

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
