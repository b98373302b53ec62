package read

import (
	"bytes"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// service reads the limits of envoyproxy/ratelimit (3fb7025, src/config/config_impl.go). A
// log does not have the descriptors that Envoy sends; each sequence of keys that leads to a
// limit is taken to be one of every request that has values for all of them.
type service struct {
	found
	domains   map[string]bool
	limits    []*descriptor
	names     map[string]bool          // of limits
	quotas    map[int]bool             // rules that refuse only together
	replacing map[string][]*descriptor // limits by the names that they take the place of
}

// descriptor is a node of a domain's tree.
type descriptor struct {
	node
	parent     *descriptor
	key, value string
	named      map[string]*descriptor // children by their full names
	wildcards  []*descriptor          // children whose names end with *
	shares     bool                   // all values that match the wildcard share a count
	limit      node                   // rate_limit, absent for none
	name       string                 // of the limit
	replaces   []string               // names of limits that it takes the place of
	unlimited  bool
	rule       int // index of its rule, or -1
}

var (
	serviceDomain      = newSign(`^domain[ \t]*:`, "domain")
	serviceDescriptors = newSign(`^descriptors[ \t]*:`, "descriptors")
)

func isRateLimitService(text []byte) bool {
	if serviceDomain.Match(text) && serviceDescriptors.Match(text) {
		return true
	}
	if text = bytes.TrimSpace(text); !bytes.HasPrefix(text, []byte("{")) || !bytes.Contains(text, []byte("descriptors")) {
		return false
	}
	docs, err := documents(File{Text: text}) // the keys are not at the beginnings of lines
	return err == nil && len(docs) > 0 && docs[0].get("domain").Node != nil && docs[0].get("descriptors").Node != nil
}

// serviceKeys are the keys that a file may have, and what their values are.
var serviceKeys = map[string]string{"domain": "text", "key": "text", "value": "text", "unit": "text", "name": "text", "requests_per_unit": "number",
	"unlimited": "bool", "shadow_mode": "bool", "quota_mode": "bool", "detailed_metric": "bool", "value_to_metric": "bool", "share_threshold": "bool",
	"descriptors": "list", "replaces": "list", "rate_limit": "mapping"}

// yes and no are the words of YAML 1.1 for true and false, by which the service reads.
var yes, no = []string{"true", "y", "yes", "on"}, []string{"false", "n", "no", "off"}

// isTrue reports whether a value is one of yes.
func isTrue(n node) bool { return slices.Contains(yes, strings.ToLower(n.text())) }

// fits reports whether the service takes a value for what a key holds.
func fits(value node, kind string) bool {
	word := strings.ToLower(value.text())
	switch {
	case value.Tag == "!!null":
		return true
	case kind == "list":
		return value.Kind == yaml.SequenceNode
	case kind == "mapping":
		return value.Kind == yaml.MappingNode
	case value.Kind != yaml.ScalarNode || value.Tag == "!!float":
		return false
	case kind == "bool":
		return value.Style&(yaml.SingleQuotedStyle|yaml.DoubleQuotedStyle) == 0 && (slices.Contains(yes, word) || slices.Contains(no, word))
	case kind == "number":
		return value.Tag == "!!int"
	}
	return true
}

// serviceUnits are the units of its windows, in s.
var serviceUnits = map[string]int64{"second": 1, "minute": 60, "hour": 3600, "day": 86400, "week": 7 * 86400, "month": 30 * 86400, "year": 365 * 86400}

func readRateLimitService(files []File) (*check.Config, error) {
	s := &service{found: newFound(), domains: map[string]bool{}, names: map[string]bool{}, quotas: map[int]bool{}, replacing: map[string][]*descriptor{}}
	docs, err := lists.Try(files, documents)
	if err != nil {
		return nil, err
	}
	for _, d := range slices.Concat(docs...) {
		if d.get("domain").Node != nil || d.get("descriptors").Node != nil {
			s.domain(d)
		}
	}
	for _, d := range s.limits {
		for _, name := range d.replaces {
			if !s.names[name] {
				s.find(check.Undefined, d.label(), d.limit.position(), "replaces %s, which no limit is called", name)
			}
			s.replacing[name] = append(s.replacing[name], d)
		}
	}
	for _, d := range s.limits {
		s.key(d)
	}
	place := check.Place{Name: "all requests", Steps: []check.Step{}}
	for i := range s.c.Rules { // all are charged before one of them can refuse
		place.Rules = append(place.Rules, i)
		place.Steps = append(place.Steps, check.Step{Rule: i, Count: true})
	}
	for _, only := range []bool{true, false} { // those that refuse come last
		for i := range s.c.Rules {
			if s.c.Rules[i].Only == only {
				place.Steps = append(place.Steps, check.Step{Rule: i, Quota: s.quotas[i]})
			}
		}
	}
	s.c.Places, s.c.Choose = []check.Place{place}, func(func(string) string) int { return 0 }
	s.c.Doubt = "every request is taken to send each descriptor whose keys it has values for"
	return s.c, nil
}

// invalid notes what the service's loader refuses.
func (s *service) invalid(at node, format string, args ...any) {
	s.find(check.Invalid, "", at.position(), "the service refuses the file: %s", fmt.Sprintf(format, args...))
}

// domain reads a file's domain.
func (s *service) domain(d node) {
	s.known(d, 0)
	name := d.get("domain").text()
	switch {
	case d.get("domain").template() != "":
		name = "that a template fills in"
	case name == "":
		s.invalid(d, "domain is empty")
	case s.domains[name]:
		s.invalid(d.get("domain"), "domain %s is there twice (unless MERGE_DOMAIN_CONFIG is set)", name)
	}
	s.domains[name] = true
	root := &descriptor{node: d, key: name, rule: -1}
	s.level(root, d.get("descriptors"), 0)
}

// known looks for keys that the loader does not know.
func (s *service) known(n node, depth int) {
	if depth > maxDepth {
		return
	}
	n.each(func(key, value node) {
		kind, has := serviceKeys[key.text()]
		switch {
		case key.text() == "metadata":
			s.invalid(key, "unknown key metadata (before 3728d99 of April 2026)")
			return
		case !has:
			s.invalid(key, "unknown key %s", key.text())
			return
		case s.unfilled(key.text(), value):
			return
		case !fits(value, kind):
			s.invalid(value, "%s is no %s", key.text(), kind)
			return
		}
		for _, item := range value.list() {
			if item.Kind != yaml.MappingNode {
				s.invalid(item, "%s lists something other than mappings", key.text())
			}
			s.known(item, depth+1)
		}
		s.known(value, depth+1)
	})
}

// level reads a list of descriptors below a parent.
func (s *service) level(parent *descriptor, list node, depth int) {
	if depth > maxDepth {
		return
	}
	for _, n := range list.list() {
		d := &descriptor{node: n, parent: parent, key: n.get("key").text(), value: n.get("value").text(), limit: n.get("rate_limit"), shares: isTrue(n.get("share_threshold")), rule: -1}
		if d.limit.Node != nil && d.limit.Tag == "!!null" {
			d.limit = node{}
		}
		if n.get("key").template()+n.get("value").template() != "" {
			continue
		}
		if d.key == "" {
			s.invalid(n, "a descriptor has an empty key")
			continue
		}
		if parent.named[d.full()] != nil {
			s.invalid(n, "%s is there twice", d.label())
			continue
		}
		if full := d.full(); isWildcard(full) {
			for end := range full {
				if before := parent.named[full[:end]+"*"]; before != nil {
					s.find(check.Unreached, d.label(), n.position(), "%s (line %d) matches before it", before.label(), before.position().Line)
				}
			}
		}
		if d.shares && !isWildcard(d.full()) {
			s.invalid(n, "share_threshold needs a value that ends with *%s", map[bool]string{true: " (before 6bcd4d2 of March 2026)"}[d.inner()])
		}
		if d.inner() {
			s.name("value with * inside", "a wildcard since 6bcd4d2 of March 2026, a text before", n.get("value").position())
		}
		parent.add(d)
		plain, all := parent.named[d.key], parent.named[d.key+"_*"]
		if plain != nil && all != nil && (d == plain || d == all) {
			s.find(check.Unreached, plain.label(), plain.position(), "%s (line %d) matches every value before it", all.label(), all.position().Line)
		}
		s.level(d, n.get("descriptors"), depth+1)
		switch {
		case d.limit.Node != nil:
			s.limit(d)
		case len(d.named) == 0:
			s.find(check.NeverBinds, d.label(), n.position(), "passes all: it has no rate_limit")
		}
	}
}

// limit reads the limit of a descriptor.
func (s *service) limit(d *descriptor) {
	s.limits = append(s.limits, d)
	d.name, d.unlimited = d.limit.get("name").text(), isTrue(d.limit.get("unlimited"))
	if d.name != "" {
		s.names[d.name] = true
	}
	for _, r := range d.limit.get("replaces").list() {
		switch name := r.get("name").text(); {
		case r.get("name").template() != "":
		case name == "":
			s.invalid(r, "an entry of replaces has no name")
		case name == d.name:
			s.invalid(r, "%s replaces itself", name)
		default:
			d.replaces = append(d.replaces, name)
		}
	}
	unit, per := strings.ToLower(d.limit.get("unit").text()), d.limit.get("requests_per_unit")
	seconds, has := serviceUnits[unit]
	r := check.Rule{Position: d.limit.position(), System: "envoyproxy/ratelimit", Name: d.label(), Counter: d.limit.id(), Status: 429, AtOnce: -1, Only: isTrue(d.get("shadow_mode")), Counts: d.counts(), Key: d.counts()}
	r.Options.NoDelay = true
	r.Uses = []check.Use{{Position: r.Position, Where: "every request that sends the descriptor (" + strings.Join(d.keys(), ", ") + ") in the domain " + d.root().key}}
	switch {
	case d.limit.template()+d.limit.get("unit").template()+per.template()+d.limit.get("unlimited").template() != "":
		d.rule = len(s.c.Rules)
		s.c.Rules = append(s.c.Rules, r)
		return
	case d.unlimited && has:
		s.invalid(d.limit, "unlimited with a unit")
		return
	case d.unlimited:
		s.find(check.NeverBinds, d.label(), d.limit.position(), "limits nothing: unlimited")
		return
	case !has:
		s.invalid(d.limit, "the unit %q is none of second, minute, hour, day, week, month and year", unit)
		return
	}
	count, err := strconv.ParseUint(per.text(), 0, 32)
	if err != nil && per.Node != nil && per.Tag != "!!null" {
		if per.Tag == "!!int" { // other values have been named
			s.invalid(per, "requests_per_unit is no whole number up to 2^32-1")
		}
		return
	}
	for _, mode := range []string{"shadow_mode", "quota_mode"} {
		if n := d.limit.get(mode); n.Node != nil {
			s.name(mode+" inside rate_limit", "the service reads it beside rate_limit alone", n.position())
		}
	}
	d.rule = len(s.c.Rules)
	r.Rate, r.PerSecond, r.AtOnce = fmt.Sprintf("%d in each %s", count, unit), float64(count)/float64(seconds), int64(count)
	r.Limit = counting.Limit{Count: int64(count), Window: seconds * 1e9}
	if isTrue(d.get("quota_mode")) {
		s.quotas[d.rule] = true
		r.Rate = "a quota of " + r.Rate
		r.Uses[0].Where += "; it refuses only where all quotas of a request are used"
	}
	switch {
	case r.Only:
		s.find(check.CountsOnly, r.Name, r.Position, "shadow_mode: it counts, and all passes")
	case count == 0:
		s.find(check.RefusesAll, r.Name, r.Position, "0 in each %s", unit)
	}
	s.c.Rules = append(s.c.Rules, r)
}

// key sets which requests a limit counts, and by what: those whose descriptor leads to it,
// unless a limit that replaces it applies, too.
func (s *service) key(d *descriptor) {
	if d.rule < 0 {
		return
	}
	r := &s.c.Rules[d.rule]
	if slices.ContainsFunc(d.path(), (*descriptor).inner) {
		r.Of.Why = "versions differ in what a * inside a value is"
		return
	}
	by := s.replacing[d.name]
	fields := d.keys()
	for _, o := range by {
		fields = append(fields, o.keys()...)
	}
	r.Of = check.Key{Fields: lists.Distinct(fields), Value: func(field func(string) string) string {
		for _, o := range by {
			if o.of(field) != "" {
				return ""
			}
		}
		return d.of(field)
	}}
}

// of returns what a request is counted by if its descriptor leads to d, otherwise "".
func (d *descriptor) of(field func(string) string) string {
	keys, at := d.keys(), d.root()
	var values []string
	for _, key := range keys {
		value := field(key)
		if value == "" {
			return "" // Envoy sends no such descriptor
		}
		if at = at.next(key, value); at == nil {
			return ""
		}
		if at.shares {
			value = at.value
		}
		values = append(values, value)
	}
	switch {
	case at != d:
		return ""
	case len(values) == 1:
		return values[0]
	}
	return strings.Join(lists.Map(values, strconv.Quote), " ")
}

// next returns the child that an entry of a descriptor leads to: the one with its value, else
// the first whose wildcard matches, else the one with its key alone.
func (d *descriptor) next(key, value string) *descriptor {
	full := key + "_" + value
	if c := d.named[full]; c != nil {
		return c
	}
	for _, c := range d.wildcards {
		if wildcard(c.full(), full) {
			return c
		}
	}
	return d.named[key]
}

// add adds a child.
func (d *descriptor) add(child *descriptor) {
	if d.named == nil {
		d.named = map[string]*descriptor{}
	}
	if d.named[child.full()] = child; isWildcard(child.full()) {
		d.wildcards = append(d.wildcards, child)
	}
}

// isWildcard reports whether a name ends with *, which stands for any text.
func isWildcard(name string) bool { return strings.HasSuffix(name, "*") }

// inner reports whether the value has a * before its end, which is a wildcard in newer versions.
func (d *descriptor) inner() bool { return strings.Contains(strings.TrimSuffix(d.value, "*"), "*") }

// wildcard reports whether a text matches a wildcard.
func wildcard(name, text string) bool {
	return isWildcard(name) && strings.HasPrefix(text, strings.TrimSuffix(name, "*"))
}

func (d *descriptor) root() *descriptor {
	for d.parent != nil {
		d = d.parent
	}
	return d
}

// full returns the name of the descriptor among its siblings: its key, or key_value.
func (d *descriptor) full() string {
	if d.value == "" {
		return d.key
	}
	return d.key + "_" + d.value
}

// path returns the descriptors from the first level to d.
func (d *descriptor) path() (path []*descriptor) {
	for ; d.parent != nil; d = d.parent {
		path = append(path, d)
	}
	slices.Reverse(path)
	return path
}

func (d *descriptor) keys() []string {
	return lists.Map(d.path(), func(d *descriptor) string { return d.key })
}

// label names the descriptor with its parents.
func (d *descriptor) label() string {
	return strings.Join(lists.Map(d.path(), (*descriptor).full), ".")
}

// counts says what has a count of its own.
func (d *descriptor) counts() string {
	return strings.Join(lists.Map(d.path(), func(d *descriptor) string {
		switch {
		case d.value == "":
			return "each value of " + d.key
		case !isWildcard(d.value):
			return d.key + " " + d.value
		case d.shares:
			return "all values of " + d.key + " like " + d.value + " together"
		}
		return "each value of " + d.key + " like " + d.value
	}), ", ")
}
