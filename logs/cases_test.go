package logs

import (
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/logs/formats"
)

// sampleCase is a file of testdata/cases with its right values. They were counted
// by an independent script.
type sampleCase struct {
	file    string
	o       formats.Asked
	rows    int    // 0: 40
	keys    int    // 0: 4
	refused int    // by a fixed window of limit each minute for each key; 0: 28
	limit   int    // 0: 3
	format  string // and the wrappers, as the choice states them
	key     string // as the choice states it
	others  string // the other candidates
	warning string // a part of one
	bad     int64  // malformed lines
}

var sampleCases = []sampleCase{
	{file: "caddy_one_foreign.log", rows: 200, keys: 5, limit: 10, refused: 100, bad: 1, format: "caddy"},
	{file: "caddy_error_line.log", keys: 40, refused: -1, bad: 1, format: "caddy"},
	{file: "traefik_mixed.log", rows: 100, refused: 76, bad: 1, format: "traefik-json", key: "ClientHost"},
	{file: "nginx_main_xff.log", keys: 1, refused: 37, format: "combined", key: "remote_addr", others: "key x_forwarded_for (--per x_forwarded_for)",
		warning: "all rows have the same remote_addr, as behind a proxy: --per x_forwarded_for takes the first address"},
	{file: "nginx_main_xff.log", o: formats.Asked{Key: "x_forwarded_for"}, format: "combined", key: "x_forwarded_for (as the client sent it)"},
	{file: "iis_xff.log", rows: 5, keys: 1, refused: -1, format: "w3c", key: "c-ip", others: "key X-Forwarded-For (--per X-Forwarded-For)",
		warning: "all rows have the same c-ip"},
	{file: "iis_xff.log", o: formats.Asked{Key: "X-Forwarded-For"}, rows: 5, keys: 3, refused: -1, format: "w3c", key: "X-Forwarded-For"},
	{file: "ingress_nginx.log", format: "combined"},
	{file: "spring_tomcat_pattern.log", format: "common"},
	{file: "wrap_filebeat.jsonl", format: "combined in JSON field message"},
	{file: "wrap_cloudwatch.jsonl", format: "combined in JSON field message"},
	{file: "wrap_fluentbit.jsonl", format: "combined in JSON field log"},
	{file: "wrap_journald.jsonl", format: "combined in JSON field MESSAGE"},
	{file: "wrap_gcp_text.jsonl", format: "combined in JSON field textPayload"},
	{file: "wrap_docker_gelf.jsonl", format: "combined in JSON field short_message"},
	{file: "docker_timestamps.log", format: "combined in time"},
	{file: "compose.log", format: "combined in compose"},
	{file: "ltsv.log", format: "ltsv", key: "host"},
	{file: "heroku_router.log", format: "logfmt in syslog (RFC 3164)  time: that of syslog (RFC 3164)", key: "fwd (as the client sent it)"},
	{file: "lograge.log", format: "logfmt in ruby  time: that of ruby", key: "ip"},
	{file: "squid.log", format: "squid  time: time - elapsed", key: "client"},
	{file: "uwsgi.log", o: formats.Asked{Pattern: `^\[pid: [^]]+\] (?P<client_ip>\S+) .*? \[(?P<time>[^]]+)\]`}, format: "regex  time: time (Mon Jan _2 15:04:05 2006, no zone"},
	{file: "nginx_limit_error.log", o: formats.Asked{Pattern: `^(?P<date>\S+) (?P<time>\S+) .*client: (?P<client_ip>[^,]+)`}, format: "regex  time: date and time"},
	{file: "uwsgi.log", format: "uwsgi  time: ctime (Mon Jan _2 15:04:05 2006, no zone", key: "addr"},
	{file: "nginx_limit_error.log", format: "nginx-error  time: time (", key: "client"},
	{file: "cloudfront_no_header.tsv", format: "aws-cloudfront", key: "c-ip"},
	{file: "apisix_http_logger.jsonl", format: "json", key: "client_ip"},
	{file: "aws_waf.jsonl", format: "json", key: "httpRequest.clientIp"},
	{file: "ecs.jsonl", format: "json", key: "source.ip"},
	{file: "ecs_nested.jsonl", format: "json", key: "source.ip", others: "key source.address (--per source.address)"},
	{file: "pino_http.jsonl", format: "json", key: "req.remoteAddress"},
	{file: "nextcloud.jsonl", format: "json", key: "remoteAddr"},
	{file: "envoy_gateway.jsonl", format: "envoy-json", key: "x_forwarded_for, else"},
	{file: "gcp_cloudrun.json", format: "google-lb", key: "httpRequest.remoteIp"},
}

