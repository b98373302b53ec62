package logs

import (
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/logs/formats"
)

// A numeric time has one unit in a file, or the file is refused with the flags
// that settle it.
func TestUnitOfNumbers(t *testing.T) {
	for _, c := range []struct {
		in   string // a header and stamps, separated by spaces
		o    Options
		want string // the notation and the first row, or the error
	}{
		{"time 1700000000 1700000001", Options{}, "seconds since 1970 1700000000000000000"},
		{"time 1700000000.25 1700000001.5", Options{}, "seconds since 1970 1700000000250000000"},
		{"time 1.700000001e9", Options{}, "seconds since 1970 1700000001000000000"},
		{"time 1700000000123 1700000001000", Options{}, "milliseconds since 1970 1700000000123000000"},
		{"time 1700000000123456", Options{}, "microseconds since 1970 1700000000123456000"},
		{"time 1700000000123456789", Options{}, "nanoseconds since 1970 1700000000123456789"},
		{"msec 1700000000.123", Options{}, "seconds since 1970 1700000000123000000"},
		{"time_ms 0 5 10", Options{}, "milliseconds since the start 0"},
		{"time_ms 1700000000123", Options{}, "milliseconds since 1970 1700000000123000000"},
		{"timestamp_us 7 9", Options{}, "microseconds since the start 7000"},
		{"ts_ns 1700000000123456789", Options{}, "nanoseconds since 1970 1700000000123456789"},
		{"epoch_ms 1700000000123", Options{}, "milliseconds since 1970 1700000000123000000"},
		{"timeMs 3 4", Options{}, "milliseconds since the start 3000000"},
		{"time_ms 1700000000 1700000001", Options{}, "-:2: the name time_ms states ms, but the numbers look like seconds since 1970: --time-format relative-ms or epoch-s settles it"},
		{"time 0.5 1.75", Options{}, "seconds since the start 500000000"},
		{"time 0 0", Options{}, "seconds since the start 0"},
		{"time 0 5 10", Options{}, "-:2: the unit of time is not known: the numbers from 0 to 10 may be seconds, milliseconds or microseconds; --time-format relative-s, relative-ms or relative-us settles it"},
		{"time 0 5 10", Options{Asked: formats.Asked{TimeFormat: "relative-us"}}, "microseconds since the start 0"},
		{"time 5 10", Options{Asked: formats.Asked{TimeFormat: "epoch-ms"}}, "milliseconds since 1970 5000000"},
		{"time 5 10", Options{Asked: formats.Asked{TimeFormat: "ms"}}, "milliseconds since 1970 5000000"},
		{"time 0 500000000 1000000000 1500000000 2000000000 2500000000", Options{}, "relative-us or relative-ns settles it"},
		{"time 0 9223300000", Options{}, "relative-us or relative-ns settles it"},
		{"time 1700000000 1700000001 1700000002 5", Options{}, "not known"},
	} {
		c.o.Shared = true
		r, err := readText(strings.ReplaceAll(c.in, " ", "\n")+"\n", c.o)
		got := ""
		if err != nil {
			got = err.Error()
		} else {
			got = r.Facts.Choices[0].Notation + " " + itoa(r.Time[0])
		}
		if got != c.want && (err == nil || !strings.Contains(got, c.want)) {
			t.Errorf("%s %s: %s, want %s", c.in, c.o.TimeFormat, got, c.want)
		}
	}
}

// A stamp that does not fit what the file's other stamps are is malformed.
func TestOneUnitPerFile(t *testing.T) {
	const seconds = "time\n1700000000\n1700000001\n1700000002\n1700000003\n"
	for _, c := range []struct{ in, want string }{
		{strings.Repeat("1700000000\n", 300) + "1700000000123\n", "time is not in the unit of the file's other times"},
		{strings.Repeat("1700000000\n", 300) + "17\n", "time is not in the unit of the file's other times"},
		{"2023-11-16T18:17:03Z\n", "time is a date, in a file whose times are numbers"},
		{strings.Repeat("2023-11-16T18:17:03Z\n", 9) + "", "time is a number, in a file whose times are dates"},
	} {
		r, err := readText(seconds+c.in, Options{Malformed: "allow", Asked: formats.Asked{Shared: true}})
		if err != nil || len(r.Facts.Problems) == 0 || !strings.HasPrefix(r.Facts.Problems[0].Message, c.want) {
			t.Errorf("%.30q: %v, want malformed: %s", c.in, err, c.want)
			continue
		}
	}
}
