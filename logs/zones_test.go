package logs

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/times"
)

func itoa(n int64) string { return strconv.FormatInt(n, 10) }

// Stamps without a zone are read in the zone that is named, else in UTC, and the
// choice says so.
func TestZones(t *testing.T) {
	for _, c := range []struct {
		in, zone string
		want     string // the first row
		notation string
		warned   string
	}{
		{"2023-07-01T12:00:00", "", "2023-07-01T12:00:00Z", "RFC 3339, no zone: read as UTC (--time-zone)", ""},
		{"2023-07-01T12:00:00", "UTC", "2023-07-01T12:00:00Z", "RFC 3339, no zone: read as UTC", ""},
		{"2023-07-01T12:00:00", "Europe/Berlin", "2023-07-01T10:00:00Z", "RFC 3339, no zone: read as Europe/Berlin", ""},
		{"2023-12-01 12:00:00.5", "Europe/Berlin", "2023-12-01T11:00:00.5Z", "RFC 3339, no zone: read as Europe/Berlin", ""},
		{"2023-07-01T12:00:00", "+05:30", "2023-07-01T06:30:00Z", "RFC 3339, no zone: read as +05:30", ""},
		{"01/Jul/2023:12:00:00", "America/New_York", "2023-07-01T16:00:00Z", "Common Log, no zone: read as America/New_York", ""},
		{"2023-07-01T12:00:00Z", "Europe/Berlin", "2023-07-01T12:00:00Z", "RFC 3339", ""},
		{"2023-10-29T01:59:59\n2023-10-29T02:30:00", "Europe/Berlin", "2023-10-28T23:59:59Z 2023-10-29T00:30:00Z", "RFC 3339, no zone: read as Europe/Berlin", "1 time lies in an hour that happened twice in Europe/Berlin"},
		{"2023-10-29T03:00:00", "Europe/Berlin", "2023-10-29T02:00:00Z", "RFC 3339, no zone: read as Europe/Berlin", ""},
		{"2023-03-26T02:30:00", "Europe/Berlin", "2023-03-26T01:30:00Z", "RFC 3339, no zone: read as Europe/Berlin", "1 time lies in an hour that was skipped in Europe/Berlin"},
		{"2023-07-01T12:00:00Z\n2023-07-01T12:00:00", "", "2023-07-01T12:00:00Z 2023-07-01T12:00:00Z", "RFC 3339, no zone: read as UTC (--time-zone)", "1 time has a zone and 1 has none, which are read as UTC"},
	} {
		r, err := readText("time\n"+c.in+"\n", Options{TimeZone: c.zone, Asked: formats.Asked{Shared: true}})
		if err != nil {
			t.Errorf("%s in %s: %v", c.in, c.zone, err)
			continue
		}
		var rows []string
		for _, at := range r.Time {
			rows = append(rows, time.Unix(0, at).UTC().Format(time.RFC3339Nano))
		}
		choice := r.Facts.Choices[0]
		warned := strings.Join(choice.Warnings, "\n")
		if got := strings.Join(rows, " "); got != c.want || choice.Notation != c.notation || (warned == "") != (c.warned == "") || !strings.Contains(warned, c.warned) {
			t.Errorf("%s in %s: %s, %s, %q\nwant %s, %s, %q", c.in, c.zone, got, choice.Notation, warned, c.want, c.notation, c.warned)
		}
	}
	for _, bad := range []string{"Mars/Olympus", "Local", "+25:00", "+2"} {
		if _, err := readText("time\n0\n", Options{TimeZone: bad}); err == nil || !strings.Contains(err.Error(), "time zone") {
			t.Errorf("%s: %v", bad, err)
		}
	}
}

// Files with and without zones that are merged bring a warning.
func TestMixedZones(t *testing.T) {
	dir := t.TempDir()
	o := Options{Files: []string{
		writeFile(t, dir, "a.csv", "time\n2023-07-01T12:00:00Z\n"), writeFile(t, dir, "b.csv", "time\n2023-07-01T12:00:00\n"),
	}}
	r, err := readRows(o)
	if err != nil {
		t.Fatal(err)
	}
	want := "times have a zone in " + o.Files[0] + " and none in " + o.Files[1]
	if w := r.Facts.Choices[1].Warnings; len(w) != 1 || !strings.HasPrefix(w[0], want) {
		t.Errorf("%q, want %s", w, want)
	}
	o.TimeZone = "Europe/Berlin"
	if r, err = readRows(o); err != nil || len(r.Facts.Choices[1].Warnings) != 0 || r.Time[1]-r.Time[0] != 2*3600*times.Second {
		t.Errorf("with the zone: %v %+v", err, r.Facts)
	}
}