// Logs as servers and collectors write them are read right with no options.
func TestCases(t *testing.T) {
	for _, c := range sampleCases {
		t.Run(c.file, func(t *testing.T) {
			raw, err := os.ReadFile("testdata/cases/" + c.file)
			if err != nil {
				t.Fatal(err)
			}
			r, err := readText(string(raw), Options{Asked: c.o})
			if err != nil {
				t.Fatal(err)
			}
			rows, keys, refused := cmp.Or(c.rows, 40), cmp.Or(c.keys, 4), max(0, cmp.Or(c.refused, 28))
			if got := refusedByWindow(r, cmp.Or(c.limit, 3), time.Minute); len(r.Time) != rows || len(r.KeyNames) != keys || got != refused || r.Facts.Malformed != c.bad {
				t.Errorf("%d rows, %d keys, %d refused, %d malformed; want %d, %d, %d, %d", len(r.Time), len(r.KeyNames), got, r.Facts.Malformed, rows, keys, refused, c.bad)
			}
			choice := r.Facts.Choices[0]
			if got := choice.String(); !strings.Contains(got, "format: "+c.format) || !strings.Contains(got, "key: "+c.key) {
				t.Errorf("%s, want format %s and key %s", got, c.format, c.key)
			}
			if got := candidates(choice); c.others != "" && got != c.others {
				t.Errorf("other candidates %s, want %s", got, c.others)
			}
			if got := strings.Join(choice.Warnings, "; "); !strings.Contains(got, c.warning) {
				t.Errorf("warnings %s, want %s", got, c.warning)
			}
		})
	}
}

// refusedByWindow counts what a fixed window for each key refuses.
func refusedByWindow(r *recorded, limit int, window time.Duration) (refused int) {
	type cell struct {
		key    int32
		window int64
	}
	counts := map[cell]int{}
	for i, at := range r.Time {
		c := cell{r.Key[i], at / int64(window)}
		if counts[c]++; counts[c] > limit {
			refused++
		}
	}
	return refused
}

func candidates(c Choice) string {
	var list []string
	for _, o := range c.Others {
		list = append(list, o.String())
	}
	return strings.Join(list, ", ")
}

// Quotes around a whole line are taken off where only some lines have them.
func TestQuotesOfSomeLines(t *testing.T) {
	const line = `192.0.2.1` + at0
	for _, share := range []int{2, 3, 40} {
		var lines []string
		for i := range 120 {
			switch {
			case i%share == 1:
				lines = append(lines, string(jsonText(line)))
			default:
				lines = append(lines, line)
			}
		}
		r, err := readText(strings.Join(lines, "\n"), Options{})
		if err != nil || len(r.Time) != 120 || r.Facts.Malformed != 0 {
			t.Errorf("one of %d in quotes: %v, %+v", share, err, r)
		}
	}
}

