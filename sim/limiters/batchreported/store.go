package batchreported

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/random"
)

// reportedStore is the store in which all servers count: one queue, with a
// network hop of its own.
type reportedStore struct {
	counts  *batchreported.Server
	spared  []sparedCounts
	write   storeWrite
	queue   fragileQueue
	service int64 // ns an operation takes
	row     int64 // ns that a row adds to a script
	latency random.Latency
	wire    random.Stream
}

type storeWrite uint8

const (
	byScript     storeWrite = iota // an operation a report
	byBatch                        // an operation a row, all rows of a report together
	byDescriptor                   // the same, each row when the one before is answered
)

var storeWrites = map[string]storeWrite{"script": byScript, "batch": byBatch, "descriptor": byDescriptor}

// sparedCounts are what a failover to come will leave: without what was written
// after since.
type sparedCounts struct {
	at, since int64
	counts    *batchreported.Server
}

// fragileQueue is a queue whose owner may go down, and all that is in it then is
// lost.
type fragileQueue struct {
	remote.Station
	lost int64 // when that was last
}

func newFragileQueue() fragileQueue { return fragileQueue{remote.NewStation(1), math.MinInt64} }

// lose notes that what came before now is lost.
func (q *fragileQueue) lose(now int64) {
	q.Clear()
	q.lost = now
}

// storeHop is the law of a server's call to the store.
func storeHop(s *engine.Setting, choice catalog.Choice) (random.Latency, error) {
	if choice.Name == "memory" {
		return random.Latency{}, nil
	}
	if network := choice.Values.Choice("network"); network.Name != "same" {
		l, err := engine.LatencyOf(network)
		if err != nil {
			err = fmt.Errorf("store: network: %w", err)
		}
		return l, err
	}
	return s.Latency()
}

// newReportedStore is the store of a trial; nil where servers count in memory.
func newReportedStore(t *engine.Trial, c *batchreported.Config) (*reportedStore, error) {
	choice := t.Algorithm.Options.Choice("store")
	if choice.Name == "memory" {
		return nil, nil
	}
	v := choice.Values
	s := &reportedStore{
		counts: batchreported.NewServer(c, 0, t.Origin), write: storeWrites[v.String("write")], queue: newFragileQueue(),
		service: v.Duration("service_time"), row: v.Duration("row_time"), wire: t.Stream("store network"),
	}
	for _, l := range t.Faults.Lost(t.Origin-1, t.End) {
		if l.Server == faults.Store {
			s.spared = append(s.spared, sparedCounts{l.At, l.LoseFrom, batchreported.NewServer(c, 0, t.Origin)})
		}
	}
	var err error
	s.latency, err = storeHop(t.Setting, choice)
	return s, err
}

// failOver takes back what was written lately.
func (s *reportedStore) failOver() {
	s.counts, s.spared = s.spared[0].counts, s.spared[1:]
}

// rows are those of a call that are with the store.
func (s *reportedStore) rows(c *call) []batchreported.ReportRow {
	if s.write == byDescriptor {
		return c.report.Rows[c.row : c.row+1]
	}
	return c.report.Rows
}

// count writes what a call has brought.
func (s *reportedStore) count(now int64, c *call) {
	s.counts.ReceiveRows(now, c.report.SentAt, s.rows(c))
	for i := range s.spared {
		if s.survives(i, now) {
			s.spared[i].counts.ReceiveRows(now, c.report.SentAt, s.rows(c))
		}
	}
}

// answer reads what a call has written, and goes on to its next rows.
func (s *reportedStore) answer(now int64, c *call) {
	rows := s.rows(c)
	for i := range s.spared {
		if s.survives(i, now) {
			var unread batchreported.Answer // what is read is brought up to now
			s.spared[i].counts.AnswerRows(now, rows, &unread)
		}
	}
	s.counts.AnswerRows(now, rows, &c.answer)
	c.answer.Server, c.answer.LeftAt = c.report.Server, c.report.LeftAt
	c.row += int32(len(rows))
}

// survives reports whether a write of now is still there after a failover to
// come, and those before it.
func (s *reportedStore) survives(failover int, now int64) bool {
	for i := range failover + 1 {
		if f := &s.spared[i]; now > f.since && now <= f.at {
			return false
		}
	}
	return true
}

// toStore sends the next rows of a call from its server to the store at t.
func (r *reported) toStore(t int64, ref int32) {
	distribution := &r.store.latency
	if override, changed := r.setting.Faults.Latency(t); changed {
		distribution = &override
	}
	hop := distribution.Draw(&r.store.wire)
	r.calls[ref].hop = hop - hop/2
	r.schedule(t+hop/2, atStore, ref)
}

// queueAtStore puts the operations of a call into the store's queue.
func (r *reported) queueAtStore(now int64, ref int32) {
	s := r.store
	if r.setting.Faults.StoreDown(now) {
		r.refuse(now, ref)
		return
	}
	rows := int64(len(s.rows(&r.calls[ref])))
	operations, service := rows, s.service
	if s.write == byScript {
		operations, service = 1, s.service+rows*s.row
	}
	end := now
	r.calls[ref].came = now
	for range operations {
		begin := s.queue.Begin(now)
		_, end = s.queue.Serve(now, service*r.setting.Faults.Slow(begin))
		r.load.StoreOp(begin)
		r.load.StoreWait(begin, begin-now)
	}
	r.schedule(end, storeDone, ref)
}

// write counts what the store has worked on.
func (r *reported) write(now int64, ref int32) {
	if r.store.queue.lost > r.calls[ref].came {
		r.refuse(now, ref)
		return
	}
	r.store.count(now, &r.calls[ref])
	r.due = append(r.due, ref)
}
