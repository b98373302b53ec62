package logs

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs/formats"
)

// TestSpellings reads lines as servers and collectors write them, four of each: @ is
// the client, whose last number goes from 1 to 4, and # that number alone. Each is
// read with the client as the key, or refused.
func TestSpellings(t *testing.T) {
	const (
		request   = `[01/Nov/2026:10:00:0# +0000] "GET / HTTP/1.1" 200 5`
		combined  = `@ - - ` + request + ` "-" "curl"`
		proxied   = `10.0.0.1 - - ` + request + ` "-" "curl"`
		haproxied = `10.0.0.1:5 [01/Nov/2026:10:00:0#.570] fe be/s 0/0/0/1/1 200 5 - - ---- 1/1/1/1/0 0/0 {www.example|@, 10.9.9.9} {} "GET / HTTP/1.1"`
		warned    = "all rows have the same "
	)
	doubled := strings.ReplaceAll(combined, `"`, `""`)
	for _, c := range []struct {
		name, header, line string
		o                  formats.Asked
		format, key        string
		warning            string
		refused            string
	}{
		// A quote is part of no address.
		{name: "quoted client", line: `"@" - - ` + request + ` "-" "curl"`, format: "combined", key: "remote_addr"},
		{name: "quoted list of clients", line: `"@, 10.0.0.1" - - ` + request + ` "-" "curl"`, format: "combined", key: "remote_addr (as the client sent it)"},
		{name: "quotes of another field", line: `"a" "b" @ - - ` + request, refused: "cannot tell the format"},

		// Lines in a column.
		{name: "Splunk", header: `"_time",clientip,"_raw"`, line: `"2026-11-01T10:00:0#.000-0500",@,"` + doubled + `"`, format: "combined in CSV column _raw", key: "remote_addr"},
		{name: "a field beside the line", header: `"_time",clientip,"_raw"`, line: `"2026-11-01T10:00:0#.000-0500",@,"` + doubled + `"`, o: formats.Asked{Key: "clientip"}, refused: "; --log-format csv reads those beside CSV column _raw"},
		{name: "a field beside the line of JSON", line: `{"message":"@ - - [01/Nov/2026:10:00:0# +0000] \"GET / HTTP/1.1\" 200 5","pod":"#"}`, o: formats.Asked{Key: "pod"}, refused: "; --log-format json reads those beside JSON field message"},
		{name: "Grafana", header: `"labels","Time","Line","tsNs","id"`, line: `"{""app"":""nginx""}","2026-11-01 10:00:0#.250","` + doubled + `","179352720#250000000","179352720#250000000_a"`, format: "combined in CSV column Line", key: "remote_addr"},
		{name: "CloudWatch", header: `@timestamp,@message`, line: `2026-11-01 10:00:0#.000,"` + doubled + "\n\"", format: "combined in CSV column @message", key: "remote_addr"},
		{name: "CloudWatch, a line break before the end", header: `@message,@timestamp`, line: `"` + doubled + "\n\",2026-11-01 10:00:0#.000", format: "combined in CSV column @message", key: "remote_addr"},
		{name: "Kibana", header: `"@timestamp",host,message`, line: `"Nov 1, 2026 @ 10:00:0#.000","web-1","<134>Nov  1 10:00:00 web nginx: ` + doubled + `"`, format: "combined in syslog (RFC 3164) in CSV column message", key: "remote_addr"},
		{name: "time of the column", header: `TimeStamp;Log`, line: `2026-11-01T10:00:0#Z;"at=info method=GET path=/ fwd=@ status=200"`, format: "logfmt in CSV column Log", key: "fwd"},
		{name: "JSON in a column", header: `time,log`, line: `2026-11-01T10:00:0#Z,"{""client_ip"":""@"",""time"":""2026-11-01T10:00:0#Z""}"`, format: "json in CSV column log", key: "client_ip"},
		{name: "Elasticsearch", line: `{"_id":"#","_source":{"Timestamp":"2026-11-01T10:00:0#Z","source":{"address":"@"},"user":"#"}}`, format: "json", key: "_source.source.address"},
		{name: "Splunk's JSON", line: `{"preview":false,"result":{"_time":"2026-11-01T10:00:0#.000+0000","clientip":"@","status":"200"}}`, format: "json", key: "result.clientip"},
		{name: "Azure", header: `"timestamp [UTC]",client_IP`, line: `"11/25/2026, 9:46:0#.250 AM",@`, o: formats.Asked{TimeLayout: "1/2/2006, 3:04:05.000 PM"}, format: "csv", key: "client_IP"},
		{name: "Azure without a layout", header: `"timestamp [UTC]",client_IP`, line: `"11/25/2026, 9:46:0#.250 AM",@`, refused: "looks like csv, but time is not a Common Log time: \"11/25/2026, 9:46:01.250 AM\"; --time-layout says"},
		{name: "Athena's table of ALB", header: `type,time,client_ip,request_creation_time`, line: `h2,2026-11-01T10:00:09Z,@,2026-11-01T10:00:0#Z`, format: "csv  time: request_creation_time (RFC 3339)", key: "client_ip"},
		{name: "columns beside text", header: `time,ip,message`, line: `2026-11-01T10:00:0#Z,@,"a, b"`, format: "csv", key: "ip"},

		{name: "Vercel", line: `{"timestamp":179352720#250,"message":"","proxy":{"method":"GET","clientIp":"@"}}`, format: "json", key: "proxy.clientIp"},
		{name: "kcat", line: `{"topic":"access","partition":0,"offset":#,"ts":179352720#250,"key":null,"payload":"@ - - [01/Nov/2026:10:00:0# +0000] \"GET / HTTP/1.1\" 200 5"}`, format: "common in JSON field payload", key: "remote_addr"},
		{name: "kcat, JSON without a time", line: `{"topic":"access","ts":179352720#250,"payload":"{\"remote_addr\":\"@\"}"}`, format: "json in JSON field payload  time: that of JSON field payload (milliseconds since 1970)", key: "remote_addr"},
		{name: "Azure App Service", line: `{"time":"2026-11-01T10:00:0#Z","Category":"AppServiceHTTPLogs","properties":"{\"CsMethod\":\"GET\",\"CIp\":\"@\"}"}`, format: "json in JSON field properties", key: "CIp"},

		// X-Forwarded-For beside the address of a proxy.
		{name: "list before quoted times", line: proxied + ` "@, 10.9.9.9" "0.001" "-"`, format: "combined", key: "remote_addr", warning: warned + "remote_addr"},
		{name: "list before quoted times, taken", line: proxied + ` "@, 10.9.9.9" "0.001" "-"`, o: formats.Asked{Key: "x_forwarded_for"}, format: "combined", key: "x_forwarded_for"},
		{name: "list in the end", line: proxied + ` "0.001" "@"`, o: formats.Asked{Key: "x_forwarded_for"}, format: "combined", key: "x_forwarded_for"},
		{name: "captured header", line: haproxied, format: "haproxy-http", key: "client", warning: warned + "client, as behind a proxy: --per x_forwarded_for takes the first address"},
		{name: "captured header, taken", line: haproxied, o: formats.Asked{Key: "x_forwarded_for"}, format: "haproxy-http", key: "x_forwarded_for (as the client sent it)"},
		{name: "header of Caddy", line: `{"ts":1793527200.#,"request":{"client_ip":"10.0.0.1","method":"GET","headers":{"X-Forwarded-For":["@, 10.9.9.9"]}}}`, format: "caddy", key: "request.client_ip", warning: warned + "request.client_ip"},
		{name: "header of Caddy, taken", line: `{"ts":1793527200.#,"request":{"client_ip":"10.0.0.1","method":"GET","headers":{"X-Forwarded-For":["@, 10.9.9.9"]}}}`,
			o: formats.Asked{Key: "request.headers.X-Forwarded-For"}, format: "caddy", key: "request.headers.X-Forwarded-For (as the client sent it)"},
		{name: "header of Traefik", line: `{"ClientHost":"10.0.0.1","StartUTC":"2026-11-01T10:00:0#Z","request_X-Forwarded-For":"@"}`, format: "traefik-json", key: "ClientHost", warning: "--per request_X-Forwarded-For"},
		{name: "headers in arrays", line: `{"time":"2026-11-01T10:00:0#Z","remote_ip":"10.0.0.1","headers":{"x-forwarded-for":["@"],"host":[]}}`, format: "json", key: "remote_ip", warning: "--per headers.x-forwarded-for"},
		{name: "GitLab Workhorse", line: `{"remote_addr":"127.0.0.1:5000#","remote_ip":"@","time":"2026-11-01T10:00:0#Z"}`, format: "json", key: "remote_ip"},
		{name: "another field beside a proxy", line: `{"time":"2026-11-01T10:00:0#Z","remote_addr":"10.0.0.1","http_x_real_ip":"@"}`, format: "json", key: "remote_addr", warning: warned + "remote_addr, as behind a proxy: --per http_x_real_ip takes another field"},
		{name: "GitLab's API", line: `{"time":"2026-11-01T10:00:0#Z","remote_ip":"@, 10.0.0.#"}`, format: "json", key: "remote_ip (as the client sent it)"},
		{name: "list of a proxy's own", line: `{"reqTimeSec":"179352720#.250","cliIP":"@","edgeIP":"192.0.2.9","xForwardedFor":"192.0.2.8"}`, format: "json", key: "cliIP"},

		{name: "a proxy alone", line: proxied, format: "combined", key: "remote_addr", warning: "all rows have the same remote_addr: if it is a proxy's, this log cannot say who the clients are"},

		// Relatives of common.
		{name: "IPv4 on a socket of IPv6", line: `::ffff:@ - - ` + request, format: "common", key: "remote_addr"},
		{name: "the same with a port", line: `{"time":"2026-11-01T10:00:0#Z","ip":"[::ffff:@]:443"}`, format: "json", key: "ip"},
		{name: "IPv4 in hexadecimal digits", line: `0:0:0:0:0:FFFF:C000:020# - - ` + request, format: "common", key: "remote_addr"},
		{name: "Jetty", line: `@ -  -  ` + request, format: "common", key: "remote_addr"},
		{name: "old ingress-nginx", line: `@ - [@] - - ` + request + ` "-" "curl" 99 0.003 [default-x-80]`, format: "combined", key: "remote_addr"},
		{name: "another address in brackets", line: `10.0.0.1 - [@] - - ` + request, refused: "cannot tell the format"},
		{name: "APISIX", line: `@ - - [01/Nov/2026:10:00:0# +0000] example.com:9080 "GET / HTTP/1.1" 200 5 0.003 "-" "curl"`, format: "common", key: "remote_addr"},
		{name: "API Gateway", line: `@ - - [01/Nov/2026:10:00:0# +0000]"GET / HTTP/1.1" 200 5 b1c2`, format: "common", key: "remote_addr"},
		{name: "two words before the request", line: `@ - - [01/Nov/2026:10:00:0# +0000] TLSv1.2 ECDHE "GET / HTTP/1.1" 200 5`, refused: "cannot tell the format"},

		{name: "time in brackets", line: `{"client":"@","time":"[01/Nov/2026:10:00:0# +0000]","request":"GET / HTTP/1.1"}`, format: "json  time: time (Common Log)", key: "client"},
		{name: "numbers in brackets", line: `{"client":"@","time":"[179352720#000]"}`, format: "json  time: time (milliseconds since 1970)", key: "client"},

		// The only date is the time.
		{name: "ModSecurity", line: `{"transaction":{"client_ip":"@","time_stamp":"Sun Nov  1 10:00:0# 2026","unique_id":"#"}}`, format: "json  time: transaction.time_stamp (Mon Jan _2 15:04:05 2006, no zone: read as UTC (--time-zone))", key: "transaction.client_ip"},
		{name: "a date that is the same", line: `{"when":"2026-11-01T10:00:0#Z","ClientIp":"@","Released":"2026-01-01T00:00:00Z"}`, format: "json  time: when (RFC 3339)", key: "ClientIp"},
		{name: "heading", header: `Date/Time,Client`, line: `01.11.2026 10:00:0#,@`, o: formats.Asked{TimeLayout: "%d.%m.%Y %H:%M:%S"}, format: "csv  time: Date/Time (02.01.2006 15:04:05, no zone: read as UTC (--time-zone))", key: "Client"},
		{name: "Kubernetes", line: `{"stage":"ResponseComplete","sourceIPs":["@"],"requestReceivedTimestamp":"2026-11-01T10:00:0#Z","stageTimestamp":"2026-11-01T10:00:0#.5Z"}`, format: "json  time: requestReceivedTimestamp (RFC 3339)", key: "sourceIPs"},
		{name: "no heading", line: `@,-,2026-11-01 10:00:0#,GET`, refused: "cannot tell the format"},
		{name: "two dates", line: `{"ip":"@","from":"2026-11-01T10:00:0#Z","to":"2026-11-01T10:00:0#.5Z"}`, refused: "no field is known as the time"},
		{name: "date beside the time of a wrapper", line: `{"log":"{\"ip\":\"@\",\"until\":\"2026-12-01T10:00:0#Z\"}\n","stream":"stdout","time":"2026-11-01T10:00:0#Z"}`, format: "json in docker  time: that of docker (RFC 3339)", key: "ip"},

		// Headers of syslog.
		{name: "Heroku's drain", line: `80 <158>1 2026-11-01T10:00:0#.5+00:00 host heroku router - at=error method=GET path="/" fwd="@" status=503`, format: "logfmt in syslog (RFC 5424)", key: "fwd"},
		{name: "structured data that ends nowhere", line: `<158>1 2026-11-01T10:00:0#Z host app 7 - [a b="]"  ` + combined, refused: "cannot tell the format"},
		{name: "lengths", line: `99 <134>1 2026-11-01T10:00:0#Z web nginx 12 - - ` + combined, format: "combined in syslog (RFC 5424)", key: "remote_addr"},
		{name: "short-precise of journalctl", line: `Nov  1 10:00:00.12345# web nginx[12]: ` + combined, format: "combined in syslog (RFC 3164)", key: "remote_addr"},
		{name: "a fraction without an end", line: `Nov  1 10:00:00.12345# ` + combined, refused: "cannot tell the format"},
		{name: "at that is no time", line: `at=info method=GET path=/ fwd="@"`, refused: "no field is known as the time"},

		{name: "records in an array of each line", line: `{"Records":[{"eventTime":"2026-11-01T10:00:0#Z","sourceIPAddress":"@"}]}`, refused: "pipe them through jq -c '.Records[]' and read the result as -"},

		{name: "not like combined", line: `[01/Nov/2026:10:00:0# +0000] @ www.example.com - "GET /" 200 - "-" "curl"`, refused: "cannot tell the format by a sample of the lines"},
	} {
		var lines []string
		if c.header != "" {
			lines = append(lines, c.header)
		}
		for i := range 4 {
			n := fmt.Sprint(i + 1)
			lines = append(lines, strings.NewReplacer("@", "192.0.2."+n, "#", n).Replace(c.line))
		}
		r, err := readText(strings.Join(lines, "\n"), Options{Asked: c.o})
		if c.refused != "" {
			if err == nil || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%s: %v, want %s", c.name, err, c.refused)
			}
			continue
		}
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		choice, got := r.Facts.Choices[0], strings.Join(r.KeyNames, " ")
		if want := "192.0.2.1 192.0.2.2 192.0.2.3 192.0.2.4"; c.warning == "" && got != want || len(r.Time) != 4 || r.Facts.Malformed != 0 {
			t.Errorf("%s: %d rows, %d malformed, keys %s", c.name, len(r.Time), r.Facts.Malformed, got)
		}
		if got := choice.String(); !strings.Contains(got, "format: "+c.format+"  ") || !strings.Contains(got, "key: "+c.key) {
			t.Errorf("%s: %s", c.name, got)
		}
		if got := strings.Join(choice.Warnings, "; "); !strings.Contains(got, c.warning) {
			t.Errorf("%s: warnings %s", c.name, got)
		}
	}
}

