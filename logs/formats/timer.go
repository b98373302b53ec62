package formats

import (
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// Timer computes the times of arrival of one file.
type Timer struct {
	Clock   times.Clock
	at      text.Exact
	took    text.Exact
	sum     text.Exact // of durations
	joined  []byte     // a stamp from two fields
	Wrapper []byte     // the time of the wrapper around the current line
}

// Arrival reads the time stamp and subtracts the durations, if there are any.
func (t *Timer) Arrival(l *Layout, fields [][]byte) (int64, text.Flaw) {
	stamp := t.stamp(l, fields)
	if len(stamp) == 0 {
		return 0, text.Flaw{Why: "no time"}
	}
	if why := t.Clock.Parse(stamp, &t.at); why != "" {
		return 0, text.Flaw{Why: "time is " + why, Text: stamp}
	}
	if len(l.minus) == 0 {
		return t.at.Ns, text.Flaw{}
	}
	return t.subtract(l, fields)
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

// subtract returns the stamp minus the durations, rounded down once.
func (t *Timer) subtract(l *Layout, fields [][]byte) (int64, text.Flaw) {
	t.sum.Ns, t.sum.Frac = 0, t.sum.Frac[:0]
	var took []byte
	for _, d := range l.minus {
		took = fields[d.field]
		switch {
		case len(took) == 0:
			return 0, text.Flaw{Why: "no duration"}
		case d.unknown != "" && string(took) == d.unknown:
			continue
		}
		if why := text.ParseDecimal(took, d.shift, &t.took); why != "" {
			return 0, text.Flaw{Why: "duration is " + why, Text: took}
		}
		if !t.sum.Plus(&t.took) {
			return 0, text.Flaw{Why: "duration is " + text.TooLarge, Text: took}
		}
	}
	at := t.at.FloorMinus(&t.sum)
	if at < 0 {
		return 0, text.Flaw{Why: "arrival is before time 0: duration", Text: took}
	}
	return at, text.Flaw{}
}
