package formats

import (
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// Timer computes the times of arrival of one file.
type Timer struct {
	Clock   times.Clock
	joined  []byte // a stamp from two fields
	Wrapper []byte // the time of the wrapper around the current line
}

// Arrival reads the time stamp and subtracts the durations, if there are any.
func (t *Timer) Arrival(l *Layout, fields [][]byte) (int64, text.Flaw) {
	stamp := t.stamp(l, fields)
	if len(stamp) == 0 {
		return 0, text.Flaw{Why: "no time"}
	}
	at, why := t.Clock.Parse(stamp)
	if why != "" {
		return 0, text.Flaw{Why: "time is " + why, Text: stamp}
	}
	if len(l.minus) == 0 {
		return at, text.Flaw{}
	}
	return subtract(at, l, fields)
}

// stamp returns the text of the time stamp, nil if there is none.
func (t *Timer) stamp(l *Layout, fields [][]byte) []byte {
	if l.Stamp == wrapperStamp {
		return t.Wrapper
	}
	stamp := fields[l.Stamp]
	if len(stamp) == 0 || l.daytime < 0 {
		return stamp
	}
	t.joined = append(append(append(t.joined[:0], stamp...), ' '), fields[l.daytime]...)
	return t.joined
}

// subtract returns a stamp minus the durations. The stamp has been rounded down to ns, and
// each duration is rounded up. The result is the exact difference rounded down if at most
// one of them has a fraction of a ns: floor(s-d) is floor(s)-d for a whole d, and
// s-ceil(d) for a whole s. Each further one can make it 1 ns earlier.
func subtract(at int64, l *Layout, fields [][]byte) (int64, text.Flaw) {
	for _, d := range l.minus {
		raw := fields[d.field]
		switch {
		case len(raw) == 0:
			return 0, text.Flaw{Why: "no duration"}
		case d.unknown != "" && string(raw) == d.unknown:
			continue
		}
		took, why := text.ParseDecimal(raw, d.shift)
		if why != "" {
			return 0, text.Flaw{Why: "duration is " + why, Text: raw}
		}
		if at = took.Before(at); at < 0 {
			return 0, text.Flaw{Why: "arrival is before time 0: duration", Text: raw}
		}
	}
	return at, text.Flaw{}
}
