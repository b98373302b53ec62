package explore

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// multiples are the values of a slider as multiples of the file's value, so that half of
// it and twice it are there.
var multiples = []float64{
	0.01, 0.02, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3, 0.4, 0.5, 0.6, 0.75, 0.9, 1, 1.1, 1.25, 1.5, 1.75, 2, 2.5, 3, 4, 5, 6, 8, 10, 15, 20, 50, 100,
}

// notches returns the values that a slider of a field stops at, in ascending order. file
// is the value that the file has.
func notches(f *catalog.Field, file any) (texts []string) {
	var numbers []float64
	least, most := -1.0, math.Inf(1)
	if n, ok := numberOf(f, f.Min); ok {
		least = n
	}
	if n, ok := numberOf(f, f.Max); ok {
		most = n
	}
	value, _ := number(file)
	own := scenarios.ValueText(f, file)
	add := func(x float64) {
		text := writeLike(f, file, x)
		if x == value {
			text = own
		}
		n, ok := numberOf(f, text)
		if !ok || n < least || n > most || slices.Contains(numbers, n) {
			return
		}
		at, _ := slices.BinarySearch(numbers, n)
		texts, numbers = slices.Insert(texts, at, text), slices.Insert(numbers, at, n)
	}
	add(value)
	lo, hi := 0.01, 100.0
	if f.Kind == catalog.Rate || f.Kind == catalog.Limit {
		lo, hi = 0.05, 10 // the time of a run grows with it
	}
	switch {
	case f.Kind == catalog.Share && most <= 1:
		for _, percent := range []float64{0, 1, 2, 3, 5, 7, 10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 95, 99, 100} {
			add(percent / 100)
		}
	case value > 0:
		for _, m := range multiples {
			if m >= lo && m <= hi {
				add(value * m)
			}
		}
		if least == 0 {
			add(0)
		}
	case f.Kind == catalog.Duration:
		for _, ms := range []float64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000} {
			add(ms * 1e6)
		}
	default:
		for _, n := range []float64{1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000} {
			add(n)
		}
	}
	if f.Kind == catalog.Int && value <= 20 {
		for n := 1.0; n <= 20; n++ {
			add(n)
		}
	}
	return texts
}

// number returns a bound value as a number.
func number(v any) (x float64, ok bool) {
	switch v := v.(type) {
	case int64:
		return float64(v), true
	case float64:
		return v, true
	case units.Fraction:
		return v.Float(), true
	case units.Rate:
		return v.PerSecond(), true
	}
	return 0, false
}

// numberOf returns a text of the field's notation as a number.
func numberOf(f *catalog.Field, text string) (x float64, ok bool) {
	v, err := catalog.Parsers[f.Kind](text)
	if err != nil {
		return 0, false
	}
	return number(v)
}

// writeLike writes a number in the notation of a field, a rate with the period of the
// file's value.
func writeLike(f *catalog.Field, file any, x float64) string {
	switch f.Kind {
	case catalog.Duration:
		return units.FormatDuration(int64(rounded(x)))
	case catalog.Rate, catalog.Limit:
		r, _ := file.(units.Rate)
		_, per, ok := strings.Cut(r.String(), "/")
		if !ok || r.Per == 0 {
			r.Per, per = units.Second, "s"
		}
		n := rounded(x * float64(r.Per) / float64(units.Second))
		if f.Kind == catalog.Limit || n >= 20 {
			n = math.Round(n)
		}
		return strconv.FormatFloat(n, 'f', -1, 64) + "/" + per
	case catalog.Share:
		return strconv.FormatFloat(rounded(x*100), 'f', -1, 64) + "%"
	case catalog.Int:
		return strconv.FormatFloat(math.Round(rounded(x)), 'f', -1, 64)
	}
	return strconv.FormatFloat(rounded(x), 'f', -1, 64)
}

// rounded returns a number with three digits.
func rounded(x float64) float64 {
	y, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', 2, 64), 64)
	return y
}
