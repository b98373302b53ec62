package logs

// shape returns which columns the rows have.
func (o *Options) shape() shape {
	s := shape{wide: 1, codes: 1 + len(o.Fields), client: o.Client != "", verdict: o.Verdict != "", estimate: len(o.Estimate) > 0, answer: o.Answer != ""}
	for _, has := range []bool{len(o.Cost) > 0, s.estimate, s.answer} {
		if has {
			s.wide++
		}
	}
	if s.client {
		s.codes++
	}
	if s.verdict {
		s.codes++
	}
	return s
}

// roomFor returns the memory for sorting rows.
func (o *Options) roomFor(s shape) room {
	r := roomIn(o.SortMemory, s)
	if o.room != nil {
		r.rows, r.memory, r.runs = o.room.rows, o.room.memory, o.room.runs
	}
	if o.create != nil {
		r.create = o.create
	}
	return r
}
