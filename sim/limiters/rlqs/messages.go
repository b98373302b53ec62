package rlqs

import (
	"github.com/limitgauge/limitgauge/algorithms/rlqs"
	"github.com/limitgauge/limitgauge/algorithms/ticks"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Event kinds, in the order in which they run when they share a timestamp.
const (
	reportDue         uint32 = iota // a client reports all its keys
	reportArrives                   // a server counts it
	answerDue                       // the server answers it
	rebalanceDue                    // a server assigns all its clients anew
	assignmentArrives               // a client applies assignments
)

// message carries a report to a server, or assignments to a client.
type message struct {
	server      int32
	rows        []rlqs.Usage
	assignments []rlqs.Assignment
	asked       int64 // ns, when the report was sent that the assignments answer; -1 for none
}

func (l *limiter) fire(e engine.Event) {
	switch e.Kind {
	case reportDue:
		l.report(e.Time, e.Ref)
	case reportArrives:
		l.count(e.Time, l.Receive(e.Ref))
	case answerDue:
		l.answer(e.Time, l.Receive(e.Ref))
	case rebalanceDue:
		l.rebalance(e.Time, e.Ref)
	case assignmentArrives:
		l.apply(e.Time, l.Receive(e.Ref))
	}
}

// draft returns the message that is being filled in a place of the drafts, and begins
// it if there is none.
func (l *limiter) draft(place *int32, server int32, asked int64) *message {
	if *place == none {
		number, m := l.New()
		m.server, m.rows, m.assignments, m.asked = server, m.rows[:0], m.assignments[:0], asked
		*place = number
	}
	return l.Payload(*place)
}

// subscribe reports a client's first request for a key, and starts its timer.
func (l *limiter) subscribe(now int64, id, key int32) {
	l.add(now, id, l.clients[id].Subscribe(now, key))
	l.dispatch(now, id)
	if !l.reporting[id] {
		l.reporting[id] = true
		l.Schedule(l.after(now, id), reportDue, id)
	}
}

// after returns when a client reports next.
func (l *limiter) after(now int64, id int32) int64 {
	if l.config.FirstRequest {
		return now + l.config.Interval
	}
	return ticks.After(now, l.first[id], l.config.Interval)
}

// report sends a client's usage of all its keys, in one message to each owner. The
// timer of a client without keys stops.
func (l *limiter) report(now int64, id int32) {
	c := l.clients[id]
	c.Report(now, func(u rlqs.Usage) { l.add(now, id, u) })
	l.dispatch(now, id)
	if l.reporting[id] = !c.Idle(); l.reporting[id] {
		l.Schedule(l.after(now, id), reportDue, id)
	}
}

// add adds a row to the report to the key's server.
func (l *limiter) add(now int64, id int32, u rlqs.Usage) {
	server := l.owners.Asked(now, id, u.Key)
	m := l.draft(&l.reports[server], server, now)
	m.rows = append(m.rows, u)
}

// dispatch sends the reports that add has filled.
func (l *limiter) dispatch(now int64, id int32) {
	calls := 0
	for server := range l.servers {
		if number := l.reports[server]; number != none {
			calls++
			l.reports[server] = none
			l.Send(now, reportArrives, id, network.Server, number)
			l.Discard(number)
		}
	}
	if calls > 0 {
		l.load.Fanout(now, calls)
	}
}

// count counts a report. Its answer follows when the server has counted all reports
// that arrive now.
func (l *limiter) count(now int64, d network.Delivery) {
	m := l.Payload(d.Message)
	if !d.Duplicate && !l.Faults.ServerFails(now, m.server) {
		l.load.Call(now, int(m.server), int64(len(m.rows)))
		for i := range m.rows {
			if u := &m.rows[i]; l.owners.Takes(now, u.Key, m.server) {
				l.Faults.Holds(m.server, u.Key)
				l.servers[m.server].Count(now, d.From, u)
			}
		}
		if l.config.Rebalance == 0 {
			l.Deliver(now, answerDue, d)
		}
	}
	l.Done(d)
}

// answer sends a client the assignments of the keys that it has reported.
func (l *limiter) answer(now int64, d network.Delivery) {
	report := l.Payload(d.Message)
	server := l.servers[report.server]
	for i := range report.rows {
		key := report.rows[i].Key
		if !l.owners.Takes(now, key, report.server) {
			continue
		}
		if a, ok := server.Assign(now, d.From, key); ok {
			m := l.draft(&l.answers[d.From], report.server, d.Sent)
			m.assignments = append(m.assignments, a)
		}
	}
	l.assign(now, d.From)
	l.Done(d)
}

// rebalance sends every client of a server its new assignments.
func (l *limiter) rebalance(now int64, server int32) {
	l.Schedule(now+l.config.Rebalance, rebalanceDue, server)
	if l.Faults.ServerDown(now, server) {
		return
	}
	l.servers[server].Rebalance(now, func(a rlqs.Assignment) {
		m := l.draft(&l.answers[a.Client], server, -1)
		m.assignments = append(m.assignments, a)
	})
	for client := range l.clients {
		l.assign(now, int32(client))
	}
}

// assign sends a client the assignments of its draft, if there is one.
func (l *limiter) assign(now int64, client int32) {
	if number := l.answers[client]; number != none {
		l.answers[client] = none
		l.Send(now, assignmentArrives, network.Server, client, number)
		l.Discard(number)
	}
}

// apply gives a client its assignments.
func (l *limiter) apply(now int64, d network.Delivery) {
	m := l.Payload(d.Message)
	if m.asked >= 0 {
		l.load.ReportLatency(now, now-m.asked)
	}
	for i := range m.assignments {
		l.clients[d.To].Apply(now, &m.assignments[i])
	}
	l.Done(d)
}
