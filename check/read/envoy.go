package read

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/check"
)

// envoy reads local rate limits of Envoy: its own configuration, EnvoyFilters of Istio,
// BackendTrafficPolicies of Envoy Gateway and TrafficPolicies of kgateway.
type envoy struct {
	*nginx // what it found so far
	held   []held
}

// held is a rule with the levels of routing at which it is stated.
type held struct {
	rule  int
	scope []string // the listener, a virtual host, a route
}

var envoyText = regexp.MustCompile(`filters\.(?:http|network)\.(?:local_)?ratelimit\b|(?m:^[ \t"-]*kind"?[ \t]*:[ \t"']*(?:BackendTrafficPolicy|TrafficPolicy)["']?[ \t,\r]*$)`)

func isEnvoy(text []byte) bool { return envoyText.Match(text) }

func readEnvoy(files []File) (*check.Config, error) {
	e := &envoy{nginx: newNginx(files)}
	for _, f := range files {
		docs, err := documents(f)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			e.held = nil
			switch kind := d.get("kind").text(); kind {
			case "BackendTrafficPolicy", "TrafficPolicy":
				e.policy(d, d.get("spec", "rateLimit"), kind)
			default:
				e.visit(d, nil, 0)
			}
			e.replaced()
		}
	}
	return e.c, nil
}

// visit looks for filters in a node. scope names the levels of routing above it.
func (e *envoy) visit(n node, scope []string, depth int) {
	if n.Node == nil || depth > maxDepth {
		return
	}
	for _, item := range n.list() {
		e.visit(item, scope, depth+1)
	}
	at := func() string { return fmt.Sprintf(" (line %d)", n.position().Line) }
	if n.get("domains").Node != nil && n.get("routes").Node != nil {
		scope = append(scope[:len(scope):len(scope)], "virtual host "+n.get("name").text()+at())
	} else if match := n.get("match"); match.Node != nil && len(scope) > 0 {
		path := cmp.Or(match.get("prefix").text(), match.get("path").text(), match.get("path_separated_prefix").text(), match.get("safe_regex", "regex").text())
		scope = append(scope[:len(scope):len(scope)], strings.TrimSpace("route "+path)+at())
	}
	kind, body := n.get("@type").text(), n
	if url := n.get("type_url").text(); url != "" {
		kind, body = url, n.get("value")
	}
	switch {
	case strings.Contains(kind, ".http.local_ratelimit."):
		e.filter(body, scope)
		return
	case strings.Contains(kind, ".network.local_ratelimit."):
		e.name("local_ratelimit of a network filter", "connections", n.position())
	case strings.Contains(kind, ".ratelimit."):
		e.name("ratelimit", "global: a service counts", n.position())
	}
	n.each(func(key, value node) {
		switch key.text() {
		case "rate_limits":
			e.name("rate_limits", "which descriptors requests have", key.position())
		case "circuit_breakers":
			e.name("circuit_breakers", "concurrency", key.position())
		}
		e.visit(value, scope, depth+1)
	})
}

// either returns a member by its name in YAML or in JSON: max_tokens, maxTokens.
func (n node) either(path ...string) node {
	for _, name := range path {
		words := strings.Split(name, "_")
		for i := range words[1:] {
			words[i+1] = strings.ToUpper(words[i+1][:1]) + words[i+1][1:]
		}
		if found := n.get(name); found.Node != nil {
			n = found
		} else {
			n = n.get(strings.Join(words, ""))
		}
	}
	return n
}

// filter reads a LocalRateLimit.
func (e *envoy) filter(f node, scope []string) {
	name := cmp.Or(f.either("stat_prefix").text(), "local_ratelimit")
	status := 429
	if code, err := strconv.Atoi(f.either("status", "code").text()); err == nil && code >= 400 {
		status = code
	}
	counts := "all requests together"
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
		var entries []string
		for _, entry := range d.get("entries").list() {
			entries = append(entries, strings.TrimSuffix(entry.get("key").text()+"="+entry.get("value").text(), "="))
		}
		bucket(d.either("token_bucket"), name+" "+strings.Join(entries, ","), "requests with the descriptor "+strings.Join(entries, ", "))
	}
	if len(made) == 0 {
		return
	}
	for _, member := range []string{"filter_enabled", "filter_enforced"} {
		switch share := f.either(member, "default_value", "numerator"); {
		case share.Node == nil || share.text() == "0":
			for _, rule := range made {
				r := &e.c.Rules[rule]
				e.find(check.NeverBinds, r.Name, r.Position, "refuses nothing: %s is not set, or 0 %%", member)
			}
			return
		default:
			per := cmp.Or(f.either(member, "default_value", "denominator").text(), "HUNDRED")
			if share.text()+per != "100HUNDRED" && share.text()+per != "10000TEN_THOUSAND" && share.text()+per != "1000000MILLION" {
				e.name(member, "a share of requests: "+share.text()+" of "+strings.ToLower(strings.ReplaceAll(per, "_", " ")), share.position())
			}
		}
	}
	if len(made) > 1 && f.either("always_consume_default_token_bucket").text() == "false" {
		e.name("always_consume_default_token_bucket", "a request with a descriptor takes from its bucket alone", f.either("always_consume_default_token_bucket").position())
	}
}

