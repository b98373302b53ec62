package logs

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// wrap puts a wrapper around each line of a text.
var wrap = map[string]func(i int, line string) string{
	"quotes":         func(_ int, line string) string { return strings.ReplaceAll(string(jsonText(line)), `\u003e`, ">") },
	"raw quotes":     func(_ int, line string) string { return `"` + line + `"` },
	"doubled quotes": func(_ int, line string) string { return `"` + strings.ReplaceAll(line, `"`, `""`) + `"` },
	"syslog (RFC 3164)": func(i int, line string) string {
		return fmt.Sprintf("<134>Oct  %d 22:14:15 web-1 nginx[%d]: %s", 1+i%9, i, line)
	},
	"file of rsyslog": func(i int, line string) string { return "2026-11-01T10:00:00.123456+00:00 web-1 nginx: " + line },
	"no host":         func(i int, line string) string { return "<190>Nov 01 10:00:00 nginx: " + line },
	"syslog (RFC 5424)": func(i int, line string) string {
		return `<165>1 2003-10-11T22:14:15.003Z host app - ID47 [a@32473 b="c\"]" d="e"] ` + line
	},
	"cri": func(i int, line string) string {
		if i%3 == 2 {
			return "2016-10-06T00:17:09.669794202Z stdout P " + line[:len(line)/2] +
				"\n2016-10-06T00:17:09.669794203Z stderr F other\n2016-10-06T00:17:09.669794204Z stdout F " + line[len(line)/2:]
		}
		return "2016-10-06T00:17:09.669794202Z stdout F " + line
	},
	"docker": func(i int, line string) string {
		text := func(s string) string {
			return `{"log":` + string(jsonText(s)) + `,"stream":"stdout","time":"2016-10-06T00:17:09.669794202Z"}`
		}
		if i%3 == 2 {
			return text(line[:len(line)/2]) + "\n" + text(line[len(line)/2:]+"\n")
		}
		return text(line + "\n")
	},
	"time":    func(_ int, line string) string { return "2016-10-06T00:17:09.669794202Z " + line },
	"compose": func(i int, line string) string { return fmt.Sprintf("web-%d  | %s", i%2, line) },
	"python":  func(_ int, line string) string { return "INFO:werkzeug:" + line },
	"kubectl": func(_ int, line string) string { return "[pod/web-0/nginx] " + line },
	"JSON field": func(_ int, line string) string {
		return `{"date":1600000000,"log":` + string(jsonText(line+"\n")) + `,"pod_ip":"10.0.0.1"}`
	},
	"vhost": func(i int, line string) string { return "www.example.com:443 " + line },
}

func jsonText(s string) []byte { b, _ := json.Marshal(s); return b }

// around puts wrappers around the lines of a text, the last one outermost.
func around(text string, names ...string) string {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for _, n := range names {
		for i := range lines {
			lines[i] = wrap[n](i, lines[i])
		}
		lines = strings.Split(strings.Join(lines, "\n"), "\n")
	}
	return strings.Join(lines, "\n") + "\n"
}

