package measure

// occupancy measures a number over time: its exact time-weighted mean over the
// span and its maximum. A value that is replaced at the same time does not
// count.
type occupancy struct {
	start, end int64
	level      int64
	since      int64
	area       sum128 // level times ns inside the span
	max        int64
	known      bool // set was called
}

func newOccupancy(c *Config) occupancy { return occupancy{start: c.Start, end: c.End, since: c.Start} }

// set sets the number from now on. now must not go back.
func (o *occupancy) set(now, n int64) {
	o.known = true
	o.advance(min(now, o.end))
	o.level = n
}

func (o *occupancy) advance(now int64) {
	if now > o.since {
		o.area.addProduct(o.level, now-o.since)
		o.max = max(o.max, o.level)
		o.since = now
	}
}

func (o *occupancy) close(end int64) {
	o.end = end
	o.advance(end)
}

func (o *occupancy) figures(name string, emit Emit) (none string) {
	if o.end > o.start {
		emit(name+"_mean", Number(quotient(o.area.big(), product(o.end-o.start))))
		emit.count(name+"_max", o.max)
	}
	return "the span is empty"
}
