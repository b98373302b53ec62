package read

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"gopkg.in/yaml.v3"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
)

// ingress turns annotations of Ingresses into directives of nginx, as the controller
// ingress-nginx does (v1.15.1, internal/ingress/annotations/ratelimit and the template).
type ingress struct {
	*nginx
	block   []*directive // of http
	servers map[string]*ingressServer
	hosts   []string
	key     string
}

// ingressServer holds the paths of a host.
type ingressServer struct {
	directive *directive
	paths     []*ingressPath
	given     map[[2]string]bool // paths with their kinds
	aliases   []string           // of the first Ingress that gives some
	regexps   bool
}

type ingressPath struct {
	check.Position
	path, kind string
	block      []*directive
	name       string
}

const nginxPrefix = "nginx.ingress.kubernetes.io/"

var ingressKind = newSign(`^[ \t"-]*kind"?[ \t]*:[ \t"']*Ingress(?:List)?["']?[ \t,\r]*$`, "Ingress")

// controllerOption matches the options of the controller that are read.
var controllerOption = newSign(`^[ \t"]*(?:limit-req-status-code|limit-conn-zone-variable|use-forwarded-headers|enable-real-ip|[a-z]+-snippets?)"?[ \t]*:`, "limit-", "use-forwarded-headers", "enable-real-ip", "-snippet")

// limitAnnotation matches the annotations of limits, which stand in values of Helm, too.
var limitAnnotation = newSign(`^[ \t"']*nginx\.ingress\.kubernetes\.io/limit-(?:rps|rpm|connections)["']?[ \t]*:`, nginxPrefix+"limit-")

// isIngress reports whether a text holds an Ingress, or options of the controller.
func isIngress(text []byte) bool {
	return limitAnnotation.Match(text) || controllerOption.Match(text) || isKubernetes.Match(text) && ingressKind.Match(text)
}

// isSnippet reports whether a name is that of directives of nginx, which ingress controllers
// put into what they write.
func isSnippet(name string) bool { return strings.HasSuffix(strings.TrimSuffix(name, "s"), "-snippet") }

func readIngress(files []File) (*check.Config, error) {
	g := &ingress{nginx: newNginx(files), servers: map[string]*ingressServer{}, key: "$binary_remote_addr"}
	g.system = "ingress-nginx"
	each, err := lists.Try(files, documents)
	if err != nil {
		return nil, err
	}
	docs := slices.Concat(each...)
	for _, d := range docs {
		if data := d.get("data"); d.get("kind").text() == "ConfigMap" {
			g.options(data)
		}
	}
	for _, d := range docs {
		switch d.get("kind").text() {
		case "Ingress":
			g.ingress(d)
		case "ConfigMap":
		default:
			g.values(d, "values", 0)
		}
	}
	for _, host := range g.hosts {
		s := g.servers[host]
		if names := lists.Where(s.aliases, func(alias string) bool { return g.servers[alias] == nil }); len(names) > 0 {
			s.directive.block = append(s.directive.block, made(s.directive.Position, append([]string{"server_name"}, names...)...))
		}
		g.block = append(g.block, s.finish())
	}
	if g.servers[""] == nil {
		g.unnamed = g.http // no limits apply there
	}
	if err := g.walk(g.block, inHTTP, g.http); err != nil {
		return nil, err
	}
	g.conclude()
	return g.c, nil
}

// options reads the ConfigMap of the controller.
func (g *ingress) options(data node) {
	if status := data.get("limit-req-status-code"); status.Node != nil && !g.unfilled("limit-req-status-code", status) {
		g.block = append(g.block, made(status.position(), "limit_req_status", status.text()))
	}
	g.realIP(data)
	g.key = cmp.Or(data.get("limit-conn-zone-variable").text(), g.key)
	data.each(func(key, value node) {
		name := key.text()
		if why := map[string]string{"limit-rate": "bandwidth", "limit-rate-after": "bandwidth", "enable-modsecurity": "rules of a WAF"}[name]; why != "" {
			g.name(name, why, value.position())
		}
		if isSnippet(name) && strings.Contains(value.text(), "limit_") {
			g.name(name, "directives of nginx in a snippet", value.position())
		}
	})
}

