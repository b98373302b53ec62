package figure

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

func TestTimeTicks(t *testing.T) {
	at := func(text string) int64 {
		when, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return when.UnixNano()
	}
	for _, c := range []struct {
		start, end   int64
		labels, axis string
	}{
		{0, 60e9, "0 10 20 30 40 50 60", "time, s"},
		{5e9, 65e9, "10 20 30 40 50 60", "time, s"},
		{0, 600e9, "0 2 4 6 8 10", "time, min"},
		{0, 250e6, "0 50 100 150 200 250", "time, ms"},
		{0, 86400e9, "0 6 12 18 24", "time, h"},
		{at("2023-11-14T00:00:00Z"), at("2023-11-14T06:00:00Z"), "00:00 01:00 02:00 03:00 04:00 05:00 06:00", "time, UTC on 2023-11-14"},
		{at("2023-11-14T20:00:00Z"), at("2023-11-15T08:00:00Z"), "Nov 14 20:00 | Nov 14 22:00 | Nov 15 00:00 | Nov 15 02:00 | Nov 15 04:00 | Nov 15 06:00 | Nov 15 08:00", "time in 2023, UTC"},
		{at("2023-11-14T06:00:00Z"), at("2023-11-23T00:00:00Z"), "Nov 15 | Nov 17 | Nov 19 | Nov 21 | Nov 23", "date in 2023, UTC"},
		{at("2021-02-01T00:00:00Z"), at("2022-02-01T00:00:00Z"), "2021-04 2021-07 2021-10 2022-01", "month, UTC"},
		{at("1990-01-01T00:00:00Z"), at("2030-01-01T00:00:00Z"), "1990 1998 2006 2014 2022 2030", "year, UTC"},
	} {
		ticks, axis := timeTicks(c.start, c.end, 6)
		var labels []string
		for _, tick := range ticks {
			labels = append(labels, tick.Label)
		}
		separator := " "
		if strings.Contains(c.labels, "|") {
			separator = " | "
		}
		if got := strings.Join(labels, separator); got != c.labels || axis != c.axis {
			t.Errorf("from %d to %d: %q (%s), want %q (%s)", c.start, c.end, got, axis, c.labels, c.axis)
		}
	}
}

// nice reports whether x is 1, 2 or 5 times a power of ten.
func nice(x float64) bool {
	digits := strings.TrimRight(strings.ReplaceAll(strings.TrimLeft(strconv.FormatFloat(x, 'e', 9, 64), "0."), ".", ""), "")
	return strings.ContainsAny(digits[:1], "125") && strings.HasPrefix(digits[1:], "000000000")
}

// TestLinearTicks checks that ticks are the multiples of a nice step up to the top, that
// they are as many as wanted or down to a third of it, and that a smaller nice step
// would give more.
func TestLinearTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		top := rapid.Float64Range(1, 10).Draw(t, "top") * math.Pow10(rapid.IntRange(-12, 12).Draw(t, "power"))
		if rapid.Bool().Draw(t, "round") {
			top, _ = strconv.ParseFloat(strconv.FormatFloat(top, 'e', 0, 64), 64)
		}
		want := rapid.IntRange(2, 12).Draw(t, "want")
		ticks := niceTicks(top, want)
		if len(ticks) < 1 || len(ticks) > want+1 || ticks[0].Value != 0 || ticks[0].Label != "0" {
			t.Fatalf("%d ticks of %v up to %v: %v", want, len(ticks), top, ticks)
		}
		step := roundUp(top / float64(want))
		if !nice(step) || step < top/float64(want)*(1-1e-12) || step > 2.5*top/float64(want)*(1+1e-12) {
			t.Fatalf("steps of %v for %d up to %v", step, want, top)
		}
		for i, tick := range ticks {
			if math.Abs(tick.Value-float64(i)*step) > 1e-9*top {
				t.Fatalf("tick %d is at %v, with steps of %v", i, tick.Value, step)
			}
		}
		if last := ticks[len(ticks)-1].Value; last > top*(1+1e-8) || last+step < top*(1-1e-8) {
			t.Fatalf("the last tick is at %v of %v", last, top)
		}
	})
	for _, top := range []float64{0, -1, math.NaN(), math.Inf(1), 1e-300} {
		if ticks := niceTicks(top, 6); fmt.Sprint(ticks) != "[{0 0}]" {
			t.Errorf("up to %v: %v", top, ticks)
		}
	}
}

