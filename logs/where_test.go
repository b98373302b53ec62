package logs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs/formats"
)

// TestWhere checks which rows conditions keep, in formats that declare the fields and in
// those that do not: with request lines, URLs and queries, prefixes and wildcards.
func TestWhere(t *testing.T) {
	lines := map[string]string{
		"combined": `10.0.0.1 - - [14/Nov/2023:22:13:2%d +0000] "%s %s?a=/login HTTP/1.1" %d 5 "-" "a"`,
		"caddy":    `{"level":"info","ts":170000000%d,"logger":"http.log.access","request":{"remote_ip":"127.0.0.1","method":"%s","uri":"%s?a=/login","host":"a.example"},"status":%d}`,
		"csv":      `170000000%d,10.0.0.1,%s,https://a.example%s,%d`,
		"json":     `{"ts":170000000%d,"ip":"10.0.0.1","request":"%s %s?a=/login HTTP/1.1","host":"a.example","code":%d,"app":{"id":7}}`,
		"ltsv":     "time:170000000%d\thost:10.0.0.1\treqmethod:x\tmethod:%s\turi:%s\tstatus:%d\tvhost:a.example",
		"w3c":      "2023-11-14 22:13:2%d 10.0.0.1 %s %s %d a.example",
	}
	requests := [...][2]string{{"GET", "/login"}, {"POST", "/login/reset"}, {"GET", "/"}, {"POST", "/api/login"}}
	for format, line := range lines {
		var log strings.Builder
		switch format {
		case "csv":
			fmt.Fprintln(&log, "ts,ip,verb,url,code")
		case "w3c":
			fmt.Fprintln(&log, "#Fields: date time c-ip cs-method cs-uri-stem sc-status cs-host")
		}
		for i, r := range requests {
			fmt.Fprintf(&log, line+"\n", i, r[0], r[1], 200+i)
		}
		file := writeFile(t, t.TempDir(), "log", log.String())
		for _, c := range []struct {
			where string
			want  int64 // 0: an error
		}{
			{"path=/login", 2}, {"path=/", 4}, {"path=*login", 2}, {"path=/login*", 2}, {"path=*reset", 1}, {"path=/x", 0},
			{"method=POST", 2}, {"method=POST path=/login", 1}, {"method=POST method=GET", 4}, {"method=post", 0},
			{"host=a.*", 4}, {"host=10.0.0.1", 0}, {"nothing=1", 0}, {"path", 0}, {"=x", 0}, {"app.id=7", 0},
		} {
			if strings.HasPrefix(c.where, "host=a") && format == "combined" {
				c.want = 0 // it has no such field
			}
			if c.where == "app.id=7" && format == "json" {
				c.want = 4
			}
			o := Options{Files: []string{file}}
			o.Where = strings.Fields(c.where)
			r, err := readRows(o)
			if (err != nil) != (c.want == 0) || err == nil && r.Facts.Rows != c.want {
				t.Errorf("%s, %s: %v, want %d rows", format, c.where, err, c.want)
			}
			if err == nil && c.want < 4 && !strings.Contains(r.Facts.Choices[0].String(), fmt.Sprintf("leaves out %d of 4 rows", 4-c.want)) {
				t.Errorf("%s, %s: %v", format, c.where, r.Facts.Choices[0])
			}
		}
	}
}

// If no request fits, the message says of how many, and names start and until only if
// they are given. An object is no field to compare.
func TestNothingFits(t *testing.T) {
	const log = `{"time":"2023-11-14T22:13:20Z","ip":"10.0.0.1","url":"/","request":{"uri":"/login"}}` + "\n" + `{"time":"2023-11-14T22:13:21Z","ip":"10.0.0.1","url":"/","request":{"uri":"/login"}}`
	for where, want := range map[string]string{
		"url=/x":   "none of 2 requests fits url=/x",
		"method=x": `no field "method"; the fields of the first record are`,
	} {
		for _, start := range []int64{0, 1700000001_000000000} {
			o := Options{Start: start}
			o.Where = []string{where}
			if start > 0 {
				want = strings.Replace(want, "requests fits", "requests between start and end fits", 1)
			}
			if _, err := readText(log, o); err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("%s: %v, want %s", where, err, want)
			}
		}
	}
}

