package logs

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs/text"
)

// These formats exist in this test alone. They use what a declaration can say.
var (
	testText = format{
		name:     "test-text",
		columns:  []column{{"kind", "", plain}, {"time", "", plain}, {"client", "client_ip", addressPort}, {"took", "", plain}, {"wait", "", plain}, {"request", "", plain}, {"began", "", plain}},
		request:  "request",
		arrivals: []arrival{{stamp: "began"}, {stamp: "time", minus: []span{{field: "took", unit: "s", unknown: "-1"}, {field: "wait", unit: "ms"}}}},
		keys:     []string{"client"},
		cut: func(line []byte, p [][]byte) text.Flaw {
			clear(p)
			fields := bytes.SplitN(line, []byte(" "), 6)
			if len(fields) < 6 || string(fields[0]) != "test" || !isIP(addressPort.clean(fields[2])) {
				return text.Flaw{Why: "not of the test"}
			}
			copy(p, fields)
			quote := bytes.LastIndexByte(fields[5], '"')
			if p[5] = fields[5][1:quote]; len(fields[5]) > quote+2 {
				p[6] = fields[5][quote+2:]
			}
			return text.Flaw{}
		},
	}
	testJSON = format{
		name:     "test-json",
		needs:    []string{"test", "request.proto"},
		columns:  []column{{"request.client_ip", "client_ip", address}, {"request.remote_ip", "", address}, {"request.headers.forwarded[0]", "", forwarded}},
		arrivals: []arrival{{stamp: "begin"}, {stamp: "ts", minus: []span{{field: "duration", unit: "ms"}}}},
		keys:     []string{"request.headers.forwarded[0]", "request.client_ip", "request.remote_ip"},
	}
	testHeader = format{name: "test-header", open: openTestHeader}
)

// testHeaderSplitter reads lines whose columns a line #names can change.
type testHeaderSplitter struct {
	in     *input
	lay    *layout
	names  []string
	fields [][]byte
}

func openTestHeader(in *input) (splitter, error) {
	if len(in.sample.lines) == 0 || !bytes.HasPrefix(in.sample.lines[0].text, []byte("#names")) {
		return nil, &text.Error{Message: "no #names"}
	}
	return &testHeaderSplitter{in: in}, nil
}

func (s *testHeaderSplitter) layout() *layout { return s.lay }

func (s *testHeaderSplitter) split(line []byte) ([][]byte, text.Flaw) {
	if line[0] == '#' {
		s.names = strings.Fields(string(line))[1:]
		var missing string
		s.lay, missing = s.in.o.fit(named(s.names), defaults{arrivals: []arrival{{stamp: "date", daytime: "time"}}, keys: []string{"ip"}})
		if missing != "" {
			s.lay = nil
		}
		return nil, text.Flaw{}
	}
	fields := bytes.Fields(line)
	if s.lay == nil || len(fields) != len(s.names) {
		return nil, text.Flaw{Why: "not as named"}
	}
	s.fields = s.fields[:0]
	for _, n := range s.lay.names {
		s.fields = append(s.fields, fields[slices.Index(s.names, n)])
	}
	return s.fields, text.Flaw{}
}

// A declaration is all that a format needs: alternatives of the time and of the
// key, durations, two fields that make a time, columns that change.
func TestDeclarations(t *testing.T) {
	old := registry
	registry = append([]*format{&testText, &testJSON, &testHeader}, registry...)
	defer func() { registry = old }()
	var changed strings.Builder
	for i := range 3000 {
		if i%1000 == 0 {
			fmt.Fprintf(&changed, "#names %sdate ip time\n", strings.Repeat("more ", i/1000))
		}
		fmt.Fprintf(&changed, "%s2026-11-01 192.0.2.%d 10:00:01\n", strings.Repeat("x ", i/1000), i%3)
	}
	for _, c := range []struct{ name, in, want, choice string }{
		{"test-text", "test 2026-11-01T10:00:02Z 192.0.2.1:80 1.5 250 \"GET /a?b HTTP/1.1\"\ntest 2026-11-01T10:00:02Z 2001:db8::1:80 -1 0 \"-\"\n",
			"2026-11-01T10:00:00.25Z 192.0.2.1\n2026-11-01T10:00:02Z 2001:db8::1\n", "time: time - took - wait (RFC 3339)  key: client"},
		{"test-text", "test 2026-11-01T10:00:02Z 192.0.2.1:80 1.5 0 \"GET /a?b HTTP/1.1\" 2026-11-01T10:00:01Z\n",
			"2026-11-01T10:00:01Z 192.0.2.1\n", "time: began (RFC 3339)  key: client"},
		{"test-json", `{"test":1,"ts":1800000000,"duration":1500,"request":{"proto":"h2","remote_ip":"192.0.2.1"}}
{"test":1,"ts":1800000000,"duration":0,"request":{"proto":"h2","remote_ip":"192.0.2.1","client_ip":"[2001:db8::1]:80"}}
{"test":1,"ts":1800000000,"duration":0,"request":{"proto":"h2","headers":{"forwarded":["192.0.2.9, 10.0.0.1"]}}}
`, "2027-01-15T07:59:58.5Z 192.0.2.1\n2027-01-15T08:00:00Z 2001:db8::1\n2027-01-15T08:00:00Z 192.0.2.9\n",
			"time: ts - duration (seconds since 1970)  key: request.headers.forwarded[0], else request.client_ip, else request.remote_ip (as the client sent it)"},
		{"test-header", "#names date time ip\n2026-11-01 10:00:00 192.0.2.1\n#names ip x date time\n192.0.2.2 - 2026-11-01 10:00:01\n",
			"2026-11-01T10:00:00Z 192.0.2.1\n2026-11-01T10:00:01Z 192.0.2.2\n", "time: date and time (RFC 3339, no zone: read as UTC (--time-zone))  key: ip"},
		{"test-header", changed.String(), "", "time: date and time (RFC 3339, no zone: read as UTC (--time-zone))  key: ip"},
	} {
		r, err := readText(c.in, Options{})
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		got := r.Facts.Choices[0]
		if text := stamped(r); c.want != "" && text != c.want || got.Bad > 0 || got.Format != c.name || !strings.Contains(got.String(), c.choice) {
			t.Errorf("%s: %s\n%v malformed\n%swant %s\n%s", c.name, got, r.Facts.Problems, text, c.choice, c.want)
		}
	}
	r, err := readText("test 2026-11-01T10:00:02Z 192.0.2.1:80 1.5 250 \"GET /a?b HTTP/1.1\"\n", Options{Asked: Asked{Key: "path"}})
	if err != nil || !slices.Equal(r.KeyNames, []string{"/a"}) {
		t.Errorf("per path: %v %+v", err, r)
	}
}
