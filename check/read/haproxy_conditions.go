package read

import (
	"cmp"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// condition holds if one of its conjunctions does.
type condition []conjunction

type conjunction []test

// test is one test of a request.
type test struct {
	text   string // without not
	not    bool
	rate   *rateTest
	about  bool // it is about a rate, and not read
	fields []string
	holds  func(field func(string) string) bool
	why    string // it is not read
}

// rateTest holds above a number of requests.
type rateTest struct {
	slot, key, table string // slot is empty if the key is looked up
	most             int64  // requests that pass
	at               check.Position
	of               *proxy // whose line it is
}

// why returns why a conjunction is not read, "" if it is.
func (c conjunction) why() (why string) {
	for _, t := range c {
		why = cmp.Or(why, t.why)
	}
	return why
}

// why returns why a condition is not read, "" if it is.
func (c condition) why() string { return conjunction(slices.Concat(c...)).why() }

func (c condition) holds(field func(string) string) bool {
	return slices.ContainsFunc(c, func(all conjunction) bool {
		return !slices.ContainsFunc(all, func(t test) bool { return t.holds == nil || t.holds(field) == t.not })
	})
}

// always reports whether the condition has nothing to test.
func (c condition) always() bool { return len(c) == 1 && len(c[0]) == 0 }

// String writes the tests of a condition.
func (c condition) String() string {
	return strings.Join(lists.Map(c, func(all conjunction) string {
		return strings.Join(lists.Map(all, func(t test) string {
			if t.not {
				return "not " + t.text
			}
			return t.text
		}), " and ")
	}), " or ")
}

// rated reports whether a rate is part of the condition.
func (c condition) rated() bool {
	return c.has(func(t test) bool { return t.rate != nil })
}

// concerns reports whether a rate is part of the condition, read or not.
func (c condition) concerns() bool {
	return c.has(func(t test) bool { return t.rate != nil || t.about })
}

// has reports whether one of the tests is such.
func (c condition) has(such func(t test) bool) bool {
	return slices.ContainsFunc(slices.Concat(c...), such)
}

// fields returns the fields of a request that the tests read.
func (c condition) fields() (fields []string) {
	for _, t := range slices.Concat(c...) {
		fields = append(fields, t.fields...)
	}
	return fields
}

// test returns one test in place of the condition, but for the rates in it.
func (c condition) test(text string, holds func(field func(string) string) bool) test {
	return test{text: text, fields: c.fields(), holds: holds, about: c.has(func(t test) bool { return t.about }), why: c.why()}
}

// not returns the condition that holds if another does not, as one test; a rate cannot be
// part of it.
func (other condition) not() condition {
	t := other.test("not ("+other.String()+")", func(field func(string) string) bool { return !other.holds(field) })
	if other.rated() {
		t.why, t.about = "a rate that is negated", true
	}
	return condition{conjunction{t}}
}

// condition reads what follows if or unless. Names are those of ACLs defined before.
func (h *haproxy) condition(words []string, p *proxy, at check.Position) (c condition, ok bool) {
	var done condition // alternatives before the last or
	c = condition{nil}
	for i := 0; i < len(words); i++ {
		w := words[i]
		not := false
		for strings.HasPrefix(w, "!") {
			not, w = !not, w[1:]
			if w == "" && i+1 < len(words) {
				i++
				w = words[i]
			}
		}
		switch {
		case strings.EqualFold(w, "or") || w == "||":
			done, c = append(done, c...), condition{nil}
		case w == "{":
			end := slices.Index(words[i:], "}")
			if end < 2 {
				h.invalid(at, "a condition in braces does not end, or is empty")
				return nil, false
			}
			t := h.test(words[i+1:i+end], p)
			t.not = not
			c = c.and(condition{{t}})
			i += end
		case w == "":
		case isFilled(w):
			c = c.and(condition{{{why: "it is filled in elsewhere", about: true}}})
		default:
			of, known := p.acls[w]
			if !known {
				if of, known = predefined(w); !known {
					h.missing(at, "no such ACL: %q", w)
					return nil, false
				}
			}
			if not {
				of = of.not()
			}
			c = c.and(of)
		}
	}
	return append(done, c...), true
}

// and returns the condition that holds if both do.
func (c condition) and(other condition) (both condition) {
	if len(other) > 1 && !other.rated() {
		other = condition{{other.test("("+other.String()+")", other.holds)}}
	}
	for _, a := range c {
		for _, b := range other {
			if both = append(both, slices.Concat(a, b)); len(both) > 100 {
				return condition{{{why: "too many alternatives", about: c.rated() || other.rated()}}}
			}
		}
	}
	return both
}

// predefined returns an ACL that HAProxy defines.
func predefined(name string) (condition, bool) {
	switch method, is := strings.CutPrefix(name, "METH_"); {
	case is:
		holds := func(field func(string) string) bool {
			return field("method") == method || method == "GET" && field("method") == "HEAD"
		}
		return condition{{{fields: []string{"method"}, holds: holds, text: name}}}, slices.Contains([]string{"CONNECT", "DELETE", "GET", "HEAD", "OPTIONS", "POST", "PUT", "TRACE"}, method)
	case name == "TRUE" || name == "HTTP" || name == "FALSE":
		return condition{{{holds: func(func(string) string) bool { return name != "FALSE" }, text: name}}}, true
	}
	return condition{{{why: "a predefined ACL"}}}, slices.Contains([]string{"LOCALHOST", "HTTP_1.0", "HTTP_1.1", "HTTP_2.0", "HTTP_CONTENT", "HTTP_URL_ABS", "HTTP_URL_SLASH", "HTTP_URL_STAR", "RDP_COOKIE", "REQ_CONTENT", "WAIT_END"}, name)
}

var rateFetch = regexp.MustCompile(`^(?:sc_http_req_rate\((\d+)(?:,([^)]*))?\)|sc([0-2])_http_req_rate(?:\(([^)]*)\))?|src_http_req_rate(?:\(([^)]*)\))?|(.+),table_http_req_rate(?:\(([^)]*)\))?)$`)

// test reads a test: a fetch, and the values that it is compared with.
func (h *haproxy) test(words []string, p *proxy) test {
	if slices.ContainsFunc(words, isFilled) {
		return test{why: "it is filled in elsewhere", about: strings.HasPrefix(words[0], gap) || h.concerns(words, p)}
	}
	fetch, words := words[0], words[1:]
	if m := rateFetch.FindStringSubmatch(fetch); m != nil {
		t := h.rated(m, words, p)
		t.about = t.why != ""
		return t
	}
	if strings.Contains(fetch, "http_req_rate") {
		if fetch == "sc_http_req_rate" {
			h.invalid(h.at, "sc_http_req_rate needs the number of a counter")
		}
		return test{why: "a fetch of a rate that is not read", about: true}
	}
	if h.marked(fetch) {
		return test{why: "a variable that a rate sets", about: true}
	}
	method, fold := "", false
	for len(words) > 0 && strings.HasPrefix(words[0], "-") {
		switch {
		case words[0] == "-i":
			fold = true
		case words[0] == "-m" && len(words) > 1:
			method, words = words[1], words[1:]
		case words[0] == "--":
			return h.compare(fetch, method, fold, words[1:])
		default:
			return test{why: "values of a file or a map"}
		}
		words = words[1:]
	}
	return h.compare(fetch, method, fold, words)
}

// rated reads what a rate is compared with.
func (h *haproxy) rated(m []string, words []string, p *proxy) test {
	r := &rateTest{slot: m[1] + m[3], table: m[2] + m[4] + m[5] + m[7], key: m[6], of: p}
	if r.slot == "" && r.key == "" {
		r.key = "src"
	}
	if r.at = h.at; r.table != "" {
		h.rates = append(h.rates, r)
	}
	if len(words) > 1 && words[0] == "-m" && words[1] == "int" { // as a rate is compared without it
		words = words[2:]
	}
	more, number := int64(0), ""
	switch {
	case len(words) == 2 && words[0] == "gt":
		number = words[1]
	case len(words) == 2 && words[0] == "ge":
		more, number = 1, words[1]
	case len(words) == 1 && strings.HasSuffix(words[0], ":"):
		more, number = 1, strings.TrimSuffix(words[0], ":")
	default:
		return test{why: "a rate that is compared otherwise than by gt and ge"}
	}
	n, err := strconv.ParseInt(number, 10, 64)
	if err != nil && !strings.Contains(number, ":") {
		h.invalid(h.at, "a rate is compared with what is no number")
	}
	if err != nil || n > 1<<32-1 {
		return test{why: "a rate that is not compared with a number"}
	}
	r.most = n - more
	return test{rate: r}
}

// fetches are those that are read: the field of a request that each gives, and what a key of
// it counts. The argument stands behind a field that ends with a colon, and for %s. Names
// can begin with req.
var fetches = map[string]struct{ field, counts string }{
	"src":         {"client", "each client address"},
	"method":      {"method", ""},
	"path":        {"target", "each path"},
	"url":         {"target", ""},
	"hdr":         {"header:", "each value of the header %s"},
	"fhdr":        {"header:", "each value of the header %s"},
	"hdr_ip":      {"", "each address in the header %s"},
	"cook":        {"cookie:", "each value of the cookie %s"},
	"url_param":   {"target", "each value of the parameter %s"},
	"urlp":        {"target", "each value of the parameter %s"},
	"int":         {"", everyone},
	"str":         {"", everyone},
	"bool":        {"", everyone},
	"always_true": {"", everyone},
}

// origin matches what HTTP/2 writes before a path.
var origin = regexp.MustCompile(`^[^/]+://[^/]*`)

// fetched returns the fields of a fetch and the values that it gives, of which a key is the first.
func fetched(fetch string) (fields []string, values func(field func(string) string) []string, match string) {
	name, argument, _ := strings.Cut(strings.TrimSuffix(fetch, ")"), "(")
	for _, suffix := range []string{"_beg", "_end", "_sub", "_reg"} {
		if base, ok := strings.CutSuffix(name, suffix); ok {
			name, match = base, suffix[1:]
		}
	}
	name = strings.TrimPrefix(name, "req.")
	field := fetches[name].field
	switch {
	case field == "", strings.Contains(argument, ","), field == "header:" && argument == "":
		return nil, nil, ""
	case field == "header:":
		field = fieldOfHeader(argument)
	case field == "cookie:":
		field += argument
	}
	return []string{field}, func(get func(string) string) []string {
		text := get(field)
		path, query, _ := strings.Cut(text, "?")
		if name == "path" {
			text = origin.ReplaceAllString(strings.TrimPrefix(path, "*"), "") // OPTIONS * has none
		}
		switch {
		case text == "":
			return nil
		case name == "url_param", name == "urlp":
			return parameters(query, argument)
		case name == "hdr":
			return headerValues(text)
		}
		return []string{text}
	}, match
}

// blank is a key that a request has, and that is empty.
const blank = `""`

// parameters returns the values of a parameter, as a query has them.
func parameters(query, name string) (values []string) {
	for _, part := range strings.FieldsFunc(query, func(r rune) bool { return strings.ContainsRune("&;?", r) }) {
		if value, ok := strings.CutPrefix(part, name+"="); ok {
			values = append(values, value)
		}
	}
	return values
}

// matches are ways to match a text with a value.
var matches = map[string]func(text, value string) bool{
	"str": func(text, value string) bool { return text == value },
	"beg": strings.HasPrefix, "end": strings.HasSuffix, "sub": strings.Contains,
}

// compare returns a test of a fetch.
func (h *haproxy) compare(fetch, method string, fold bool, values []string) test {
	fields, given, match := fetched(fetch)
	if given == nil {
		return test{why: "a fetch that is not read"}
	}
	if slices.ContainsFunc(values, func(v string) bool { return strings.Contains(v, "http_req_rate") }) {
		h.name("acl", "a rate stands among the values of another test", h.at)
	}
	method = cmp.Or(method, match, "str")
	if fold && method != "reg" {
		values = lists.Map(values, strings.ToLower)
	}
	t := test{text: fetch, fields: fields}
	// A value of another header, a cookie or a parameter can be a secret.
	if !strings.Contains(fetch, "(") && !strings.HasPrefix(fetch, "url") || fields[0] == "host" {
		t.text = strings.TrimSpace(fetch + " " + strings.Join(values, " "))
	} else if len(values) > 0 {
		t.text += " " + gap
	}
	is := matches[method]
	switch {
	case method == "found":
		t.holds = func(field func(string) string) bool { return len(given(field)) > 0 }
		return t
	case fetch == "src":
		nets, err := lists.Try(values, networkOf)
		if err != nil {
			return test{why: "addresses that are not read"}
		}
		t.holds = func(field func(string) string) bool {
			a, err := netip.ParseAddr(field("client"))
			return err == nil && slices.ContainsFunc(nets, func(n netip.Prefix) bool { return n.Contains(a.Unmap()) })
		}
		return t
	case method == "reg":
		all, flags := map[string]*regexp.Regexp{}, ""
		if fold {
			flags = "(?i)"
		}
		for _, v := range values {
			re, err := regexp.Compile(flags + v)
			if err != nil {
				return test{why: "a regular expression that is not read here"}
			}
			all[v] = re
		}
		is = func(text, v string) bool { return all[v].MatchString(text) }
	case is == nil:
		return test{why: "a way of matching that is not read"}
	}
	t.holds = func(field func(string) string) bool {
		return slices.ContainsFunc(given(field), func(text string) bool {
			if fold {
				text = strings.ToLower(text)
			}
			return slices.ContainsFunc(values, func(v string) bool { return is(text, v) })
		})
	}
	return t
}