// The parts of a request are also found inside of records, and in other spellings.
func TestPartsInsideRecords(t *testing.T) {
	const common = `"time":"2023-11-14T22:13:2%dZ","client_ip":"10.0.0.1"`
	for _, c := range []struct{ line, path, status string }{
		{`{` + common + `,"log":{"file":{"path":"/var/log"}},"upstream":{"status":500},"request":{"uri":"%s","method":"%s"},"response":{"status":%d}}`, "request.uri", "response.status"},
		{`{` + common + `,"Properties":{"RequestPath":"%s","RequestMethod":"%s","StatusCode":%d}}`, "Properties.RequestPath", "Properties.StatusCode"},
		{`{` + common + `,"ClientRequestURI":"%s","ClientRequestMethod":"%s","api":{"status":"OK","statusCode":%d}}`, "ClientRequestURI", "api.statusCode"},
	} {
		log := ""
		for i, path := range []string{"/login", "/", "/login?a"} {
			log += fmt.Sprintf(c.line+"\n", i, path, []string{"GET", "POST"}[i%2], 427+i)
		}
		for where, want := range map[string]struct {
			rows int64
			says string
		}{
			"path=/login": {2, "where: path=/login in " + c.path + " (leaves out 1 of 3 rows)"},
			"method=POST": {1, "where: method=POST in "},
			"status=42*":  {3, "where: status=42* in " + c.status + " "},
		} {
			o := Options{}
			o.Where = []string{where}
			r, err := readText(log, o)
			if err != nil || r.Facts.Rows != want.rows || !strings.Contains(r.Facts.Choices[0].String(), want.says) {
				t.Errorf("%s%s: %v, %+v", log, where, err, r)
			}
		}
		if r, err := readText(log, Options{}); err != nil || !strings.Contains(strings.Join(r.Facts.Choices[0].Warnings, "; "), "1 row with "+c.status+" 429 of 3") {
			t.Errorf("%s: %v, %+v", log, err, r)
		}
	}
}

// In formats that declare their fields, a field that the records have goes before another
// one with that alias, and where there is none, the request line has its parts.
func TestPartsOfDeclaredFormats(t *testing.T) {
	for _, c := range []struct{ line, per string }{
		{`"time_iso8601":"2023-11-14T22:13:2#+00:00","remote_addr":"10.0.0.1","request":"METHOD PATH?a HTTP/1.1"`, "path in request"},
		{`"time_iso8601":"2023-11-14T22:13:2#+00:00","remote_addr":"10.0.0.1","method":"METHOD","uri":"PATH"`, "path in uri"},
		{`"time_iso8601":"2023-11-14T22:13:2#+00:00","remote_addr":"10.0.0.1","method":"METHOD","path":"PATH"`, "path"},
		{`"time_iso8601":"2023-11-14T22:13:2#+00:00","remote_addr":"10.0.0.1","request_method":"METHOD","request_uri":"PATH?a=#","request":"x"`, "path in request_uri"},
		{`"EdgeStartTimestamp":"2023-11-14T22:13:2#Z","ClientIP":"10.0.0.1","ClientRequestMethod":"METHOD","ClientRequestURI":"PATH?a"`, "path in ClientRequestURI"},
		{`"requestId":"x","ip":"10.0.0.1","requestTimeEpoch":170000000#000,"httpMethod":"METHOD","path":"PATH","resourcePath":"/{proxy+}"`, "path"},
	} {
		log := ""
		for i, path := range []string{"/login", "/", "/login"} {
			log += "{" + strings.NewReplacer("#", fmt.Sprint(i), "PATH", path, "METHOD", []string{"GET", "POST"}[i%2]).Replace(c.line) + "}\n"
		}
		for where, want := range map[string]int64{"path=/login": 2, "method=POST": 1} {
			o := Options{}
			o.Where = []string{where}
			if r, err := readText(log, o); err != nil || r.Facts.Rows != want {
				t.Errorf("%s%s: %v, want %d rows", log, where, err, want)
			}
		}
		o := Options{}
		o.Key = "path"
		if r, err := readText(log, o); err != nil || strings.Join(r.KeyNames, " ") != "/login /" || r.Facts.Choices[0].Key != c.per {
			t.Errorf("%s: %v, keys %+v, want those of %s", log, err, r, c.per)
		}
		o.Key, o.Keys = "", []string{"method", "path"}
		if r, err := readText(log, o); err != nil || strings.Join(r.KeyNames, " ") != "GET,/login POST,/" {
			t.Errorf("%s: %v, keys %+v, want method and path", log, err, r)
		}
	}
}