// realIP notes where the controller takes the address of a client from, and whom it believes.
func (g *ingress) realIP(data node) {
	trusted := cmp.Or(data.get("proxy-real-ip-cidr").text(), "0.0.0.0/0")
	for _, option := range []string{"use-proxy-protocol", "use-forwarded-headers", "enable-real-ip"} {
		if n := data.get(option); holds(n) && g.header == nil {
			g.header = made(n.position(), option)
			if option != "use-proxy-protocol" && strings.Contains(trusted, "/0") {
				g.anyone = g.header
			}
		}
	}
}

// values reads options and annotations in values of Helm, wherever they stand. Hosts with
// their paths stand beside annotations, as helm create writes them. name is that of n.
func (g *ingress) values(n node, name string, depth int) {
	if n.Node == nil || depth > maxDepth {
		return
	}
	for _, item := range n.list() {
		g.values(item, name, depth+1)
	}
	n.each(func(key, value node) {
		limited := false
		value.each(func(annotation, _ node) {
			limited = limited || strings.HasPrefix(annotation.text(), nginxPrefix+"limit-")
		})
		switch {
		case key.text() == "config":
			g.options(value)
		case key.text() == "annotations" && limited && name != "metadata":
			ingress := mapping("metadata", mapping("name", text(name), "annotations", value.Node), "spec", hostsOf(n))
			ingress.Line = key.Line
			g.ingress(node{ingress, n.file, n.via})
		default:
			g.values(value, key.text(), depth+1)
		}
	})
}

// hostsOf returns the spec of an Ingress with the hosts of its values, or with any host.
func hostsOf(n node) *yaml.Node {
	rules := &yaml.Node{Kind: yaml.SequenceNode}
	for _, h := range n.get("hosts").list() {
		if paths := h.get("paths").Node; paths != nil {
			rules.Content = append(rules.Content, mapping("host", text(h.get("host").text()), "http", mapping("paths", paths)))
		} else {
			rules.Content = append(rules.Content, mapping("host", text(cmp.Or(h.get("host").text(), h.text()))))
		}
		rules.Content[len(rules.Content)-1].Line = h.Line
	}
	if len(rules.Content) == 0 {
		return mapping("defaultBackend", mapping())
	}
	return mapping("rules", rules)
}

func text(value string) *yaml.Node { return &yaml.Node{Kind: yaml.ScalarNode, Value: value} }

// mapping returns a mapping of names and nodes.
func mapping(members ...any) *yaml.Node {
	m := &yaml.Node{Kind: yaml.MappingNode}
	for _, part := range members {
		if name, ok := part.(string); ok {
			part = text(name)
		}
		m.Content = append(m.Content, part.(*yaml.Node))
	}
	return m
}

func made(at check.Position, words ...string) *directive {
	return &directive{Position: at, words: words}
}

func madeBlock(at check.Position, block []*directive, words ...string) *directive {
	return &directive{Position: at, words: words, block: block, hasBlock: true}
}

// of others: annotations that touch limits and are not judged.
var ofOthers = map[string]string{
	"limit-connections": "concurrency", "limit-rate": "bandwidth", "limit-rate-after": "bandwidth", "enable-modsecurity": "rules of a WAF", "modsecurity-snippet": "rules of a WAF",
	"global-rate-limit": "a store, removed from the controller in 1.12", "global-rate-limit-window": "a store, removed from the controller in 1.12",
	"global-rate-limit-key": "a store, removed from the controller in 1.12", "global-rate-limit-ignored-cidrs": "a store, removed from the controller in 1.12",
}

// limitOfOthers matches annotations of other controllers that state limits.
var limitOfOthers = regexp.MustCompile(`rate-?limit|limit-(?:req|conn)|/limit-rp[sm]$`)

// limitsOfIngress are the annotations that are read.
var limitsOfIngress = []string{"limit-rps", "limit-rpm", "limit-burst-multiplier", "limit-whitelist", "limit-allowlist"}

