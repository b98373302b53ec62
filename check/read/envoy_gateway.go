package read

import (
	"cmp"
	"fmt"
	"net/netip"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// gatewayUnits are the units of limits of Envoy Gateway.
var gatewayUnits = map[string]time.Duration{"Second": time.Second, "Minute": time.Minute, "Hour": time.Hour, "Day": 24 * time.Hour,
	"Week": 7 * 24 * time.Hour, "Month": 30 * 24 * time.Hour, "Year": 365 * 24 * time.Hour}

// ofRoute is what a bucket of Envoy Gateway counts if no selector has each value count.
const ofRoute = "all requests of a route together"

// policy reads the rate limit of a policy of Envoy Gateway or of kgateway.
func (e *envoy) policy(d, limit node, kind string) {
	name := d.get("metadata", "name").text()
	var targets []string
	for _, t := range append(d.get("spec", "targetRefs").list(), d.get("spec", "targetRef")) {
		if t.Node != nil {
			targets = append(targets, strings.Join(strings.Fields(t.get("kind").text()+" "+t.get("name").text()+" "+t.get("sectionName").text()), " "))
		}
	}
	for _, t := range d.get("spec", "targetSelectors").list() {
		targets = append(targets, fmt.Sprintf("%s with the labels of line %d", t.get("kind").text(), t.position().Line))
	}
	if kind == "BackendTrafficPolicy" {
		if e.policies++; e.policies > 1 {
			e.name("several BackendTrafficPolicies", "which of them is in force at a route is not followed", d.position())
		}
	}
	if m := d.get("spec", "mergeType"); m.Node != nil {
		e.name("mergeType of "+name, "what it is merged with is not followed", m.position())
	}
	scope := []string{cmp.Or(strings.Join(targets, ", "), kind+" "+name)}
	if global := limit.get("global"); global.Node != nil {
		e.name("global rate limit of "+name, "a service counts", global.position())
	}
	if breaker := d.get("spec", "circuitBreaker"); breaker.Node != nil {
		e.name("circuitBreaker of "+name, "concurrency", breaker.position())
	}
	local := limit.get("local")
	if local.Node != nil && local.Tag == "!!null" {
		local = node{}
	}
	if limit.get("type").text() == "Global" && local.Node != nil {
		e.name("local of "+name, "not in force, as the type is Global", local.position())
		local = node{}
	}
	if local.Node != nil && len(local.Content) == 0 {
		e.name("local of "+name+" without limits", "whether it disables others is not known", local.position())
	}
	e.strangers("rateLimit", limit, "type", "local", "global")
	if b := local.get("tokenBucket"); b.Node != nil { // kgateway
		made := []int{e.bucket(b, name, everyone, 429, scope)}
		for _, member := range []string{"percentEnabled", "percentEnforced"} {
			if share := local.get(member); share.Node != nil && !e.share(made, member, share, "") {
				break
			}
		}
		e.strangers("local", local, "tokenbucket", "percentenabled", "percentenforced")
	} else {
		e.strangers("local", local, "rules")
	}
	rules := local.get("rules").list()
	var fallback node
	for i, n := range rules {
		selectors := n.get("clientSelectors").list()
		if len(selectors) > 0 {
			continue
		}
		if fallback.Node != nil {
			e.find(check.Invalid, name, n.position(), "Envoy Gateway refuses it: rule %d is a second one without clientSelectors", i+1)
		}
		fallback = n
	}
	if local.Node == nil && limit.get("type").text() == "Local" {
		e.find(check.Invalid, name, limit.position(), "Envoy Gateway refuses it: its type is Local, and local is not given")
	}
	var selected []check.Key // of the rules with selectors
	last, base := -1, cmp.Or(fallback.get("limit", "unit").text(), "Second")
	for i, n := range rules {
		of := fmt.Sprintf("%s rule %d", name, i+1)
		key := e.gatewayRule(n, of, scope, fallback.Node != nil)
		unit := n.get("limit", "unit")
		if every := gatewayUnits[base]; every > 0 && gatewayUnits[unit.text()]%every != 0 {
			e.find(check.Invalid, of, unit.position(), "Envoy Gateway refuses it: the unit %s is not a multiple of the %s of the rule without clientSelectors", unit.text(), base)
		}
		if len(n.get("clientSelectors").list()) > 0 {
			selected = append(selected, key)
		} else {
			last = len(e.c.Rules) - 1
		}
	}
	if last < 0 {
		return
	}
	r := &e.c.Rules[last]
	if r.Of.Why == "" {
		r.Of = rest(selected)
	}
	if len(selected) == 0 {
		r.Key, r.Counts = ofRoute, ofRoute
	}
}

// rest returns the key of a rule for the requests that have no key of others.
func rest(others []check.Key) check.Key {
	key := check.Key{}
	for _, o := range others {
		if o.Value == nil {
			return check.Key{Why: "it is for the rest of requests, and another rule is not judged"}
		}
		key.Fields = append(key.Fields, o.Fields...)
	}
	key.Value = func(field func(string) string) string {
		for _, o := range others {
			if o.Value(field) != "" {
				return ""
			}
		}
		return "all"
	}
	return key
}

// selector is a condition of a rule: it returns the part of the key, and whether it holds.
type selector func(field func(string) string) (part string, holds bool)

// fieldOfHeader returns the field of a request that holds a header.
func fieldOfHeader(name string) string {
	if name = strings.ToLower(name); name == ":authority" || name == "host" {
		return "host"
	}
	return "header:" + name
}

// headerSelector returns the condition of a header.
func headerSelector(h node) selector {
	name, value, kind := fieldOfHeader(h.get("name").text()), h.get("value").text(), h.get("type").text()
	re, err := regexp.Compile("^(?:" + value + ")$")
	invert := h.get("invert").text() == "true"
	return func(field func(string) string) (string, bool) {
		has := field(name)
		switch kind {
		case "Distinct":
			return has, has != ""
		case "RegularExpression":
			return "", (err == nil && has != "" && re.MatchString(has)) != invert
		}
		return "", (has == value) != invert
	}
}

// refusedSelector returns why Envoy Gateway refuses a selector, "" if it does not.
func refusedSelector(s node) string {
	cidr, matches := s.get("sourceCIDR"), slices.Concat(s.get("headers").list(), s.get("queryParams").list())
	if len(matches) == 0 && cidr.Node == nil && s.get("path").Node == nil && len(s.get("methods").list()) == 0 {
		return "the selector selects nothing"
	}
	if _, err := netip.ParsePrefix(cidr.get("value").text()); err != nil && cidr.Node != nil && cidr.get("value").template() == "" {
		return "value of sourceCIDR is no network"
	}
	for _, m := range matches {
		value, distinct := m.get("value"), m.get("type").text() == "Distinct"
		given := value.Node != nil && value.Tag != "!!null"
		_, err := regexp.Compile(value.text())
		switch {
		case distinct && (given || m.get("invert").text() == "true"):
			return "Distinct takes neither a value nor invert"
		case !distinct && !given:
			return "a value is not given"
		case err != nil && m.get("type").text() == "RegularExpression" && value.template() == "":
			return "a value is no regular expression"
		}
	}
	return ""
}

// addressSelector returns the condition of an address.
func addressSelector(cidr node) selector {
	net, err := netip.ParsePrefix(cidr.get("value").text())
	distinct := cidr.get("type").text() == "Distinct"
	return func(field func(string) string) (string, bool) {
		address, bad := netip.ParseAddr(field("client"))
		holds := err == nil && bad == nil && net.Contains(address.Unmap())
		if distinct {
			return field("client"), holds
		}
		return "", holds != (cidr.get("invert").text() == "true")
	}
}

// selecting returns the key of a rule with conditions.
func selecting(fields []string, all []selector) check.Key {
	return check.Key{Fields: lists.Distinct(fields), Value: func(field func(string) string) string {
		key := "all"
		for _, s := range all {
			part, holds := s(field)
			if !holds {
				return ""
			}
			if part != "" {
				key += " " + part
			}
		}
		return strings.TrimPrefix(key, "all ")
	}}
}

// matching says which requests a part of a selector selects: those with something, or,
// where it is inverted, those without.
func matching(n node, what string) string {
	if n.get("invert").text() == "true" {
		return "without " + what
	}
	return "with " + what
}

// gatewayRule reads a rule of Envoy Gateway, and returns its key.
func (e *envoy) gatewayRule(n node, name string, scope []string, hasDefault bool) check.Key {
	counts, loose := "all other requests of a route together", ""
	var each, conditions, fields []string
	var all []selector
	unread := e.strangers("a rule", n, "clientselectors", "limit", "shadowmode", "xratelimitheaders")
	stranger := func(of string, n node, read ...string) { unread = cmp.Or(unread, e.strangers(of, n, read...)) }
	valued := func(n node, what string) { // a value of a header or a parameter
		if what += n.get("name").text(); n.get("type").text() == "Distinct" {
			each, loose = append(each, "value of "+what), what
		} else {
			conditions = append(conditions, matching(n, fmt.Sprintf("%s of line %d", what, n.position().Line)))
		}
	}
	for _, s := range n.get("clientSelectors").list() {
		if why := refusedSelector(s); why != "" {
			e.find(check.Invalid, name, s.position(), "Envoy Gateway refuses it: %s", why)
		}
		stranger("a selector", s, "headers", "sourcecidr", "path", "methods", "queryparams")
		stranger("sourceCIDR", s.get("sourceCIDR"), "value", "type", "invert")
		for _, h := range s.get("headers").list() {
			stranger("a header", h, "name", "value", "type", "invert")
			all = append(all, headerSelector(h))
			fields = append(fields, fieldOfHeader(h.get("name").text()))
			valued(h, "the header ")
		}
		for _, q := range s.get("queryParams").list() {
			valued(q, "the query parameter ")
			unread = "queryParams of a selector is not judged"
		}
		if cidr := s.get("sourceCIDR"); cidr.Node != nil {
			all, fields = append(all, addressSelector(cidr)), append(fields, "client")
		}
		if cidr := s.get("sourceCIDR"); cidr.get("type").text() == "Distinct" {
			each = append(each, "client address in "+cidr.get("value").text())
		} else if cidr.Node != nil {
			conditions = append(conditions, matching(cidr, "an address in "+cidr.get("value").text()))
		}
		if path := s.get("path"); path.Node != nil {
			conditions = append(conditions, matching(path, fmt.Sprintf("the path of line %d", path.position().Line)))
			unread = "path of a selector is not judged"
		}
		if methods := s.get("methods").list(); len(methods) > 0 {
			conditions = append(conditions, strings.Join(lists.Map(methods, func(m node) string { return matching(m, "the method "+m.get("value").text()) }), " or "))
			unread = "methods of a selector is not judged"
		}
	}
	switch {
	case len(each) > 0:
		counts = "each " + strings.Join(each, " and ")
	case len(conditions) > 0:
		counts = ofRoute
	}
	if len(conditions) > 0 {
		counts += " " + strings.Join(conditions, " and ")
	}
	limit := n.get("limit")
	if limit.get("fromMetadata").Node != nil || n.get("cost", "response").Node != nil {
		e.find(check.Invalid, name, n.position(), "Envoy Gateway refuses it: a local limit has neither fromMetadata nor a cost of responses")
	}
	stranger("a limit", limit, "requests", "unit")
	unit := gatewayUnits[limit.get("unit").text()]
	requests, err := strconv.ParseInt(limit.get("requests").text(), 10, 64)
	r := check.Rule{Position: n.position(), System: "Envoy", Name: name, Key: counts, Counts: counts, Counter: n.id(), Status: 429, AtOnce: requests, Only: n.get("shadowMode").text() == "true"}
	r.Options.NoDelay = true
	switch {
	case unread != "":
		r.Of.Why = unread
	case r.Only:
		r.Of.Why = "it counts only"
	default:
		r.Of = selecting(fields, all)
	}
	switch {
	case e.unfilled("requests", limit.get("requests")) || e.unfilled("unit", limit.get("unit")):
		r.AtOnce = -1
	case err != nil || unit == 0 || requests < 0:
		e.find(check.Invalid, name, limit.position(), "Envoy Gateway refuses it: want requests, and a unit of Second, Minute, Hour, Day, Week, Month or Year")
	case requests == 0 && r.Only:
	case requests == 0:
		e.find(check.RefusesAll, name, limit.position(), "no request passes: requests is 0")
	default:
		e.rated(&r, requests, unit)
	}
	if r.Only {
		e.find(check.CountsOnly, name, n.get("shadowMode").position(), "refuses nothing: shadowMode counts only")
	}
	if loose != "" {
		e.find(check.LooseKey, name, r.Position, "the client chooses the key: %s", loose)
		if !hasDefault {
			e.find(check.Unkeyed, name, r.Position, "not limited, as they have no key: requests without %s", loose)
		}
	}
	r.Uses = []check.Use{{Position: r.Position, Where: "each route of " + strings.Join(scope, ", ") + ", which has buckets of its own"}}
	e.c.Doubt = "each route has buckets of its own, and all requests of the log are taken to meet those of one"
	e.held = append(e.held, held{len(e.c.Rules), scope})
	e.c.Rules = append(e.c.Rules, r)
	return r.Of
}
