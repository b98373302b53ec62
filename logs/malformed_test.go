package logs

import (
	"fmt"
	"strings"
	"testing"
)

// goodAndBad returns good and malformed lines of a combined log.
func goodAndBad(good, bad int) string {
	log := ""
	for i := range good {
		log += fmt.Sprintf("192.0.2.%d%s\n", i%2, at0) // two clients, of which nothing is to be said
	}
	return log + strings.Repeat("garbage\n", bad)
}

// A file is refused if more than half of it is malformed, and brings a warning
// from 1 % on.
func TestMalformedShares(t *testing.T) {
	for _, c := range []struct {
		good, bad int
		rule      string
		refused   string // "" if it is read
		warned    string // "" if there is no warning
	}{
		{1, 99, "", "-: 99 of 100 lines are malformed, more than half", ""},
		{49, 51, "warn", "51 of 100 lines are malformed", ""},
		{50, 50, "", "", "-: 50 of 100 lines malformed (50.0 %) and left out: line 51: not a log line"},
		{1, 99, "allow", "", "99 of 100 lines malformed (99.0 %)"},
		{98, 2, "", "", "2 of 100 lines malformed (2.0 %)"},
		{99, 1, "", "", ""},
		{0, 3, "", "all 3 lines are malformed; the first ones:\n  -:1: ", ""},
	} {
		r, err := readText(goodAndBad(c.good, c.bad), Options{Format: "common", Malformed: c.rule})
		if err != nil || c.refused != "" {
			if err == nil || c.refused == "" || !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%d good, %d bad: %v, want %q", c.good, c.bad, err, c.refused)
			}
			continue
		}
		if got := strings.Join(r.Facts.Choices[0].Warnings, "\n"); (got == "") != (c.warned == "") || !strings.Contains(got, c.warned) {
			t.Errorf("%d good, %d bad: warnings %q, want %q", c.good, c.bad, got, c.warned)
		}
	}
}

// A file without a valid line is refused by name, also beside a good one.
func TestWholeFileMalformed(t *testing.T) {
	dir := t.TempDir()
	o := Options{Format: "common", Files: []string{
		writeFile(t, dir, "good.log", goodAndBad(500, 0)), writeFile(t, dir, "bad.log", goodAndBad(0, 3)),
	}}
	want := fmt.Sprintf("%s: nothing of this file can be read (--malformed allow leaves it out): all 3 lines are malformed", o.Files[1])
	if _, err := readRows(o); err == nil || !strings.Contains(err.Error(), want) {
		t.Errorf("%v, want %s", err, want)
	}
	o.Malformed = "allow"
	if r, err := readRows(o); err != nil || r.Facts.Rows != 500 || r.Facts.Malformed != 3 {
		t.Errorf("allowed: %v", err)
	}
}

// TestNoTimeOfDay checks that a record with no time of a day moves no other to the next day.
func TestNoTimeOfDay(t *testing.T) {
	const log = "#Date: 2003-01-05 10:00:00\n#Fields: time c-ip\n10:00:00 192.0.2.1\n99:99:99 192.0.2.1\n10:00:02 192.0.2.1\n10:00:03 192.0.2.1\n"
	r, err := readText(log, Options{Malformed: "allow"})
	if err != nil || r.Facts.Rows != 3 || r.Facts.Malformed != 1 || r.Facts.LastNs-r.Facts.FirstNs != 3e9 {
		t.Errorf("%v: %+v", err, r)
	}
}
