package logs

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs/formats"
)

// The choice names what was taken, and what else could have been.
func TestChoice(t *testing.T) {
	const list = `192.0.2.1, 10.0.0.1 - - [01/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-"` + "\n"
	for _, c := range []struct {
		name, in string
		o        Options
		want     string
		keys     string
		others   string
	}{
		{"combined", strings.Replace(list, ", 10.0.0.1", "", 1), Options{}, "format: combined  time: time_local (Common Log)  key: remote_addr  cost: 1", "192.0.2.1", ""},
		{"list", list, Options{}, "format: combined  time: time_local (Common Log)  key: remote_addr (as the client sent it)  cost: 1", "192.0.2.1", ""},
		{"another key", list, Options{Asked: formats.Asked{Key: "path", Cost: []string{"bytes"}}}, "format: combined  time: time_local (Common Log)  key: path  cost: bytes", "/", ""},
		{"wrapped", around(list, "cri", "syslog (RFC 3164)"), Options{}, "format: combined in cri in syslog (RFC 3164)  time: time_local (Common Log)  key: remote_addr (as the client sent it)  cost: 1", "192.0.2.1", ""},
		{"csv", "ts,user,time,ip\n1700000000,ann,2026-11-01T10:00:00Z,192.0.2.1\n", Options{}, "format: csv  time: time (RFC 3339)  key: ip  cost: 1", "192.0.2.1", "time ts (--time-field ts), key user (--per user)"},
		{"a time that is a duration", `{"time":0.003,"ts":"2026-11-01T10:00:00Z","client":{"x":1},"user":null,"ip":"192.0.2.1"}`, Options{}, "format: json  time: ts (RFC 3339)  key: ip  cost: 1", "192.0.2.1", "time time (--time-field time)"},
		{"date and time", "Date,Time,ip,client\n2026-11-01,10:00:00,192.0.2.1,-\n", Options{}, "format: csv  time: Date and Time (RFC 3339, no zone: read as UTC (--time-zone))  key: ip  cost: 1", "192.0.2.1", ""},
		{"end and duration", "end,duration,ip\n1700000000,1,a\n", Options{}, "format: csv  time: end - duration (seconds since 1970)  key: ip  cost: 1", "a", ""},
		{"date of #Date", "#Date: 2026-11-01 10:00:00\n#Fields: time c-ip\n10:00:00 192.0.2.1\n", Options{}, "format: w3c  time: #Date and time (RFC 3339, no zone: read as UTC)  key: c-ip  cost: 1", "192.0.2.1", ""},
		{"time-taken in one part", "#Fields: date time c-ip time-taken\n2026-11-01 10:00:00 192.0.2.1 15000\n#Fields: date time c-ip\n2026-11-01 10:00:01 192.0.2.1\n#Fields: date time c-ip\n", Options{},
			"format: w3c  time: date and time - time-taken or date and time (RFC 3339, no zone: read as UTC)  key: c-ip  cost: 1", "192.0.2.1", ""},
		{"time of the wrapper", around(`{"ip":"192.0.2.1"}`+"\n", "docker"), Options{}, "format: json in docker  time: that of docker (RFC 3339)  key: ip  cost: 1", "192.0.2.1", ""},
		{"per file", list, Options{Asked: formats.Asked{PerFile: true}}, "format: combined  time: time_local (Common Log)  key: file name  cost: 1", "stdin", ""},
		{"shared", `{"time":1}`, Options{Asked: formats.Asked{Shared: true, TimeFormat: "relative-s"}}, "format: json  time: time (seconds since the start)  key: none  cost: 1", "-", ""},
	} {
		r, err := readText(c.in, c.o)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := r.Facts.Choices[0]
		var others []string
		for _, o := range got.Others {
			others = append(others, o.String())
		}
		if got.String() != c.want || strings.Join(others, ", ") != c.others || !slices.Equal(r.KeyNames, []string{c.keys}) {
			t.Errorf("%s: %s\nothers %v, keys %v\nwant %s\nothers %s, keys %s", c.name, got, others, r.KeyNames, c.want, c.others, c.keys)
		}
	}
}

// Text in front of the client's address is refused if it is no known wrapper,
// and never taken as the address.
func TestPrefixes(t *testing.T) {
	const line = `192.0.2.1 - - [01/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5 "-" "-"`
	for _, prefix := range []string{
		"web_1  | ", "web_1 | ", "2026-11-01T10:00:00Z ", "{x} ", "<134> ", "a b ", "a b c ", "10:00:00 ", "[pod/web-1] ", "I1101 ", "web-1 - ", "- - ", "1 ",
	} {
		text := prefix + line + "\n" + prefix + strings.Replace(line, "192.0.2.1", "192.0.2.2", 1) + "\n"
		r, err := readText(text, Options{})
		if err == nil && !slices.Equal(r.KeyNames, []string{"192.0.2.1", "192.0.2.2"}) {
			t.Errorf("%q: keys %v", prefix, r.KeyNames)
		}
		// A line with the prefix in a log without it.
		r, err = readText(strings.Repeat(line+"\n", 5)+prefix+line+"\n", Options{})
		if err != nil || r.Facts.Rows != 5 || r.Facts.Malformed != 1 {
			t.Errorf("%q in one line: %v, %+v", prefix, err, r)
		}
	}
}

