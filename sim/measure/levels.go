package measure

// levels holds the largest values of A(s,t] - r(t-s) of a key for one t, in 1/p
// of a request, so that they are exact. They differ in the starts s. Each
// follows Lindley's recursion x <- max(0, x - r*dt) + c over the admitted cost
// c, restarted where its first s lies.
type levels struct {
	all   int64 // any s, from one window before the span on
	short int64 // s in the calendar window of t or in the one before
	fresh int64 // s in the calendar window of t
}

// turn goes on to a calendar window, some windows later.
func (l *levels) turn(windows int64) {
	if windows > 1 {
		l.fresh = 0
	}
	if windows > 0 {
		l.short, l.fresh = l.fresh, 0
	}
}

// drain lets time pass, dt >= 0 ns.
func (l *levels) drain(r rate, dt int64) {
	l.all, l.short, l.fresh = r.drained(l.all, dt), r.drained(l.short, dt), r.drained(l.fresh, dt)
}

// deepen adds the growth of the bucket's depth at a change of the limit.
func (l *levels) deepen(deeper int64) {
	l.all, l.short, l.fresh = max(0, l.all+deeper), max(0, l.short+deeper), max(0, l.fresh+deeper)
}
