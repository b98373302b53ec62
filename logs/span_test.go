package logs

import (
	"strings"
	"testing"
)

// Recordings that are too long for sums of times are refused where they are
// read, with the lines that make them so.
func TestSpanIsBounded(t *testing.T) {
	for _, c := range []struct {
		in   string
		o    Options
		want string // "" if it is read
	}{
		{"t\n0\n9223300000\n", Options{}, "the recording lasts longer than 100 years: from 0s to 2262-04-11T03:46:40Z: the first stamp is at -:2, the last at -:3"},
		{"t\n0\n3155760000\n", Options{}, ""},
		{"t\n5\n3155760006\n1\n", Options{}, "the first stamp is at -:4, the last at -:3"},
		{"t\n7258118399\n", Options{}, ""},
		{"t\n7258118400\n", Options{}, "ends after the year 2199"},
		{"t\n0\n9223300000\n", Options{Until: 1e18}, ""},
		{"t\n0\n1500000000\n", Options{Repeat: 2}, ""},
		{"t\n0\n1600000000\n", Options{Repeat: 2}, "as it is replayed lasts longer than 100 years"},
		{"t\n7000000000\n7200000000\n", Options{Repeat: 2}, "as it is replayed ends after the year 2199"},
		{"t\n0\n1500000000\n", Options{Speed: fraction(t, "0.4")}, "lasts longer than 100 years"},
	} {
		c.o.Shared, c.o.TimeFormat = true, "s"
		_, err := readText(c.in, c.o)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.in, err, c.want)
		}
	}
}
