package read

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// said reads a file and writes what is said of it: rules as NAME AT-ONCE+WAITING/LONGEST at
// their lines, findings as kinds at lines, and the parts that are not judged.
func said(t *testing.T, text string) string {
	t.Helper()
	c, err := Files([]File{{Name: "f", Text: []byte(text)}})
	if err != nil {
		return err.Error()
	}
	var all []string
	for _, r := range c.Rules {
		all = append(all, fmt.Sprintf("%d %s %d+%d/%d", r.Line, r.Name, r.AtOnce, r.Waiting, r.LongestMs))
	}
	for _, f := range c.Findings {
		all = append(all, fmt.Sprintf("%d %s", f.Line, f.Kind))
	}
	for _, p := range c.NotJudged {
		all = append(all, fmt.Sprintf("%d? %s", p.Lines[0].Line, p.What))
	}
	return strings.Join(all, "; ")
}

const zoneA = "limit_req_zone $binary_remote_addr zone=a:1m rate=10r/s;\n"

// TestDocuments reads each document of a file by the reader of its kind.
func TestDocuments(t *testing.T) {
	ingress := "apiVersion: networking.k8s.io/v1\nkind: Ingress\nmetadata: {name: i, annotations: {nginx.ingress.kubernetes.io/limit-rps: '1', traefik.ingress.kubernetes.io/router.middlewares: default-m@kubernetescrd}}\nspec: {defaultBackend: {}}\n"
	middleware := "apiVersion: traefik.io/v1alpha1\nkind: Middleware\nmetadata: {name: m}\nspec: {rateLimit: {average: 10}}\n"
	route := "apiVersion: traefik.io/v1alpha1\nkind: IngressRoute\nspec: {routes: []}\n"
	policy := "apiVersion: gateway.kgateway.dev/v1alpha1\nkind: TrafficPolicy\nmetadata: {name: k}\nspec: {rateLimit: {local: {tokenBucket: {maxTokens: 7, fillInterval: 1m}}}}\n"
	for _, c := range []struct {
		documents []string
		want      string
	}{
		{[]string{ingress, middleware, route}, "3 i rps 6+0/0; 9 m 1+0/50"},
		{[]string{policy, ingress}, "8 i rps 6+0/0; 4 k 7+0/0; 8? middlewares @kubernetescrd"},
		{[]string{ingress, "apiVersion: k8s.nginx.org/v1\nkind: Policy\nspec:\n  rateLimit: {rate: 1r/s}\n", middleware, "apiVersion: configuration.konghq.com/v1\nkind: KongPlugin\nconfig: {minute: 5}\nplugin: rate-limiting\n", "kind: Secret\n"}, "3 i rps 6+0/0; 14 m 1+0/50; 6? Policy; 16? KongPlugin"},
		{[]string{policy, "domain: d\ndescriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 3}}]\n"}, "7 a 3+0/0; 4 k 7+0/0"},
		{[]string{"{domain: d, descriptors: [{key: a, rate_limit: {unit: day, requests_per_unit: 3}}]}\n"}, "1 a 3+0/0"},
		{[]string{"{\n  \"domain\": \"d\",\n  \"descriptors\": [{\"key\": \"a\", \"rate_limit\": {\"unit\": \"day\", \"requests_per_unit\": 3}}]\n}\n"}, "3 a 3+0/0"},
		{[]string{middleware, "apiVersion: v1\nkind: ConfigMap\ndata:\n  t: |\n    [http.middlewares.x.rateLimit]\n    average = 1\n"}, "4 m 1+0/50; 10? TOML"},
		{[]string{"apiVersion: v1\nkind: List\nitems:\n- kind: Ingress\n- " + strings.ReplaceAll(policy, "\n", "\n  ")}, "8 k 7+0/0"},
	} {
		if got := said(t, strings.Join(c.documents, "---\n")); got != c.want {
			t.Errorf("%s\nsaid %s\nwant %s", c.documents, got, c.want)
		}
	}
}

// TestParts reads files of no system: an included one as a part of nginx, and beside others
// their names alone.
func TestParts(t *testing.T) {
	const main = zoneA + "server { include f1; limit_req zone=a; }"
	for _, c := range []struct {
		files []string
		want  string
	}{
		{[]string{main, "gzip on;\nlimit_rate 3;", "\"~x\" 1;", "a: b"}, "[{f0 1}] [] [{limit_rate f1:2:1} {file f2:1}] [target]"},
		{[]string{main, "a { \n"}, "f1:2:1: unexpected end of file"},
		{[]string{"gzip on;\nlimit_rate 3;"}, "f0:1: is no configuration"},
		{[]string{"# a\nparams:\n  n: 1\nrun:\n  limit_req zone=a;\n"}, "f0:1: is no configuration"},
		{[]string{"nginx: the configuration file f0 syntax is ok\n# configuration file f0:\n" + zoneA + "server { limit_req zone=a; }"}, "[{f0 1}] [] []"},
		{[]string{"http:\n  routers: {r: {middlewares: [m]}}\n", "http: {middlewares: {m: {rateLimit: {average: 5}}}}"}, "[{f1 1}] [] [{file f0:1}] []"},
		{[]string{"no {", "x 1;"}, "f0:1: is no configuration"},
	} {
		var files []File
		for i, text := range c.files {
			files = append(files, File{Name: fmt.Sprintf("f%d", i), Text: []byte(text)})
		}
		got := ""
		if all, err := Files(files); err != nil {
			got = err.Error()
		} else {
			got = fmt.Sprint(lists.Map(all.Rules, func(r check.Rule) string { return fmt.Sprintf("{%s %d}", r.File, r.Line) }),
				lists.Map(all.Findings, func(f check.Finding) check.Kind { return f.Kind }),
				lists.Map(all.NotJudged, func(p check.Part) string { return fmt.Sprintf("{%s %s}", p.What, p.Lines[0]) }), all.Fields)
		}
		if !strings.HasPrefix(got, c.want) {
			t.Errorf("%q\nsaid %s\nwant %s", c.files, got, c.want)
		}
	}
}

