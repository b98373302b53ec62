package read

import (
	"bytes"
	"errors"
	"regexp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/check"
)

// nginx reads the files of one nginx as ngx_http_limit_req_module of version 1.22 does.
type nginx struct {
	system string
	found
	files     []File
	open      []string // the files that include each other, the outermost first
	http      *level
	unnamed   *level // handles hosts that no server names; nil if the first server of a port does
	zones     []*zone
	byName    map[string]*zone
	refused   map[*level][]string // statuses by servers, of all by nil; see matters
	rules     map[ruleNumbers]int // indices in Config.Rules
	vars      map[string]*variable
	keys      map[string]zoneKey // see keyOf
	limit     []*limit
	notes     []note
	templates []string              // zones of limits that are templates or invalid
	branches  bool                  // a template chooses among the directives
	conns     map[string]*directive // limit_conn_zone by the names of their zones

	header *directive // of the module realip: where the address of a client comes from
	anyone *directive // a set_real_ip_from that trusts all addresses
}

// level is a block that can hold limits: http, a server, or a location.
type level struct {
	check.Position
	kind      string // http, server or location
	name      string
	parent    *level
	children  []*level
	own       []*limit
	status    int    // 0: that of the parent
	only      string // limit_req_dry_run: on, off, or "" for that of the parent
	onlyAt    *directive
	answer    *directive // answers every request before limits are looked at
	broken    bool       // a break ends the directives that answer
	leaky     bool       // and one does for some requests
	open      bool       // it can have servers that are not given
	names     []string   // of a server
	listens   []string   // where it does: 443, [::]:80
	isDefault bool
	modifier  string // of a location
	pattern   string
	re        *regexp.Regexp
	paths     map[string]bool // of the locations in it
	proxies   bool
	internal  bool // no request of a client is handled here
	place     int  // index of Config.Places
}

// limit is a limit_req.
type limit struct {
	*directive
	zone         string
	burst, delay int64
	nodelay      bool
	level        *level
	rule         int
	inherited    bool // stated above the level, which has a status or a dry run of its own
}

const (
	inMain = iota
	inHTTP
	inServer
	inLocation
	inIf
	inOther
)

// known are words that begin a file of nginx.
var known = regexp.MustCompile(`(?m)^[ \t]*(?:(?:http|server|events|stream|types|upstream[ \t]+\S+|location[ \t]+[^:{]+|map[ \t]+\S+[ \t]+["']?\$\S+|geo[ \t]+(?:\S+[ \t]+)?\$\S+)[ \t\r\n]*\{|(?:limit_req|limit_req_zone|limit_req_status|limit_conn|limit_conn_zone|listen|server_name|proxy_pass|proxy_set_header|worker_processes|user|include|root|return|set)[ \t]+[^:;{}]*[^;{}]*;)`)

// isNginx reports whether a text is a configuration of nginx, or a part of one.
func isNginx(text []byte) bool {
	isYAML := yamlStart.Match(text) && !header.Match(text) // nginx -T begins with words on standard error
	return !isKubernetes.Match(text) && !isYAML && known.Match(bytes.TrimPrefix(text, mark))
}

// yamlStart matches the begin of a document of YAML, whose texts may hold directives.
var yamlStart = regexp.MustCompile(`\A(?:[ \t]*(?:#.*)?\r?\n)*(?:---|[\w-]+:(?:[ \t\r\n]|\z))`)

// mark is the byte order mark of UTF-8, which nginx takes for a part of the first word.
var mark = []byte("\ufeff")

