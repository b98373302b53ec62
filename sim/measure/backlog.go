package measure

// backlog is the waiting cost of a key, tenant or client: now, at the start of
// its window or second, and when the span began.
type backlog struct{ now, start, carried int64 }

// backlogs holds the waiting cost by key, tenant or client. It is nil until a
// request waits.
type backlogs []backlog

// add adds to the waiting cost of one of count and returns its backlog.
func (b *backlogs) add(count int, id int32, net int64) *backlog {
	if *b == nil {
		*b = make(backlogs, count)
	}
	one := &(*b)[id]
	one.now += net
	return one
}

func (b backlogs) of(id int) backlog {
	if b == nil {
		return backlog{}
	}
	return b[id]
}