// TestHosts finds the host that was asked for, HOST, in what servers write: in a field of
// its own, in a URL, or in front of the line.
func TestHosts(t *testing.T) {
	const clf = `10.0.0.1 - - [14/Nov/2023:22:13:2# +0000] "GET PATH HTTP/1.1" 200 5`
	for name, line := range map[string]string{
		"Cloudflare":    `{"EdgeStartTimestamp":"2023-11-14T22:13:2#Z","ClientIP":"10.0.0.1","ClientRequestHost":"HOST","EdgeServerIP":"10.0.0.9"}`,
		"Traefik":       `{"ClientHost":"10.0.0.1","StartUTC":"2023-11-14T22:13:2#Z","RequestHost":"HOST","RequestPath":"/login"}`,
		"Front Door":    `{"time":"2023-11-14T22:13:2#Z","properties":{"clientIp":"10.0.0.1","hostName":"HOST","requestUri":"https://x.example:443/login"}}`,
		"API Gateway":   `{"requestId":"x","ip":"10.0.0.1","requestTimeEpoch":170000000#000,"httpMethod":"GET","domainName":"HOST"}`,
		"CloudFront":    "2023-11-14\t22:13:2#\tF\t1\t10.0.0.1\tGET\td1.cloudfront.net\t/login\t200\tHOST",
		"Google":        `{"timestamp":"2023-11-14T22:13:2#Z","httpRequest":{"remoteIp":"10.0.0.1","requestUrl":"https://HOST/login?u=http://b/"}}`,
		"Google, /":     `{"timestamp":"2023-11-14T22:13:2#Z","httpRequest":{"remoteIp":"10.0.0.1","requestUrl":"https://HOST"}}`,
		"Envoy Gateway": `{":authority":"HOST","method":"GET","response_code":200,"start_time":"2023-11-14T22:13:2#Z","x-forwarded-for":"10.0.0.1","x-envoy-origin-path":"/login"}`,
		"Caddy":         `{"ts":170000000#,"request":{"client_ip":"10.0.0.1","method":"GET","uri":"/login","host":"HOST:8443"}}`,
		"squid":         "170000000#.000 0 10.0.0.1 TCP_MISS/200 5 GET http://HOST/login - HIER_DIRECT/10.0.0.9 -",
		"CONNECT":       "170000000#.000 0 10.0.0.1 TCP_TUNNEL/200 5 CONNECT HOST:443 - HIER_DIRECT/10.0.0.9 -",
		"vhost":         "HOST:443 " + clf,
		"URL in a line": strings.Replace(clf, "PATH", "http://HOST:80/login", 1),
		"url":           `{"time":"2023-11-14T22:13:2#Z","ip":"10.0.0.1","hostname":"web-1","url":"https://HOST:80/login"}`,
		"req":           "time:170000000#\thost:10.0.0.1\treq:GET http://HOST/login HTTP/1.1\tstatus:200",
		"user in URL":   `{"time":"2023-11-14T22:13:2#Z","ip":"10.0.0.1","url":"https://u:p@HOST/login"}`,
		"none":          clf,
	} {
		log := ""
		if name == "CloudFront" {
			log = "#Fields: date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status x-host-header\n"
		}
		for i, host := range []string{"a.example", "b.example", "a.example"} {
			log += strings.NewReplacer("#", fmt.Sprint(i), "HOST", host).Replace(line) + "\n"
		}
		for where, want := range map[string]int64{"host=a.example": 2, "host=*.example*": 3, "host=c": 0} {
			o := Options{}
			o.Where = []string{where}
			r, err := readText(log, o)
			if name == "none" || want == 0 {
				if err == nil {
					t.Errorf("%s, %s: read %d rows", name, where, r.Facts.Rows)
				}
			} else if err != nil || r.Facts.Rows != want {
				t.Errorf("%s, %s: %v, want %d rows", name, where, err, want)
			}
		}
		o := Options{}
		if o.Where = []string{"path=/login"}; strings.Contains(line, "/login") {
			if r, err := readText(log, o); err != nil || r.Facts.Rows != 3 {
				t.Errorf("%s, path: %v", name, err)
			}
		}
	}
	squid := "1700000000.000 0 10.0.0.1 TCP_MISS/200 5 GET http://a/login?x - HIER_DIRECT/10.0.0.9 -"
	if r, err := readText(squid, Options{Asked: formats.Asked{Key: "path"}}); err != nil || r.KeyNames[0] != "/login" || r.Facts.Choices[0].Key != "path in url" {
		t.Errorf("path of squid: %v, %+v", err, r)
	}
	log := "a.example " + strings.Replace(clf, "#", "0", 1) + "\n" + "b.example " + strings.Replace(clf, "#", "1", 1)
	if r, err := readText(log, Options{Asked: formats.Asked{Key: "vhost"}}); err != nil || strings.Join(r.KeyNames, " ") != "a.example b.example" {
		t.Errorf("keys of virtual hosts: %v, %+v", err, r)
	}
}