// ingress reads an Ingress.
func (g *ingress) ingress(d node) {
	name := cmp.Or(d.get("metadata", "name").text(), d.get("metadata", "generateName").text(), "ingress")
	annotations := map[string]node{}
	limited := false
	d.get("metadata", "annotations").each(func(key, value node) {
		short, ours := strings.CutPrefix(key.text(), nginxPrefix)
		switch at := key.position(); {
		case !ours:
			if isSnippet(key.text()) && strings.Contains(value.text(), "limit_") || limitOfOthers.MatchString(key.text()) {
				g.name(key.text(), "an annotation of another controller", at)
			}
		case ofOthers[short] != "":
			g.name(short, ofOthers[short], at)
		case isSnippet(short):
			if strings.Contains(value.text(), "limit_") {
				g.name(short, "directives of nginx in a snippet", at)
			}
		case strings.Contains(short, "limit") && !slices.Contains(limitsOfIngress, short):
			g.find(check.NeverBinds, name, at, "the controller reads no annotation %s", short)
		}
		if ours {
			annotations[short] = value
			limited = limited || slices.Contains(limitsOfIngress, short)
		}
	})
	block, ok := g.limitsOf(d, name, annotations, limited)
	if !ok {
		return
	}
	for _, redirect := range []string{"permanent-redirect", "temporal-redirect"} {
		if n := annotations[redirect]; n.text() != "" {
			block = append(block, made(n.position(), "return", "301"))
		}
	}
	rewrites := annotations["rewrite-target"].text() != "" || holds(annotations["use-regex"])
	add := func(host string, at check.Position, path, kind string) {
		s := g.servers[host]
		if s == nil {
			s = &ingressServer{directive: madeBlock(at, nil, "server"), given: map[[2]string]bool{}}
			names := made(at, "listen", "80", "default_server")
			if host != "" {
				names, s.directive.text = made(at, "server_name", serverName(host)), "server "+host
			}
			s.directive.block = append(s.directive.block, names)
			g.servers[host] = s
			g.hosts = append(g.hosts, host)
		}
		s.regexps = s.regexps || rewrites
		if len(s.aliases) == 0 {
			s.aliases = strings.FieldsFunc(annotations["server-alias"].text(), func(r rune) bool { return r == ',' || r == ' ' })
		}
		if strings.HasPrefix(path, "/") && !s.given[[2]string{path, kind}] {
			s.given[[2]string{path, kind}] = true
			s.paths = append(s.paths, &ingressPath{at, path, kind, block, strings.TrimSpace(cmp.Or(host, "any host") + " " + path)})
		}
	}
	for _, rule := range d.get("spec", "rules").list() {
		host, paths := rule.get("host").text(), rule.get("http", "paths").list()
		for _, p := range paths {
			add(host, p.position(), cmp.Or(p.get("path").text(), "/"), p.get("pathType").text())
		}
		if len(paths) == 0 {
			add(host, rule.position(), "/", "Prefix")
		}
	}
	if d.get("spec", "defaultBackend").Node != nil || d.get("spec", "backend").Node != nil {
		add("", d.position(), "/", "Prefix")
	}
	if limited && d.get("spec", "rules").list() == nil && d.get("spec", "defaultBackend").Node == nil && d.get("spec", "backend").Node == nil {
		g.name("Ingress "+name, "it has no rules", d.position())
	}
}

// holds reports whether the controller reads a value as true.
func holds(n node) bool {
	is, _ := strconv.ParseBool(n.text())
	return is
}

// serverName writes a host as the controller does: a wildcard stands for a single label.
func serverName(host string) string {
	rest, wild := strings.CutPrefix(host, "*.")
	if !wild {
		return host
	}
	return `~^(?<subdomain>[\w-]+)\.` + strings.ReplaceAll(rest, ".", `\.`) + "$"
}

