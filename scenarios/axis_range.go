package scenarios

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// spaced returns steps values from one to another, both included as they are
// written, at equal differences or at equal ratios. Those between are rounded to three
// digits, or to more where the distances need them, and to whole numbers if both ends
// are whole.
func spaced(from, to string, steps int, log bool) ([]string, error) {
	first, err := quantityOf(from)
	if err != nil {
		return nil, err
	}
	last, err := quantityOf(to)
	switch {
	case err != nil:
		return nil, err
	case first.unit != last.unit:
		return nil, fmt.Errorf("%s and %s have different units: write both in one", Clip(from), Clip(to))
	case first.value == last.value:
		return nil, fmt.Errorf("%s and %s are the same", Clip(from), Clip(to))
	case log && min(first.value, last.value) <= 0:
		return nil, errors.New("a logarithmic scale has no zero: begin above it, or list the values")
	}
	whole := first.whole && last.whole
	list := []string{from}
	for i := 1; i < steps-1; i++ {
		share := float64(i) / float64(steps-1)
		x := first.value + share*(last.value-first.value)
		if log {
			x = first.value * math.Pow(last.value/first.value, share)
		}
		step := (last.value - first.value) / float64(steps-1)
		if log {
			step = x * (math.Pow(last.value/first.value, 1/float64(steps-1)) - 1)
		}
		text := first.write(x, step, whole)
		if slices.Contains(list, text) || text == to {
			return nil, fmt.Errorf("%d steps from %s to %s give %s twice: take fewer", steps, Clip(from), Clip(to), text)
		}
		list = append(list, text)
	}
	return append(list, to), nil
}

// quantity is a value of an axis as a number.
type quantity struct {
	value float64 // of a duration in ns
	unit  string  // duration, "%", "/s" as written, or ""
	whole bool
}

// quantityOf reads a value that an axis can interpolate.
func quantityOf(text string) (quantity, error) {
	if ns, err := units.ParseDuration(text); err == nil {
		return quantity{float64(ns), "duration", true}, nil
	}
	number, unit := text, ""
	if _, err := units.ParseRate(text); err == nil {
		number, unit, _ = strings.Cut(text, "/")
		unit = "/" + unit
	} else if rest, ok := strings.CutSuffix(text, "%"); ok {
		number, unit = rest, "%"
	}
	if n, err := units.ParseCount(number); err == nil {
		return quantity{float64(n), unit, true}, nil
	}
	x, err := units.ParseDecimal(number)
	if err != nil {
		return quantity{}, fmt.Errorf("%s is no duration, rate, percentage or number: list the values", Clip(text))
	}
	return quantity{x, unit, false}, nil
}

// write returns a value in the unit of q. step is the distance to the next value, which
// rounding changes by less than 10 %.
func (q quantity) write(x, step float64, whole bool) string {
	digits := 3
	if x != 0 {
		digits = max(digits, 2+magnitude(x)-magnitude(step))
	}
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if whole {
		rounded = math.Round(rounded)
	}
	switch {
	case q.unit == "duration":
		return units.FormatDuration(int64(rounded))
	case whole:
		return strconv.FormatInt(int64(rounded), 10) + q.unit
	}
	return strconv.FormatFloat(rounded, 'f', -1, 64) + q.unit
}

// magnitude returns the exponent of a number in decimal notation: 2 for 100 to 999.
func magnitude(x float64) int { return int(math.Floor(math.Log10(math.Abs(x)))) }

// Numbers returns the values of the axis as numbers and their unit: seconds, events
// per second, percent or none. It returns nil if some value is no number.
func (a *Axis) Numbers() (list []float64, unit string) {
	for i, text := range a.Values {
		q, err := quantityOf(text)
		x, of := q.value, q.unit
		switch {
		case err != nil:
			return nil, ""
		case q.unit == "duration":
			x, of = x/1e9, "s"
		case strings.HasPrefix(q.unit, "/"):
			r, err := units.ParseRate(text)
			if err != nil {
				return nil, ""
			}
			x, of = r.PerSecond(), "per s"
		}
		if i > 0 && of != unit {
			return nil, ""
		}
		list, unit = append(list, x), of
	}
	return list, unit
}

// axisValues reads the values of an axis as a command line writes them: a list with
// commas, or FROM..TO:STEPS with an optional :log.
func axisValues(text string) ([]string, error) {
	from, rest, ok := strings.Cut(text, "..")
	if !ok || structured(text) {
		list := commas(text)
		for i := range list {
			if list[i] = strings.TrimSpace(list[i]); list[i] == "" {
				return nil, errors.New("a value is empty")
			}
		}
		return list, nil
	}
	parts := strings.Split(rest, ":")
	if len(parts) < 2 || len(parts) > 3 || len(parts) == 3 && parts[2] != "log" && parts[2] != "linear" {
		return nil, errors.New("want FROM..TO:STEPS, followed by :log or nothing")
	}
	steps, err := strconv.Atoi(parts[1])
	if err != nil || steps < 2 || steps > maxAxisValues {
		return nil, fmt.Errorf("%s steps: want 2 to %d", Clip(parts[1]), maxAxisValues)
	}
	return spaced(from, parts[0], steps, len(parts) == 3 && parts[2] == "log")
}

// structured reports whether a value is a mapping or a list.
func structured(text string) bool {
	return strings.HasPrefix(text, "{") || strings.HasPrefix(text, "[")
}

// commas splits a text at its commas, but not within brackets: {share: 1.5},{share: 2}.
func commas(text string) (list []string) {
	depth, begin := 0, 0
	for i, c := range text {
		switch c {
		case '{', '[':
			depth++
		case '}', ']':
			depth--
		case ',':
			if depth == 0 {
				list, begin = append(list, text[begin:i]), i+1
			}
		}
	}
	return append(list, text[begin:])
}