// A file of several of which no row fits, or has the key, is named.
func TestFilesWithoutAFit(t *testing.T) {
	dir := t.TempDir()
	files := []string{
		writeFile(t, dir, "a.csv", "ts,ip,path,user\n1700000000,10.0.0.1,/login,ann\n"),
		writeFile(t, dir, "b.csv", "ts,ip,path,user\n1700000001,10.0.0.1,/,-\n1700000002,10.0.0.1,/,-\n"),
	}
	for _, c := range []struct {
		asked formats.Asked
		want  string
	}{
		{formats.Asked{Where: []string{"path=/login"}}, files[1] + ": none of its 2 rows fits path=/login"},
		{formats.Asked{Where: []string{"path=/"}}, ""},
		{formats.Asked{Key: "user"}, files[1] + ": 2 of 2 rows have no user"},
	} {
		r, err := readRows(Options{Files: files, Asked: c.asked})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Facts.Choices[1].Warnings, "; "); !strings.HasPrefix(got, c.want) || c.want == "" && got != "" {
			t.Errorf("%+v: %s, want %s", c.asked, got, c.want)
		}
	}
}

// Of the two records that an audit log has of a request, one counts, unless a condition
// says otherwise. Records of other types are no pairs.
func TestTwoRecordsOfARequest(t *testing.T) {
	pair := func(member, first, second string) (log string) {
		for i := range 4 {
			for _, value := range []string{first, second} {
				log += fmt.Sprintf(`{"time":"2023-11-14T22:13:2%dZ","%s":"%s","id":"%d","request":{"remote_address":"10.0.0.%d"}}`+"\n", i, member, value, i, i)
			}
		}
		return log
	}
	for _, c := range []struct {
		log   string
		where []string
		want  int64
		says  string
	}{
		{pair("type", "request", "response"), nil, 4, "where: type=request (leaves out 4 of 8 rows)"},
		{pair("type", "request", "response"), []string{"type=*"}, 8, "where: type=* (leaves out 0 of 8 rows)"},
		{pair("type", "request", "response"), []string{"id=3"}, 1, "where: id=3, type=request (leaves out 7 of 8 rows)"},
		{pair("stage", "RequestReceived", "ResponseComplete"), nil, 4, "where: stage=ResponseComplete (leaves out 4 of 8 rows)"},
		{pair("type", "request", "login"), nil, 8, "cost: 1"},
	} {
		o := Options{}
		o.Where = c.where
		r, err := readText(c.log, o)
		if err != nil || r.Facts.Rows != c.want || !strings.HasSuffix(r.Facts.Choices[0].String(), c.says) {
			t.Errorf("%s%v: %v, %+v", c.log, c.where, err, r)
		}
	}
}