// readNginx reads files of nginx together.
func readNginx(files []File) (*check.Config, error) {
	var parts []File
	for _, f := range files {
		parts = append(parts, dump(f)...)
	}
	files = parts
	x := newNginx(files)
	included := map[string]bool{}
	parsed := make([][]*directive, len(files))
	for i, f := range files {
		var err error
		if parsed[i], err = x.parse(f); err != nil {
			return nil, err
		}
		each(parsed[i], func(d *directive) {
			if d.name() == "include" && len(d.words) == 2 {
				for _, g := range files {
					included[g.Name] = included[g.Name] || g.Name != f.Name && !g.part && ends(g.Name, d.words[1])
				}
			}
		})
	}
	roots := 0
	for i, f := range files {
		if !included[f.Name] || f.part {
			roots++
			if err := x.root(f.Name, parsed[i]); err != nil {
				return nil, err
			}
		}
	}
	if roots == 0 {
		return nil, &SyntaxError{check.Position{File: files[0].Name, Line: 1}, "the files include each other in a circle"}
	}
	x.conclude()
	return x.c, nil
}

func newNginx(files []File) *nginx {
	x := &nginx{system: "nginx", files: files, found: newFound(), vars: map[string]*variable{}, conns: map[string]*directive{}, keys: map[string]zoneKey{}, byName: map[string]*zone{}, rules: map[ruleNumbers]int{}}
	x.http = &level{kind: "http"}
	return x
}

// each visits directives and those in their blocks.
func each(list []*directive, visit func(*directive)) {
	for _, d := range list {
		visit(d)
		each(d.block, visit)
	}
}

func (x *nginx) parse(f File) ([]*directive, error) {
	text, marked := bytes.CutPrefix(f.Text, mark)
	if marked {
		x.find(check.Invalid, "", check.Position{File: f.Name, Line: 1 + f.Line}, "nginx does not start: the file begins with a byte order mark")
	}
	l := &lexer{file: f.Name, text: text, line: 1 + f.Line}
	list, err := l.parse(0)
	if wrong, ok := errors.AsType[*SyntaxError](err); ok && len(l.templates) > 0 {
		wrong.Message += "; it is a template: fill it in first"
	}
	x.branches = x.branches || len(l.templates) > 0
	for _, p := range l.templates {
		x.name("template", "it is not filled in; what stands inside its conditions is read", p)
	}
	return list, err
}

// invalid finds what nginx says as it refuses to start.
func (x *nginx) invalid(d *directive, format string, args ...any) {
	x.find(check.Invalid, "", d.Position, "nginx does not start: "+format, args...)
}

// invalidIfWhole finds what is invalid unless a template leaves out a part of it.
func (x *nginx) invalidIfWhole(d *directive, format string, args ...any) {
	if !x.branches {
		x.invalid(d, format, args...)
	}
}

// root reads a file that no other includes. It may be a part of a configuration, to be
// included in http, a server or a location.
func (x *nginx) root(name string, list []*directive) error {
	has := func(names ...string) bool {
		return slices.ContainsFunc(list, func(d *directive) bool { return slices.Contains(names, d.name()) })
	}
	x.open = []string{name}
	part := func(kind string) *level {
		l := x.under(x.http, kind, check.Position{File: name, Line: 1})
		l.name = "each place where " + name + " is included"
		return l
	}
	switch {
	case has("http", "events", "stream", "mail"):
		return x.walk(list, inMain, nil)
	case has("server", "upstream", "map", "geo", "limit_req_zone", "limit_conn_zone", "log_format", "split_clients", "proxy_cache_path"):
		x.http.open = true
		return x.walk(list, inHTTP, x.http)
	case has("location", "listen", "server_name"):
		return x.walk(list, inServer, part("server"))
	}
	return x.walk(list, inLocation, part("location"))
}

func (x *nginx) under(parent *level, kind string, at check.Position) *level {
	l := &level{Position: at, kind: kind, parent: parent}
	parent.children = append(parent.children, l)
	return l
}

// walk reads the directives of a block. l is nil outside of http.
func (x *nginx) walk(list []*directive, in int, l *level) error {
	for _, d := range list {
		if err := x.take(d, in, l); err != nil {
			return err
		}
	}
	return nil
}