// limitsOf writes the limits of an Ingress as directives: those of http into the block of
// http, and returns those of its locations. ok is false if the controller refuses it, or
// takes it for a canary, which has nothing of its own.
func (g *ingress) limitsOf(d node, name string, annotations map[string]node, limited bool) (block []*directive, ok bool) {
	canary := annotations["canary"]
	if !limited {
		return nil, !holds(canary)
	}
	ok = true
	whole := func(short string, fallback int64) int64 {
		n := annotations[short]
		if g.unfilled(short, n) {
			ok = false
			return fallback
		}
		if n.Node == nil || n.text() == "" {
			return fallback
		}
		value, err := strconv.Atoi(n.text())
		if err != nil && fallback > 0 {
			g.find(check.Rounded, name, n.position(), "the controller takes %d for %s: %q is no whole number", fallback, short, n.text())
			return fallback
		}
		if err != nil {
			g.find(check.Invalid, name, n.position(), "the controller refuses the Ingress: %s is %q, want a whole number", short, n.text())
			ok = false
		}
		return int64(value)
	}
	multiplier := whole("limit-burst-multiplier", 5)
	rps, rpm := whole("limit-rps", 0), whole("limit-rpm", 0)
	for _, short := range []string{"limit-allowlist", "limit-whitelist"} {
		ok = !g.unfilled(short, annotations[short]) && ok
	}
	if !ok {
		return nil, false
	}
	if holds(canary) {
		g.find(check.Unreached, name, canary.position(), "never applies: an Ingress that is a canary takes the limits of the main one")
		return nil, false
	}
	list, allows := annotations["limit-allowlist"], []*directive{made(d.position(), "default", "0")}
	if list.text() == "" {
		list = annotations["limit-whitelist"]
	}
	for _, cidr := range strings.Split(list.text(), ",") {
		if cidr = strings.TrimSpace(cidr); cidr == "" {
			continue
		}
		if _, err := networkOf(cidr); err != nil {
			g.find(check.Invalid, name, list.position(), "the controller refuses the Ingress: %q is no address", cidr)
			return nil, false
		}
		allows = append(allows, made(list.position(), cidr, "1"))
	}
	key := g.key
	if len(allows) > 1 {
		id := fmt.Sprintf("%s_%d", strings.Map(wordOnly, name), len(g.block))
		key = "$limit_" + id
		g.block = append(g.block,
			madeBlock(list.position(), allows, "geo", "$remote_addr", "$allowlist_"+id),
			madeBlock(list.position(), []*directive{made(list.position(), "0", g.key), made(list.position(), "1", "")}, "map", "$allowlist_"+id, key))
	}
	for _, l := range []struct {
		short, unit string
		count       int64
	}{{"limit-rps", "r/s", rps}, {"limit-rpm", "r/m", rpm}} {
		n := annotations[l.short]
		switch {
		case n.Node == nil || n.text() == "":
			continue
		case l.count <= 0:
			g.find(check.NeverBinds, name, n.position(), "%s is %d: no limit", l.short, l.count)
			continue
		}
		zone := name + " " + strings.TrimPrefix(l.short, "limit-")
		g.block = append(g.block, made(n.position(), "limit_req_zone", key, "zone="+zone+":5m", fmt.Sprintf("rate=%d%s", l.count, l.unit)))
		block = append(block, made(n.position(), "limit_req", "zone="+zone, fmt.Sprintf("burst=%d", l.count*multiplier), "nodelay"))
	}
	if len(block) == 0 && annotations["limit-connections"].Node == nil {
		for _, short := range []string{"limit-burst-multiplier", "limit-allowlist", "limit-whitelist"} {
			if n := annotations[short]; n.Node != nil {
				g.find(check.Unused, name, n.position(), "%s belongs to limit-rps or limit-rpm, which the Ingress does not have", short)
			}
		}
	}
	return block, true
}

func wordOnly(r rune) rune {
	if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
		return r
	}
	return '_'
}

// finish returns the server of a host, with the locations that the controller makes of
// its paths.
func (s *ingressServer) finish() *directive {
	slices.SortStableFunc(s.paths, func(a, b *ingressPath) int {
		return cmp.Or(cmp.Compare(len(b.path), len(a.path)), cmp.Compare(b.path, a.path))
	})
	var root *ingressPath
	for _, p := range s.paths {
		add := func(words ...string) {
			l := madeBlock(p.Position, p.block, append([]string{"location"}, words...)...)
			l.text = p.name
			s.directive.block = append(s.directive.block, l)
		}
		if p.path == "/" {
			root = p
		}
		switch {
		case s.regexps:
			add("~*", "^"+p.path)
		case p.kind == "Exact":
			add("=", p.path)
		case p.kind == "Prefix" && p.path != "/":
			add(strings.TrimSuffix(p.path, "/") + "/")
			if !strings.HasSuffix(p.path, "/") && !s.given[[2]string{p.path, "Exact"}] {
				add("=", p.path)
			}
		default:
			add(p.path)
		}
	}
	if root == nil {
		s.directive.block = append(s.directive.block, madeBlock(s.directive.Position, nil, "location", "/"))
	}
	return s.directive
}
