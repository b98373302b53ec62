package logs

import (
	"math/big"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"
)

func TestStamps(t *testing.T) {
	const day = 86400 * second
	for _, c := range []struct {
		format, text string
		want         int64 // -1: flawed
	}{
		{"", "2023-11-16T18:17:03.9799600Z", 1700158623979960000},
		{"", "2023-11-16 18:17:03.9799600", 1700158623979960000},
		{"", "2023/11/16 18:17:03,979", 1700158623979000000},
		{"", "2023-11-16t18:17:03z", 1700158623 * second},
		{"", "2023-11-16T18:17:03.9999999999999Z", 1700158623999999999},
		{"", "2023-11-16T20:17:03+02:00", 1700158623 * second},
		{"", "2023-11-16T20:17:03+0200", 1700158623 * second},
		{"", "2023-11-16 14:47:03 -0330", 1700158623 * second},
		{"", "2023-11-16 18:17:03 UTC", 1700158623 * second},
		{"", "16/Nov/2023:13:17:03 -0500", 1700158623 * second},
		{"", "16/Nov/2023:18:17:03.5 +0000", 1700158623500000000},
		{"", "2024-02-29T00:00:00Z", 1709164800 * second},
		{"", "1970-01-01T00:00:60Z", 60 * second},
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
		{"", "2262-04-11T23:47:15Z", 9223372035 * second},
		{"", "2262-04-11T23:47:17Z", -1},
		{"", "", -1},
		{"", "-", -1},
		{"", "nan", -1},
		{"", "0x10", -1},
		{"", "1e", -1},
		{"", ".", -1},
		{"", "-1", -1},
		{"", "-0.0", 0},
		{"", "1700158623", 1700158623 * second},
		{"", "1700158623.9799600001", 1700158623979960000},
		{"", "1700158623979", 1700158623979000000},
		{"", "1700158623979.9999999", 1700158623979999999},
		{"", "1700158623979960", 1700158623979960000},
		{"", "1700158623979960001", 1700158623979960001},
		{"", "1.700158623e9", 1700158623 * second},
		{"", "1.7001586239799600e+15", 1700158623979960000},
		{"", "0.07949090003967285", 79490900},
		{"", "1e-05", 10000},
		{"", "99999999999", -1},
		{"", "10000000000000", -1},                  // ms of the year 2286
		{"", "100000000000000", 100000000 * second}, // us
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
		var x exact
		k := newClock(c.format)
		why := k.parse([]byte(c.text), &x)
		if got := x.ns; why == "" && got != c.want || why != "" && c.want != -1 {
			t.Errorf("%s %q: %d %q, want %d", c.format, c.text, got, why, c.want)
		}
	}
}

func TestParseInstant(t *testing.T) {
	for text, want := range map[string]int64{
		"1970-01-02": 86400 * second, " 1970-01-01T00:00:01Z ": second, "1970-01-01 00:00:01.5": 1500000000, "12.5": 12500000000,
		"tomorrow": -1, "": -1, "1970-13-01": -1, "-5": -1,
	} {
		got, err := ParseInstant(text)
		if err == nil && got != want || err != nil && want != -1 {
			t.Errorf("%q: %d %v, want %d", text, got, err, want)
		}
	}
}

// The calendar agrees with the one of the standard library, for any content of
// the cache.
func TestClockAgainstTime(t *testing.T) {
	k := newClock("")
	rapid.Check(t, func(t *rapid.T) {
		ns := rapid.Int64Range(0, 9223372035*second).Draw(t, "ns")
		zone := time.FixedZone("", 60*rapid.IntRange(-12*60, 14*60).Draw(t, "zone"))
		when := time.Unix(0, ns).In(zone)
		for _, layout := range []string{time.RFC3339Nano, "2006-01-02 15:04:05.000000000-0700", "02/Jan/2006:15:04:05 -0700"} {
			text := when.Format(layout)
			want := ns
			if !strings.Contains(layout, ".") {
				want -= ns % second
			}
			var x exact
			if why := k.parse([]byte(text), &x); why != "" || x.ns != want {
				t.Fatalf("%s: %d %s, want %d", text, x.ns, why, want)
			}
		}
	})
}

// Decimals and their differences agree with rational arithmetic.
func TestDecimalsAgainstRationals(t *testing.T) {
	number := rapid.StringMatching(`[0-9]{0,6}[0-9](\.[0-9]{0,25})?([eE][+-]?[0-3][0-9]?)?`)
	rapid.Check(t, func(t *rapid.T) {
		ta, tb := number.Draw(t, "a"), number.Draw(t, "b")
		shift := rapid.SampledFrom([]int{0, 3, 6, 9}).Draw(t, "shift")
		scale := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(shift)), nil))
		var xs [2]exact
		var rs [2]*big.Rat
		for i, text := range []string{ta, tb} {
			r, ok := new(big.Rat).SetString(text)
			if !ok {
				t.Fatalf("no rational %q", text)
			}
			rs[i] = r.Mul(r, scale)
			floor := new(big.Int).Div(rs[i].Num(), rs[i].Denom())
			why := parseDecimal([]byte(text), shift, &xs[i])
			if !floor.IsInt64() {
				if why != tooLarge {
					t.Fatalf("%q: %q, want %q", text, why, tooLarge)
				}
				return
			}
			if why != "" || xs[i].ns != floor.Int64() {
				t.Fatalf("%q: %d %q, want %v", text, xs[i].ns, why, floor)
			}
		}
		d := new(big.Rat).Sub(rs[0], rs[1])
		if want := new(big.Int).Div(d.Num(), d.Denom()).Int64(); xs[0].floorMinus(&xs[1]) != want {
			t.Fatalf("%s - %s = %d, want %d", ta, tb, xs[0].floorMinus(&xs[1]), want)
		}
	})
}
