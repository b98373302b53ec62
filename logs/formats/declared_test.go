package formats_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/logs/formats"
)

// readText reads a log per this field. text has its rows as "time key".
func readText(t *testing.T, log, per string) (r *logs.Recording, text string) {
	t.Helper()
	r, err := logs.Read(t.Context(), logs.Options{Files: []string{"-"}, Stdin: strings.NewReader(log), Asked: logs.Asked{Key: per}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	var rows strings.Builder
	times := make([]int64, 100)
	for c := r.Play(0, 1<<62); ; {
		n := c.Fill(times)
		for i, at := range times[:n] {
			fmt.Fprintln(&rows, time.Unix(0, at).UTC().Format(time.RFC3339Nano), r.Keys().Of[c.Keys()[i]])
		}
		if n == 0 {
			return r, rows.String()
		}
	}
}

// A declaration is all that a format needs: alternatives of the time and of the
// key, durations, two fields that make a time, columns that change.
func TestDeclarations(t *testing.T) {
	defer formats.Declare()()
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
		r, text := readText(t, c.in, "")
		got := r.Facts.Choices[0]
		if c.want != "" && text != c.want || got.Bad > 0 || got.Format != c.name || !strings.Contains(got.String(), c.choice) {
			t.Errorf("%s: %s\n%v malformed\n%swant %s\n%s", c.name, got, r.Facts.Problems, text, c.choice, c.want)
		}
	}
	r, text := readText(t, "test 2026-11-01T10:00:02Z 192.0.2.1:80 1.5 250 \"GET /a?b HTTP/1.1\"\n", "path")
	if keys := r.Keys().Of; !slices.Equal(keys, []string{"/a"}) {
		t.Errorf("per path: %q, %s", keys, text)
	}
}