// TestNginx reads small configurations.
func TestNginx(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{zoneA + "server { limit_req zone=a burst=5 nodelay; }", "1 a 6+0/0"},
		{zoneA + "server { limit_req zone=a burst=5; }", "1 a 1+5/500"},
		{zoneA + "server { limit_req zone=a burst=8 delay=3; }", "1 a 4+5/500"},
		{zoneA + "server { limit_req zone=a burst=8 delay=9; }", "1 a 9+0/0"},
		{zoneA + "server { limit_req zone=a; }", "1 a 1+0/0"},
		{"limit_req_zone $binary_remote_addr zone=a:1m rate=7r/m;\nlimit_req zone=a burst=3;", "1 a 1+3/25862; 1 rounded"},
		{"limit_req_zone $binary_remote_addr zone=a:1m rate=60r/m;\nlimit_req zone=a;", "1 a 1+0/0"},
		{zoneA, "1 unused"},
		{"server { location / { limit_req zone=a burst=2; } }", "1 a 1+2/0; 1 undefined"},
		{zoneA + "limit_req zone=a;\nserver { location /b { limit_req zone=a burst=2; } location /c { limit_req zone=a; } }", "1 a 1+0/0; 1 a 1+2/200; 2 replaced"},
		{zoneA + "server { limit_req zone=a;\nlocation / { location /in { limit_req zone=a burst=9 nodelay; } } }", "1 a 1+0/0; 1 a 10+0/0; 2 replaced"},
		{zoneA + "server { listen 80;\nlocation / { limit_req zone=a; return 200; } }", "1 a 1+0/0; 3 unreached"},
		{zoneA + "server { location / { limit_req zone=a; return 200;\nlocation /b { } } }", "1 a 1+0/0"},
		{zoneA + "server { location / { limit_req zone=a; return 200;\nlocation /b { return 204; } } }", "1 a 1+0/0; 2 unreached"},
		{zoneA + "server { return 301 /;\nlocation / { limit_req zone=a; } }", "1 a 1+0/0; 3 unreached"},
		{"http { " + zoneA + "limit_req zone=a; server { return 301 /; } }", "1 a 1+0/0; 2 unreached"},
		{"http { " + zoneA + "limit_req zone=a; server { return 301 /; }\ninclude gone/*.conf; }", "1 a 1+0/0; 3? include gone/*.conf"},
		{zoneA + "limit_req zone=a; server { return 301 /; }", "1 a 1+0/0"},
		{zoneA + "server { limit_req zone=a;\nlocation / { return 301 /; } location = /h { return 200; } location /b { limit_req zone=a burst=1; } }", "1 a 1+0/0; 1 a 1+1/100; 2 unreached; 2 replaced"},
		{zoneA + "server { limit_req zone=a;\nlocation / { return 301 /; } location /b { } }", "1 a 1+0/0"},
		{zoneA + "server { limit_req zone=a;\nlocation / { return 301 /; location /b { } } }", "1 a 1+0/0"},
		{zoneA + "server { limit_req zone=a;\nlocation /b { return 301 /; } }", "1 a 1+0/0"},
		{zoneA + "server {\nlimit_req zone=a burst=0; }", "3 invalid"},
		{"limit_req_zone $binary_remote_addr zone=a:1m;\nserver { limit_req zone=a; }", "1 a 1+0/0; 1 invalid"},
		{zoneA + "server { rewrite ^(.*)$ https://x$1 permanent;\nlocation / { limit_req zone=a; } }", "1 a 1+0/0; 3 unreached"},
		{zoneA + "server { location / { limit_req zone=a; location /x { return 200; } } }", "1 a 1+0/0"},
		{zoneA + "server { location / { limit_req zone=a; rewrite ^ /x break; return 204; } }", "1 a 1+0/0"},
		{zoneA + "server { location / { limit_req zone=a;\nrewrite ^/(.*)$ /x/$1 last; return 204; } }", "1 a 1+0/0; 3? rewrite"},
		{zoneA + "server { location / { limit_req zone=a;\nrewrite ^/b /x break;\nreturn 204; } }", "1 a 1+0/0; 4? return"},
		{zoneA + "server { location / { limit_req zone=a;\nif ($http_x) { break; }\nreturn 204; } }", "1 a 1+0/0; 3? if; 4? return"},
		{zoneA + "server { rewrite ^/b /x last;\nreturn 301 /;\nlocation / { limit_req zone=a; } }", "1 a 1+0/0; 2? rewrite; 3? return"},
		{zoneA + "server { rewrite ^ https://x last;\nreturn 200;\nlocation / { limit_req zone=a; } }", "1 a 1+0/0; 4 unreached"},
		{zoneA + "server { location / { limit_req zone=a;\nrewrite ^/b $scheme://x break;\nreturn 200; } }", "1 a 1+0/0; 2 unreached; 3? rewrite"},
		{"http {\nerror_page 503 /b;\nerror_page 502 /c;\n" + zoneA + "server { limit_req zone=a; } }", "4 a 1+0/0; 2? error_page"},
		{zoneA + "server { limit_req zone=a; location / {\nif ($http_x) { set $limit_rate 4k; } set $limit_x 4k; } }", "1 a 1+0/0; 3? set"},
		{"limit_req_zone $uri zone=a:1m rate=10r/s;\nserver { location / { limit_req zone=a;\nrewrite ^/b/ /b break; } }", "1 a 1+0/0; 1 loose-key; 3? rewrite"},
		{zoneA + "server { location / { limit_req zone=a;\nif ($http_x) { return 403; } } }", "1 a 1+0/0; 3? if"},
		{zoneA + "server { limit_req zone=a;\nlocation /d { limit_req_dry_run on; } location /s { limit_req_status 429; location /s/t { } } location /r { limit_req_status 429; return 200; } }", "1 a 1+0/0; 1 a 1+0/0; 1 a 1+0/0; 3 counts-only"},
		{zoneA + "server { limit_req zone=a;\nlocation / { return 301 /; } location /b { limit_req_status 429; } }", "1 a 1+0/0; 1 a 1+0/0"},
		{zoneA + "server { limit_req zone=a;\nlimit_req_dry_run on; }", "1 a 1+0/0; 3 counts-only"},
		{"limit_req_zone $http_x_key zone=a:1m rate=10r/s;\nlimit_req zone=a;", "1 a 1+0/0; 1 unkeyed; 1 loose-key"},
		{"limit_req_zone $server_name zone=a:1m rate=10r/s;\nserver { limit_req zone=a; }", "1 a 1+0/0; 1 never-binds"},
		{"limit_req_zone $server_name zone=a:1m rate=10r/s;\nserver { server_name x; limit_req zone=a; }", "1 a 1+0/0"},
		{"limit_req_zone $upstream_addr$sent_http_x zone=a:1m rate=10r/s;\nlimit_req zone=a;", "1 a 1+0/0; 1 never-binds"},
		{"map $upstream_cache_status $k { default $status; HIT $http_x; }\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "2 a 1+0/0"},
		{"limit_req_zone $connection_requests zone=a:1m rate=10r/s;\nlimit_req zone=a;", "1 a 1+0/0"},
		{"limit_req_zone $request_id zone=a:1m rate=10r/s;\nlimit_req zone=a;", "1 a 1+0/0; 1 never-binds"},
		{"limit_req_zone $binary_remote_addr$uri zone=a:1m rate=10r/s;\nlimit_req zone=a;", "1 a 1+0/0; 1 loose-key"},
		{"limit_req_zone $nowhere zone=a:1m rate=10r/s;\nlimit_req zone=a;", "1 a 1+0/0; 1 undefined"},
		{"set $mine x;\nlimit_req_zone $mine zone=a:1m rate=10r/s;\nlimit_req zone=a;", "2 a 1+0/0; 1? key $mine of zone a"},
		{"limit_req_zone $who zone=a:1m rate=10r/s;\nserver { server_name x;\nlocation ~ ^/(?<who>[^/]+)/ { limit_req zone=a; } }", "1 a 1+0/0; 3? key $who of zone a"},
		{zoneA + "server { limit_req zone=a; set $k $binary_remote_addr; }", "1 a 1+0/0"},
		{"split_clients $binary_remote_addr $k { * x; }\nlimit_req_zone $binary_remote_addr$k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "2 a 1+0/0; 1? key $k of zone a"},
		{"geo $g { default 1; 10.0.0.0/8 0; }\nmap $g $k { 1 $binary_remote_addr; }\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "3 a 1+0/0; 3 unkeyed"},
		{"geo $http_x $g { default 1; 10.0.0.0/8 0; }\nmap $g $k { 1 $binary_remote_addr; }\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "3 a 1+0/0; 3 unkeyed; 3 loose-key"},
		{"geo $g { default 1; 10.0.0.0/8 0; }\nmap $g $k { 1 $binary_remote_addr; 0 all; }\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "3 a 1+0/0"},
		{"map $http_a $k { default \"\"; }\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "2 a 1+0/0; 2 never-binds"},
		{"map $uri $k { default all; ~^/(?<t>[^/]+)/ $t; ~^/(.) $1; }\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "2 a 1+0/0; 2 loose-key"},
		{"map $http_a $k { default $http_a; \"\" $binary_remote_addr; }\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "2 a 1+0/0; 2 loose-key"},
		{"map $http_a $k { default $http_a; ~^b $http_c; }\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "2 a 1+0/0; 2 unkeyed; 2 loose-key"},
		{zoneA + "server {\nlocation @l { limit_req zone=a; } }", "1 a 1+0/0; 3? location @l"},
		{zoneA + "server { limit_req zone=a;\nlocation /n { internal; limit_req zone=a burst=1;\nlocation /n/n { limit_req zone=a burst=2; }\nlocation /n/s { limit_req_status 429; } } }", "1 a 1+0/0; 1 a 1+1/100; 1 a 1+2/200; 1 a 1+1/100; 2 replaced; 3 replaced; 3? location /n; 4? location /n/n"},
		{"map $http_a $k { include file; }\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;", "2 a 1+0/0; 1? key $k of zone a"},
		{"set_real_ip_from 0.0.0.0/0;\n" + zoneA + "limit_req zone=a;", "2 a 1+0/0; 2 loose-key"},
		{zoneA + "server {\nlimit_req zone=a burst=${BURST};\nlimit_req_zone {{ key }} zone=b:1m rate={{ rate }};\n{% if x %}\nlimit_req zone=b;\n{% endif %} }", "4 b 1+0/0; 3? limit_req with a template; 4? limit_req_zone with a template; 5? template"},
		{"limit_req_zone $uri zone={{ z }}:1m rate=1r/s;\nserver { limit_req zone=b; }", "2 b 1+0/0; 1? limit_req_zone with a template"},
		{zoneA + "server {\nlimit_req zone={{ z }}; }", "3? limit_req with a template"},
		{"server { location / { content_by_lua_block { local s = \"}\" -- }\n ngx.exit(429) } }\nlimit_rate 5; }", "unexpected"},
		{"server { location / { content_by_lua_block { local s = \"}\" -- }\n ngx.exit(429) } }\nlimit_rate 5;\nlimit_conn a 5; limit_unknown 3; }", "1? content_by_lua_block; 3? limit_rate; 4? limit_conn; 4? limit_unknown"},
		{zoneA + "server {\n{{ if .X }}limit_req zone=a;{{ else }}limit_req zone=b;{{ end }}\n{{ .Extra }}\nlisten {{ .Port }};\n}", "1 a 1+0/0; 3 b 1+0/0; 3 undefined; 3? template"},
		{zoneA + "server {\nlimit_req zone=a;\n{% if x %}\nlocation /a { }\n{% else %}\nlocation /a { }\n{% endif %}\n}", "1 a 1+0/0; 4? template"},
		{zoneA + "server {\n  <%= auth -%>\nlimit_req zone=a;\n<%= port %> 80; }", "1 a 1+0/0; 3? template"},
		{zoneA + "server {\nroot /srv\nlimit_req zone=a; }", "1 unused; 3? limit_req"},
		{zoneA + "location / { limit_req zone=a; }", "1 a 1+0/0; 2 invalid"},
		{"server {\n" + zoneA + "limit_req zone=a; }", "2 a 1+0/0; 2 invalid"},
		{"stream { server { limit_req zone=a; } }", "1 invalid"},
		{"\ufeffhttp { " + zoneA + "server { limit_req zone=a; } }", "1 a 1+0/0; 1 invalid"},
		{zoneA + "server {\nserver_name ~^(?!a) ~^a;\nlocation ~ ^/(?!b) { } limit_req zone=a; }", "1 a 1+0/0; 3? server_name ~^(?!a) (a regular expression that is not read here); 4? location ~ ^/(?!b) (a regular expression that is not read here)"},
		{"no configuration", "f:1: is no configuration of a system that is read: envoyproxy/ratelimit, ingress-nginx, Envoy, Traefik, HAProxy, nginx"},
		{"server { location / { ", "f:1:23: unexpected end of file, expecting \"}\""},
	} {
		if got := said(t, c.text); got != c.want && c.want != "unexpected" {
			t.Errorf("%s\nsaid %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestInherited says where a limit that others inherit refuses with another status.
func TestInherited(t *testing.T) {
	c, err := Files([]File{{Name: "f", Text: []byte(zoneA + "limit_req zone=a;\nserver {\nlimit_req_status 429;\nlocation / { }\nlocation /b { limit_req_status 430; }\n}")}})
	if err != nil {
		t.Fatal(err)
	}
	c.Describe(1, false)
	for i, want := range []string{"503.\nAt every server, ", "429.\nAt server (line 3), stated at line 2.", "430.\nAt location /b (line 6), stated at line 2."} {
		if !strings.Contains(c.Rules[i].Sentence, want) {
			t.Errorf("%s\nwant %s", c.Rules[i].Sentence, want)
		}
	}
}

// TestUnkeyed says of a map whose value is another map, of another file, and of a geo of a
// header which requests have no key.
func TestUnkeyed(t *testing.T) {
	for maps, want := range map[string]string{
		"map $http_u $a { default $binary_remote_addr; ws \"\"; }\nmap $request_method $k { default $a; PUT \"\"; }": "that maps:2 of the map of $request_method fits, that fit no entry of the map of $request_method and that maps:1 of the map of $http_u fits",
		"geo $http_x $a { default 0; 10.0.0.0/8 1; }\nmap $a $k { 1 $binary_remote_addr; }":                          "whose $http_x is in no network of the geo",
		"geo $a { default 1; 10.0.0.0/8 0; }\nmap $a $k { 1 $binary_remote_addr; }":                                  "from 10.0.0.0/8",
	} {
		c, err := Files([]File{{Name: "f", Text: []byte("include maps;\nlimit_req_zone $k zone=a:1m rate=10r/s;\nlimit_req zone=a;")}, {Name: "maps", Text: []byte(maps)}})
		if want = "not limited, as they have no key: requests " + want; err != nil || c.Findings[0].Text != want {
			t.Errorf("%+v, %v\nwant %s", c, err, want)
		}
	}
}

// TestSameReading checks that comments, blanks, quotes and the split into files change
// nothing.
func TestSameReading(t *testing.T) {
	plain := zoneA + "server { server_name x; limit_req zone=a burst=5; location = /l { limit_req zone=b; } }"
	for _, same := range []string{
		strings.ReplaceAll(plain, " ", " \t "),
		strings.ReplaceAll(plain, "{", "{ # limit_req zone=z; }\n"),
		strings.ReplaceAll(strings.ReplaceAll(plain, "zone=a", `"zone=a"`), `"zone=a":1m`, `'zone=a:1m'`),
		strings.ReplaceAll(plain, "\n", "\r\n"),
	} {
		shape := func(text string) string {
			c, err := Files([]File{{Name: "f", Text: []byte(text)}})
			if err != nil {
				return err.Error()
			}
			var all []string
			for _, r := range c.Rules {
				all = append(all, fmt.Sprint(r.Name, r.AtOnce, r.Waiting, r.LongestMs, r.Counts, r.Status))
			}
			for _, f := range c.Findings {
				all = append(all, fmt.Sprint(f.Kind, f.Rule))
			}
			slices.Sort(all)
			return fmt.Sprint(all)
		}
		if got, want := shape(same), shape(plain); got != want {
			t.Errorf("%s\nis read as %s\nwant %s", same, got, want)
		}
	}
}

const ingressOf = `apiVersion: networking.k8s.io/v1
kind: Ingress
metadata:
  name: web
  annotations:
    %s
spec:
  rules:
  - host: example.com
    http: {paths: [{path: /api, pathType: Prefix}, {path: /x, pathType: Exact}]}
`

// TestIngress reads annotations.
func TestIngress(t *testing.T) {
	prefix := func(lines ...string) string {
		for i := range lines {
			lines[i] = "nginx.ingress.kubernetes.io/" + lines[i]
		}
		return fmt.Sprintf(ingressOf, strings.Join(lines, "\n    "))
	}
	for _, c := range []struct{ text, want string }{
		{prefix(`limit-rps: "10"`), "6 web rps 51+0/0"},
		{prefix(`limit-rpm: "7"`, `limit-burst-multiplier: "2"`), "6 web rpm 15+0/0; 6 rounded"},
		{prefix(`limit-rps: "10"`, `limit-whitelist: "10.0.0.0/8,1.2.3.4"`), "6 web rps 51+0/0; 6 unkeyed"},
		{prefix(`limit-rps: "10"`, `limit-allowlist: "mine"`), "7 invalid"},
		{prefix(`limit-rps: "10r/s"`), "6 invalid"},
		{prefix(`limit-rps: "0"`), "6 never-binds"},
		{prefix(`limit-rps: {{ .rps }}`, `limit-allowlist: "${ALLOW}"`), "6? limit-rps with a template; 7? limit-allowlist with a template"},
		{"apiVersion: v1\nkind: ConfigMap\ndata:\n  limit-req-status-code: {{ .code }}\n", "4? limit-req-status-code with a template"},
		{prefix(`limit-rps: "10"`, `limit-burst-multiplier: "0"`), "6 invalid"},
		{prefix(`limit-rps: "10"`, `limit-burst-multiplier: "2.5"`), "6 web rps 51+0/0; 7 rounded"},
		{prefix(`limit-rps: "1.5"`), "6 invalid"},
		{prefix(`limit-burst: "10"`, `limit-connections: "5"`), "6 never-binds; 7? limit-connections"},
		{prefix(`limit-rps: "10"`, `canary: "true"`), "7 unreached"},
		{prefix(`canary: "True"`, `server-alias: "a.example.com"`) + "---\n" + prefix(`limit-rps: "10"`), "18 web rps 51+0/0"},
		{prefix(`limit-rps: "10"`, `permanent-redirect: "https://x"`), "6 web rps 51+0/0; 6 unreached"},
		{prefix(`limit-rps: "10"`) + "---\nkind: ConfigMap\ndata: {use-forwarded-headers: 'true'}\n", "6 web rps 51+0/0; 6 loose-key; 13? use-forwarded-headers"},
		{prefix(`limit-rps: "10"`) + "---\nkind: ConfigMap\ndata: {enable-real-ip: 'true', proxy-real-ip-cidr: '10.0.0.0/8, 192.0.2.0/24'}\n", "6 web rps 51+0/0; 13? enable-real-ip"},
		{prefix(`limit-rps: "10"`) + "---\nkind: ConfigMap\ndata: {use-forwarded-headers: 'false', use-proxy-protocol: 'true'}\n", "6 web rps 51+0/0; 13? use-proxy-protocol"},
		{prefix(`configuration-snippet: "limit_req zone=a;"`), "6? configuration-snippet"},
		{prefix(`app-root: /`), ""},
		{strings.ReplaceAll(prefix(`limit-rps: "10"`), "nginx.ingress.kubernetes.io/limit-rps", "nginx.org/limit-req-rate"), "6? nginx.org/limit-req-rate"},
		{strings.ReplaceAll(prefix(`limit-rps: "10"`), "nginx.ingress.kubernetes.io/limit-rps", "ingress.kubernetes.io/limit-connections"), "6? ingress.kubernetes.io/limit-connections"},
		{fmt.Sprintf(ingressOf, "nginx.ingress.kubernetes.io/server-snippet: limit_req zone=a;\n    nginx.org/location-snippets: limit_req zone=a;") + "---\nkind: ConfigMap\ndata:\n  http-snippet: |\n    limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;\n    #\n", "6? server-snippet; 7? nginx.org/location-snippets; 15? http-snippet"},
		{"kind: ConfigMap\ndata:\n  http-snippets: |\n    limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;\n    #\n", "3? http-snippets"},
		{"apiVersion: v1\nkind: ConfigMap\ndata:\n  a.conf: |\n    server {\n      limit_req zone=a;\n    }\n", "6 a 1+0/0; 6 undefined"},
		{"apiVersion: v1\nkind: ConfigMap\ndata:\n  a.conf: \"server {\\n\\tlimit_req zone=a;\\n}\"\n", "2 a 1+0/0; 2 undefined"},
		{"apiVersion: v1\nkind: List\nitems:\n- kind: Ingress\n  metadata: {annotations: {nginx.ingress.kubernetes.io/limit-rps: '1'}}\n", "5 unused; 4? Ingress ingress"},
		{"apiVersion: v1\nkind: Ingress\nmetadata: {{ .Values.x }}\n\t", "f:4: found character that cannot start any token; it is a template: fill it in first"},
		{"apiVersion: v1\nkind: Deployment\n", "f:1: is no configuration of a system that is read: envoyproxy/ratelimit, ingress-nginx, Envoy, Traefik, HAProxy, nginx"},
	} {
		if got := said(t, c.text); got != c.want {
			t.Errorf("%s\nsaid %s\nwant %s", c.text, got, c.want)
		}
	}
}

const listener = `static_resources:
  listeners:
  - filter_chains:
    - filters:
      - typed_config:
          "@type": type.googleapis.com/envoy.extensions.filters.network.http_connection_manager.v3.HttpConnectionManager
          route_config:
            virtual_hosts:
            - name: all
              domains: ["*"]
              routes:
              - match: {prefix: /api}
                typed_per_filter_config:
                  envoy.filters.http.local_ratelimit:
                    "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
                    stat_prefix: api
                    token_bucket: {max_tokens: 20, tokens_per_fill: 10, fill_interval: 1s}
                    filter_enabled: {default_value: {numerator: 100, denominator: HUNDRED}}
                    filter_enforced: {default_value: {numerator: 50}}
          http_filters:
          - name: envoy.filters.http.local_ratelimit
            typed_config:
              "@type": type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit
              stat_prefix: top
              token_bucket: {max_tokens: 5, fill_interval: 0.01s}
          - name: envoy.filters.http.ratelimit
            typed_config: {"@type": type.googleapis.com/envoy.extensions.filters.http.ratelimit.v3.RateLimit}
`

// TestEnvoy reads local rate limits of Envoy, Istio, Envoy Gateway and kgateway.
func TestEnvoy(t *testing.T) {
	gateway := func(rules string) string {
		return "apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: p}\nspec:\n  targetRefs: [{kind: HTTPRoute, name: r}]\n  rateLimit:\n    type: Local\n    local:\n      rules:\n" + rules
	}
	const traffic = "kind: TrafficPolicy\nmetadata: {name: k}\nspec:\n  rateLimit:\n    local:\n      tokenBucket: {maxTokens: 7, %s\n"
	for _, c := range []struct{ text, want string }{
		{strings.Replace(strings.Replace(listener, "stat_prefix: api", "<<: *b", 1), "static_resources:", "x: &b {stat_prefix: merged}\nstatic_resources:", 1), "18 merged 20+0/0; 26 top 5+0/0; 16 invalid; 26 invalid; 26 never-binds; 26 replaced; 20? filter_enforced; 28? ratelimit"},
		{listener, "17 api 20+0/0; 25 top 5+0/0; 25 invalid; 25 never-binds; 25 replaced; 19? filter_enforced; 27? ratelimit"},
		{strings.ReplaceAll(listener, "stat_prefix: api\n                    token_bucket", "stat_prefix: api\n                    bucket"), "25 top 5+0/0; 25 invalid; 25 never-binds; 17? bucket of local_ratelimit; 27? ratelimit"},
		{"apiVersion: v1\nkind: EnvoyFilter\nspec:\n  configPatches:\n  - patch:\n      value:\n        typed_config:\n          '@type': type.googleapis.com/udpa.type.v1.TypedStruct\n          type_url: type.googleapis.com/envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit\n" +
			"          value: {tokenBucket: {maxTokens: 0, tokensPerFill: 1, fillInterval: 60s}, filterEnabled: {defaultValue: {numerator: 100}}, filterEnforced: {defaultValue: {numerator: 100}},\n            descriptors: [{entries: [{key: path, value: /a}], tokenBucket: {maxTokens: 3, fillInterval: 60s}},\n" +
			"              {entries: [{key: path, value: /a}, {key: remote_address}], tokenBucket: {maxTokens: 2, fillInterval: 60s}}]}\n",
			"10 local_ratelimit 0+0/0; 11 local_ratelimit path=/a 3+0/0; 12 local_ratelimit path=/a,remote_address 2+0/0; 10 invalid; 12 forgotten"},
		{gateway("      - {limit: {requests: 10, unit: Hour}}\n      - {limit: {requests: 10, unit: Weekly}}\n      - {clientSelectors: [{headers: [{name: x, value: y}]}], limit: {requests: 0, unit: Day}, shadowMode: true}\n"),
			"10 p rule 1 10+0/0; 11 p rule 2 10+0/0; 12 p rule 3 0+0/0; 11 invalid; 11 invalid; 12 counts-only"},
		{gateway("      - {limit: {requests: 9, unit: Week}, xRateLimitHeaders: Off}\n      - {clientSelectors: [{headers: [{name: x, value: y}]}], limit: {requests: 3, unit: Minute}}\n"),
			"10 p rule 1 9+0/0; 11 p rule 2 3+0/0; 11 invalid"},
		{gateway("      - {clientSelectors: [{sourceCIDR: {value: '{{ .c }}'}, headers: [{name: x, type: RegularExpression, value: '{{ ( }}'}]}], limit: {requests: 3, unit: Minute}}\n"), "10 p rule 1 3+0/0"},
		{strings.Split(gateway(""), "    local:")[0], "7 invalid"},
		{strings.Replace(listener, "          - name: envoy.filters.http.local_ratelimit\n", "          - name: envoy.filters.http.local_ratelimit\n            disabled: true\n", 1), "17 api 20+0/0; 19? filter_enforced; 21? local_ratelimit that is disabled; 28? ratelimit"},
		{strings.Replace(listener, "match: {prefix: /api}", "route: {rateLimits: []}", 1), "17 api 20+0/0; 25 top 5+0/0; 25 invalid; 25 never-binds; 25 replaced; 12? rate_limits; 19? filter_enforced; 27? ratelimit"},
		{strings.ReplaceAll(listener, "http.ratelimit", "http.adaptive_concurrency"), "17 api 20+0/0; 25 top 5+0/0; 25 invalid; 25 never-binds; 25 replaced; 19? filter_enforced; 27? adaptive_concurrency"},
		{strings.NewReplacer("20, tokens", "'${MAX}', tokens", "0.01s", "'${I}s'").Replace(listener), "17 api -1+0/0; 25 top 5+0/0; 25 never-binds; 25 replaced; 17? max_tokens with a template; 19? filter_enforced; 25? fill_interval with a template; 27? ratelimit"},
		{"policies:\n- " + strings.ReplaceAll(gateway("      - {limit: {requests: 10, unit: Hour}}\n"), "\n", "\n  "), "11 p rule 1 10+0/0"},
		{gateway("      - {limit: {requests: {{ .n }}, unit: Hour}}\n"), "10 p rule 1 -1+0/0; 10? requests with a template"},
		{gateway("      - {clientSelectors: [{headers: [{name: x, type: Distinct}]}], limit: {requests: 3, unit: Second}}\n"), "10 p rule 1 3+0/0; 10 loose-key; 10 unkeyed"},
		{"apiVersion: gateway.kgateway.dev/v1alpha1\nkind: TrafficPolicy\nmetadata: {name: k}\nspec:\n  rateLimit:\n    global: {}\n    local:\n      tokenBucket: {maxTokens: 7, tokensPerFill: 2, fillInterval: 1m}\n", "8 k 7+0/0; 6? global rate limit of k"},
		{fmt.Sprintf(traffic, "fillInterval: 1m}\n      percentEnforced: 0"), "6 k 7+0/0; 6 never-binds"},
		{fmt.Sprintf(traffic, "fillInterval: 1m}\n      percentEnabled: 100\n      percentEnforced: 40"), "6 k 7+0/0; 8? percentEnforced"},
		{fmt.Sprintf(traffic, "tokenPerFill: 3, fillInterval: 1m}"), "6 k 7+0/0; 6? tokenPerFill of a token bucket"},
		{gateway("      - {limit: {requests: 10, unit: Hour, fromMetadata: {key: x}}}\n"), "10 p rule 1 10+0/0; 10 invalid; 10? fromMetadata of a limit"},
		{gateway("      - {limit: {requests: 10, unit: Month}}\n"), "10 p rule 1 10+0/0"},
		{gateway("      - {limit: {requests: 10, unit: Hour}, cost: {request: {number: 5}}}\n      - {clientSelectors: [{header: [], headers: [{name: x, value: z, key: y}]}], limit: {requests: 0, unit: Year, units: x}}\n"),
			"10 p rule 1 10+0/0; 11 p rule 2 0+0/0; 11 refuses-all; 10? cost of a rule; 11? header of a selector; 11? key of a header; 11? units of a limit"},
	} {
		if got := said(t, c.text); got != c.want {
			t.Errorf("%s\nsaid %s\nwant %s", c.text, got, c.want)
		}
	}
}

// TestGatewayPolicies reads policies that are in force in part.
func TestGatewayPolicies(t *testing.T) {
	policy := func(name, with string) string {
		return "---\nkind: BackendTrafficPolicy\nmetadata: {name: " + name + "}\nspec: {" + with + "local: {rules: [{limit: {requests: 5, unit: Hour}}]}}}\n"
	}
	for _, c := range []struct{ text, want string }{
		{policy("a", "rateLimit: {") + policy("b", "mergeType: StrategicMerge, rateLimit: {"), "4 a rule 1 5+0/0; 8 b rule 1 5+0/0; 6? several BackendTrafficPolicies; 8? mergeType of b"},
		{policy("a", "rateLimit: {type: Global, "), "4? local of a"},
		{"kind: TrafficPolicy\nmetadata: {name: k}\nspec: {rateLimit: {local: {}}}\n", "3? local of k without limits"},
	} {
		if got := said(t, c.text); got != c.want {
			t.Errorf("%s\nsaid %s\nwant %s", c.text, got, c.want)
		}
	}
	c, err := Files([]File{{Name: "f", Text: []byte("kind: BackendTrafficPolicy\nspec:\n  targetSelectors: [{kind: HTTPRoute}]\n  rateLimit: {local: {rules: [{clientSelectors: [{methods: [{value: GET, invert: true}], queryParams: [{name: q, type: Distinct}, {name: s, value: t}]}], limit: {requests: 5, unit: Hour}}]}}\n")}})
	want := "each value of the query parameter q with the query parameter s of line 4 and without the method GET, each route of HTTPRoute with the labels of line 3, which has buckets of its own"
	if err != nil || c.Rules[0].Counts+", "+c.Rules[0].Uses[0].Where != want || !c.Has(check.LooseKey) {
		t.Errorf("%+v, %v, want %s", c, err, want)
	}
}

// TestGatewayRefuses reads selectors that Envoy Gateway refuses.
func TestGatewayRefuses(t *testing.T) {
	for _, selector := range []string{"", "headers: [{name: x, type: Distinct, invert: true}]", "headers: [{name: x, type: Distinct, value: a}]", "queryParams: [{name: x}]",
		"headers: [{name: x, type: RegularExpression, value: '*.a'}]", "sourceCIDR: {value: 1.2.3.4}"} {
		got := said(t, "kind: BackendTrafficPolicy\nspec:\n  rateLimit:\n    local:\n      rules:\n      - {clientSelectors: [{"+selector+"}], limit: {requests: 3, unit: Minute}}\n")
		if !strings.Contains(got, "; 6 invalid") {
			t.Errorf("%s: %s", selector, got)
		}
	}
}

// TestHelm reads annotations and options in values of Helm.
func TestHelm(t *testing.T) {
	const values = "ingress:\n  annotations:\n    nginx.ingress.kubernetes.io/limit-rps: \"10\"\n    nginx.ingress.kubernetes.io/limit-connections: \"2\"\n"
	for _, c := range []struct{ text, want string }{
		{values, "3 ingress rps 51+0/0; 4? limit-connections"},
		{"apiVersion: helm.toolkit.fluxcd.io/v2\nkind: HelmRelease\nspec:\n  values:\n    " + strings.ReplaceAll(values, "\n", "\n    "), "7 ingress rps 51+0/0; 8? limit-connections"},
		{"apiVersion: v1\nkind: Service\nmetadata:\n  annotations:\n    nginx.ingress.kubernetes.io/limit-rps: \"10\"\n", ""},
	} {
		if got := said(t, c.text); got != c.want {
			t.Errorf("%s\nsaid %s\nwant %s", c.text, got, c.want)
		}
	}
	c, err := Files([]File{{Name: "f", Text: []byte("controller: {config: {\n  limit-req-status-code: \"429\" }}\n" + values + "  hosts:\n  - host: a.com\n    paths: [{path: /x, pathType: Exact}]\n  - b.com\n")}})
	if err != nil {
		t.Fatal(err)
	}
	var places []string
	for _, u := range c.Rules[0].Uses {
		places = append(places, u.Where)
	}
	if got := strings.Join(places, "; "); got != "a.com /x (line 9); b.com / (line 10)" || c.Rules[0].Status != 429 {
		t.Errorf("refuses with %d at %s", c.Rules[0].Status, got)
	}
	if c, err = Files([]File{{Name: "f", Text: []byte(values)}}); err != nil || c.Rules[0].Uses[0].Where != "any host / (line 2)" {
		t.Errorf("read %+v, %v", c, err)
	}
}

// TestInverted says of conditions of Envoy Gateway that they must not hold.
func TestInverted(t *testing.T) {
	c, err := Files([]File{{Name: "f", Text: []byte("apiVersion: gateway.envoyproxy.io/v1alpha1\nkind: BackendTrafficPolicy\nmetadata: {name: p}\nspec: {rateLimit: {type: Local, local: {rules: [{limit: {requests: 1, unit: Hour}, clientSelectors: [\n" +
		"{headers: [{name: x, value: y, invert: true}], sourceCIDR: {value: 10.0.0.0/8, invert: true}, path: {value: /a, invert: true}}]}]}}}\n")}})
	if err != nil {
		t.Fatal(err)
	}
	want := "all requests of a route together without the header x of line 5 and without an address in 10.0.0.0/8 and without the path of line 5"
	if got := c.Rules[0].Counts; got != want {
		t.Errorf("said %s\nwant %s", got, want)
	}
}

// TestPatchedRoutes reads a bucket that Istio puts into some routes: no log shows which.
func TestPatchedRoutes(t *testing.T) {
	const text = `kind: EnvoyFilter
spec:
  configPatches:
  - applyTo: HTTP_ROUTE
    match: {routeConfiguration: {name: http.8080, vhost: {name: "a:80", route: {name: login}}}}
    patch:
      value: {typed_per_filter_config: {x: {"@type": envoy.extensions.filters.http.local_ratelimit.v3.LocalRateLimit, token_bucket: {max_tokens: 5, fill_interval: 1s}}}}
`
	c, err := Files([]File{{Name: "f", Text: []byte(text)}})
	if err != nil || len(c.Rules) != 1 || c.Rules[0].Uses[0].Where != "route configuration http.8080, virtual host a:80, route login" || c.Rules[0].Of.Value != nil {
		t.Errorf("read %+v, %v", c, err)
	}
	c, err = Files([]File{{Name: "f", Text: []byte(strings.Replace(text, "{name: login}", "{action: ANY}", 1))}})
	if err != nil || c.Rules[0].Uses[0].Where != "route configuration http.8080, virtual host a:80, each route, which has a bucket of its own" || c.Rules[0].Of.Value != nil {
		t.Errorf("read %+v, %v", c, err)
	}
}

// TestEnvoyStatus reads statuses of refusals as numbers and as names.
func TestEnvoyStatus(t *testing.T) {
	for code, want := range map[string]int{"503": 503, "ServiceUnavailable": 503, "TooManyRequests": 429, "OK": 429, "200": 429, "URITooLong": 414, "Teapot": 429} {
		c, err := Files([]File{{Name: "f", Text: []byte(strings.Replace(listener, "stat_prefix: api", "status: {code: "+code+"}", 1))}})
		if err != nil || c.Rules[0].Status != want || strings.Contains(fmt.Sprint(c.NotJudged), "status") != (code == "Teapot") {
			t.Errorf("%s: %+v, %v", code, c, err)
		}
	}
}

// TestRateLimitService reads limits of envoyproxy/ratelimit.
func TestRateLimitService(t *testing.T) {
	for _, c := range []struct{ descriptors, want string }{
		{"- {key: a, rate_limit: {unit: second, requests_per_unit: 5}}", "3 a 5+0/0"},
		{"- {key: a, value: b, descriptors: [{key: c, rate_limit: {unit: DAY, requests_per_unit: 5}}]}", "3 a_b.c 5+0/0"},
		{"- {key: a, rate_limit: {unit: hour, requests_per_unit: 0}}", "3 a 0+0/0; 3 refuses-all"},
		{"- {key: a, shadow_mode: true, rate_limit: {unit: hour, requests_per_unit: 2}}", "3 a 2+0/0; 3 counts-only"},
		{"- {key: a, rate_limit: {unlimited: true}}\n- {key: b}", "3 never-binds; 4 never-binds"},
		{"- {key: a, value: x*, rate_limit: {unit: hour, requests_per_unit: 2}}\n- {key: a, value: xy*, rate_limit: {unit: hour, requests_per_unit: 3}}", "3 a_x* 2+0/0; 4 a_xy* 3+0/0; 4 unreached"},
		{"- {key: a, rate_limit: {unit: hour, requests_per_unit: 2, replaces: [{name: b}]}}", "3 a 2+0/0; 3 undefined"},
		{"- {key: b, rate_limit: &l {unit: hour, requests_per_unit: 2}}\n- {key: a, rate_limit: {<<: *l, requests_per_unit: 1}}", "3 b 2+0/0; 4 a 1+0/0"},
		{"- {key: a, quota_mode: true, rate_limit: {unit: hour, requests_per_unit: 2}}", "3 a 2+0/0"},
		{"- {key: a, rate_limit: {unit: hour, requests_per_unit: 1_000, shadow_mode: true}}", "3 a 1000+0/0; 3? shadow_mode inside rate_limit"},
		{"- {key: a, rate_limit: {unlimited: yes}}\n- {key: b, rate_limit: }", "3 never-binds; 4 never-binds"},
		{"- {key: a, value: x*y, rate_limit: {unit: hour, requests_per_unit: 2}}", "3 a_x*y 2+0/0; 3? value with * inside"},
		{"- {key: a, value: \"*\", rate_limit: {unit: hour, requests_per_unit: 2}}\n- {key: a, rate_limit: {unit: hour, requests_per_unit: 3}}", "3 a_* 2+0/0; 4 a 3+0/0; 4 unreached"},
		{"- {key: a, rate_limit: {unit: day, requests_per_unit: {{ .n }}}}\n- {key: b, value: '${B}'}", "3 a -1+0/0; 3? requests_per_unit with a template; 4? value with a template"},
		{"- {key: a, rate_limit: {unit: '${U}', requests_per_unit: 5, replaces: [{name: '${N}'}]}}\n- {key: b, rate_limit: {{ .b }}}", "3 a -1+0/0; 4 b -1+0/0; 3? unit with a template; 3? name with a template; 4? rate_limit with a template"},
		// What the loader refuses.
		{"- {key: a, rate_limit: {unit: fortnight, requests_per_unit: 5}}", "3 invalid"},
		{"- {key: a, rate_limit: {unit: day, unlimited: true}}", "3 invalid"},
		{"- {key: a, rate_limit: {unit: day, requests_per_unit: -1}}", "3 invalid"},
		{"- {key: a, limit: 3}", "3 invalid; 3 never-binds"},
		{"- {value: a}", "3 invalid"},
		{"- {key: a, rate_limit: {unit: day, requests_per_unit: \"5\"}}", "3 a 5+0/0; 3 invalid"},
		{"- {key: a, value: 1.5, rate_limit: {unit: day, requests_per_unit: 5}}", "3 a_1.5 5+0/0; 3 invalid"},
		{"  {key: a, rate_limit: {unit: day, requests_per_unit: 5}}", "3 invalid"},
		{"- {key: a, metadata: {x: 1}, rate_limit: {unit: day, requests_per_unit: 5}}", "3 a 5+0/0; 3 invalid"},
		{"- {key: a, rate_limit: {unit: day, requests_per_unit: 5, replaces: {name: q}}}", "3 a 5+0/0; 3 invalid"},
		{"- {key: a, value: b}\n- {key: a_b}", "3 never-binds; 4 invalid"},
		{"- {key: a, share_threshold: true, value: b}", "3 invalid; 3 never-binds"},
		{"- {key: a, share_threshold: true, value: b*c}", "3 invalid; 3 never-binds; 3? value with * inside"},
		{"- {key: a, rate_limit: {name: n, unit: day, requests_per_unit: 1, replaces: [{name: n}]}}", "3 a 1+0/0; 3 invalid"},
		{"- {key: a, rate_limit: {unit: day, requests_per_unit: 1, replaces: [{}]}}", "3 a 1+0/0; 3 invalid"},
		{"- text", "3 invalid; 3 invalid"},
	} {
		if got := said(t, "domain: d\ndescriptors:\n"+c.descriptors); got != c.want {
			t.Errorf("%s\nsaid %s\nwant %s", c.descriptors, got, c.want)
		}
	}
	for domain, want := range map[string]string{"''": "1 invalid", "{{ .d }}": "1? domain with a template"} {
		if got := said(t, "domain: "+domain+"\ndescriptors: []"); got != want {
			t.Errorf("domain %s: said %s, want %s", domain, got, want)
		}
	}
}

// TestTraefik reads files, resources and labels of Traefik.
func TestTraefik(t *testing.T) {
	middleware := func(spec string) string {
		return "apiVersion: traefik.io/v1alpha1\nkind: Middleware\nmetadata: {name: m}\nspec:\n  rateLimit:\n    " + spec + "\n"
	}
	for _, c := range []struct{ text, want string }{
		{middleware("average: 100\n    burst: 50"), "6 m 50+0/5"},
		{middleware("average: 1\n    burst: 100"), "6 m 100+0/500; 6 forgotten"},
		{middleware("average: 6\n    period: 1m\n    burst: 2"), "6 m 2+0/500; 6 forgotten"},
		{middleware("average: 1\n    burst: 2\n    redis: {}"), "6 m 2+0/500"},
		{middleware("average: 1\n    burst: 3\n    redis: {}"), "6 m 3+0/500; 6 forgotten"},
		{middleware("average: 6\n    period: 1m"), "6 m 1+0/500"},
		{middleware("burst: 5"), "6 never-binds"},
		{middleware("average: -5\n    burst: -5"), "6 never-binds"},
		{middleware("average: 5\n    burst: -5"), "6 m 1+0/100"},
		{middleware("average: many"), "6 invalid"},
		{middleware("average: 5\n    sourceCriterion: {requestHeaderName: X-Key}"), "6 m 1+0/100; 7 loose-key"},
		{middleware("average: 5\n    sourceCriterion: {ipStrategy: {depth: two}}"), "6 m 1+0/100; 7 invalid"},
		{middleware("average: 5\n    sourceCriterion: {ipStrategy: {depth: null, excludedIPs: null}}"), "6 m 1+0/100"},
		{middleware("average: 5\n    sourceCriterion: {requestHost: true, ipStrategy: {depth: 1}}"), "6 m 1+0/100; 6 invalid; 7 loose-key"},
		{middleware("average: 5\n    sourceCriterion: {ipStrategy: {ipv6Subnet: 129}}"), "6 m 1+0/100; 6 invalid"},
		{"http:\n  routers:\n    r: {middlewares: [a, gone]}\n  middlewares:\n    a: {rateLimit: {average: 10}}\n    b: {rateLimit: {average: 10}}\n    c: {inFlightReq: {amount: 3}}\n", "5 a 1+0/50; 6 b 1+0/50; 3 undefined; 6 unused; 7? inFlightReq"},
		{"services:\n  app:\n    labels:\n    - traefik.http.middlewares.l.ratelimit.average=20\n    - \"traefik.http.middlewares.l.rateLimit.burst=40\"\n    - traefik.http.routers.r.middlewares=l@docker,other\n", "4 l 40+0/25; 4 forgotten; 6 undefined"},
		{"services:\n  app:\n    command: [--entrypoints.web.http.middlewares=e@docker]\n    labels:\n    - traefik.http.middlewares.l.ratelimit.average=20\n    - traefik.http.middlewares.e.ratelimit.average=20\n    - traefik.http.middlewares.c.chain.middlewares=l,other\n    - traefik.http.routers.r.middlewares=c\n    - traefik.http.middlewares.other.compress=true\n", "5 l 1+0/25; 6 e 1+0/25"},
		{"x: &x {average: 3, burst: 4}\ny: &y {burst: 5}\nhttp:\n  middlewares:\n    a: {rateLimit: {<<: [*y, *x]}}\n    b: {rateLimit: {burst: 6, <<: *x}}\n    c: {rateLimit: &c {<<: *c, average: 3}}\n", "5 a 5+0/166; 6 b 6+0/166; 7 c 1+0/166; 5 forgotten; 6 forgotten"},
		{"services:\n  app:\n    labels:\n      traefik.http.middlewares.l.ratelimit.average: '20'\n", "4 l 1+0/25"},
		{middleware("average: ${AVG:-50}\n    burst: {{ .burst }}\n    sourceCriterion: {requestHeaderName: '${h}'}"), "6 m -1+0/0; 6? average with a template; 7? burst with a template; 8? requestHeaderName with a template"},
		{"services:\n  app:\n    labels:\n    - traefik.http.middlewares.l.ratelimit.average=20\n    - traefik.tcp.middlewares.t.inflightconn.amount=3\n", "4 l 1+0/25; 5? inFlightConn"},
		{"services:\n  app:\n    labels: ['traefik.http.middlewares.{{ .Name }}.ratelimit.average=20']\n", "3 {{ .Name }} 1+0/25"},
		{"http:\n  Middlewares:\n    a: {ratelimit: {Average: 5, BURST: 3}}\n    b: {inflightreq: {amount: 3}}\n    c: {inFlightConn: {amount: 3}}\n    d: {plugin: {clusterRatelimit: {average: 3}}}\n",
			"3 a 3+0/100; 4? inFlightReq; 5? inFlightConn; 6? plugin clusterRatelimit"},
		{middleware("avarage: 10\n    sourceCriterion: {requestHost: true, ipStrategies: {}}"), "6 never-binds; 6? avarage of rateLimit; 7? ipStrategies of rateLimit"},
		{"services:\n  app:\n    labels:\n    - traefik.http.middlewares.l.ratelimit.average=20\n    - traefik.http.middlewares.l.ratelimit.sourcecriterion.ipstrategy.depht=2\n", "4 l 1+0/25; 5? depht of rateLimit"},
		{"http:\n  routers:\n    r: {middlewares: [gone@file, m@docker]}\n  middlewares: {a: {rateLimit: {average: 10}}}\n", "4 a 1+0/50; 3 undefined; 4 unused; 3? middlewares @docker"},
		{"# docker run --label traefik.http.middlewares.old.ratelimit.average=5\ndocker run --label traefik.http.middlewares.l.ratelimit.average=20 x\n", "2 l 1+0/25"},
		{"service {\n  tags = [\n    \"traefik.http.middlewares.l.rateLimit.average=20\", 'traefik.http.routers.r.middlewares=l@nomad,x@swarm,y@file'\n  ]\n}\n", "3 l 1+0/25; 3 undefined; 3? middlewares @file"},
		{"[http.routers]\n[http.middlewares.m.rateLimit]\naverage = 3\n", "2? TOML"},
	} {
		if got := said(t, c.text); got != c.want {
			t.Errorf("%s\nsaid %s\nwant %s", c.text, got, c.want)
		}
	}
}

// FuzzFiles reads any text: it returns a configuration, or an error with a position.
func FuzzFiles(f *testing.F) {
	for _, s := range statements {
		f.Add([]byte(fmt.Sprintf(aroundHTTP, "/tmp", s.text)))
	}
	f.Add([]byte(fmt.Sprintf(ingressOf, "nginx.ingress.kubernetes.io/limit-rps: '1'")))
	f.Add([]byte(listener))
	f.Add([]byte("http: {middlewares: {a: {rateLimit: {average: 1, period: x}}}, labels: [traefik.http.middlewares.l.ratelimit.average=1]}"))
	for _, s := range haproxyStatements {
		f.Add([]byte(fmt.Sprintf(aroundFrontend, "x") + s.text))
	}
	f.Add([]byte("domain: d\ndescriptors:\n- {key: a, value: b*, share_threshold: true, rate_limit: {unit: day, requests_per_unit: 3, replaces: [{name: x}]}, descriptors: [{key: c}]}"))
	f.Add([]byte("server { location ~ ( { limit_req zone=a; } }"))
	f.Add([]byte("geo $a { ranges; } map $a $b { ~( x; } limit_req_zone $b$b zone=a:1m rate=1r/s; server { limit_req zone=a; }"))
	f.Add([]byte("http { include *; limit_req_zone $b_x zone=a:1m rate=${R}; } {% {{ <% }"))
	f.Fuzz(func(t *testing.T, text []byte) {
		c, err := Files([]File{{Name: "-", Text: text}})
		var wrong *SyntaxError
		switch {
		case err != nil && (!errors.As(err, &wrong) || wrong.Line < 1):
			t.Errorf("%v has no position", err)
		case err == nil:
			c.Describe(2, false)
			field := func(string) string { return "/a?b=c" }
			if c.Choose != nil {
				c.Choose(field)
			}
			for _, r := range c.Rules {
				if r.Of.Value != nil {
					r.Of.Value(field)
				}
			}
		}
	})
}

// TestLongLine reads 2 MB on one line.
func TestLongLine(t *testing.T) {
	for _, part := range []string{"limit_req zone=a; ", "a {{", "a <%", "$", "x", "{", "a{#", "'a' ", "\\"} {
		c, err := Files([]File{{Name: "f", Text: []byte("server { listen 80; " + strings.Repeat(part, 2<<20/len(part)))}})
		if err == nil {
			t.Errorf("%q: read as %d rules", part, len(c.Rules))
		}
	}
}

// TestLongWords checks that nginx reads no longer words, and that those of any system are not
// quoted whole.
func TestLongWords(t *testing.T) {
	long := strings.Repeat("x", 4000)
	for _, text := range []string{
		"limit_req_zone $http_" + long + " zone=" + long + ":1m rate=1r/s; limit_req zone=" + long + " burst=1;",
		"limit_req_zone $uri zone=a:1m rate=" + long + ";",
		"limit_conn " + long + ";\nlimit_" + long + " x;",
		"http: {middlewares: {a: {rateLimit: {average: " + long + "}}}}\n",
	} {
		c, err := Files([]File{{Name: "f", Text: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		said := fmt.Sprintf("%+v %+v", c.Findings, c.NotJudged)
		for _, r := range c.Rules {
			said += r.Name + r.Key + r.Counts + r.Rate
		}
		if strings.Contains(said, long[:1000]) {
			t.Errorf("a long word is quoted whole: %s", said)
		}
		if _, err := Files([]File{{Name: "f", Text: []byte(strings.ReplaceAll(text, long, long+long))}}); strings.HasPrefix(text, "limit") && err == nil {
			t.Errorf("%.20s with words that nginx does not read is read", text)
		}
	}
}

// TestSecrets checks that nothing of a file is quoted but the lines of rules.
func TestSecrets(t *testing.T) {
	const text = "map $http_authorization $k {\ndefault $binary_remote_addr;\n\"Bearer SECRET\" \"\"; SECRET2 all; ~SECRET( x; }\nlimit_req_zone $k zone=a:1m rate=1r/s;\nlimit_req zone=a;\n" +
		"server { set $a SECRET; proxy_set_header X SECRET; location / { content_by_lua_block { limit('SECRET') } } }"
	proxy := "frontend f\n  mode http\n  http-request allow if { req.hdr(x-key) SECRET } or !{ cook(a) -m beg SECRET } { url_param(b) SECRET }\n" + tracks + "  http-request deny if { sc0_http_req_rate gt 3 } { hdr(x-key) SECRET }\n"
	for _, text := range []string{text, strings.Replace(text, "SECRET(", "x", 1), proxy} {
		c, err := Files([]File{{Name: "f", Text: []byte(text)}})
		if err != nil {
			t.Fatal(err)
		}
		c.Describe(1, false)
		if said := fmt.Sprintf("%+v %+v %+v", c.Rules, c.Findings, c.NotJudged); strings.Contains(said, "SECRET") || strings.Contains(said, "secret") {
			t.Errorf("a secret is printed: %s", said)
		}
	}
}
