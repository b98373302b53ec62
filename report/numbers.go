package report

import (
	"math"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/limitgauge/limitgauge/sim/results"
)

const (
	noData     = "-"  // a cell without a figure; a note says why
	spreadMark = " ±" // between a mean and half of its interval
)

// figure writes x at three or four significant digits: 0.0123, 12.3, 999.5,
// 1235, 12.35k, 1.235M. Whole numbers below 10,000 stay whole.
func figure(x float64) string {
	a := math.Abs(x)
	switch {
	case a >= 9999.5:
		return scaled(x)
	case a >= 999.95:
		return fixed(x, 0)
	case a == 0:
		return "0"
	case a < 0.001:
		return strconv.FormatFloat(x, 'g', 3, 64)
	}
	text := fixed(x, decimals(a))
	if strings.Contains(text, ".") {
		text = strings.TrimRight(strings.TrimRight(text, "0"), ".")
	}
	return text
}

// magnitudes are the suffixes of large numbers, as scenario files write them.
var magnitudes = []struct {
	size float64
	name string
}{{1e3, "k"}, {1e6, "M"}, {1e9, "G"}}

// scaled writes |x| >= 10,000 with four digits and a suffix; beyond those in
// powers of ten.
func scaled(x float64) string {
	for _, m := range magnitudes {
		v := x / m.size
		if a := math.Abs(v); a < 999.95 {
			places := 3
			if a >= 9.9995 {
				places = 2
			}
			if a >= 99.995 {
				places = 1
			}
			return strings.TrimRight(strings.TrimRight(fixed(v, places), "0"), ".") + m.name
		}
	}
	return strconv.FormatFloat(x, 'e', 3, 64)
}

// decimals is how many places show three significant digits of a, and four
// from 100 on; 0.001 <= a < 1000.
func decimals(a float64) int {
	switch {
	case a >= 9.995:
		return 1
	case a >= 0.9995:
		return 2
	case a >= 0.1:
		return 3
	case a >= 0.00995:
		return 4
	}
	return 5
}

// withSpread writes a mean and half of its interval with the same number of
// places, no more than the mean has by itself and two digits of the spread
// need: 12.3 ±0.4. A spread that is smaller than the last place reads as 0.
func withSpread(mean, half float64) string {
	a := math.Abs(mean)
	for _, m := range magnitudes {
		if a >= 9999.5 && a/m.size < 999.95 {
			x, h, _ := strings.Cut(withSpread(mean/m.size, half/m.size), spreadMark)
			return x + m.name + spreadMark + h + m.name
		}
	}
	if max(a, half) < 0.001 {
		return figure(mean) + spreadMark + strconv.FormatFloat(half, 'g', 1, 64)
	}
	places := 0
	if a < 999.95 {
		places = min(decimals(a), 4)
		for places > 0 && half*math.Pow10(places-1) >= 9.95 {
			places--
		}
	}
	return fixed(mean, places) + spreadMark + fixed(half, places)
}

// fixed is x with so many places, without a minus sign on zero.
func fixed(x float64, places int) string {
	text := strconv.FormatFloat(x, 'f', places, 64)
	if strings.HasPrefix(text, "-") && strings.Trim(text, "-0.") == "" {
		return text[1:]
	}
	return text
}

// cell writes a summary: its mean, with the farther end of its interval as ±
// where the interval has a width.
func cell(s results.Summary) string {
	if s.Mean == nil {
		return noData
	}
	if half := spread(s); half > 0 {
		return withSpread(*s.Mean, half)
	}
	return figure(*s.Mean)
}

// spread is the distance from the mean to the farther end of the interval; 0
// without one.
func spread(s results.Summary) float64 {
	if s.Mean == nil || s.Lo == nil || s.Hi == nil {
		return 0
	}
	return max(*s.Hi-*s.Mean, *s.Mean-*s.Lo, 0)
}

// span writes a length of time in its two largest units: 9d 4h, 1m 30s, 250ms.
func span(ns int64) string {
	if ns < int64(time.Second) {
		return time.Duration(ns).String()
	}
	if ns < int64(time.Minute) {
		return figure(float64(ns)/1e9) + "s"
	}
	units := []struct {
		name string
		ns   int64
	}{{"d", 86400e9}, {"h", 3600e9}, {"m", 60e9}, {"s", 1e9}}
	for i, u := range units {
		if ns < u.ns {
			continue
		}
		text := strconv.FormatInt(ns/u.ns, 10) + u.name
		if next := units[i+1]; ns%u.ns/next.ns > 0 {
			text += " " + strconv.FormatInt(ns%u.ns/next.ns, 10) + next.name
		}
		return text
	}
	return "0s"
}

// clean makes text that came from a file safe for a terminal and a table:
// whatever is not a printable character becomes a space.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return ' '
	}, s)
}

// count writes an exact number.
func count(n int64) string { return strconv.FormatInt(n, 10) }

func signed(x float64) string {
	if x > 0 {
		return "+" + figure(x)
	}
	return figure(x)
}
