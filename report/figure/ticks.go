package figure

import (
	"math"
	"strconv"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"
)

// Tick marks a value on an axis. A small tick has no label.
type Tick struct {
	Value float64
	Label string
}

// niceTicks returns about want ticks of an axis from 0 to top, at multiples of
// 1, 2 or 5 times a power of ten.
func niceTicks(top float64, want int) []Tick {
	// Outside this range, steps of the axis become 0 or overflow.
	if !(top > 1e-290 && top < 1e290) {
		return []Tick{{Value: 0, Label: "0"}}
	}
	step := roundUp(top / float64(want))
	var ticks []Tick
	for i := 0; ; i++ {
		x := float64(i) * step
		if x > top*(1+1e-9) {
			return ticks
		}
		ticks = append(ticks, Tick{Value: x, Label: format.Short(x)})
	}
}

// roundUp returns the smallest of 1, 2 or 5 times a power of ten that is at
// least x > 0.
func roundUp(x float64) float64 {
	base := math.Pow10(int(math.Floor(math.Log10(x))))
	for _, m := range []float64{1, 2, 5} {
		if x <= m*base {
			return m * base
		}
	}
	return 10 * base
}

// decadeTicks returns the ticks of a logarithmic axis: labelled ones at powers
// of ten between lo and hi, and small ones between them.
func decadeTicks(lo, hi float64, label func(float64) string) []Tick {
	var ticks []Tick
	if !(lo > 1e-290 && hi < 1e290) {
		return ticks
	}
	decades := math.Log10(hi / lo)
	for e := int(math.Floor(math.Log10(lo) + 1e-9)); ; e++ {
		x := math.Pow10(e)
		if x > hi*(1+1e-9) {
			return ticks
		}
		for m := 1; m < 10; m++ {
			t := Tick{Value: x * float64(m)}
			if m == 1 || decades <= 2 && (m == 2 || m == 5) {
				t.Label = label(t.Value)
			}
			if t.Value >= lo*(1-1e-9) && t.Value <= hi*(1+1e-9) {
				ticks = append(ticks, t)
			}
		}
	}
}

// latest is the last instant, in ns, up to which ticks fit into an int64.
const latest = 9e18

// timeTicks returns about want ticks of a time axis. Values are seconds after
// start. Labels are simulated time in a unit that suits the span, or dates in
// UTC if the instants are Unix times. The second result is the label of the
// axis. A span before 0 or beyond an int64 has no ticks.
func timeTicks(start, end int64, want int) ([]Tick, string) {
	if start < 0 || end < start || end > latest {
		return nil, "time"
	}
	if format.IsDate(start) {
		return dateTicks(start, end, want)
	}
	unit, name := int64(1), "ns"
	for _, u := range []struct {
		ns   int64
		name string
	}{{1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}, {60e9, "min"}, {3600e9, "h"}, {86400e9, "d"}} {
		// Seconds up to three minutes, minutes up to three hours, and so on.
		if end-start >= 3*u.ns || u.ns < 1e9 && end-start >= u.ns {
			unit, name = u.ns, u.name
		}
	}
	apart := float64(end-start) / float64(unit) / float64(want)
	step := int64(roundUp(max(1, apart)))
	switch name {
	case "s", "min":
		step = atLeast(apart, 1, 2, 5, 10, 15, 20, 30, 60)
	case "h":
		step = atLeast(apart, 1, 2, 3, 6, 12, 24)
	}
	step *= unit
	var ticks []Tick
	for t := (start + step - 1) / step * step; t <= end; t += step {
		ticks = append(ticks, Tick{
			Value: float64(t-start) / 1e9,
			Label: strconv.FormatInt(t/unit, 10),
		})
	}
	return ticks, "time, " + name
}

// atLeast returns the first of ascending steps that is at least x, or the last
// step.
func atLeast(x float64, steps ...int64) int64 {
	for _, step := range steps {
		if float64(step) >= x {
			return step
		}
	}
	return steps[len(steps)-1]
}

// dateTicks returns ticks for Unix time in UTC: clock times within a day, dates
// for longer spans, months and years for the longest.
func dateTicks(start, end int64, want int) ([]Tick, string) {
	const minute, hour, day = 60, 3600, 86400
	apart := float64(end-start) / 1e9 / float64(want)
	first := time.Unix(0, start).UTC()
	if apart > 14*day {
		return monthTicks(start, end, apart/day/30)
	}
	step := atLeast(apart, 1, 2, 5, 10, 15, 30, minute, 2*minute, 5*minute, 10*minute, 15*minute, 30*minute,
		hour, 2*hour, 3*hour, 6*hour, 12*hour, day, 2*day, 3*day, 7*day, 14*day)
	layout, name := "15:04", "time, UTC on "+first.Format("2006-01-02")
	switch {
	case step < minute:
		layout = "15:04:05"
	case step >= day:
		layout, name = "Jan 2", "date in "+first.Format("2006")+", UTC"
	case time.Unix(0, end).UTC().YearDay() != first.YearDay():
		layout, name = "Jan 2 15:04", "time in "+first.Format("2006")+", UTC"
	}
	step *= 1e9
	var ticks []Tick
	for t := (start + step - 1) / step * step; t <= end; t += step {
		ticks = append(ticks, Tick{Value: float64(t-start) / 1e9, Label: time.Unix(0, t).UTC().Format(layout)})
	}
	return ticks, name
}

// monthTicks returns ticks at the starts of months or years. apart is their
// least distance in months.
func monthTicks(start, end int64, apart float64) ([]Tick, string) {
	months := atLeast(apart, 1, 2, 3, 6, 12)
	layout, name := "2006-01", "month, UTC"
	if months == 12 {
		layout, name = "2006", "year, UTC"
	}
	for float64(months) < apart {
		months *= 2
	}
	first := time.Unix(0, start).UTC()
	var ticks []Tick
	for at := time.Date(first.Year(), 1, 1, 0, 0, 0, 0, time.UTC); ; at = at.AddDate(0, int(months), 0) {
		if at.Unix() > end/1e9 {
			return ticks, name
		}
		if at.Unix() >= start/1e9 {
			ticks = append(ticks, Tick{Value: float64(at.UnixNano()-start) / 1e9, Label: at.Format(layout)})
		}
	}
}