// take reads a directive.
func (x *nginx) take(d *directive, in int, l *level) error {
	name := d.name()
	if strings.HasPrefix(name, "limit_req") {
		x.limits(d, in, l)
		return nil
	}
	if why := concerns(d); why != "" {
		x.name(name, why, d.Position)
	}
	if name == "limit_conn_zone" {
		x.conns[zoneName(d.words)] = d
	}
	for _, w := range d.words[1:] {
		if w == "limit_req" || w == "limit_req_zone" {
			x.name(w, "it stands among the arguments of "+name+", as behind a missing semicolon", d.Position)
		}
	}
	x.assigned(d)
	switch {
	case name == "include":
		return x.include(d, in, l)
	case name == "map" || name == "geo":
		x.variable(d)
	case name == "http" && in == inMain && d.hasBlock:
		x.http.Position = d.Position
		return x.walk(d.block, inHTTP, x.http)
	case name == "server" && in == inHTTP && d.hasBlock:
		s := x.under(l, "server", d.Position)
		s.name = d.text
		return x.walk(d.block, inServer, s)
	case name == "location" && d.hasBlock && (in == inHTTP || in == inServer || in == inLocation):
		if in == inHTTP {
			x.invalid(d, "%q directive is not allowed here", name)
		}
		return x.location(d, l)
	case name == "if" && d.hasBlock && (in == inServer || in == inLocation):
		answers := false
		each(d.block, func(inner *directive) {
			answers = answers || slices.Contains([]string{"return", "rewrite", "break"}, inner.name())
			l.ends(inner, in)
		})
		if answers {
			x.notes = append(x.notes, note{l, "if", d})
		}
		return x.walk(d.block, inIf, l)
	case d.hasBlock:
		return x.walk(d.block, inOther, l)
	case in != inMain && in != inIf && in != inOther:
		x.setting(d, in, l)
	}
	return nil
}

// setting reads a directive of a level that is about no limit.
func (x *nginx) setting(d *directive, in int, l *level) {
	args := d.words[1:]
	switch d.name() {
	case "break":
		l.broken = true
	case "internal":
		l.internal = in == inLocation
	}
	if len(args) == 0 {
		return
	}
	last := args[len(args)-1]
	switch d.name() {
	case "server_name":
		l.names = append(l.names, args...)
		for _, name := range args {
			if pattern, isRegexp := strings.CutPrefix(name, "~"); isRegexp {
				x.compile(nil, d, name, pattern)
			}
		}
	case "listen":
		l.listens = append(l.listens, args[0])
		l.isDefault = l.isDefault || slices.Contains(args, "default_server") || slices.Contains(args, "default")
	case "return":
		x.answers(l, d)
	case "rewrite":
		whole := everything.MatchString(args[0])
		l.broken = l.broken || whole && (last == "break" || last == "last") && !d.redirects()
		l.ends(d, in)
		if whole && d.redirects() {
			x.answers(l, d)
		} else {
			x.notes = append(x.notes, note{l, "rewrite", d})
		}
	case "try_files":
		if !strings.HasPrefix(last, "=") {
			x.notes = append(x.notes, note{l, "try_files", d})
		}
	case "error_page":
		if in == inHTTP { // of all servers
			l = nil
		}
		x.notes = append(x.notes, note{l, "error_page", d})
	case "proxy_pass", "fastcgi_pass", "uwsgi_pass", "scgi_pass", "grpc_pass", "memcached_pass":
		l.proxies = true
	case "set_real_ip_from":
		if strings.HasSuffix(last, "/0") {
			x.anyone = d
		}
	case "real_ip_header":
		x.header = d
	}
}

// note is a directive that can answer a request or send it to another place. It is named
// if limits apply to the server, or to any if the level is nil.
type note struct {
	level *level
	what  string
	*directive
}

// everything matches regular expressions that every path matches.
var everything = regexp.MustCompile(`^(\^|\.\*|\^?/?\(?\.\*\)?\$?)$`)

