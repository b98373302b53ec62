package units

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Units in int64 nanoseconds.
const (
	Nanosecond  int64 = 1
	Microsecond       = 1000 * Nanosecond
	Millisecond       = 1000 * Microsecond
	Second            = 1000 * Millisecond
	Minute            = 60 * Second
	Hour              = 60 * Minute
	Day               = 24 * Hour
)

// timeUnits lists the units of time by name, largest first. If units have the
// same size, the first name is the one written.
var timeUnits = []struct {
	name string
	ns   int64
}{
	{"d", Day},
	{"h", Hour},
	{"min", Minute}, {"m", Minute},
	{"s", Second},
	{"ms", Millisecond},
	{"us", Microsecond}, {"µs", Microsecond}, {"μs", Microsecond},
	{"ns", Nanosecond},
}

func timeUnit(name string) (ns int64, ok bool) {
	for _, u := range timeUnits {
		if u.name == name {
			return u.ns, true
		}
	}
	return 0, false
}

// ParseDuration parses a duration exactly, as nanoseconds: "10ms", "1m30s",
// "1.5h", "2d". The units are d, h, min, s, ms, us and ns. m means minutes, but
// only beside another unit; a single m could be meant as milliseconds. If there
// are several parts, they must be ordered from the largest unit to the
// smallest. A sign is not allowed.
func ParseDuration(text string) (int64, error) {
	var total int64
	last := Day + 1
	for rest := text; ; {
		number, tail := split(rest)
		unit := tail
		if i := strings.IndexAny(tail, "0123456789."); i >= 0 {
			unit = tail[:i]
		}
		rest = tail[len(unit):]

		d, err := parseDecimal(number)
		ns, ok := timeUnit(unit)
		switch {
		case errors.Is(err, errNotNumber):
			return 0, fmt.Errorf("%q is not a duration, such as 10ms, 1m30s or 1h", clip(text))
		case err != nil:
			return 0, fmt.Errorf("duration %q: %w", clip(text), err)
		case unit == "":
			return 0, fmt.Errorf("%q needs a unit, such as %ss or %sms", clip(text), clip(number), clip(number))
		case !ok:
			return 0, fmt.Errorf("%q has no known unit of time: d, h, min, s, ms, us or ns, such as 10ms", clip(text))
		case unit == "m" && last == Day+1 && rest == "":
			return 0, fmt.Errorf("%q is ambiguous: write %smin or %sms", clip(text), clip(number), clip(number))
		case ns >= last:
			return 0, fmt.Errorf("%q: order the units from the largest to the smallest, such as 1m30s", clip(text))
		}
		last = ns

		part, err := d.times(ns)
		if errors.Is(err, errTooLarge) || total > 1<<63-1-part {
			return 0, fmt.Errorf("duration %q is too large: at most 292 years", clip(text))
		}
		if err != nil {
			return 0, fmt.Errorf("duration %q is finer than a nanosecond", clip(text))
		}
		total += part
		if rest == "" {
			return total, nil
		}
	}
}

// FormatDuration writes a duration exactly and in one unit: the largest unit of
// which it is a whole multiple, or seconds, milliseconds or microseconds with
// decimals.
func FormatDuration(ns int64) string {
	if ns < 0 {
		// The magnitude of the smallest int64 has no int64.
		return "-" + formatDuration(-uint64(ns))
	}
	return formatDuration(uint64(ns))
}

func formatDuration(ns uint64) string {
	if ns == 0 {
		return "0s"
	}
	for _, u := range timeUnits {
		size := uint64(u.ns)
		if ns < size {
			continue
		}
		if ns%size == 0 {
			return strconv.FormatUint(ns/size, 10) + u.name
		}
		if u.ns <= Second {
			digits := len(strconv.FormatInt(u.ns, 10)) - 1
			part := fmt.Sprintf("%0*d", digits, ns%size)
			return strconv.FormatUint(ns/size, 10) + "." + strings.TrimRight(part, "0") + u.name
		}
	}
	return strconv.FormatUint(ns, 10) + "ns"
}