// A log of which no key is an address warns: its first field may be the server.
func TestKeysThatAreNoAddresses(t *testing.T) {
	for text, want := range map[string]string{
		"web-1" + at0:                       "no key is an IP address, such as web-1: if remote_addr is not the client, name the key with --per",
		"web-1" + at0 + "\n192.0.2.1" + at0: "",
		"time_s,client\n1,gateway\n":        "no key is an IP address, such as gateway: if client is not the client, name the key with --per",
		"time_s,user\n1,ann\n":              "",
	} {
		r, err := readText(text, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(r.Facts.Choices[0].Warnings, "; "); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
	two := "192.0.2.1 10.0.0.1" + at0 + "\n192.0.2.2 10.0.0.1" + at0
	if r, err := readText(two, Options{}); err == nil {
		t.Errorf("a client and a proxy read with keys %v", r.KeyNames)
	}
}

// A time without a year is never taken.
func TestTimeWithoutYear(t *testing.T) {
	text := around(`{"ip":"192.0.2.1"}`+"\n"+`{"ip":"192.0.2.1"}`, "syslog (RFC 3164)")
	if _, err := readText(text, Options{}); err == nil || !strings.Contains(err.Error(), "the time of syslog (RFC 3164) has no year") {
		t.Errorf("read, error %v", err)
	}
}

// A key that no row has is refused; one that most rows lack is a warning.
func TestMissingKeys(t *testing.T) {
	line := func(user string) string {
		return `192.0.2.1 - ` + user + ` [01/Nov/2026:10:00:00 +0000] "GET / HTTP/1.1" 200 5` + "\n"
	}
	if _, err := readText(line("-")+line("-"), Options{Asked: formats.Asked{Key: "remote_user"}}); err == nil ||
		!strings.Contains(err.Error(), "remote_user is missing or - in every one of 2 rows") {
		t.Errorf("no user in any row: %v", err)
	}
	r, err := readText(line("-")+line("-")+line("ann"), Options{Asked: formats.Asked{Key: "remote_user"}})
	if err != nil || len(r.Facts.Choices[0].Warnings) != 1 || !strings.Contains(r.Facts.Choices[0].Warnings[0], "2 of 3 rows have no remote_user") {
		t.Errorf("a user in one of three rows: %v %+v", err, r.Facts.Choices)
	}
	if r, err = readText(line("-")+line("ann"), Options{Asked: formats.Asked{Key: "remote_user"}}); err != nil || len(r.Facts.Choices[0].Warnings) != 0 {
		t.Errorf("a user in half of the rows: %v %+v", err, r.Facts.Choices)
	}
}

// A record of JSON without the client's address is a message of the program and no
// request. One without a user is a request.
func TestRecordsWithoutKeys(t *testing.T) {
	for own, requests := range map[string]int{`"req":{"remoteAddress":"192.0.2.%d"}`: 4, `"user":"u%d"`: 8} {
		var log strings.Builder
		for i := range 4 {
			fmt.Fprintf(&log, `{"level":30,"time":179352720000%d,"msg":"incoming request",`+own+"}\n", i, i)
			fmt.Fprintf(&log, `{"level":30,"time":179352720000%d,"msg":"request completed","responseTime":1.5}`+"\n", i)
		}
		r, err := readText(log.String(), Options{})
		if err != nil || len(r.Time) != requests || r.Facts.Malformed != int64(8-requests) || slices.Contains(r.KeyNames, NoKey) != (requests == 8) {
			t.Errorf("%s: %v %+v", own, err, r)
		}
	}
}

// A file too short to tell its format is read like the one before it, and this
// is stated. A longer one is refused.
func TestShortFiles(t *testing.T) {
	dir := t.TempDir()
	long := writeFile(t, dir, "a.log", strings.Repeat("h"+at0+"\n", 3))
	read := func(text string) (*recorded, error) {
		return readRows(Options{Malformed: "allow", Files: []string{long, writeFile(t, dir, "b.log", text)}})
	}
	r, err := read("fragment\n")
	if err != nil || len(r.Facts.Choices[1].Warnings) != 2 || !strings.Contains(r.Facts.Choices[1].Warnings[0], "too short") {
		t.Errorf("one line: %v %+v", err, r)
	}
	if _, err = read("one\ntwo\nthree\n"); err == nil || !strings.Contains(err.Error(), "b.log:1: cannot tell the format") {
		t.Errorf("three lines: %v", err)
	}
}