// bucket adds the rule of a token bucket.
func (e *envoy) bucket(b node, name, counts string, status int, scope []string) int {
	most, each, every := b.either("max_tokens"), b.either("tokens_per_fill"), b.either("fill_interval")
	r := check.Rule{Position: b.position(), System: "Envoy", Name: name, Key: counts, Counts: counts, Counter: fmt.Sprint(b.position()), Status: status}
	r.Of.Why = "the routes of Envoy are not followed"
	count := func(n node, fallback int64) int64 {
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
	r.AtOnce = count(most, 0)
	if most.Node == nil {
		e.find(check.Invalid, name, r.Position, "Envoy refuses it: max_tokens is not given")
	}
	fill := count(each, 1)
	interval, err := time.ParseDuration(every.text())
	if err != nil || interval < 50*time.Millisecond {
		e.find(check.Invalid, name, b.position(), "Envoy refuses it: fill_interval must be at least 50ms")
	} else if fill > 0 {
		e.rated(&r, fill, interval)
	}
	where := "every route of the listener"
	if len(scope) > 0 {
		where = strings.Join(scope, ", ")
	}
	r.Uses = []check.Use{{Position: r.Position, Where: where}}
	e.held = append(e.held, held{len(e.c.Rules), scope})
	e.c.Rules = append(e.c.Rules, r)
	return len(e.c.Rules) - 1
}

// rated sets the rate of a rule.
func (e *envoy) rated(r *check.Rule, count int64, per time.Duration) {
	r.Rate = fmt.Sprintf("%d every %s", count, per)
	r.PerSecond = float64(count) / per.Seconds()
	r.Limit = counting.Limit{Count: count, Window: int64(per), Burst: r.AtOnce}
}

// replaced finds buckets that routes below them replace.
func (e *envoy) replaced() {
	for _, outer := range e.held {
		for _, inner := range e.held {
			if len(inner.scope) > len(outer.scope) && strings.HasPrefix(strings.Join(inner.scope, "\n"), strings.Join(outer.scope, "\n")) {
				r := &e.c.Rules[outer.rule]
				e.find(check.Replaced, r.Name, r.Position, "does not apply in %s, which has a bucket of its own", strings.Join(inner.scope, ", "))
			}
		}
	}
}

// policy reads the rate limit of a policy of Envoy Gateway or of kgateway.
func (e *envoy) policy(d, limit node, kind string) {
	name := d.get("metadata", "name").text()
	var targets []string
	for _, t := range append(d.get("spec", "targetRefs").list(), d.get("spec", "targetRef")) {
		if t.Node != nil {
			targets = append(targets, strings.TrimSpace(t.get("kind").text()+" "+t.get("name").text()))
		}
	}
	scope := []string{cmp.Or(strings.Join(targets, ", "), kind+" "+name)}
	if global := limit.get("global"); global.Node != nil {
		e.name("global rate limit of "+name, "a service counts", global.position())
	}
	if breaker := d.get("spec", "circuitBreaker"); breaker.Node != nil {
		e.name("circuitBreaker of "+name, "concurrency", breaker.position())
	}
	if b := limit.get("local", "tokenBucket"); b.Node != nil { // kgateway
		e.bucket(b, name, "all requests together", 429, scope)
	}
	rules := limit.get("local", "rules").list()
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
	for i, n := range rules {
		e.gatewayRule(n, fmt.Sprintf("%s rule %d", name, i+1), scope, fallback.Node != nil)
	}
}

// gatewayRule reads a rule of Envoy Gateway.
func (e *envoy) gatewayRule(n node, name string, scope []string, hasDefault bool) {
	counts, loose := "all other requests together", ""
	var each, with []string
	for _, s := range n.get("clientSelectors").list() {
		for _, h := range s.get("headers").list() {
			if header := h.get("name").text(); h.get("type").text() == "Distinct" {
				each, loose = append(each, "value of the header "+header), "the header "+header
			} else {
				with = append(with, "the header "+header+" of line "+strconv.Itoa(h.position().Line))
			}
		}
		if cidr := s.get("sourceCIDR"); cidr.get("type").text() == "Distinct" {
			each = append(each, "client address in "+cidr.get("value").text())
		} else if cidr.Node != nil {
			with = append(with, "an address in "+cidr.get("value").text())
		}
		for _, other := range []string{"path", "methods", "queryParams"} {
			if o := s.get(other); o.Node != nil {
				with = append(with, fmt.Sprintf("the %s of line %d", other, o.position().Line))
			}
		}
	}
	switch {
	case len(each) > 0:
		counts = "each " + strings.Join(each, " and ")
	case len(with) > 0:
		counts = "all requests together"
	}
	if len(with) > 0 {
		counts += " with " + strings.Join(with, " and ")
	}
	limit := n.get("limit")
	unit := map[string]time.Duration{"Second": time.Second, "Minute": time.Minute, "Hour": time.Hour, "Day": 24 * time.Hour}[limit.get("unit").text()]
	requests, err := strconv.ParseInt(limit.get("requests").text(), 10, 64)
	r := check.Rule{Position: n.position(), System: "Envoy", Name: name, Key: counts, Counts: counts, Counter: fmt.Sprint(n.position()), Status: 429, AtOnce: requests, Only: n.get("shadowMode").text() == "true"}
	r.Of.Why = "the routes of Envoy are not followed"
	switch {
	case err != nil || unit == 0 || requests < 0:
		e.find(check.Invalid, name, limit.position(), "Envoy Gateway refuses it: want requests, and a unit of Second, Minute, Hour or Day")
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
	r.Uses = []check.Use{{Position: r.Position, Where: strings.Join(scope, ", ")}}
	e.c.Rules = append(e.c.Rules, r)
}
