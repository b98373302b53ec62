package read

import (
	"cmp"
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"gopkg.in/yaml.v3"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// envoy reads local rate limits of Envoy: its own configuration, EnvoyFilters of Istio,
// BackendTrafficPolicies of Envoy Gateway and TrafficPolicies of kgateway.
type envoy struct {
	found
	held     []held
	hosts    []virtualHost
	tables   int  // of routes, and policies
	patch    bool // an EnvoyFilter of Istio changes some of the routes that it meets
	policies int  // BackendTrafficPolicies
	plain    bool // the document is one of Envoy itself
}

// virtualHost is a table of routes by hosts.
type virtualHost struct {
	scope   []string
	domains []string
	routes  []envoyRoute
}

type envoyRoute struct {
	scope []string
	fits  func(path string) bool
}

// held is a rule with the levels of routing at which it is stated.
type held struct {
	rule  int      // -1: the filter is disabled there
	scope []string // the listener, a virtual host, a route
}

var envoyText = newSign(`filters\.(?:http|network)\.(?:local_)?ratelimit\b|^token_bucket:|^[ \t"-]*kind"?[ \t]*:[ \t"']*(?:BackendTrafficPolicy|TrafficPolicy)["']?[ \t,\r]*$`, "ratelimit", "token_bucket", "TrafficPolicy")

func isEnvoy(text []byte) bool { return envoyText.Match(text) }

func readEnvoy(files []File) (*check.Config, error) {
	docs, err := lists.Try(files, documents)
	if err != nil {
		return nil, err
	}
	e := &envoy{found: newFound()}
	var all []held
	policies := 0
	for _, d := range slices.Concat(docs...) {
		e.held, e.plain = nil, d.get("kind").Node == nil
		if b := d.get("token_bucket"); b.Node != nil && d.get("@type").Node == nil { // a part of a filter
			e.bucket(b, "token_bucket", everyone, 429, nil)
		}
		e.visit(d, nil, 0)
		if e.replaced(); len(e.held) > 0 {
			policies++
		}
		all = append(all, e.held...)
	}
	for i := range e.c.Rules {
		if e.patch {
			e.c.Rules[i].Of = check.Key{Why: "a log does not show which requests take the routes that an EnvoyFilter changes"}
		}
	}
	if e.held = all; policies < 2 && e.tables < 2 {
		e.places()
	}
	return e.c, nil
}

// otherFilters limit in ways that are not judged.
var otherFilters = []struct{ kind, name, why string }{
	{".network.local_ratelimit.", "local_ratelimit of a network filter", "connections"},
	{".listener.local_ratelimit.", "local_ratelimit of a listener filter", "connections"},
	{".ratelimit.", "ratelimit", "global: a service counts"},
	{".rate_limit_quota.", "rate_limit_quota", "global: a service assigns quotas"},
	{".adaptive_concurrency.", "adaptive_concurrency", "concurrency"},
	{".admission_control.", "admission_control", "it refuses by the share of failures"},
	{".bandwidth_limit.", "bandwidth_limit", "bandwidth"},
}

// visit looks for filters in a node. scope names the levels of routing above it.
func (e *envoy) visit(n node, scope []string, depth int) {
	if n.Node == nil || depth > maxDepth {
		return
	}
	if e.plain && slices.ContainsFunc(n.Content, func(key *yaml.Node) bool { return key.Tag == merge }) {
		e.find(check.Invalid, "", n.position(), "Envoy refuses it: it does not merge YAML by <<")
	}
	if kind := n.get("kind").text(); kind == "BackendTrafficPolicy" || kind == "TrafficPolicy" {
		before := len(e.held)
		if e.policy(n, n.get("spec", "rateLimit"), kind); len(e.held) > before {
			e.tables++
		}
		return
	}
	for _, item := range n.list() {
		e.visit(item, scope, depth+1)
	}
	if routes := n.get("match", "routeConfiguration"); n.get("applyTo").Node != nil {
		for _, level := range []struct {
			kind string
			node
		}{{"route configuration", routes}, {"virtual host", routes.get("vhost")}, {"route", routes.get("vhost", "route")}} {
			if name := level.get("name").text(); name != "" {
				scope, e.patch = append(scope[:len(scope):len(scope)], level.kind+" "+name), true
			}
		}
		if n.get("applyTo").text() == "HTTP_ROUTE" && routes.get("vhost", "route", "name").text() == "" {
			scope, e.patch = append(scope[:len(scope):len(scope)], "each route, which has a bucket of its own"), true
		}
	}
	at := func() string { return fmt.Sprintf(" (line %d)", n.position().Line) }
	if n.get("virtual_hosts").Node != nil {
		e.tables++
	}
	if n.get("domains").Node != nil && n.get("routes").Node != nil {
		scope = append(scope[:len(scope):len(scope)], "virtual host "+n.get("name").text()+at())
		e.hosts = append(e.hosts, virtualHost{scope: scope, domains: lists.Map(n.get("domains").list(), node.text)})
	} else if match := n.get("match"); match.Node != nil && len(scope) == 1 && len(e.hosts) > 0 {
		path := cmp.Or(match.get("prefix").text(), match.get("path").text(), match.get("path_separated_prefix").text(), match.get("safe_regex", "regex").text())
		scope = append(scope[:len(scope):len(scope)], strings.TrimSpace("route "+path)+at())
		v := &e.hosts[len(e.hosts)-1]
		v.routes = append(v.routes, envoyRoute{scope, e.matcher(match)})
	}
	n.get("typed_per_filter_config").each(func(key, config node) {
		if strings.Contains(key.text(), "local_ratelimit") && config.get("disabled").text() == "true" {
			e.held = append(e.held, held{-1, scope})
		}
	})
	if filter := n.get("typed_config"); n.get("disabled").text() == "true" && strings.Contains(filter.get("@type").text(), ".local_ratelimit.") {
		e.name("local_ratelimit that is disabled", "only routes enable it", n.position())
		return
	}
	kind, body := n.get("@type").text(), n
	if url := n.get("type_url").text(); url != "" {
		kind, body = url, n.get("value")
	}
	if strings.Contains(kind, ".http.local_ratelimit.") {
		e.filter(body, scope)
		return
	}
	for _, o := range otherFilters {
		if strings.Contains(kind, o.kind) {
			e.name(o.name, o.why, n.position())
		}
	}
	n.each(func(key, value node) {
		switch key.text() {
		case "rate_limits", "rateLimits":
			e.name("rate_limits", "which descriptors requests have", key.position())
		case "circuit_breakers":
			e.name("circuit_breakers", "concurrency", key.position())
		}
		e.visit(value, scope, depth+1)
	})
}

// matcher returns what a route matches. A route with further conditions is named, and
// taken for one that matches nothing.
func (e *envoy) matcher(match node) func(path string) bool {
	for _, other := range []string{"headers", "query_parameters", "grpc", "runtime_fraction", "connect_matcher"} {
		if match.get(other).Node != nil {
			e.name("route with "+other, "not followed", match.position())
			return func(string) bool { return false }
		}
	}
	prefix, path, part := match.get("prefix"), match.get("path").text(), match.get("path_separated_prefix").text()
	var re *regexp.Regexp
	if pattern := match.get("safe_regex", "regex").text(); pattern != "" {
		re, _ = regexp.Compile("^(?:" + pattern + ")$")
	}
	return func(p string) bool {
		switch {
		case prefix.Node != nil:
			return strings.HasPrefix(p, prefix.text())
		case path != "":
			return p == path
		case part != "":
			return p == part || strings.HasPrefix(p, part+"/")
		}
		return re != nil && re.MatchString(p)
	}
}

// places makes a place of each route, and the function that chooses one. The bucket of the
// nearest level stands in for those above it.
func (e *envoy) places() {
	stated := map[string][]held{} // by level
	for _, h := range e.held {
		scope := strings.Join(h.scope, "\n")
		stated[scope] = append(stated[scope], h)
	}
	add := func(name string, scopes ...[]string) int {
		p := check.Place{Name: name, Ordered: true}
		for _, scope := range scopes {
			at := stated[strings.Join(scope, "\n")]
			for _, h := range at {
				if h.rule >= 0 {
					p.Rules = append(p.Rules, h.rule)
				}
			}
			if len(at) > 0 {
				break
			}
		}
		e.c.Places = append(e.c.Places, p)
		return len(e.c.Places) - 1
	}
	if len(e.hosts) == 0 {
		all := add("all requests", lists.Map(e.held, func(h held) []string { return h.scope })...)
		e.c.Choose = func(func(string) string) int { return all }
		return
	}
	add("other hosts")
	type host struct {
		routes int // number of the virtual host
		text   string
	}
	var hosts []host
	places := make([][]int, len(e.hosts))
	for i, v := range e.hosts {
		for _, d := range v.domains {
			hosts = append(hosts, host{routes: i, text: d})
		}
		for _, r := range v.routes {
			places[i] = append(places[i], add(strings.Join(r.scope, ", "), r.scope, v.scope, nil))
		}
	}
	e.c.Fields = []string{"target"}
	if len(e.hosts) > 1 {
		e.c.Fields = append(e.c.Fields, "host")
	}
	e.c.Choose = func(field func(string) string) int {
		i := 0
		if len(e.hosts) > 1 {
			found, ok := hostname(requestValue("host", field("host")), hosts, func(h host) string { return h.text })
			if !ok {
				return 0
			}
			i = found.routes
		}
		path, _, _ := strings.Cut(field("target"), "?")
		for k, r := range e.hosts[i].routes {
			if r.fits(path) {
				return places[i][k]
			}
		}
		return 0
	}
}

// everyone is what a bucket without descriptors counts.
const everyone = "all requests together"

// statusCode reads a status, or its name in Envoy: ServiceUnavailable.
func statusCode(text string) int {
	code, _ := strconv.Atoi(text)
	code = cmp.Or(code, map[string]int{"PayloadTooLarge": 413, "URITooLong": 414, "RangeNotSatisfiable": 416}[text]) // which Go names otherwise
	for known := 100; code == 0 && text != "" && known < 600; known++ {
		if strings.ReplaceAll(http.StatusText(known), " ", "") == text {
			code = known
		}
	}
	return code
}

// filter reads a LocalRateLimit.
func (e *envoy) filter(f node, scope []string) {
	name := cmp.Or(f.either("stat_prefix").text(), "local_ratelimit")
	e.strangers("local_ratelimit", f, "@type", "statprefix", "status", "tokenbucket", "filterenabled", "filterenforced", "descriptors", "maxdynamicdescriptors",
		"localratelimitperdownstreamconnection", "localclusterratelimit", "alwaysconsumedefaulttokenbucket", "stage", "vhratelimits",
		"requestheaderstoaddwhennotenforced", "responseheaderstoadd", "enablexratelimitheaders", "ratelimitedasresourceexhausted")
	status := 429
	if code := f.either("status", "code"); !e.unfilled("status", code) && code.text() != "" {
		stated := statusCode(code.text())
		if stated == 0 {
			e.name("status "+code.text(), "its number is not known", code.position())
		} else if stated >= 400 {
			status = stated
		}
	}
	counts := everyone
	if f.either("local_rate_limit_per_downstream_connection").text() == "true" {
		counts = "each connection"
	}
	var made []int
	bucket := func(b node, name, counts string) {
		if b.Node != nil {
			made = append(made, e.bucket(b, name, counts, status, scope))
		}
	}
	bucket(f.either("token_bucket"), name, counts)
	for _, d := range f.either("descriptors").list() {
		e.strangers("a descriptor", d, "entries", "tokenbucket")
		var entries, open []string
		for _, entry := range d.get("entries").list() {
			text := strings.TrimSuffix(entry.get("key").text()+"="+entry.get("value").text(), "=")
			if entries = append(entries, text); entry.get("value").text() == "" {
				open = append(open, text)
			}
		}
		of, counts := name+" "+strings.Join(entries, ","), "requests with the descriptor "+strings.Join(entries, ", ")
		if len(open) > 0 {
			with := strings.Join(lists.Where(entries, func(text string) bool { return !slices.Contains(open, text) }), ", ")
			counts = strings.TrimSuffix("each value of "+strings.Join(open, " and ")+" of requests with the descriptor "+with, " of requests with the descriptor ") + " (refused before version 1.34)"
			e.find(check.Forgotten, of, d.position(), "the %s values that were used last have a bucket; any other begins with a full one", cmp.Or(f.either("max_dynamic_descriptors").text(), "20"))
		}
		bucket(d.either("token_bucket"), of, counts)
	}
	if len(made) == 0 {
		return
	}
	for _, rule := range made {
		e.c.Rules[rule].Divided = f.either("local_cluster_rate_limit").Node != nil
	}
	for _, member := range []string{"filter_enabled", "filter_enforced"} {
		share, per := f.either(member, "default_value", "numerator"), f.either(member, "default_value", "denominator").text()
		if !e.share(made, member, share, per) {
			return
		}
	}
	if len(made) > 1 && f.either("always_consume_default_token_bucket").text() == "false" {
		e.name("always_consume_default_token_bucket", "a request with a descriptor takes from its bucket alone", f.either("always_consume_default_token_bucket").position())
	}
}

// share finds which share of the requests rules hold for, per HUNDRED without another word,
// and reports whether it is any.
func (e *envoy) share(made []int, member string, share node, per string) bool {
	text := share.text() + cmp.Or(per, "HUNDRED")
	switch {
	case share.Node == nil || share.text() == "0":
		for _, rule := range made {
			r := &e.c.Rules[rule]
			r.Of = check.Key{Why: "it refuses nothing"}
			e.find(check.NeverBinds, r.Name, r.Position, "refuses nothing: %s is not set, or 0 %%", member)
		}
		return false
	case text != "100HUNDRED" && text != "10000TEN_THOUSAND" && text != "1000000MILLION":
		for _, rule := range made {
			e.c.Rules[rule].Of = check.Key{Why: member + " takes a share of the requests"}
		}
		e.name(member, "a share of requests: "+share.text()+" of "+strings.ToLower(strings.ReplaceAll(cmp.Or(per, "HUNDRED"), "_", " ")), share.position())
	}
	return true
}

// bucket adds the rule of a token bucket.
func (e *envoy) bucket(b node, name, counts string, status int, scope []string) int {
	most, each, every := b.either("max_tokens"), b.either("tokens_per_fill"), b.either("fill_interval")
	r := check.Rule{Position: b.position(), System: "Envoy", Name: name, Key: counts, Counts: counts, Counter: b.id(), Status: status}
	r.Options.NoDelay = true
	switch {
	case counts == everyone:
		r.Of = constant()
	case counts == "each connection":
		r.Of.Why = "a log does not have connections"
	default:
		r.Of.Why = "a log does not have descriptors"
	}
	count := func(member string, n node, fallback int64) int64 {
		if e.unfilled(member, n) {
			return -1
		}
		if n.Node == nil || n.text() == "" {
			return fallback
		}
		v, err := strconv.ParseInt(n.text(), 10, 64)
		if err != nil || v < 1 || v > 1<<32-1 {
			e.find(check.Invalid, name, n.position(), "Envoy refuses it: want a whole number from 1 to 4294967295")
			return 0
		}
		return v
	}
	r.AtOnce = count("max_tokens", most, 0)
	if most.Node == nil {
		e.find(check.Invalid, name, r.Position, "Envoy refuses it: max_tokens is not given")
	}
	fill := count("tokens_per_fill", each, 1)
	interval, err := time.ParseDuration(every.text())
	switch {
	case e.unfilled("fill_interval", every):
	case err != nil || interval < 50*time.Millisecond:
		e.find(check.Invalid, name, b.position(), "Envoy refuses it: fill_interval must be at least 50ms")
	case fill > 0 && r.AtOnce >= 0:
		e.rated(&r, fill, interval)
	}
	if why := e.strangers("a token bucket", b, "maxtokens", "tokensperfill", "fillinterval"); why != "" {
		r.Of = check.Key{Why: why}
	}
	r.Uses = []check.Use{{Position: r.Position, Where: cmp.Or(strings.Join(scope, ", "), "every route of the listener")}}
	e.held = append(e.held, held{len(e.c.Rules), scope})
	e.c.Rules = append(e.c.Rules, r)
	return len(e.c.Rules) - 1
}

// rated sets the rate of a rule.
func (e *envoy) rated(r *check.Rule, count int64, per time.Duration) {
	r.Rate = fmt.Sprintf("%d every %s", count, format.Span(int64(per)))
	r.PerSecond = float64(count) / per.Seconds()
	r.Limit = counting.Limit{Count: count, Window: int64(per), Burst: r.AtOnce}
}

// replaced finds buckets that routes below them replace.
func (e *envoy) replaced() {
	below := map[string][]held{} // by the levels above them
	for _, h := range e.held {
		for i := range h.scope {
			above := strings.Join(h.scope[:i], "\n")
			below[above] = append(below[above], h)
		}
	}
	for _, outer := range e.held {
		if outer.rule < 0 {
			continue
		}
		r := &e.c.Rules[outer.rule]
		for _, inner := range below[strings.Join(outer.scope, "\n")] {
			why := "has a bucket of its own"
			if inner.rule < 0 {
				why = "disables it"
			}
			e.find(check.Replaced, r.Name, r.Position, "does not apply in %s, which %s", strings.Join(inner.scope, ", "), why)
		}
	}
}