// answers notes a directive that answers every request that comes to it.
func (x *nginx) answers(l *level, d *directive) {
	switch {
	case l.answer != nil || l.broken:
	case l.leaky:
		x.notes = append(x.notes, note{l, d.name(), d})
	default:
		l.answer = d
	}
}

// ends notes a directive that, for some requests, ends those that answer and lets the
// limits of the block, or of a location in it, have them.
func (l *level) ends(d *directive, in int) {
	last := d.words[len(d.words)-1]
	l.leaky = l.leaky || d.name() == "break" || d.name() == "rewrite" && (last == "break" || last == "last" && in == inServer) && !d.redirects()
}

// redirects reports whether a rewrite answers the requests that it fits, whatever its flag is.
func (d *directive) redirects() bool {
	flag := d.words[len(d.words)-1]
	return flag == "redirect" || flag == "permanent" || len(d.words) > 2 && urlStart.MatchString(d.words[2])
}

// urlStart matches replacements of a rewrite that nginx sends to the client.
var urlStart = regexp.MustCompile(`^(https?://|\$scheme)`)

// changesPath reports whether it is a rewrite in a location that changes the path which the
// limits there see, and nothing else.
func (n *note) changesPath() bool {
	return n.what == "rewrite" && n.level.kind == "location" && n.words[len(n.words)-1] == "break" && !n.redirects()
}

// concerns returns why a directive that touches limits is not judged, "" if it is read or
// touches none.
func concerns(d *directive) string {
	name, words := d.name(), strings.ToLower(d.arguments()+d.text)
	switch {
	case name == "limit_except":
		return ""
	case strings.HasPrefix(name, "limit_conn"), name == "limit_zone":
		return "concurrency"
	case strings.HasPrefix(name, "limit_rate"), strings.HasSuffix(name, "_limit_rate"):
		return "bandwidth"
	case strings.HasPrefix(name, "modsecurity"):
		return "rules of a WAF"
	case strings.Contains(name, "_by_lua"):
		if strings.Contains(words, "limit") || strings.Contains(words, "429") {
			return "Lua"
		}
	case name == "set" && strings.HasPrefix(words, "$limit_rate"):
		return "bandwidth: $limit_rate"
	case name == "server" && strings.Contains(words, "max_conns="):
		return "concurrency: max_conns"
	case strings.HasPrefix(name, "limit_"), strings.Contains(name, "ratelimit"), strings.Contains(name, "rate_limit"), strings.Contains(name, "status_limit"), strings.HasPrefix(name, "sysguard"):
		return "a module that is not read"
	}
	return ""
}

// plain are files that come with nginx and hold no limits.
var plain = []string{"mime.types", "fastcgi_params", "fastcgi.conf", "uwsgi_params", "scgi_params", "proxy_params"}

// include reads the files that a directive names.
func (x *nginx) include(d *directive, in int, l *level) error {
	if len(d.words) != 2 || d.hasBlock {
		x.invalid(d, "invalid number of arguments in %q directive", "include")
		return nil
	}
	pattern := d.words[1]
	files, err := x.included(pattern, x.open[0])
	if err != nil {
		return &SyntaxError{d.Position, err.Error()}
	}
	if len(files) == 0 && !slices.Contains(plain, pattern[strings.LastIndexByte(pattern, '/')+1:]) {
		why := "not given"
		if strings.ContainsAny(pattern, "*?[") {
			why = "no file given fits"
		}
		x.name("include "+pattern, why, d.Position)
		x.http.open = x.http.open || in == inHTTP
	}
	for _, f := range files {
		if slices.Contains(x.open, f.Name) {
			return &SyntaxError{d.Position, "files include each other in a circle: " + strings.Join(append(x.open, f.Name), " includes ")}
		}
		list, err := x.parse(f)
		if err != nil {
			return err
		}
		x.open = append(x.open, f.Name)
		if err := x.walk(list, in, l); err != nil {
			return err
		}
		x.open = x.open[:len(x.open)-1]
	}
	return nil
}
