package read

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// variable is what a map, a geo or another directive defines.
type variable struct {
	*directive
	source    string // a word
	geo       bool
	hostnames bool
	entries   []entry
	fallback  string
	unknown   string // why it is not computed; "" if it is
}

// entry gives the variable a value.
type entry struct {
	at             check.Position
	pattern, value string
	whole          string // the value, with the source in place of what re captures
	re             *regexp.Regexp
	net            netip.Prefix
}

// capture returns the number of the group of re that a variable of the value stands for, -1
// if it is none.
func (e entry) capture(variable string) int {
	if e.re == nil {
		return -1
	}
	if n, err := strconv.Atoi(variable); err == nil && n <= e.re.NumSubexp() {
		return n
	}
	return slices.IndexFunc(e.re.SubexpNames(), func(name string) bool { return name != "" && strings.EqualFold(name, variable) })
}

// captured adds what re captures of a source to the fields of a request.
func (e entry) captured(source string, field func(string) string) func(string) string {
	if e.whole == e.value {
		return field
	}
	groups := e.re.FindStringSubmatch(source)
	return func(name string) string {
		if i := e.capture(strings.TrimPrefix(name, "variable:")); i >= 0 {
			return groups[i]
		}
		return field(name)
	}
}

// setters are directives that define variables in a way that is not computed: the one that
// their first argument names; the second of split_clients, and those in the block of geoip2.
var setters = []string{"set", "auth_request_set", "perl_set", "js_set", "js_var", "split_clients", "geoip2", "set_by_lua", "set_by_lua_block", "set_by_lua_file", "auth_jwt_claim_set", "auth_jwt_header_set", "set_random"}

// groups matches the names that a regular expression gives to its groups.
var groups = regexp.MustCompile(`\(\?P?[<'](\w+)[>']`)

// assigned notes the variables that a directive sets.
func (x *nginx) assigned(d *directive) {
	var words []string
	if slices.Contains(setters, d.name()) {
		words = d.words[1:min(2, len(d.words))]
	}
	switch d.name() {
	case "location", "server_name", "if", "rewrite":
		for _, group := range groups.FindAllStringSubmatch(strings.Join(d.words, " "), -1) {
			words = append(words, "$"+group[1])
		}
	case "split_clients":
		words = d.words[min(2, len(d.words)):]
	case "geoip2":
		words = lists.Map(d.block, func(inner *directive) string { return inner.words[0] })
	}
	for _, w := range words {
		if name, ok := strings.CutPrefix(strings.ToLower(w), "$"); ok && x.vars[name] == nil {
			x.vars[name] = &variable{directive: d, unknown: d.name() + " is not computed"}
		}
	}
}

