package times

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

func TestStamps(t *testing.T) {
	const day = 86400 * Second
	for _, c := range []struct {
		format, text string
		want         int64 // -1: flawed
	}{
		{"", "2023-11-16T18:17:03.9799600Z", 1700158623979960000},
		{"", "2023-11-16 18:17:03.9799600", 1700158623979960000},
		{"", "2023/11/16 18:17:03,979", 1700158623979000000},
		{"", "2023-11-16t18:17:03z", 1700158623 * Second},
		{"", "2023-11-16T18:17:03.9999999999999Z", 1700158623999999999},
		{"", "2023-11-16T20:17:03+02:00", 1700158623 * Second},
		{"", "2023-11-16T20:17:03+0200", 1700158623 * Second},
		{"", "2023-11-16 14:47:03 -0330", 1700158623 * Second},
		{"", "2023-11-16 18:17:03 UTC", 1700158623 * Second},
		{"", "16/Nov/2023:13:17:03 -0500", 1700158623 * Second},
		{"", "16/Nov/2023:18:17:03.5 +0000", 1700158623500000000},
		{"", "16/Nov/2023 18:17:03", 1700158623 * Second},
		{"", "16/Nov/2023T18:17:03", -1},
		{"", "Thu Nov 16 18:17:03 2023", 1700158623 * Second},
		{"", "Thu Nov  2 18:17:03 2023", 1698949023 * Second},
		{"", "2023/11/16 - 18:17:03", 1700158623 * Second},
		{"", "Thu, 16 Nov 2023 18:17:03 GMT", 1700158623 * Second},
		{"", "Nov 16, 2023 @ 18:17:03.979", 1700158623979000000},
		{"", "20231116T181703Z", 1700158623 * Second},
		{"", "16-Nov-2023 18:17:03.979", 1700158623979000000},
		{"", "2023-11-16 20:17:03.979 +0200 EET", 1700158623979000000},
		{"", "[16/Nov/2023:13:17:03 -0500]", 1700158623 * Second},
		{"", "[", -1},
		{"", "[]", -1},
		{"", "Thu Nov 31 18:17:03 2023", -1},
		{"", "2024-02-29T00:00:00Z", 1709164800 * Second},
		{"", "1970-01-01T00:00:60Z", 60 * Second},
		{"", "2023-02-29T00:00:00Z", -1},
		{"", "2023-13-01T00:00:00Z", -1},
		{"", "2023-11-16T24:00:00Z", -1},
		{"", "2023-11-16T18:17:03+25:00", -1},
		{"", "2023-11-16T18:17:03.Z", -1},
		{"", "2023-11-16T18:17:03Zx", -1},
		{"", "2023-11-16T18:17", -1},
		{"", "2023-11-16", -1},
		{"", "1969-12-31T23:59:59Z", -1},
		{"", "1970-01-01T00:00:00+00:01", -1},
		{"", "0001-01-01T00:00:00Z", -1},
		{"", "2262-04-11T23:47:15Z", 9223372035 * Second},
		{"", "2262-04-11T23:47:17Z", -1},
		{"", "", -1},
		{"", "-", -1},
		{"", "nan", -1},
		{"", "0x10", -1},
		{"", "1e", -1},
		{"", ".", -1},
		{"", "-1", -1},
		{"", "-0.0", 0},
		{"", "1700158623", 1700158623 * Second},
		{"", "1700158623.9799600001", 1700158623979960000},
		{"", "1700158623979", 1700158623979000000},
		{"", "1700158623979.9999999", 1700158623979999999},
		{"", "1700158623979960", 1700158623979960000},
		{"", "1700158623979960001", 1700158623979960001},
		{"", "1.700158623e9", 1700158623 * Second},
		{"", "1.7001586239799600e+15", 1700158623979960000},
		{"", "0.07949090003967285", 79490900},
		{"", "1e-05", 10000},
		{"", "99999999999", -1},
		{"", "10000000000000", -1},                  // ms of the year 2286
		{"", "100000000000000", 100000000 * Second}, // us
		{"", "1e999999999999", -1},
		{"", "1e-400", 0},
		{"s", "1700158623979", -1},
		{"ms", "1.5", 1500000},
		{"us", "1.5", 1500},
		{"ns", "1.9", 1},
		{"relative-s", "86400", day},
		{"relative-ms", "0.0000019", 1},
		{"relative-us", "7", 7000},
		{"relative-ns", "7", 7},
		{"rfc3339", "1700158623", -1},
		{"clf", "2023-11-16T18:17:03Z", -1},
		{"clf", "31/Apr/2023:18:17:03 +0000", -1},
		{"s", "2023-11-16T18:17:03Z", -1},
	} {
		k := NewClock(c.format, "")
		got, why := k.Parse([]byte(c.text))
		if why == "" && got != c.want || why != "" && c.want != -1 {
			t.Errorf("%s %q: %d %q, want %d", c.format, c.text, got, why, c.want)
		}
	}
}

// The calendar agrees with the one of the standard library, for any content of
// the cache.
func TestClockAgainstTime(t *testing.T) {
	k := NewClock("", "")
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(0, 9223372035*Second).Draw(t, "ns")
		zone := time.FixedZone("", 60*rapid.IntRange(-12*60, 14*60).Draw(t, "zone"))
		when := time.Unix(0, ns).In(zone)
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.000000000-0700", "02/Jan/2006:15:04:05 -0700"} {
			raw := when.Format(layout)
			want := ns
			if !strings.Contains(layout, ".") {
				want -= ns % Second
			}
			if got, why := k.Parse([]byte(raw)); why != "" || got != want {
				t.Fatalf("%s: %d %s, want %d", raw, got, why, want)
			}
		}
	})
}

// A layout may be in the words of Go or of strftime. It has everything from the year to
// the second.
func TestLayouts(t *testing.T) {
	for layout, stamp := range map[string]string{"02.01.2006 15:04:05": "16.11.2023 18:17:03.5", "%d.%m.%Y %H:%M:%S": "16.11.2023 18:17:03,5", "%b %e %I:%M:%S.%L %p %y %z": "Nov 16 07:17:03.500 PM 23 +0100",
		"%m/%d/%Y, %I:%M:%S.%f %p": "11/16/2023, 6:17:03.5 PM", "%d/%m/%Y %H:%M:%S.%L": "16/11/2023 18:17:03.5", "%Y%m%d%H%M%S.%f": "20231116181703.500000"} {
		k := NewClock("auto", layout)
		if got, why := k.Parse([]byte(stamp)); why != "" || got != 1700158623500000000 {
			t.Errorf("%s %s: %d %s", layout, stamp, got, why)
		}
		if _, why := k.Parse([]byte("1700158623")); why == "" {
			t.Errorf("%s reads a number", layout)
		}
	}
	for _, layout := range []string{"x", "%H:%M:%S", "2006-01-02", "%d.%m.%Y %Q"} {
		if _, err := ParseLayout(layout); err == nil {
			t.Errorf("layout %s accepted", layout)
		}
	}
}