// The client is the field of addresses, whatever it is called, before one that names
// a user. A server's address and a field with one value are no key.
func TestClientByValues(t *testing.T) {
	for _, name := range []string{"clientIp", "client_address", "remoteAddr", "remote-addr", "RemoteAddress", "source_address", "srcIp", "IP Address", "Client IP", "peer",
		"visitor", "fwd", "X-Forwarded-For", "cip", "addr", "host", "x-real-ip", "IPAddress", "origin_ip"} {
		for format, text := range map[string]func(i int) string{
			"json": func(i int) string {
				return fmt.Sprintf(`{"time":"2026-11-01T10:00:0%dZ","server_ip":"10.0.0.%d","user":"u%d","tenant":"one","%s":"192.0.2.%d:80"}`, i, i, i%2, name, i%3)
			},
			"csv": func(i int) string {
				if i == 0 {
					return "time,server_ip,user,tenant," + name
				}
				return fmt.Sprintf("2026-11-01T10:00:0%dZ,10.0.0.%d,u%d,one,192.0.2.%d:80", i, i, i%2, i%3)
			},
		} {
			var lines []string
			for i := range 9 {
				lines = append(lines, text(i))
			}
			r, err := readText(strings.Join(lines, "\n"), Options{})
			if err != nil {
				t.Errorf("%s %s: %v", format, name, err)
				continue
			}
			c := r.Facts.Choices[0]
			slices.Sort(r.KeyNames)
			if c.Key != name || strings.Join(r.KeyNames, " ") != "192.0.2.0 192.0.2.1 192.0.2.2" || candidates(c) != "key user (--per user)" {
				t.Errorf("%s %s: %s, keys %v, others %s", format, name, c, r.KeyNames, candidates(c))
			}
		}
	}
	lines := []string{`{"time":"2026-11-01T10:00:00Z","user":"x","client":"y"}`}
	for i := range 40 {
		line := fmt.Sprintf(`{"time":"2026-11-01T10:00:00Z","req":{"peer":"192.0.2.%d"}}`, i%4)
		if i < 18 {
			line = `{"time":"2026-11-01T10:00:00Z","msg":"started"}`
		}
		lines = append(lines, line)
	}
	r, err := readText(strings.Join(lines, "\n"), Options{})
	if err != nil || r.Facts.Choices[0].Key != "req.peer" || candidates(r.Facts.Choices[0]) != "" {
		t.Errorf("a user in one line of many: %v %+v", err, r)
	}
	const times = "date,time,mac,user\n2026-11-01,10:00:01,aa:bb:cc:dd:ee:01,ann\n2026-11-01,10:00:02,aa:bb:cc:dd:ee:02,bob\n"
	if r, err = readText(times, Options{}); err != nil || r.Facts.Choices[0].Key != "user" || candidates(r.Facts.Choices[0]) != "" {
		t.Errorf("a time of day and a hardware address: %v %+v", err, r)
	}
	for _, value := range []string{"--", "one"} {
		line := `{"time":"2026-11-01T10:00:00Z","user":"` + value + `"}` + "\n"
		if r, err := readText(line+line, Options{}); err == nil {
			t.Errorf("user %s in all rows is the key: %v", value, r.KeyNames)
		}
	}
}

