package read

import (
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/logs"
)

const aroundHTTP = `
daemon off; master_process off; pid %[1]s/nginx.pid; error_log %[1]s/error.log;
events { worker_connections 64; }
http {
  client_body_temp_path %[1]s/body; proxy_temp_path %[1]s/proxy; fastcgi_temp_path %[1]s/fastcgi; uwsgi_temp_path %[1]s/uwsgi; scgi_temp_path %[1]s/scgi;
  access_log off; root %[1]s;
%[2]s
}
`

// statements holds bodies of http, and whether nginx 1.22 starts with them.
var statements = []struct {
	text   string
	starts bool
}{
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=5r/m; limit_req zone=a;", true},
	{"limit_req zone=a burst=5 nodelay; limit_req_zone $binary_remote_addr zone=a:32k rate=10;", true},
	{"limit_req_zone $binary_remote_addr zone=a:32k zone=a:64k; limit_req zone=a delay=3 burst=5;", true},
	{"limit_req_zone \"$binary_remote_addr$host\" 'zone=a:1M' rate=10r/s; limit_req zone=a burst=5 delay=8;", true},
	{"limit_req_zone ${binary_remote_addr} zone=a:1m rate=10r/s; limit_req zone=a burst=1 delay=1 ; limit_req_dry_run ON;", true},
	{"limit_req_zone $BINARY_remote_addr zone=a:1m rate=10r/s; limit_req zone=a burst=01; limit_req_status 400; limit_req_log_level Info;", true},
	{"geo $g { default 1; 10.0.0.1/8 0; 10.0.0.0/32 0; 2001:db8::/128 0; } limit_req_zone $g zone=a:1m rate=10r/s; limit_req zone=a;", true},
	{"geo $g { default 1; 192.168.0.0/64 0; } limit_req_zone $g zone=a:1m rate=10r/s; limit_req zone=a;", false},
	{"geo $g { default 1; 10.0.0.0/255.0.0.0 0; } limit_req_zone $g zone=a:1m rate=10r/s; limit_req zone=a;", false},
	{"geo $g { default 1; 2001:db8::/129 0; } limit_req_zone $g zone=a:1m rate=10r/s; limit_req zone=a;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=0.5r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=100r/h;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=0r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=-1r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=+1r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=10r/mr/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=10r/sr/m;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m rate=1r/s burst=5;", false},
	{"limit_req_zone $binary_remote_addr zone=a:10m burst=5;", false},
	{"limit_req_zone $binary_remote_addr rate=1r/s rate=2r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a rate=1r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=:1m rate=1r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1g rate=1r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:31k rate=1r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req_zone $uri zone=a:1m rate=1r/s;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req zone=a; limit_req zone=a burst=5;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req burst=5;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req zone=a burst=0;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req zone=a burst=5 delay=0;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req zone=a burst=5 nodelay=1;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req zone=a burst=5 delay=1 nodelay;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req zone=a burst;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req off;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req a;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req_status 200;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req_status 600;", false},
	{"limit_req_status 429; limit_req_status 429;", false},
	{"limit_req_status many;", false},
	{"limit_req_dry_run yes;", false},
	{"limit_req_dry_run on; limit_req_dry_run on;", false},
	{"limit_req_log_level debug;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; server { location / { if ($arg_a) { limit_req zone=a; } } }", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; upstream u { limit_req zone=a; server 127.0.0.1; }", false},
	{"server { limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; }", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; server { location / { limit_except GET { limit_req zone=a; } } }", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;; limit_req zone=a;", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req zone=a }", false},
	{"limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; limit_req \"zone=a\"x;", false},
	{"limit_req_zone \"$binary_remote_addr zone=a:1m rate=1r/s;", false},
	{"limit_req_zone $ zone=a:1m rate=1r/s;", false},
	{"limit_req_zone a$ zone=a:1m rate=1r/s;", false},
	{"limit_req_zone ${binary_remote_addr zone=a:1m rate=1r/s;", false},
	{"limit_req_zone $uri zone=a:1m rate=9223372036854775807r/s; limit_req zone=a burst=9223372036854775807;", true},
	{"limit_req_zone $uri zone=a:1m rate=9223372036854775808r/s;", false},
	{"limit_conn_zone $uri zone=a:1m; limit_req_zone $uri zone=a:1m rate=1r/s;", false},
	{"limit_req_zone $uri zone=a:1m rate=1r/s; limit_conn_zone $uri zone=a:1m;", false},
	{"limit_req_zone $uri zone=a:1m rate=1r/s; limit_conn_zone $uri zone=b:1m;", true},
	{"map $uri $k { volatile; hostnames; default b; a b; b b; ~a b; ~a c; \\default c; .foo b; }", true},
	{"map $uri $k { a b; A c; }", false},
	{"map $uri $k { hostnames; .foo b; foo c; }", false},
	{"map $uri $k { .foo b; foo c; }", true},
	{"map $uri $k { default a; default b; }", false},
	{"map $uri $k { \\default a; \\default b; }", false},
	{"map $uri $k { a; }", false},
	{"map $uri $k { a b c; }", false},
	{"map $uri $k { ranges; }", false},
	{"map $uri $k { include; }", false},
	{"map $uri $k { a $; }", false},
	{"map $uri k { a b; }", false},
	{"map $ $k { a b; }", false},
	{"map $uri { a b; }", false},
	{"geo $k { ranges; proxy_recursive; default a; default b; 1.2.3.4-1.2.3.5 a; 1.2.3.4-1.2.3.5 $; }", true},
	{"geo $k { volatile; }", false},
	{"geo $k { 1.2.3.4; }", false},
	{"geo k { 1.2.3.4 a; }", false},
	{"server { location /a { } location = /a { } location /A { } location ~ /a { } location ~ /a { } location /b { location /b { } } }", true},
	{"server { location /a { } location ^~ /a { } }", false},
	{"server { location = /a { } location =/a { } }", false},
	{"# limit_req zone=a \"\n limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s; # }\n server{limit_req zone=a;#x\n}", true},
}

// TestNginxStarts checks that what is found invalid, or cannot be read, is what nginx
// refuses.
func TestNginxStarts(t *testing.T) {
	program := foreground.Need(t, "nginx")
	for _, s := range statements {
		dir := t.TempDir()
		text := fmt.Sprintf(aroundHTTP, dir, s.text)
		path := foreground.Write(t, dir, "nginx.conf", text)
		out, err := exec.CommandContext(t.Context(), program, "-t", "-c", path, "-p", dir).CombinedOutput()
		if (err == nil) != s.starts {
			t.Errorf("%s: nginx says %v: %s", s.text, err, out)
		}
	}
}

// TestInvalid checks the same statements without nginx.
func TestInvalid(t *testing.T) {
	for _, s := range statements {
		c, err := Files([]File{{Name: "nginx.conf", Text: []byte(fmt.Sprintf(aroundHTTP, "/tmp", s.text))}})
		if starts := err == nil && !c.Has(check.Invalid); starts != s.starts {
			t.Errorf("%s: starts is %v (%v), want %v", s.text, starts, err, s.starts)
		}
	}
}

// TestNginxLocations asks nginx which location it chooses for paths and hosts.
func TestNginxLocations(t *testing.T) {
	program := foreground.Need(t, "nginx")
	dir := t.TempDir()
	listen := foreground.FreePort(t)
	var body strings.Builder
	body.WriteString("limit_req_zone $binary_remote_addr zone=z:1m rate=1r/s;\nmap $host $lower { default other; a.example one; ~^B two; }\n")
	hosts := [][]string{{"a.example", ".b.example"}, {"*.c.example", "d.example.*", "~^x[0-9]+\\.e$"}, {"*.sub.c.example"}, {}}
	locations := []string{"/", "= /", "/a", "/a/", "= /a/exact", "^~ /static", "^~ /static/img/", "~ \\.php$", "~* \\.JPG$", "/a/b/c", "/space\\ d", "~ ^/a/b/c/d"}
	want := func(i int, l string) string {
		return fmt.Sprintf("%d %s", i, strings.NewReplacer("$", "", `\`, "").Replace(l))
	}
	for i, names := range hosts {
		fmt.Fprintf(&body, "server { listen %s; %s\n", listen, map[bool]string{true: "server_name " + strings.Join(names, " ") + ";"}[len(names) > 0])
		for _, l := range locations {
			inner := ""
			if l == "/a" {
				inner = "location /a/nested { return 200 \"" + want(i, "/a/nested") + "\"; } location ~ \\.txt$ { return 200 \"" + want(i, "nested txt") + "\"; }"
			}
			fmt.Fprintf(&body, "location %s { %s return 200 \"%s\"; }\n", l, inner, want(i, l))
		}
		body.WriteString("}\n")
	}
	text := fmt.Sprintf(aroundHTTP, dir, body.String())
	if os.Getuid() == 0 {
		text = "user root;" + text
	}
	server := exec.CommandContext(t.Context(), program, "-c", foreground.Write(t, dir, "nginx.conf", text), "-p", dir)
	stop := foreground.Serve(t, server, syscall.SIGQUIT, listen)
	defer stop()

	x := newNginx(nil)
	list, err := x.parse(File{Name: "nginx.conf", Text: []byte(text)})
	if err != nil {
		t.Fatal(err)
	}
	if err := x.root("nginx.conf", list); err != nil {
		t.Fatal(err)
	}
	answers := map[*level]string{} // each location answers with its name
	var collect func(l *level)
	collect = func(l *level) {
		if l.answer != nil {
			answers[l] = l.answer.words[2]
			l.answer = nil
		}
		for _, inner := range l.children {
			collect(inner)
		}
	}
	collect(x.http)
	choose, _ := x.serverOf(x.http.children)
	for _, host := range []string{"a.example", "A.EXAMPLE", "b.example", "x.b.example", "x.c.example", "x.sub.c.example", "d.example.org", "x12.e", "c.example", "unknown", "a.example.", "a.example:80"} {
		for _, target := range []string{"/", "/a", "/a/", "/a/exact", "/a/exactly", "/static", "/static/x.php", "/static/img/x.jpg", "/x.php", "/x.PHP", "/y.jpg?x=.php", "/a/x.jpg", "/a/b/c/d/e", "/a/b/c.php",
			"/space%20d/e", "/x/../a/exact", "/x/./y/../../a/", "/%61/exact", "/a/nested/x", "/a/nested.txt", "/a/x.txt", "/b.txt", "/a/nested/x.php", "/a///exact", "/a%2fexact", "/..a", "/a/.."} {
			request, _ := http.NewRequestWithContext(t.Context(), "GET", "http://"+listen, nil)
			request.URL.Opaque, request.Host = target, host
			answer, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			got, _ := io.ReadAll(answer.Body)
			answer.Body.Close()
			field := func(name string) string { return map[string]string{"host": host, "target": target}[name] }
			found, _ := choose(field).find(normal(target))
			if chosen := answers[found]; chosen != string(got) {
				t.Errorf("%s%s: nginx chooses %q, check %q", host, target, got, chosen)
			}
		}
	}
}

// TestIncludes reads files that include each other: from the folder of the main file, of
// those given, in a circle, and without a file.
func TestIncludes(t *testing.T) {
	dir := t.TempDir()
	foreground.Write(t, dir, "zones.conf", "limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;")
	main := filepath.Join(dir, "nginx.conf")
	for _, c := range []struct{ text, given, want string }{
		{"http { include zones.conf; limit_req zone=a; }", "", ""},
		{"http { include z*.conf; limit_req zone=a; }", "", ""},
		{"http { include " + dir + "/zones.conf; limit_req zone=a; }", "", ""},
		{"http { include /etc/elsewhere/conf.d/*.conf; limit_req zone=a; }", "conf.d/b.conf", ""},
		{"http { include none/*.conf; limit_req zone=a; }", "", "undefined"},
		{"http { include /etc/passwd; limit_req zone=a; }", "", "undefined"},
		{"http { include nginx.conf; }", "", "circle"},
	} {
		files := []File{{Name: main, Text: []byte(c.text)}}
		if c.given != "" {
			files = append(files, File{Name: filepath.Join(dir, c.given), Text: []byte("limit_req_zone $binary_remote_addr zone=a:1m rate=1r/s;")})
		}
		foreground.Write(t, dir, "nginx.conf", c.text)
		got, err := Files(files)
		said := fmt.Sprint(err)
		if err == nil {
			said = fmt.Sprint(lists.Map(got.Findings, func(f check.Finding) check.Kind { return f.Kind }))
		}
		if c.want == "" && said != "[]" || !strings.Contains(said, c.want) {
			t.Errorf("%s: %s, want %q", c.text, said, c.want)
		}
	}
}

const decided = `
  log_format timed escape=json '{"msec":$msec,"remote_addr":"$remote_addr","request":"$request","status":$status,"http_x_key":"$http_x_key"}';
  limit_req_zone $binary_remote_addr zone=a:1m rate=20r/s;
  limit_req_zone $http_x_key zone=b:1m rate=600r/m;
  limit_req_zone $uri$status$upstream_status zone=c:1m rate=10r/s;
  limit_req_zone $sent_http_server$request_completion zone=d:1m rate=1r/m;
  limit_req_status 429;
  server {
    listen %[2]s; access_log %[1]s/requests.json timed;
    limit_req zone=a burst=8 nodelay; limit_req zone=b burst=3 nodelay; limit_req zone=d;
    location /c { limit_req zone=c burst=2 nodelay; limit_req zone=a burst=20 nodelay; }
    location = /dry { limit_req_dry_run on; limit_req zone=c burst=1 nodelay; limit_req zone=b; }
  }
`

// send sends a request and reads the answer to its end.
func send(t *testing.T, request *http.Request) {
	t.Helper()
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	io.Copy(io.Discard, answer.Body)
	answer.Body.Close()
}

// lateStamps is how many of 300 requests a busy machine may have nginx decide in another
// millisecond than its log says, in every try.
const lateStamps = 4

// TestNginxDecides compares the statuses that nginx logs with decisions about its log. Nginx
// logs a request some time after it has decided it, so that one try in some differs by a
// request or two; what is wrong differs in all of them, and by more.
func TestNginxDecides(t *testing.T) {
	program := foreground.Need(t, "nginx")
	for range 3 {
		refused, l, err := decideByNginx(t, program)
		apart := max(refused-l.Refused, l.Refused-refused)
		if err != nil || l.Requests != 300 || apart > lateStamps || refused == 0 || refused == 300 {
			t.Fatalf("nginx refuses %d, check %+v, %v", refused, l, err)
		}
		if apart == 0 {
			return
		}
	}
	t.Log("the machine is too busy for nginx to log requests in the millisecond in which it decides them")
}

// decideByNginx sends requests to nginx, and returns how many it refuses and what is decided
// about its log.
func decideByNginx(t *testing.T, program string) (refused int64, l *check.Log, err error) {
	t.Helper()
	dir := t.TempDir()
	for _, name := range []string{"c", "dry", "x"} {
		foreground.Write(t, dir, name, "")
	}
	listen := foreground.FreePort(t)
	text := fmt.Sprintf(aroundHTTP, dir, fmt.Sprintf(decided, dir, listen))
	text = strings.Replace(text, "access_log off;", "", 1)
	if os.Getuid() == 0 {
		text = "user root;" + text
	}
	server := exec.CommandContext(t.Context(), program, "-c", foreground.Write(t, dir, "nginx.conf", text), "-p", dir)
	stop := foreground.Serve(t, server, syscall.SIGQUIT, listen)
	draw := rand.New(rand.NewPCG(3, 3))
	for range 300 {
		request, _ := http.NewRequestWithContext(t.Context(), "GET", "http://"+listen+"/"+[]string{"c", "dry", "x"}[draw.IntN(3)], nil)
		if key := draw.IntN(3); key > 0 {
			request.Header.Set("X-Key", fmt.Sprint(key))
		}
		send(t, request)
		time.Sleep(time.Duration(draw.IntN(3)*draw.IntN(20)) * time.Millisecond)
	}
	stop()
	lines, err := os.ReadFile(filepath.Join(dir, "requests.json"))
	if err != nil {
		t.Fatal(err)
	}
	refused = int64(strings.Count(string(lines), `"status":429`))
	c, err := Files([]File{{Name: "nginx.conf", Text: []byte(text)}})
	if err != nil {
		t.Fatal(err)
	}
	o := logs.Options{Files: []string{filepath.Join(dir, "requests.json")}}
	fields := check.Ask(&o, nil, c)
	r, err := logs.Read(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	l, err = c.OnLog(t.Context(), r, fields, check.Judging{Replicas: 1, Spread: "even"})
	return refused, l, err
}

// TestDump reads what nginx -T prints, with the positions in its files.
func TestDump(t *testing.T) {
	program := foreground.Need(t, "nginx")
	dir := t.TempDir()
	foreground.Write(t, dir, "zones.conf", "# a comment\nlimit_req_zone $binary_remote_addr zone=a:1m rate=7r/m;\n")
	path := foreground.Write(t, dir, "nginx.conf", fmt.Sprintf(aroundHTTP, dir, "include *s.conf; server { limit_req zone=a; }"))
	text, err := exec.CommandContext(t.Context(), program, "-T", "-q", "-c", path, "-p", dir).Output()
	if err != nil {
		t.Fatal(err)
	}
	c, err := Files([]File{{Name: "-", Text: text}})
	if err != nil || len(c.Rules) != 1 || c.Rules[0].String() != filepath.Join(dir, "zones.conf")+":2" || len(c.Findings) != 1 {
		t.Errorf("%s: %+v, %v", text, c, err)
	}
}