// Which time the requests have is decided without the messages.
func TestTimeOfFewRequests(t *testing.T) {
	var log strings.Builder
	for i := range 4 {
		log.WriteString(strings.Repeat(`{"timestamp":"2026-11-01T10:00:00Z","client_ip":"10.0.0.1"}`+"\n", 3))
		fmt.Fprintf(&log, `{"time_iso8601":"2026-11-01T10:00:0%dZ","remote_addr":"192.0.2.%d"}`+"\n", i, i)
	}
	r, err := readText(log.String(), Options{Malformed: "allow"})
	if err != nil || r.Facts.Format != "nginx-json" || len(r.KeyNames) != 4 {
		t.Errorf("%v, %+v", err, r)
	}
}

// A few requests among many messages are not read as messages: the file is refused, and
// an option reads the requests.
func TestFewRequestsAmongMessages(t *testing.T) {
	const message = `{"ts":1793527200,"level":"debug","user_id":"x","remote_ip":"10.0.0.1"}` + "\n"
	request := func(i int) string {
		return fmt.Sprintf(`{"ts":179352720%d,"logger":"http.log.access","user_id":"","request":{"client_ip":"192.0.2.%d","method":"GET"}}`+"\n", i, i)
	}
	for messages, format := range map[int]string{1: "caddy", 2: "caddy", 8: "caddy", 30: "json"} {
		var log strings.Builder
		for i := range 4 {
			log.WriteString(strings.Repeat(message, messages) + request(i))
		}
		r, err := readText(log.String(), Options{Asked: formats.Asked{}, Malformed: "allow"})
		if err != nil || r.Facts.Format != format || format == "caddy" && len(r.Time) != 4 {
			t.Errorf("%d messages for each request: %v, %+v", messages, err, r)
		}
		_, err = readText(log.String(), Options{})
		if refused := err != nil && strings.Contains(err.Error(), "malformed, more than half, read as caddy:"); refused != (messages == 2 || messages == 8) {
			t.Errorf("%d messages for each request: %v", messages, err)
		}
	}
}