// variable reads a map or a geo.
func (x *nginx) variable(d *directive) {
	words := d.words[1:]
	v := &variable{directive: d, geo: d.name() == "geo"}
	if v.geo && len(words) == 1 {
		words = []string{"$remote_addr", words[0]}
	}
	wrong := ""
	if len(words) != 2 {
		wrong = "invalid number of arguments"
	} else if !strings.HasPrefix(words[1], "$") || misnamed(words[0]) {
		wrong = "invalid variable name"
	}
	if wrong != "" || !d.hasBlock {
		if d.hasBlock && !slices.ContainsFunc(words, filledIn.MatchString) {
			x.invalid(d, "%s in %q directive", wrong, d.name())
		}
		return
	}
	v.source = words[0]
	x.vars[strings.ToLower(words[1][1:])] = v
	flags := map[bool][]string{false: {"hostnames", "volatile"}, true: {"ranges", "proxy_recursive"}}[v.geo]
	given := map[string]bool{} // texts of a map
	for _, e := range d.block {
		source := strings.ToLower(e.words[0])
		if v.hostnames {
			source = strings.TrimPrefix(source, ".")
		}
		flag := len(e.words) == 1 && slices.Contains(flags, e.words[0])
		switch {
		case slices.ContainsFunc(e.words, filledIn.MatchString):
			v.unknown = "it is a template"
		case len(e.words) != 2 && !flag:
			x.invalidIfWhole(e, "invalid number of the %s parameters", d.name())
		case e.words[0] == "include":
			v.unknown = "it includes " + e.words[1]
		case v.geo && (flag || e.words[0] == "proxy" || e.words[0] == "delete"):
			v.unknown = e.words[0] + " in a geo is not computed"
		case flag:
			v.hostnames = v.hostnames || e.words[0] == "hostnames"
		case !v.geo && misnamed(e.words[1]):
			x.invalid(e, "invalid variable name in the value of %s", words[1])
		case !v.geo && given[source]:
			x.invalidIfWhole(e, "the map of %s has this value twice", words[0])
		case e.words[0] == "default":
			given[source] = true
			v.fallback = e.words[1]
			if v.geo { // the last network of all addresses counts
				v.entries = slices.DeleteFunc(v.entries, func(o entry) bool { return o.net.Bits() == 0 })
			}
		default:
			if host, bits, ok := strings.Cut(e.words[0], "/"); ok && v.geo {
				address, err := netip.ParseAddr(host)
				if n, ok := number(bits); err == nil && (!ok || n > int64(address.BitLen())) {
					x.invalid(e, "invalid network %q", e.words[0])
				}
			}
			given[source] = !strings.HasPrefix(source, "~")
			v.add(e.Position, e.words[0], e.words[1])
		}
	}
}