// Every sample of a format by lines is detected and gives the same rows with any
// wrappers around its lines.
func TestWrappers(t *testing.T) {
	var names []string
	for n := range wrap {
		if n != "vhost" {
			names = append(names, n)
		}
	}
	slices.Sort(names)
	for _, c := range formatCases(t) {
		for i, s := range c.samples() {
			if c.name == "csv" || strings.HasPrefix(strings.TrimSpace(s[0]), "[\n") || strings.HasPrefix(s[0], "{\n") {
				continue // not lines
			}
			stacks := [][]string{}
			for _, inner := range names {
				stacks = append(stacks, []string{inner})
				for _, outer := range []string{"cri", "docker", "syslog (RFC 3164)"} {
					if inner != outer {
						stacks = append(stacks, []string{inner, outer})
					}
				}
			}
			if c.name == "combined" || c.name == "common" && !strings.Contains(s[0], "burger") {
				stacks = append(stacks, []string{"vhost"}, []string{"vhost", "syslog (RFC 5424)", "docker"})
			}
			for _, stack := range stacks {
				if strings.HasPrefix(s[0], "#") && slices.Contains(stack, "cri") {
					continue // more lines of the other stream than records
				}
				if strings.Contains(s[0], "\t") && slices.Contains(stack, "quotes") {
					continue // without a quote inside, nothing tells that tabs are escaped
				}
				text := around(s[0], stack...)
				r, err := readText(text, Options{})
				if err != nil {
					t.Fatalf("%s %d in %v: %v\n%s", c.name, i, stack, err, text)
				}
				// The parts of cri are between lines of another stream, each malformed.
				bad := int64(strings.Count(text, " stderr F other"))
				if got := stamped(r); got != s[1] || r.Facts.Format != c.name || r.Facts.Malformed != bad {
					t.Errorf("%s %d in %v: read as %s, %v malformed\n%swant\n%s", c.name, i, stack, r.Facts.Format, r.Facts.Problems, got, s[1])
				}
			}
		}
	}
}

// The same lines in a column of a CSV file give the same rows.
func TestLinesInColumns(t *testing.T) {
	for _, c := range formatCases(t) {
		for i, s := range c.samples() {
			if c.name == "csv" || strings.HasPrefix(strings.TrimSpace(s[0]), "[\n") || strings.HasPrefix(s[0], "{\n") {
				continue // not lines
			}
			for _, shape := range [][2]string{{`"@timestamp","message","host"`, `"2016-10-06T00:17:09.669Z","%s","a ""b"", c"`}, {"id\tLine", "7\t\"%s\n\""}} {
				text := shape[0] + "\n"
				for line := range strings.Lines(s[0]) {
					text += fmt.Sprintf(shape[1], strings.ReplaceAll(strings.TrimSuffix(line, "\n"), `"`, `""`)) + "\n"
				}
				if r, err := readText(text, Options{}); err != nil || stamped(r) != s[1] || r.Facts.Format != c.name || r.Facts.Malformed != 0 {
					t.Errorf("%s %d: %v, read as %+v, want\n%s\n%s", c.name, i, err, r, s[1], text)
				}
			}
		}
	}
}

// A JSON document may hold lines too.
func TestLinesInDocuments(t *testing.T) {
	for _, c := range []struct{ begin, before, after, end string }{
		{`{"events":[`, `{"timestamp":1700000000000,"message":`, `}`, `]}`},
		{`{"took":3,"hits":{"hits":[`, `{"_index":"logs","_source":{"@timestamp":"2026-11-01T10:00:00Z","message":`, `}}`, `]}}`},
		{`[`, `{"textPayload":`, `,"insertId":"a"}`, `]`},
	} {
		var records []string
		for i := range 300 {
			records = append(records, c.before+string(jsonText(fmt.Sprintf("192.0.2.%d", i%4)+at0))+c.after)
		}
		r, err := readText(c.begin+"\n"+strings.Join(records, ",\n")+"\n"+c.end+"\n", Options{})
		if err != nil || len(r.Time) != 300 || len(r.KeyNames) != 4 || r.Facts.Malformed != 0 {
			t.Errorf("%s: %v %+v", c.begin, err, r)
		}
	}
}

// A record with a client of its own is not left for names with values in its message.
func TestMessageWithPairs(t *testing.T) {
	var lines []string
	for i := range 4 {
		lines = append(lines, fmt.Sprintf(`{"time":"2026-11-01T10:00:0%dZ","client_ip":"192.0.2.%d","message":"time=2026-11-01T10:00:00Z level=info server_ip=10.0.0.%d"}`, i, i, i))
	}
	r, err := readText(strings.Join(lines, "\n"), Options{})
	if err != nil || r.Facts.Choices[0].Key != "client_ip" || len(r.KeyNames) != 4 {
		t.Errorf("%v %+v", err, r)
	}
}
