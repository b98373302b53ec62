package check_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/check/read"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/logs/formats"
)

// configured reads a configuration of nginx.
func configured(t *testing.T, text string) *check.Config {
	t.Helper()
	c, err := read.Files([]read.File{{Name: "nginx.conf", Text: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// recorded reads a log of JSON lines for configurations.
func recorded(t *testing.T, lines []string, given map[string]string, configs ...*check.Config) (*logs.Recording, *check.Fields) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "log.json")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := logs.Options{Files: []string{name}}
	fields := check.Ask(&o, given, configs...)
	r, err := logs.Read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r, fields
}

func judged(t *testing.T, c *check.Config, lines []string, given map[string]string, o check.Judging) *check.Log {
	t.Helper()
	r, fields := recorded(t, lines, given, c)
	l, err := c.OnLog(t.Context(), r, fields, o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

var alone = check.Judging{Replicas: 1, Spread: "even"}

// at writes a request at a time in ms.
func at(ms int, client, target, more string) string {
	return fmt.Sprintf(`{"msec":%d.%03d,"remote_addr":"%s","request":"GET %s HTTP/1.1"%s}`, 1_700_000_000+ms/1000, ms%1000, client, target, more)
}

// TestOnLog judges small logs.
func TestOnLog(t *testing.T) {
	const zones = "limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req_zone $http_x_key zone=b:1m rate=1r/s; limit_req_zone $server_name zone=s:1m rate=1r/s;\n"
	for _, c := range []struct {
		config, log string // of the log: ms, client, target and more of each request
		want        string // requests, refused, delayed, unruled, keyless; of each rule: applied, refused, delayed, longest
	}{
		{zones + "server { limit_req zone=a burst=1 nodelay; }", "0 x /|1 x /|2 x /|3 y /", "4 1 0 0 0; 4 1 0 0"},
		{zones + "server { limit_req zone=a burst=2; }", "0 x /|0 x /|10 x /|20 x /", "4 1 2 0 0; 4 1 2 1990"},
		{zones + "server { location /a { limit_req zone=a; } }", "0 x /a|0 x /a?b|0 x /b|1 x /%61", "4 2 0 1 0; 3 2 0 0"},
		{zones + "server { location /a { limit_req zone=a burst=1 nodelay; } location /b { limit_req zone=a; } }", "0 x /a|1 x /b|2 x /a|3 x /a", "4 2 0 0 0; 3 1 0 0; 1 1 0 0"},
		{zones + "server { limit_req zone=b; }", "0 x / k|0 y / k|0 y / j|0 x /", "4 1 0 0 1; 3 1 0 0"},
		{zones + "server { limit_req zone=a burst=9 nodelay; limit_req zone=b; }", "0 x / k|0 x / k|0 x / j|0 x /", "4 1 0 0 0; 4 0 0 0; 3 1 0 0"},
		{zones + "server { limit_req zone=a; limit_req_dry_run on; }", "0 x /|0 x /", "2 0 0 0 0; 2 1 0 0"},
		{zones + "server { server_name one; limit_req zone=s; } server { server_name two; limit_req zone=s; }", "0 x / h:one|0 y / h:two|0 z / h:one", "3 1 0 0 0; 3 1 0 0"},
		{zones + "server { server_name one; return 301 /; } server { server_name one; limit_req zone=a; }", "0 x / h:one|0 x / h:one", "2 1 0 0 0; 2 1 0 0"},
		{zones + "server { server_name one; location / { return 301 /; } } server { listen 443; server_name one; limit_req zone=a; }", "0 x /|0 x /", "2 1 0 0 0; 2 1 0 0"},
		{zones + "server { limit_req zone=a; location /n/ { internal; limit_req zone=a burst=1; location /n/n { } } }", "0 x /n/a|0 x /n/n|0 x /n/n|0 x /", "4 0 0 3 0; 1 0 0 0; 0 0 0 0"},
		{zones + "server { listen 80 default_server; server_name _; return 444; } server { server_name one; limit_req zone=a; }", "0 x / h:one|0 x / h:one|0 x / h:two|0 x / h:two", "4 1 0 2 0; 2 1 0 0"},
		{zones + "limit_req zone=a; server { server_name old; return 301 /; } server { server_name one; }", "0 x / h:old|0 x / h:old|0 x / h:one|0 x / h:one", "4 1 0 2 0; 2 1 0 0"},
		{zones + "server { limit_req zone=a; location /r { return 204; } }", "0 x /r|0 x /r", "2 0 0 2 0; 0 0 0 0"},
		{"map $http_x_key $k { default $binary_remote_addr; ~^(?<who>[^-]+)- $who; ~^tok(.) t$1; }\nlimit_req_zone $k zone=a:1m rate=1r/s; server { limit_req zone=a; }", "0 x / k-1|0 y / k-2|0 x / toka|0 y / toka|0 x / tokb|0 x /", "6 2 0 0 0; 6 2 0 0"},
		{"geo $http_x_key $g { 0.0.0.0/0 z; default d; ::/0 six; 255.255.255.255 ff; }\nlimit_req_zone $g zone=a:1m rate=1r/s; server { limit_req zone=a; }", "0 x / word|0 x / 255.255.255.255|0 x / 10.0.0.1|0 x / 9.0.0.1|0 x / ::1|0 x /", "6 3 0 0 0; 6 3 0 0"},
		{"geo $g { default 1; 10.0.0.0/8 0; }\nmap $g $k { 1 $binary_remote_addr; }\nlimit_req_zone $k zone=a:1m rate=1r/s; server { limit_req zone=a; }", "0 10.1.1.1 /|0 10.1.1.1 /|0 11.1.1.1 /|0 11.1.1.1 /", "4 1 0 0 2; 2 1 0 0"},
	} {
		var lines []string
		for _, request := range strings.Split(c.log, "|") {
			var ms int
			var client, target, more string
			fmt.Sscan(request, &ms, &client, &target, &more)
			if host, ok := strings.CutPrefix(more, "h:"); ok {
				more = fmt.Sprintf(`,"host":"%s"`, host)
			} else if more != "" {
				more = fmt.Sprintf(`,"http_x_key":"%s"`, more)
			}
			lines = append(lines, at(ms, client, target, more))
		}
		l := judged(t, configured(t, c.config), lines, nil, alone)
		got := fmt.Sprint(l.Requests, l.Refused, l.Delayed, l.Unruled, l.Keyless)
		for _, r := range l.Rules {
			got += "; " + fmt.Sprint(r.Applied, r.Refused, r.Delayed, r.LongestMs)
		}
		if got != c.want {
			t.Errorf("%s\n%s\nis judged %s\nwant %s", c.config, c.log, got, c.want)
		}
	}
}

// TestGivenKey names the field that holds a header, and leaves a rule out without it.
func TestGivenKey(t *testing.T) {
	c := configured(t, "limit_req_zone $http_x_api_key zone=b:1m rate=1r/s; server { limit_req zone=b; }")
	lines := []string{at(0, "x", "/", `,"auth":{"key":"k"}`), at(1, "y", "/", `,"auth":{"key":"k"}`)}
	if l := judged(t, c, lines, nil, alone); !strings.Contains(l.Rules[0].NotJudged, "--key header:x-api-key=FIELD") || l.Refused != 0 || l.Unruled != 2 {
		t.Errorf("without a field: %+v", l)
	}
	if l := judged(t, c, lines, map[string]string{"header:x-api-key": "auth.key"}, alone); l.Rules[0].NotJudged != "" || l.Refused != 1 || l.Rules[0].Top[0] != (check.KeyCount{Key: "k", Requests: 1}) {
		t.Errorf("with a field: %+v", l)
	}
}

// TestWhoseRequests checks that the log is asked for its client only if a rule depends on
// it, and that a field that is named is the client in place of the log's own.
func TestWhoseRequests(t *testing.T) {
	const byClient, byHeader = "$binary_remote_addr", "$http_x_key"
	for _, c := range []struct {
		key    string
		given  map[string]string
		shared bool
	}{
		{byClient, nil, false},
		{byClient, map[string]string{"client": "client"}, false},
		{byClient, map[string]string{"client": "ip"}, true},
		{byHeader, nil, true},
		{byHeader, map[string]string{"header:x-key": "client"}, false},
	} {
		var o logs.Options
		check.Ask(&o, c.given, configured(t, "limit_req_zone "+c.key+" zone=a:1m rate=1r/s; server { limit_req zone=a; }"))
		if o.Shared != c.shared {
			t.Errorf("a rule by %s with %v: Shared is %v, want %v", c.key, c.given, o.Shared, c.shared)
		}
	}
}

// TestReplicas checks that replicas which a balancer hashes to by the client admit what one
// does, and that requests in turn reach each of them.
func TestReplicas(t *testing.T) {
	c := configured(t, "limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; server { limit_req zone=a burst=1 nodelay; }")
	var lines []string
	for i := range 30 {
		lines = append(lines, at(i, fmt.Sprint("c", i%2), "/", ""))
	}
	for spread, want := range map[string]int64{"hash": 4, "sticky": 4, "even": 12} {
		// in turn, the requests of two clients reach each of three replicas
		if l := judged(t, c, lines, nil, check.Judging{Replicas: 3, Spread: spread}); l.Passed != want {
			t.Errorf("%s: %d pass, want %d", spread, l.Passed, want)
		}
	}
}

// TestWithoutHosts checks that requests without a host are taken for those of the only server
// that has limits, with a warning, and requests with a host for those of its server.
func TestWithoutHosts(t *testing.T) {
	const zone, limited, other = "limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;\n", "server { server_name one.example; limit_req zone=a; }\n", "server { server_name two.example; location / { proxy_pass http://b; } }\n"
	host := func(name string) string { return fmt.Sprintf(`,"host":"%s"`, name) }
	for _, c := range []struct {
		config  string
		more    string // what both requests have besides
		refused int64
		warned  bool
	}{
		{zone + limited + other, "", 1, true},
		{zone + other + limited, "", 1, true},
		{zone + limited + other, host("one.example"), 1, false},
		{zone + limited + other, host("two.example"), 0, false},
		{zone + limited, "", 1, false}, // there is no other
	} {
		l := judged(t, configured(t, c.config), []string{at(0, "x", "/", c.more), at(1, "x", "/", c.more)}, nil, alone)
		if warned := strings.Contains(strings.Join(l.Warnings, "\n"), "the log has no hosts: all requests are taken for those of"); l.Refused != c.refused || warned != c.warned {
			t.Errorf("%s with %q: %d refused, warnings %q", c.config, c.more, l.Refused, l.Warnings)
		}
	}
}

// TestSharedHosts checks that a warning says what is taken of servers that differ in the port
// alone, and that none comes where the host shows the server.
func TestSharedHosts(t *testing.T) {
	const zone, limited = "limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;\n", "server { listen 443; server_name one; limit_req zone=a; }"
	for _, c := range []struct {
		other   string
		refused int64 // of two requests to one and two to another host
		warned  bool
	}{
		{"server { server_name one; return 301 /; }", 3, true},
		{"server { return 301 /; }", 3, true}, // each port has a server for all other hosts
		{"server { server_name one; }", 3, true},
		{"server { listen 443 default_server; return 444; }", 1, false},
		{"server { listen 443 default_server; server_name two; }", 1, false},
		{"server { server_name ~^o; listen 443 default_server; }", 1, false},
	} {
		host := func(name string) string { return at(0, "x", "/", fmt.Sprintf(`,"host":"%s"`, name)) }
		l := judged(t, configured(t, zone+limited+c.other), []string{host("one"), host("one"), host("two"), host("two")}, nil, alone)
		if warned := strings.Contains(strings.Join(l.Warnings, "\n"), "the log does not show the port"); l.Refused != c.refused || warned != c.warned {
			t.Errorf("%s: %d refused, warnings %q", c.other, l.Refused, l.Warnings)
		}
	}
}

// TestUnreadLocation checks that a warning names a location whose requests cannot be told.
func TestUnreadLocation(t *testing.T) {
	const config = "limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;\nserver { limit_req zone=a;\nlocation ~ ^/(?!b) { } }"
	l := judged(t, configured(t, config), []string{at(0, "x", "/", ""), at(1, "x", "/", "")}, nil, alone)
	if said := strings.Join(l.Warnings, "\n"); !strings.Contains(said, "requests of location ~ ^/(?!b) (a regular expression that is not read here) at nginx.conf:3 are taken for those of others") {
		t.Errorf("warnings %q", said)
	}
}

// TestIngressHosts checks that ingress-nginx limits the hosts of Ingresses alone, a wildcard for
// one label, and all of a log without hosts.
func TestIngressHosts(t *testing.T) {
	const ingress = "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i, annotations: {nginx.ingress.kubernetes.io/server-alias: 'alias.example,other.example', nginx.ingress.kubernetes.io/limit-rpm: '1', nginx.ingress.kubernetes.io/limit-burst-multiplier: '1'}}\nspec: {%s}\n"
	for _, c := range []struct {
		spec, hosts string
		refused     int64 // of three requests of one client to each host
	}{
		{"rules: [{host: one.example}]", "one.example", 1},
		{"rules: [{host: one.example}]", "two.example", 0},
		{"rules: [{host: one.example}]", "", 1},
		{"rules: [{host: one.example}, {host: two.example}]", "two.example three.example", 1},
		{"rules: [{host: '*.wild.example'}]", "a.wild.example", 1},
		{"rules: [{host: '*.wild.example'}]", "a.b.wild.example wild.example awildXexample", 0},
		{"rules: [{host: one.example}], defaultBackend: {}", "two.example", 1},
		{"rules: [{host: one.example}]", "alias.example", 1},
		{"rules: [{host: one.example}, {host: other.example}]", "other.example one.example alias.example", 7},
		{"defaultBackend: {}", "two.example", 1},
	} {
		var lines []string
		for _, h := range strings.Split(c.hosts, " ") {
			more := ""
			if h != "" {
				more = fmt.Sprintf(`,"host":"%s"`, h)
			}
			lines = append(lines, at(0, "x", "/", more), at(1, "x", "/", more), at(2, "x", "/", more))
		}
		if l := judged(t, configured(t, fmt.Sprintf(ingress, c.spec)), lines, nil, alone); l.Refused != c.refused {
			t.Errorf("%s with %q: %d refused, want %d: %q", c.spec, c.hosts, l.Refused, c.refused, l.Warnings)
		}
	}
}

// zoneModel is a limit_req as the C code of nginx counts: ngx_http_limit_req_lookup and
// ngx_http_limit_req_account.
type zoneModel struct {
	rate, burst, delay int64
	nodes              map[string]*nodeModel
}

type nodeModel struct{ excess, last int64 }

func (z *zoneModel) excess(key string, now int64) int64 {
	n := z.nodes[key]
	if n == nil {
		return 0
	}
	return max(n.excess-z.rate*(now-n.last)/1000+1000, 0)
}

// decides returns whether a request is refused, and how many ms it waits.
func decides(zones []*zoneModel, keys []string, now int64) (refused bool, wait int64) {
	for i, z := range zones {
		if keys[i] != "" && z.excess(keys[i], now) > z.burst {
			return true, 0
		}
	}
	for i, z := range zones {
		if keys[i] == "" {
			continue
		}
		excess := z.excess(keys[i], now)
		if n := z.nodes[keys[i]]; n == nil {
			z.nodes[keys[i]] = &nodeModel{0, now}
		} else {
			*n = nodeModel{excess, now}
		}
		if excess > z.delay {
			wait = max(wait, (excess-z.delay)*1000/z.rate)
		}
	}
	return false, wait
}

// TestAgainstModel compares decisions on random requests with those of the model.
func TestAgainstModel(t *testing.T) {
	draw := rand.New(rand.NewPCG(4, 0))
	for range 30 {
		rates := []int64{1 + draw.Int64N(5), 1 + draw.Int64N(100)}
		bursts, delays := []int64{1 + draw.Int64N(5), 1 + draw.Int64N(5)}, []int64{1 + draw.Int64N(3), 0}
		text := fmt.Sprintf("limit_req_zone $binary_remote_addr zone=a:1m rate=%dr/s; limit_req_zone $http_x_key zone=b:1m rate=%dr/m; server { limit_req zone=a burst=%d delay=%d; limit_req zone=b burst=%d; }",
			rates[0], rates[1], bursts[0], delays[0], bursts[1])
		zones := []*zoneModel{{rates[0] * 1000, bursts[0] * 1000, delays[0] * 1000, map[string]*nodeModel{}}, {rates[1] * 1000 / 60, bursts[1] * 1000, 0, map[string]*nodeModel{}}}
		if delays[0] >= bursts[0] {
			zones[0].delay = 1 << 40
		}
		var lines []string
		var refused, delayed int64
		var longest []int64
		now := 0
		for range 300 {
			now += draw.IntN(3) * draw.IntN(400)
			client, key, more := fmt.Sprint("c", draw.IntN(3)), fmt.Sprint("k", draw.IntN(2)), ""
			if draw.IntN(3) == 0 {
				key = ""
			} else {
				more = fmt.Sprintf(`,"http_x_key":"%s"`, key)
			}
			lines = append(lines, at(now, client, "/", more))
			no, wait := decides(zones, []string{client, key}, int64(now))
			if no {
				refused++
			} else if wait > 0 {
				delayed++
				longest = append(longest, wait)
			}
		}
		l := judged(t, configured(t, text), lines, nil, alone)
		if l.Refused != refused || l.Delayed != delayed || len(longest) > 0 && max(l.Rules[0].LongestMs, l.Rules[1].LongestMs) != slices.Max(longest) {
			t.Errorf("%s: refused %d, delayed %d, want %d, %d", text, l.Refused, l.Delayed, refused, delayed)
		}
	}
}

// routed is a listener of Envoy with a bucket of its own, one of a route, and one of a
// virtual host.
const routed = `route_config:
  virtual_hosts:
  - name: one
    domains: ["one.example", "*.one.example"]
    routes:
    - match: {path: /exact}
      typed_per_filter_config: {a: {%[1]s, stat_prefix: exact, token_bucket: {max_tokens: 1, fill_interval: 10s}, %[2]s}}
    - match: {prefix: /off}
      typed_per_filter_config: {envoy.filters.http.local_ratelimit: {"@type": type.googleapis.com/envoy.config.route.v3.FilterConfig, disabled: true}}
    - match: {prefix: /}
  - name: two
    domains: ["*"]
    routes:
    - match: {prefix: /api}
    typed_per_filter_config: {a: {%[1]s, stat_prefix: two, token_bucket: {max_tokens: 3, fill_interval: 10s}, %[2]s}}
http_filters:
- typed_config: {%[1]s, stat_prefix: top, token_bucket: {max_tokens: 2, tokens_per_fill: 2, fill_interval: 1s}, %[2]s}
`

// TestEnvoyOnLog judges logs by buckets of Envoy.
func TestEnvoyOnLog(t *testing.T) {
	text := fmt.Sprintf(routed, `"@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit`,
		"filter_enabled: {default_value: {numerator: 100}}, filter_enforced: {default_value: {numerator: 100}}")
	c := configured(t, text)
	host := func(name string) string { return fmt.Sprintf(`,"host":"%s"`, name) }
	var lines []string
	for i := range 5 {
		lines = append(lines, at(i, "x", "/exact?a=b", host("a.one.example")), at(i, "y", "/other", host("one.example")), at(i, "z", "/api", host("two.example")), at(i, "z", "/none", host("two.example")), at(i, "x", "/off", host("one.example")))
	}
	lines = append(lines, at(600, "y", "/other", host("one.example:80")))
	l := judged(t, c, lines, nil, alone)
	got := fmt.Sprint(l.Requests, l.Refused, l.Unruled)
	for _, r := range l.Rules {
		got += fmt.Sprint("; ", r.Name, " ", r.Applied, " ", r.Refused)
	}
	if want := "26 9 10; exact 5 4; two 5 2; top 6 3"; got != want {
		t.Errorf("judged %s, want %s", got, want)
	}
}

// TestDividedBuckets says that the Envoys of a cluster divide a bucket, and judges one of them.
func TestDividedBuckets(t *testing.T) {
	c := configured(t, "'@type': type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit\ntoken_bucket: {max_tokens: 3, fill_interval: 60s}\n"+
		"filter_enabled: {default_value: {numerator: 100}}\nfilter_enforced: {default_value: {numerator: 100}}\nlocal_cluster_rate_limit: {}\n")
	if c.Describe(3, false); !strings.HasSuffix(c.Rules[0].Sentence, ". The Envoys of a cluster divide it among them.") {
		t.Error(c.Rules[0].Sentence)
	}
	for replicas, why := range map[int]string{1: "", 3: "the replicas divide its bucket among them"} {
		l := judged(t, c, []string{at(0, "x", "/", "")}, nil, check.Judging{Replicas: replicas, Spread: "even"})
		if l.Rules[0].NotJudged != why {
			t.Errorf("%d replicas: %q", replicas, l.Rules[0].NotJudged)
		}
	}
}

// TestRateLimitServiceOnLog judges logs by the windows of envoyproxy/ratelimit.
func TestRateLimitServiceOnLog(t *testing.T) {
	const text = `domain: d
descriptors:
- {key: ip, rate_limit: {name: each, unit: second, requests_per_unit: 2}}
- {key: ip, value: bad, rate_limit: {unit: second, requests_per_unit: 0}}
- {key: path, value: /login*, descriptors: [{key: ip, rate_limit: {unit: minute, requests_per_unit: 3, replaces: [{name: each}]}}]}
- {key: path, value: /own*, rate_limit: {unit: hour, requests_per_unit: 2}}
- {key: path, value: /all*, share_threshold: true, rate_limit: {unit: hour, requests_per_unit: 2}}
- {key: path, value: /all/but/this}
- {key: path, value: /shadow, shadow_mode: true, rate_limit: {unit: hour, requests_per_unit: 0}}
`
	c := configured(t, text)
	var lines []string
	send := func(ms int, client, path string) {
		lines = append(lines, at(ms, client, path, fmt.Sprintf(`,"p":"%s"`, path)))
	}
	for i := range 3 { // the third in a second is refused, and counts; the next second is new
		send(i, "a", "/x")
		send(1000+i, "a", "/x")
	}
	send(2000, "bad", "/x")
	for i := range 4 { // the limit of each address does not count here
		send(3000+i, "b", "/login/a")
	}
	for i := range 4 { // each value has a window of its own: two pass
		send(4000+1000*i, "c", fmt.Sprint("/own", i%2))
		send(9000+1000*i, "c", "/own0")
	}
	for i := range 4 { // all values share one
		send(20_000+1000*i, "e", fmt.Sprint("/all", i))
		send(25_000+1000*i, "e", "/all/but/this")
		send(30_000+1000*i, "e", "/shadow")
	}
	slices.Sort(lines)
	l := judged(t, c, lines, map[string]string{"ip": "client", "path": "p"}, alone)
	got := fmt.Sprint(l.Requests, l.Refused)
	for _, r := range l.Rules {
		got += fmt.Sprint("; ", r.Name, " ", r.Applied, " ", r.Refused)
	}
	if want := "31 10; ip 26 2; ip_bad 1 1; path_/login*.ip 4 1; path_/own* 8 4; path_/all* 4 2; path_/shadow 4 4"; got != want {
		t.Errorf("judged %s\nwant   %s", got, want)
	}
}

// TestAliases counts by themselves what several aliases of YAML state.
func TestAliases(t *testing.T) {
	bucket := `{"@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit, token_bucket: {max_tokens: 1, fill_interval: 1s}, filter_enabled: {default_value: {numerator: 100}}, filter_enforced: {default_value: {numerator: 100}}}`
	route := func(path, filter string) string {
		return "    - {match: {prefix: " + path + "}, typed_per_filter_config: {envoy.filters.http.local_ratelimit: " + filter + "}}\n"
	}
	for text, refused := range map[string]int64{
		"route_config:\n  virtual_hosts:\n  - domains: ['*']\n    routes:\n" + route("/a", "&b "+bucket) + route("/b", "*b"):      2,
		"domain: d\ndescriptors:\n- {key: ip, rate_limit: &l {unit: day, requests_per_unit: 4}}\n- {key: same, rate_limit: *l}\n": 0,
	} {
		lines := []string{at(0, "x", "/a", ""), at(1, "x", "/a", ""), at(2, "x", "/b", ""), at(3, "x", "/b", "")}
		if l := judged(t, configured(t, text), lines, map[string]string{"ip": "client", "same": "client"}, alone); l.Refused != refused {
			t.Errorf("%s: %+v", text, l)
		}
	}
}

// TestHitsOfRateLimitService counts costs, also those of refused requests, and quotas together.
func TestHitsOfRateLimitService(t *testing.T) {
	c := configured(t, "domain: d\ndescriptors:\n- {key: ip, rate_limit: {unit: day, requests_per_unit: 10}}\n")
	lines := []string{at(0, "a", "/", `,"c":7`), at(1, "a", "/", `,"c":7`), at(2, "a", "/", `,"c":1`)}
	name := filepath.Join(t.TempDir(), "log.json")
	if err := os.WriteFile(name, []byte(strings.Join(lines, "\n")+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	o := logs.Options{Files: []string{name}, Asked: formats.Asked{Cost: []string{"c"}}}
	fields := check.Ask(&o, map[string]string{"ip": "client"}, c)
	r, err := logs.Read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if l, err := c.OnLog(t.Context(), r, fields, alone); err != nil || l.Refused != 2 {
		t.Errorf("7, 7 and 1 of 10: %+v, %v; want 2 refused", l, err)
	}
	quotas := configured(t, "domain: d\ndescriptors:\n- {key: ip, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 2}}\n- {key: path, quota_mode: true, rate_limit: {unit: day, requests_per_unit: 3}}\n")
	lines = nil
	for i := range 5 { // the fourth is over both
		lines = append(lines, at(i, "a", "/", `,"p":"/x"`))
	}
	lines = append(lines, at(9, "b", "/", `,"p":"/x"`), at(10, "a", "/", `,"p":"/y"`))
	if l := judged(t, quotas, lines, map[string]string{"ip": "client", "path": "p"}, alone); l.Refused != 2 {
		t.Errorf("quotas refuse %d, want 2: %+v", l.Refused, l)
	}
}

// policyOf returns a BackendTrafficPolicy with rules.
func policyOf(rules string) string {
	return "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: p}\nspec: {rateLimit: {type: Local, local: {rules: [" + rules + "]}}}\n"
}

// TestMigration finds that a limit for each address became one for all.
func TestMigration(t *testing.T) {
	old := "limit_req_zone $binary_remote_addr zone=a:1m rate=10r/s; server { limit_req zone=a burst=9 nodelay; }"
	var lines []string
	for i := range 30 {
		lines = append(lines, at(i, fmt.Sprint("192.0.2.", i%3), "/", ""))
	}
	for _, c := range []struct{ rules, want string }{
		{"{limit: {requests: 10, unit: Second}}", "20: 11: key: each client address against all requests of a route together"},
		{"{clientSelectors: [{sourceCIDR: {value: 0.0.0.0/0, type: Distinct}}], limit: {requests: 10, unit: Second}}", "0"},
		{"{clientSelectors: [{sourceCIDR: {value: 192.0.2.0/31}}], limit: {requests: 5, unit: Minute}}, {limit: {requests: 10, unit: Second}}", ""},
		{"{clientSelectors: [{sourceCIDR: {value: 192.0.2.2/32, invert: true}}], limit: {requests: 5, unit: Minute}}, {limit: {requests: 10, unit: Second}}", ""},
	} {
		d := compared(t, old, policyOf(c.rules), lines)
		got := fmt.Sprint(d.Differ)
		if d.First != nil {
			got += fmt.Sprintf(": %d: %s", d.First.Line, d.First.Reason)
		}
		if got != c.want && c.want != "" {
			t.Errorf("%s: %s\nwant %s", c.rules, got, c.want)
		}
		if l := d.Log; c.want == "" && (l.Rules[0].Applied != 20 || l.Rules[0].Refused != 15 || l.Rules[1].Applied != 10 || l.Rules[1].Keyless != 5) {
			t.Errorf("%s: %d %d %d %d", c.rules, l.Rules[0].Applied, l.Rules[0].Refused, l.Rules[1].Applied, l.Rules[1].Keyless)
		}
	}
}

// traefikModel is the middleware in floats, as x/time/rate and the map of sources count.
type traefikModel struct {
	rate, burst, tokens float64
	last, seen, ttl     int64 // ns, s, s; of Redis ns, ns, s
	redis               bool
	most                int64
	known               bool
}

func (m *traefikModel) decide(now int64) (refused bool, waitMs int64) {
	if second := now / 1e9; !m.known || !m.redis && second >= m.seen+m.ttl || m.redis && now > m.seen+m.ttl*1e9 {
		m.known, m.tokens, m.last = true, m.burst, now
	}
	if m.seen = now / 1e9; m.redis {
		m.seen = now
	}
	tokens := min(m.burst, m.tokens+float64(now-m.last)/1e9*m.rate) - 1
	wait := int64(0)
	if tokens < 0 {
		wait = int64(-tokens / m.rate * 1e9)
	}
	if wait > m.most {
		return true, 0
	}
	m.tokens, m.last = tokens, now
	return false, wait / 1e6
}

// TestTraefikAgainstModel compares decisions on random requests with those of the model.
func TestTraefikAgainstModel(t *testing.T) {
	draw := rand.New(rand.NewPCG(5, 5))
	for _, c := range []struct {
		average, period int64
		ttl, most       int64
	}{{1, 1, 2, 500e6}, {3, 1, 2, 166666666}, {20, 1, 2, 25e6}, {6, 60, 11, 500e6}, {1, 2, 3, 500e6}, {90, 60, 2, 500e6}} {
		for i := range 8 {
			m := traefikModel{rate: float64(c.average) / float64(c.period), burst: float64(1 + draw.IntN(5)), ttl: c.ttl, most: c.most, redis: i%2 > 0}
			redis := map[bool]string{true: ", redis: {endpoints: [r]}"}[m.redis]
			text := fmt.Sprintf("http: {middlewares: {m: {rateLimit: {average: %d, period: %ds, burst: %g%s}}}}", c.average, c.period, m.burst, redis)
			var lines []string
			var refused, delayed int64
			now := 0
			for range 400 {
				now += draw.IntN(2) * draw.IntN(int(2000*c.period/c.average)+2)
				if draw.IntN(40) == 0 {
					now += draw.IntN(int(c.ttl) * 2000)
				}
				lines = append(lines, at(now, "x", "/", ""))
				no, wait := m.decide(int64(1_700_000_000_000+now) * 1e6)
				if no {
					refused++
				} else if wait > 0 {
					delayed++
				}
			}
			l := judged(t, configured(t, text), lines, nil, alone)
			if l.Refused != refused || max(l.Delayed-delayed, delayed-l.Delayed) > 4 || refused == 0 {
				t.Errorf("%s: refused %d, delayed %d, want %d, %d", text, l.Refused, l.Delayed, refused, delayed)
			}
		}
	}
	c := configured(t, "http: {middlewares: {m: {rateLimit: {average: 1, burst: 100}}}}")
	var lines []string
	for i := range 400 {
		lines = append(lines, at(i/100*2500, "x", "/", ""))
	}
	if l := judged(t, configured(t, "http: {middlewares: {m: {rateLimit: {average: 1, burst: 2, redis: {}}}}}"), []string{at(0, "x", "/", ""), at(0, "x", "/", ""), at(2000, "x", "/", ""), at(4000, "x", "/", ""), at(4000, "x", "/", ""), at(4000, "x", "/", ""), at(6001, "x", "/", ""), at(6001, "x", "/", "")}, nil, alone); l.Refused != 1 {
		t.Errorf("a source that Redis forgets has %d refused", l.Refused)
	}
	if l := judged(t, c, lines, nil, alone); l.Refused != 0 {
		t.Errorf("a source that is forgotten has %d refused", l.Refused)
	}
}

// TestTraefikAddresses counts the address of the connection where ipStrategy names no other.
func TestTraefikAddresses(t *testing.T) {
	for _, strategy := range []string{"{}", "{depth: 0}", "{depth: -1}", "{excludedIPs: []}"} {
		c := configured(t, "http: {middlewares: {m: {rateLimit: {average: 1, sourceCriterion: {ipStrategy: "+strategy+"}}}}}")
		if got := c.Rules[0].Counts; got != "each client address" {
			t.Errorf("%s: %s", strategy, got)
		}
	}
}

// TestTraefikSubnet counts the addresses of a network of IPv6 together, and says how long a
// bucket would take to fill.
func TestTraefikSubnet(t *testing.T) {
	c := configured(t, "http: {middlewares: {m: {rateLimit: {average: 1, period: 1h, burst: 2, sourceCriterion: {ipStrategy: {ipv6Subnet: 64}}}}}}")
	c.Describe(1, false)
	if got, want := c.Rules[0].Counts, "each client address, of IPv6 each network of 64 bits"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if got, want := c.Findings[0].Text, "a source is forgotten 3600 to 3601 s after its last request, and then has 2 at once again: the bucket would take 2h to fill"; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
	var lines []string
	for i, client := range []string{"2001:db8::1", "2001:db8::2", "2001:db8::3", "2001:db8:0:1::4", "192.0.2.1", "192.0.2.2", "192.0.2.3"} {
		lines = append(lines, at(i, client, "/", ""))
	}
	if l := judged(t, c, lines, nil, alone); l.Refused != 1 {
		t.Errorf("%d refused, want 1", l.Refused)
	}
}

// TestCountsOnlySentence says of a limit that only counts that nothing waits.
func TestCountsOnlySentence(t *testing.T) {
	c := configured(t, "limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; server { limit_req zone=a burst=2; limit_req_dry_run on; }")
	c.Describe(1, false)
	if got := c.Rules[0].Sentence; !strings.Contains(got, "one at once, 2 more would wait, up to 2000 ms; more is counted, and all passes") {
		t.Error(got)
	}
}

// TestQuotaSentence says of a quota how often it refuses, and then when.
func TestQuotaSentence(t *testing.T) {
	c := configured(t, "domain: d\ndescriptors: [{key: a, quota_mode: true, rate_limit: {unit: hour, requests_per_unit: 2}}]\n")
	c.Describe(1, false)
	want := "each value of a: a quota of 2 in each hour of the clock, in which refused requests count (up to 4 around the end of one); 2 at once, more is refused with 429.\nAt every request that sends the descriptor (a) in the domain d; it refuses only where all quotas of a request are used. A store counts for all."
	if got := c.Rules[0].Sentence; got != want {
		t.Errorf("%s\nwant %s", got, want)
	}
}
