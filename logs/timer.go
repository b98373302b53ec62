package logs

// timer computes the times of arrival of one file.
type timer struct {
	clock   clock
	at      exact
	took    exact
	sum     exact  // of durations
	joined  []byte // a stamp from two fields
	wrapper []byte // the time of the wrapper around the current line
}

// arrival reads the time stamp and subtracts the durations, if there are any.
func (t *timer) arrival(l *layout, fields [][]byte) (int64, flaw) {
	stamp := t.stamp(l, fields)
	if len(stamp) == 0 {
		return 0, flaw{why: "no time"}
	}
	if why := t.clock.parse(stamp, &t.at); why != "" {
		return 0, flaw{"time is " + why, stamp}
	}
	if len(l.minus) == 0 {
		return t.at.ns, flaw{}
	}
	return t.subtract(l, fields)
}

// stamp returns the text of the time stamp, nil if there is none.
func (t *timer) stamp(l *layout, fields [][]byte) []byte {
	if l.stamp == wrapperStamp {
		return t.wrapper
	}
	stamp := fields[l.stamp]
	if len(stamp) == 0 || l.daytime < 0 {
		return stamp
	}
	t.joined = append(append(append(t.joined[:0], stamp...), ' '), fields[l.daytime]...)
	return t.joined
}

// subtract returns the stamp minus the durations, rounded down once.
func (t *timer) subtract(l *layout, fields [][]byte) (int64, flaw) {
	t.sum.ns, t.sum.frac = 0, t.sum.frac[:0]
	var took []byte
	for _, d := range l.minus {
		took = fields[d.field]
		switch {
		case len(took) == 0:
			return 0, flaw{why: "no duration"}
		case d.unknown != "" && string(took) == d.unknown:
			continue
		}
		if why := parseDecimal(took, d.shift, &t.took); why != "" {
			return 0, flaw{"duration is " + why, took}
		}
		if !t.sum.plus(&t.took) {
			return 0, flaw{"duration is " + tooLarge, took}
		}
	}
	at := t.at.floorMinus(&t.sum)
	if at < 0 {
		return 0, flaw{"arrival is before time 0: duration", took}
	}
	return at, flaw{}
}
