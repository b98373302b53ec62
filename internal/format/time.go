package format

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// unixTimes is the instant, in ns, from which on a time is displayed as a date:
// ten years after 1970. Simulated times start at 0 and stay below it.
const unixTimes = 10 * 365 * 86400 * int64(time.Second)

// IsDate reports whether an instant in ns is a Unix time, not a simulated time.
func IsDate(ns int64) bool { return ns >= unixTimes }

// Instant writes a simulated time as a duration from the start and a Unix time as a
// date, both to the nanosecond.
func Instant(ns int64) string {
	if IsDate(ns) {
		return time.Unix(0, ns).UTC().Format(time.RFC3339Nano)
	}
	return time.Duration(ns).String()
}

// Seconds writes ns of 0 or more exactly, as a decimal number of seconds.
func Seconds(ns int64) string {
	return strings.TrimSuffix(strings.TrimRight(fmt.Sprintf("%d.%09d", ns/1e9, ns%1e9), "0"), ".")
}

// Span writes a duration in its two largest units: 9d 4h, 1m 30s, 250ms.
func Span(ns int64) string {
	if ns < int64(time.Second) {
		return time.Duration(ns).String()
	}
	if ns < int64(time.Minute) {
		return Number(float64(ns)/1e9) + "s"
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

// ShortSpan writes a duration like Span, rounded to about three digits.
func ShortSpan(ns int64) string {
	step := int64(1)
	for ns/step >= 1000 {
		step *= 10
	}
	return Span((ns + step/2) / step * step)
}