// TestDecadeTicks checks that a logarithmic axis has a tick at each digit of each power
// of ten within it, with labels at the powers, and at 2 and 5 too on a short axis.
func TestDecadeTicks(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		from := rapid.IntRange(-8, 8).Draw(t, "power")
		lo := rapid.Float64Range(1, 9.99).Draw(t, "lo") * math.Pow10(from)
		if rapid.Bool().Draw(t, "from a power") {
			lo = math.Pow10(from)
		}
		hi := lo * math.Pow(10, rapid.Float64Range(0.1, 4).Draw(t, "decades"))
		var want, got []string
		for e := from; e <= from+6; e++ {
			for m := 1; m < 10; m++ {
				x, label := float64(m)*math.Pow10(e), ""
				if m == 1 || hi/lo <= 100*(1+1e-12) && (m == 2 || m == 5) {
					label = fmt.Sprintf("%.3g", x)
				}
				if x >= lo*(1-1e-9) && x <= hi*(1+1e-9) {
					want = append(want, fmt.Sprintf("%.6g %s", x, label))
				}
			}
		}
		for _, tick := range decadeTicks(lo, hi, func(x float64) string { return fmt.Sprintf("%.3g", x) }) {
			got = append(got, fmt.Sprintf("%.6g %s", tick.Value, tick.Label))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Fatalf("from %v to %v: %v, want %v", lo, hi, got, want)
		}
	})
}

// TestTimeTicksAreAtTheirTimes checks that each label states the time of its tick, that
// ticks are equally far apart, that none is missing at an end, and that there are not
// many more or fewer than wanted.
func TestTimeTicksAreAtTheirTimes(t *testing.T) {
	unit := map[string]float64{"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1, "min": 60, "h": 3600, "d": 86400}
	rapid.Check(t, func(t *rapid.T) {
		start := rapid.Int64Range(0, 1e14).Draw(t, "start")
		span := int64(math.Pow(10, rapid.Float64Range(1, 15).Draw(t, "span")))
		ticks, label := timeTicks(start, start+span, 6)
		name := strings.TrimPrefix(label, "time, ")
		if unit[name] == 0 || len(ticks) < 1 || len(ticks) > 9 {
			t.Fatalf("from %d for %d: %d ticks, %s", start, span, len(ticks), label)
		}
		for i, tick := range ticks {
			n, err := strconv.ParseFloat(tick.Label, 64)
			if at := float64(start)/1e9 + tick.Value; err != nil || math.Abs(n*unit[name]-at) > 1e-9*at+1e-12 || tick.Value < 0 || tick.Value > float64(span)/1e9 {
				t.Fatalf("%s %s at %v of %v to %v: %v", tick.Label, name, tick.Value, start, start+span, err)
			}
			if i == 0 || len(ticks) < 3 {
				continue
			}
			step := ticks[1].Value - ticks[0].Value
			if apart := tick.Value - ticks[i-1].Value; math.Abs(apart-step) > 1e-6*step || ticks[0].Value > step*(1+1e-9) || ticks[len(ticks)-1].Value+step < float64(span)/1e9*(1-1e-9) {
				t.Fatalf("from %d for %d: %v", start, span, ticks)
			}
		}
	})
	for _, c := range [][2]int64{{-1, 5}, {5, 4}, {0, math.MaxInt64}} {
		if ticks, label := timeTicks(c[0], c[1], 6); ticks != nil || label != "time" {
			t.Errorf("from %d to %d: %v, %s", c[0], c[1], ticks, label)
		}
	}
}