// Addresses that may be those of servers are the client's if there are at least half as
// many as users. Others are named as another candidate. A field host is no key alone.
func TestHostOfAddresses(t *testing.T) {
	for _, c := range []struct {
		name         string
		hosts, users int
		more         string
		key, others  string
	}{
		{name: "host", hosts: 5, users: 10, key: "host", others: "key user (--per user)"},
		{name: "host", hosts: 2, users: 5, key: "user", others: "key host (--per host)"},
		{name: "instance", hosts: 5, users: 10, key: "instance", others: "key user (--per user)"},
		{name: "instance", hosts: 2, users: 5, key: "user", others: "key instance (--per instance)"},
		{name: "dns", hosts: 2, users: 1, more: `,"addr":"192.0.2.#"`, key: "addr", others: "key dns (--per dns)"},
		{name: "dns", hosts: 4, users: 1, more: `,"x_real_ip":"192.0.2.#"`, key: "x_real_ip", others: "key dns (--per dns)"},
		{name: "dns", hosts: 4, users: 1, more: `,"IPAddress":"192.0.2.#"`, key: "IPAddress", others: "key dns (--per dns)"},
		{name: "host", hosts: 1, users: 5, key: "user"},
		{name: "host", hosts: 5, users: 1},
		{name: "host", hosts: 5, users: 2, more: `,"ip":"192.0.2.#"`, key: "ip", others: "key user (--per user)"},
		{name: "login_ip", hosts: 2, users: 9, key: "login_ip", others: "key user (--per user)"},
		{name: "login_ip", hosts: 1, users: 9, key: "user"},
		{name: "login_ip", hosts: 2, users: 9, more: `,"session_ip":"192.0.2.#"`, key: "session_ip", others: "key login_ip (--per login_ip), key user (--per user)"},
		{name: "origin_ip", hosts: 2, users: 9, key: "user", others: "key origin_ip (--per origin_ip)"},
		{name: "ORIGIN_IP", hosts: 2, users: 9, key: "user", others: "key ORIGIN_IP (--per ORIGIN_IP)"},
		{name: "s_ip", hosts: 2, users: 9, key: "user", others: "key s_ip (--per s_ip)"},
		{name: "ship", hosts: 2, users: 9, key: "user", others: "key ship (--per ship)"},
		{name: "proxy_ip", hosts: 9, users: 9, key: "user"},
		{name: "listen_ip", hosts: 2, users: 9, key: "user", others: "key listen_ip (--per listen_ip)"},
	} {
		var log strings.Builder
		for i := range 10 {
			fmt.Fprintf(&log, `{"time":"2026-11-01T10:00:0%dZ","%s":"10.0.0.%d:80%d","user":"u%d"`, i, c.name, i%c.hosts, i, i%c.users)
			fmt.Fprintf(&log, "%s}\n", strings.ReplaceAll(c.more, "#", fmt.Sprint(i%3)))
		}
		r, err := readText(log.String(), Options{})
		if c.key == "" {
			if err == nil || !strings.Contains(err.Error(), "host=") {
				t.Errorf("%+v: %v", c, err)
			}
		} else if err != nil || r.Facts.Choices[0].Key != c.key || candidates(r.Facts.Choices[0]) != c.others {
			t.Errorf("%+v: %v %+v", c, err, r)
		}
	}
}

// TestNamesOfClients checks that an address whose name says ip is the client's, however
// few there are for each user.
func TestNamesOfClients(t *testing.T) {
	for _, name := range strings.Fields("ip_addr ipaddr IPAddr IP-Adresse c_ip cip CIp actor_ip cf-connecting-ip requester_ip requestIp login_ip session_ip event.ip ipv4 ip_v4 LOGIN_IP") {
		csv, json := "time,user_id,"+name+"\n", ""
		for i := range 9 {
			csv += fmt.Sprintf("2026-11-01T10:00:0%dZ,%d,192.0.2.%d\n", i, i, i%3)
			json += fmt.Sprintf(`{"time":"2026-11-01T10:00:0%dZ","user_id":%d,"%s":"192.0.2.%d"}`+"\n", i, i, name, i%3)
		}
		for _, log := range []string{csv, json} {
			if r, err := readText(log, Options{}); err != nil || r.Facts.Choices[0].Key != name || len(r.KeyNames) != 3 {
				t.Errorf("%s: %v %+v", name, err, r)
			}
		}
	}
}

// A layout reads dates that nothing else does, in any format.
func TestTimeLayout(t *testing.T) {
	for name, o := range map[string]formats.Asked{"csv": {}, "regex": {Pattern: `^(?P<time>[^,]+),(?P<ip>.*)`}} {
		const text = "when,ip\n16.11.2023 18:17:03,192.0.2.1\n16.11.2023 18:17:04,192.0.2.1\n"
		if name == "csv" {
			o.Time = "when"
		}
		o.TimeLayout = "%d.%m.%Y %H:%M:%S"
		r, err := readText(text, Options{Asked: o, TimeZone: "+01:00"})
		if err != nil || len(r.Time) != 2 || r.Time[0] != 1700155023e9 || !strings.Contains(r.Facts.Choices[0].String(), "(02.01.2006 15:04:05, no zone: read as +01:00)") {
			t.Errorf("%s: %v %+v", name, err, r)
		}
	}
	o := Options{Files: []string{"-"}, Asked: formats.Asked{TimeLayout: "%d.%m.%Y %H:%M:%S", TimeFormat: "epoch-s"}}
	if o.Validate() == nil {
		t.Error("a layout and a format of times are accepted")
	}
}