// add adds an entry.
func (v *variable) add(at check.Position, pattern, value string) {
	e := entry{at: at, pattern: pattern, value: value, whole: value}
	var err error
	switch re, isRegexp := strings.CutPrefix(pattern, "~"); {
	case v.geo:
		e.net, err = networkOf(pattern)
	case isRegexp:
		if rest, ignores := strings.CutPrefix(re, "*"); ignores {
			re = "(?i)" + rest
		}
		e.re, err = regexp.Compile(re)
		e.whole = variables.ReplaceAllStringFunc(value, func(name string) string {
			if e.capture(strings.Trim(name, "${}")) >= 0 {
				return v.source
			}
			return name
		})
	default:
		e.pattern = strings.ToLower(strings.TrimPrefix(pattern, `\`))
	}
	if err != nil {
		v.unknown = fmt.Sprintf("its line %d is not read", at.Line)
	}
	v.entries = append(v.entries, e)
}

// networkOf reads a network, or an address as a network of one.
func networkOf(text string) (netip.Prefix, error) {
	if strings.Contains(text, "/") {
		return netip.ParsePrefix(text)
	}
	address, err := netip.ParseAddr(text)
	return netip.PrefixFrom(address, address.BitLen()), err
}

// entry returns the entry that gives the variable its value for a source.
func (v *variable) entry(source string) entry {
	fallback := entry{value: v.fallback, whole: v.fallback}
	if v.geo {
		address, err := netip.ParseAddr(source)
		if err != nil { // nginx takes it for this address
			address = netip.AddrFrom4([4]byte{255, 255, 255, 255})
		}
		best := -1
		for i, e := range v.entries {
			if e.net.Contains(address.Unmap()) && (best < 0 || e.net.Bits() >= v.entries[best].net.Bits()) {
				best = i
			}
		}
		if best < 0 {
			return fallback
		}
		return v.entries[best]
	}
	folded := strings.ToLower(source)
	for _, e := range v.entries {
		if e.re == nil && e.pattern == folded {
			return e
		}
	}
	if v.hostnames {
		if e, ok := hostname(folded, v.entries, func(e entry) string { return e.pattern }); ok {
			return e
		}
	}
	for _, e := range v.entries {
		if e.re != nil && e.re.MatchString(source) {
			return e
		}
	}
	return fallback
}

// hostname returns the entry whose name fits a host best, as nginx chooses: the name
// itself, the longest wildcard in front, the longest behind.
func hostname[T any](host string, list []T, name func(T) string) (best T, ok bool) {
	length := 0
	for _, e := range list {
		pattern := strings.ToLower(name(e))
		fits, weight := pattern == host, 3000
		if tail, wild := strings.CutPrefix(pattern, "*"); wild {
			fits, weight = strings.HasSuffix(host, tail) && len(host) > len(tail), min(len(tail), 1)*2000
		} else if strings.HasPrefix(pattern, ".") {
			fits, weight = strings.HasSuffix(host, pattern) || host == pattern[1:], 2000
		} else if head, wild := strings.CutSuffix(pattern, "*"); wild {
			fits, weight = strings.HasPrefix(host, head) && len(host) > len(head), 1000
		}
		if weight += len(pattern); fits && weight > length {
			best, ok, length = e, true, weight
		}
	}
	return best, ok
}

// outcome is a value that a word can have: texts and variables of the request.
type outcome struct {
	pieces []piece
	when   string // the entry of a map or geo that leads to it
	loose  string // what of an address that a geo looks for the client chooses
}

// most bounds the outcomes of a word.
const most = 1000

// unclear is why a word is not computed.
type unclear struct {
	variable, why string
	defined       bool
}

func (u *unclear) Error() string { return "$" + u.variable + ": " + u.why }

// outcomes returns the values that a word can have, by what maps and geos of literal
// values give. from is where they are spoken of.
func (x *nginx) outcomes(word string, from check.Position, depth int) ([]outcome, error) {
	list := []outcome{{}}
	for _, p := range x.pieces(word) {
		inner := []outcome{{pieces: []piece{p}}}
		if v := x.vars[p.variable]; p.variable != "" && v != nil {
			var err error
			if inner, err = x.values(p.variable, v, from, depth); err != nil {
				return nil, err
			}
		} else if p.variable != "" && !builtin(p.variable) {
			return nil, &unclear{p.variable, "it is not defined in the files given", false}
		}
		var longer []outcome
		for _, a := range list {
			for _, b := range inner {
				longer = append(longer, outcome{append(slices.Clone(a.pieces), b.pieces...), strings.Trim(a.when+", "+b.when, ", "), cmp.Or(a.loose, b.loose)})
			}
		}
		if list = longer; len(list) > most {
			return nil, &unclear{p.variable, fmt.Sprintf("it has more than %d values", most), true}
		}
	}
	return list, nil
}

// values returns the values of a variable.
func (x *nginx) values(name string, v *variable, from check.Position, depth int) (list []outcome, err error) {
	switch {
	case v.unknown != "":
		return nil, &unclear{name, v.unknown, true}
	case depth > 10:
		return nil, &unclear{name, "it depends on itself", true}
	}
	sources, err := x.outcomes(v.source, from, depth+1)
	if err != nil {
		return nil, err
	}
	source, ofNone := "", ""
	if p := x.pieces(v.source); len(p) == 1 {
		source, ofNone = p[0].variable, v.entry("").whole
	}
	add := func(value, when, loose string) error {
		inner := []outcome{{pieces: []piece{{text: value}}}}
		if value == "" {
			inner = []outcome{{}}
		}
		if !v.geo {
			if inner, err = x.outcomes(value, from, depth+1); err != nil {
				return err
			}
		}
		for _, o := range inner {
			for i, p := range o.pieces { // an empty source has another value
				o.pieces[i].filled = p.filled || !v.geo && p.variable == source && value != ofNone
			}
			list = append(list, outcome{o.pieces, strings.TrimSuffix(when+" and "+o.when, " and "), cmp.Or(loose, o.loose)})
		}
		if len(list) > most {
			return &unclear{name, fmt.Sprintf("it has more than %d values", most), true}
		}
		return nil
	}
	if constant := !slices.ContainsFunc(sources, func(o outcome) bool { return slices.ContainsFunc(o.pieces, isVariable) }); constant {
		for _, o := range sources {
			text := strings.Join(lists.Map(o.pieces, func(p piece) string { return p.text }), "")
			if err := add(v.entry(text).whole, o.when, o.loose); err != nil {
				return nil, err
			}
		}
		return list, nil
	}
	inside, rest, loose := "", "that fit no entry of the map of "+v.source, ""
	switch {
	case v.geo && v.source == "$remote_addr":
		inside, rest = "from ", "from other addresses"
	case v.geo:
		inside, rest, loose = "whose "+v.source+" is in ", "whose "+v.source+" is in no network of the geo", chosen(source)
	}
	for _, e := range v.entries {
		when := inside + e.pattern
		if !v.geo { // patterns of a map may be secrets
			when = fmt.Sprintf("that %s of the map of %s fits", e.at.From(from), v.source)
		}
		if err := add(e.whole, when, loose); err != nil {
			return nil, err
		}
	}
	return list, add(v.fallback, rest, loose)
}

// zoneKey is what a key counts, and how it is computed.
type zoneKey struct {
	counts string
	of     check.Key
}

// keyOf returns what a key counts, and how it is computed, once for all limits with it.
func (x *nginx) keyOf(word string) (counts string, key check.Key) {
	known, ok := x.keys[word]
	if !ok {
		known.counts, known.of = x.newKey(word)
		x.keys[word] = known
	}
	return known.counts, known.of
}

func (x *nginx) newKey(word string) (counts string, key check.Key) {
	list, err := x.outcomes(word, check.Position{}, 0)
	if err != nil {
		return "each value of " + word, check.Key{Why: err.Error()}
	}
	var texts []string
	for _, o := range list {
		if len(o.pieces) > 0 {
			texts = append(texts, counted(o.pieces))
		}
	}
	key = x.computed(word)
	key.Fields, texts = lists.Distinct(key.Fields), lists.Distinct(texts)
	switch {
	case len(texts) == 0:
		return "nothing", key
	case len(texts) <= 2:
		return strings.Join(texts, " or "), key
	}
	return "each value of " + word, key
}

// computed returns what computes a word of a request, with the fields that it depends on.
func (x *nginx) computed(word string) (key check.Key) {
	var parts []func(field func(string) string) string
	for _, p := range x.pieces(word) {
		part := check.Key{Value: func(func(string) string) string { return p.text }}
		if v := x.vars[p.variable]; v != nil {
			part = x.mapped(v)
		} else if p.variable != "" {
			of := fieldOf(p.variable)
			part.Fields = []string{of}
			part.Value = func(field func(string) string) string { return requestValue(p.variable, field(of)) }
		}
		key.Fields, parts = append(key.Fields, part.Fields...), append(parts, part.Value)
	}
	key.Value = func(field func(string) string) string {
		var text strings.Builder
		for _, part := range parts {
			text.WriteString(part(field))
		}
		return text.String()
	}
	return key
}

// mapped returns what computes a map or a geo of a request. What a regular expression
// captures depends on the source.
func (x *nginx) mapped(v *variable) check.Key {
	source := x.computed(v.source)
	if v.geo {
		return check.Key{Fields: source.Fields, Value: func(field func(string) string) string {
			return v.entry(source.Value(field)).value
		}}
	}
	fields, values := source.Fields, map[string]func(field func(string) string) string{}
	for _, e := range append(slices.Clip(v.entries), entry{value: v.fallback, whole: v.fallback}) {
		values[e.value] = x.computed(e.value).Value
		fields = append(fields, x.computed(e.whole).Fields...)
	}
	return check.Key{Fields: fields, Value: func(field func(string) string) string {
		text := source.Value(field)
		e := v.entry(text)
		return values[e.value](e.captured(text, field))
	}}
}
