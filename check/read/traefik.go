package read

import (
	"bytes"
	"cmp"
	"fmt"
	"math"
	"net/netip"
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

// traefik reads the middleware RateLimit of Traefik 3: of files, of Middleware resources,
// and of labels.
type traefik struct {
	found
	labels map[string]node // limits, as files state them
	order  []string
	given  map[string]bool // names of middlewares
	from   map[string]bool // providers of middlewares
	named  []naming        // by routers, chains and entry points
	routed bool            // there are routers
}

// naming is the name of a middleware where it is used.
type naming struct {
	text     string
	provider string   // "" if it is that of the file
	names    []string // the middlewares that it may mean
	at       check.Position
}

var (
	traefikText  = newSign(`traefik\.(?:io|containo\.us)/|traefik\.http\.|\bmiddlewares["']?[ \t]*:|\[http\.middlewares`, "traefik.", "middlewares")
	traefikLimit = newSign(`\bratelimit\b|\binflightreq\b`, "ratelimit", "inflightreq")
	traefikLabel = regexp.MustCompile(`(?i)^traefik\.(?:http|tcp)\.middlewares\.((?:\{\{.*?\}\}|[^.])+)\.(?:(ratelimit|inflightreq|inflightconn)\.([^=]+?)(?:=(.*))?$)?`)
	traefikTOML  = regexp.MustCompile(`(?m)^[ \t]*\[+http\.middlewares\..*$`)
)

func isTraefik(text []byte) bool {
	lower := bytes.ToLower(text)
	return traefikLimit.Match(lower) && traefikText.Match(lower)
}

func readTraefik(files []File) (*check.Config, error) {
	t := &traefik{found: newFound(), labels: map[string]node{}, given: map[string]bool{}, from: map[string]bool{}}
	for _, f := range files {
		if lower := bytes.ToLower(f.Text); bytes.Contains(lower, []byte("[http.middlewares.")) && !isKubernetes.Match(f.Text) {
			if at := traefikTOML.FindIndex(lower); at != nil {
				t.name("TOML", "it is not read", check.Position{File: f.Name, Line: 1 + f.Line + bytes.Count(lower[:at[0]], []byte("\n"))})
				continue
			}
		}
		docs, err := documents(f)
		if err != nil {
			return nil, err
		}
		for _, d := range docs {
			if d.Kind == yaml.ScalarNode {
				t.quoted(f, d)
			}
			if name := d.get("metadata", "name").text(); d.get("kind").text() == "Middleware" {
				t.given[strings.ToLower(name)], t.from["kubernetescrd"] = true, true
				if limit := d.get("spec", "rateLimit"); limit.Node != nil {
					t.limit(limit, name, limit.get)
				}
			}
			t.others(d.get("spec"))
			t.visit(d, 0)
		}
	}
	for _, name := range t.order {
		t.limit(t.labels[name], name, t.labels[name].fold)
	}
	t.matchNames()
	if len(t.c.Rules) == 0 && t.c.Has(check.NeverBinds) {
		t.c.Choose = func(func(string) string) int { return -1 }
	}
	if len(t.c.Rules) == 1 {
		t.c.Places = []check.Place{{Name: "all requests", Rules: []int{0}, Ordered: true}}
		t.c.Choose = func(func(string) string) int { return 0 }
		t.c.Doubt = "all requests of the log are taken to meet the middleware " + t.c.Rules[0].Name
	}
	return t.c, nil
}

// matchNames finds middlewares that no router names, and names without a middleware.
func (t *traefik) matchNames() {
	used := map[string]bool{}
	for _, n := range t.named {
		for _, name := range n.names {
			used[name] = true
		}
		switch {
		case slices.ContainsFunc(n.names, func(name string) bool { return t.given[name] }):
		case !t.from[n.provider] && (n.provider != "" || len(t.from) == 0):
			_, provider, _ := strings.Cut(n.text, "@")
			t.name(strings.TrimSuffix("middlewares @"+provider, " @"), "not given", n.at)
		default:
			t.find(check.Undefined, "", n.at, "these files have no middleware %s", n.text)
		}
	}
	for i := range t.c.Rules {
		if r := &t.c.Rules[i]; t.routed && !used[strings.ToLower(r.Name)] {
			t.find(check.Unused, r.Name, r.Position, "no router of these files names it")
		}
	}
}

// visit looks for middlewares, routers and labels.
func (t *traefik) visit(n node, depth int) {
	if n.Node == nil || depth > maxDepth {
		return
	}
	t.label(n, node{})
	for _, item := range n.list() {
		t.visit(item, depth+1)
	}
	n.each(func(key, value node) {
		t.label(key, value)
		switch strings.ToLower(key.text()) {
		case "middlewares":
			value.each(func(name, m node) {
				t.given[strings.ToLower(name.text())], t.from["file"] = true, true
				if limit := m.fold("rateLimit"); limit.Node != nil {
					t.limit(limit, name.text(), limit.fold)
				}
				t.others(m)
			})
			for _, m := range value.list() {
				t.uses(cmp.Or(m.text(), m.get("name").text()), m.position())
			}
		case "routers", "routes":
			t.routed = true
		}
		t.visit(value, depth+1)
	})
}

// others names what a middleware limits in ways that are not judged.
func (t *traefik) others(m node) {
	for _, name := range []string{"inFlightReq", "inFlightConn"} {
		if flight := m.fold(name); flight.Node != nil {
			t.name(name, "concurrency", flight.position())
		}
	}
	m.fold("plugin").each(func(key, _ node) {
		if strings.Contains(strings.ToLower(key.text()), "limit") {
			t.name("plugin "+key.text(), "it is not read", key.position())
		}
	})
}

// uses notes the middlewares that a router names, separated by commas. The name of a resource
// follows its namespace: default-limit@kubernetescrd.
func (t *traefik) uses(list string, at check.Position) {
	for _, text := range strings.Split(list, ",") {
		text = strings.TrimSpace(text)
		name, provider, _ := strings.Cut(strings.ToLower(text), "@")
		if provider == "internal" || strings.ContainsAny(name, "{$") {
			continue
		}
		n := naming{text, provider, []string{name}, at}
		if slices.Contains([]string{"swarm", "nomad", "consulcatalog", "ecs"}, provider) {
			n.provider = "docker" // whose labels theirs are like
		}
		for in := provider == "kubernetescrd"; in; n.names = append(n.names, name) {
			_, name, in = strings.Cut(name, "-")
		}
		t.named = append(t.named, n)
	}
}

// quotedLabel matches labels in a text that YAML takes for one word, such as a command, with quotes or without.
var quotedLabel = regexp.MustCompile(`(?:^|[\s"'=])(traefik\.[^\s"'=]+=[^\s"']*)`)

// quoted reads the labels of a text.
func (t *traefik) quoted(f File, d node) {
	for i, line := range bytes.Split(f.Text, []byte("\n")) {
		if comment := bytes.TrimSpace(line); bytes.HasPrefix(comment, []byte("#")) || bytes.HasPrefix(comment, []byte("//")) {
			continue
		}
		for _, m := range quotedLabel.FindAllSubmatch(line, -1) {
			t.label(node{&yaml.Node{Kind: yaml.ScalarNode, Value: string(m[1]), Line: i + 1}, d.file, ""}, node{})
		}
	}
}

// label reads a label: a text with its value, or a key.
func (t *traefik) label(n, value node) {
	text := n.text()
	lower := strings.ToLower(text)
	if name, list, ok := strings.Cut(text, "="); strings.HasSuffix(strings.ToLower(name), ".middlewares") { // of a router, a chain or an entry point
		if !ok {
			list = value.text()
		}
		t.uses(list, n.position())
	}
	t.routed = t.routed || strings.HasPrefix(lower, "traefik.http.routers.")
	if !strings.HasPrefix(lower, "traefik.") {
		return
	}
	m := traefikLabel.FindStringSubmatch(text)
	if m == nil {
		return
	}
	t.given[strings.ToLower(m[1])], t.from["docker"] = true, true
	if m[2] == "" { // of another kind
		return
	}
	if flight := map[string]string{"inflightreq": "inFlightReq", "inflightconn": "inFlightConn"}[strings.ToLower(m[2])]; flight != "" {
		t.name(flight, "concurrency", n.position())
		return
	}
	name := m[1]
	mapping := func() *yaml.Node { return &yaml.Node{Kind: yaml.MappingNode, Line: n.Line, Column: n.Column} }
	if _, is := t.labels[name]; !is {
		t.labels[name] = node{mapping(), n.file, n.via}
		t.order = append(t.order, name)
	}
	if value.Node == nil {
		copied := *n.Node
		copied.Value = m[4]
		value = node{&copied, n.file, n.via}
	}
	at, path := t.labels[name], strings.Split(m[3], ".")
	for i, word := range path {
		inner := value
		if i < len(path)-1 {
			if inner = at.fold(word); inner.Node != nil && inner.Kind == yaml.MappingNode {
				at = inner
				continue
			}
			inner.Node = mapping()
		}
		key := mapping()
		key.Kind, key.Value = yaml.ScalarNode, word
		at.Content = append(at.Content, key, inner.Node)
		at = inner
	}
}

// limit reads a RateLimit. get returns a member of it.
func (t *traefik) limit(n node, name string, get func(path ...string) node) {
	unread := cmp.Or(t.strangers("rateLimit", n, "average", "period", "burst", "sourcecriterion", "redis"),
		t.strangers("rateLimit", n.fold("sourceCriterion"), "ipstrategy", "requestheadername", "requesthost"),
		t.strangers("rateLimit", n.fold("sourceCriterion", "ipStrategy"), "depth", "excludedips", "ipv6subnet"))
	r := check.Rule{Position: n.position(), System: "Traefik", Name: name, Counter: n.id(), Status: 429}
	known, refused := true, false
	wrong := func(at node, what string) {
		refused = true
		t.find(check.Invalid, name, at.position(), "Traefik refuses it: %s", what)
	}
	whole := func(member string, fallback int64) int64 {
		m := get(member)
		known = known && m.template() == ""
		if t.unfilled(member, m) || m.Node == nil || m.text() == "" {
			return fallback
		}
		v, err := strconv.ParseInt(m.text(), 10, 64)
		if err != nil {
			wrong(m, member+" is no whole number")
		}
		return v
	}
	average, burst, period := whole("average", 0), max(whole("burst", 1), 1), time.Second
	if get("burst").template() != "" {
		burst = -1
	}
	if m := get("period"); t.unfilled("period", m) {
		known = false
	} else if m.text() != "" {
		var err error
		if period, err = time.ParseDuration(m.text()); err != nil {
			var seconds int64
			if seconds, err = strconv.ParseInt(m.text(), 10, 64); err == nil {
				period = time.Duration(seconds) * time.Second
			}
		}
		if err != nil || period < 0 {
			wrong(m, "period is no duration")
		}
	}
	switch {
	case refused:
		return
	case known && average <= 0:
		t.find(check.NeverBinds, name, r.Position, "limits nothing: average is %d", average)
		return
	case period == 0:
		period = time.Second
	}
	r.Counts, r.Of = t.source(name, n, get)
	r.Key, r.AtOnce = r.Counts, burst
	if get("redis").Node != nil {
		r.System = "Traefik with Redis"
	}
	r.Uses = []check.Use{{Position: r.Position, Where: "every router that names the middleware " + name}}
	if unread != "" {
		r.Of = check.Key{Why: unread}
	}
	if !known {
		r.Of = check.Key{Why: "a template fills in its numbers"}
	} else {
		rate := float64(average) / period.Seconds()
		r.Rate, r.PerSecond = fmt.Sprintf("%d every %s", average, format.Span(int64(period))), rate
		r.Limit = counting.Limit{Count: average, Window: int64(period)}
		r.LongestMs = 500
		ttl := 2.0
		if rate >= 1 {
			r.LongestMs = int64(500 / math.Floor(rate))
		} else {
			ttl = 1 + math.Floor(1/rate)
		}
		least, span := ttl-1, fmt.Sprintf("%.0f to ", ttl-1)
		if r.System != "Traefik" { // Redis forgets to the ms
			least, span = ttl, ""
		}
		if float64(burst)/rate > least {
			t.find(check.Forgotten, name, r.Position, "a source is forgotten %s%.0f s after its last request, and then has %d at once again: the bucket would take %s to fill", span, ttl, burst, format.Span(int64(min(float64(burst)/rate*1e9, 1<<62))))
		}
	}
	t.c.Rules = append(t.c.Rules, r)
}

// keyed returns the key that is a field of a request. Requests without it share one.
func keyed(field string, of func(text string) string) check.Key {
	return check.Key{Fields: []string{field}, Value: func(value func(string) string) string { return cmp.Or(of(value(field)), "none") }}
}

// source returns what a limit counts.
func (t *traefik) source(name string, n node, get func(path ...string) node) (string, check.Key) {
	same := func(text string) string { return text }
	header, host := get("sourceCriterion", "requestHeaderName"), get("sourceCriterion", "requestHost")
	depth, excluded := get("sourceCriterion", "ipStrategy", "depth"), get("sourceCriterion", "ipStrategy", "excludedIPs")
	fromRight, err := strconv.Atoi(cmp.Or(depth.text(), "0"))
	byAddress := depth.Node != nil || excluded.Node != nil || get("sourceCriterion", "ipStrategy").Node != nil
	given := []bool{header.text() != "", host.text() == "true", byAddress}
	if lists.Count(given, func(is bool) bool { return is }) > 1 {
		t.find(check.Invalid, name, n.position(), "Traefik refuses it: several of ipStrategy, requestHeaderName and requestHost")
	}
	of, bits := "", 0
	if subnet := get("sourceCriterion", "ipStrategy", "ipv6Subnet").text(); subnet != "" {
		if bits, _ = strconv.Atoi(subnet); bits < 1 || bits > 128 {
			t.find(check.Invalid, name, n.position(), "Traefik refuses it: ipv6Subnet is %s, want 1 to 128", subnet)
		}
		of = ", of IPv6 each network of " + subnet + " bits"
	}
	network := func(text string) string {
		if a, err := netip.ParseAddr(text); err == nil && a.Is6() && of != "" {
			if net, err := a.Prefix(bits); err == nil {
				return net.Addr().String()
			}
		}
		return text
	}
	switch {
	case t.unfilled("requestHeaderName", header) || t.unfilled("depth", depth):
		return "", check.Key{Why: "a template fills in its key"}
	case err != nil:
		t.find(check.Invalid, name, depth.position(), "Traefik refuses it: depth is %s, want a whole number", depth.text())
	case header.text() != "":
		t.find(check.LooseKey, name, header.position(), "the client chooses the key: the header %s", header.text())
		return "each value of the header " + header.text() + ", and one for all requests without it", keyed("header:"+strings.ToLower(header.text()), same)
	case host.text() == "true":
		t.find(check.LooseKey, name, host.position(), "the client chooses the key: the host")
		return "each host", keyed("host", same)
	case fromRight > 0:
		return fmt.Sprintf("each address that is number %d from the right of X-Forwarded-For%s, and one for all requests without it", fromRight, of), keyed("header:x-forwarded-for", func(text string) string {
			list := strings.Split(text, ",")
			if fromRight <= len(list) {
				return network(strings.TrimSpace(list[len(list)-fromRight]))
			}
			return ""
		})
	case len(excluded.list()) > 0 || excluded.text() != "":
		return "each last address of X-Forwarded-For that is not excluded, and one for all requests without it", check.Key{Why: "excludedIPs is not computed"}
	}
	return "each client address" + of, keyed("client", network)
}
