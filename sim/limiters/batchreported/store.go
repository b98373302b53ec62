package batchreported

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/remote"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/network"
)

// reportedStore is the store in which all servers count. It has one queue and a
// network hop of its own.
type reportedStore struct {
	counts   *batchreported.Server
	spared   []sparedCounts // by failover to come
	write    storeWrite
	queue    fragileQueue
	service  int64 // ns for an operation
	row      int64 // ns that a row adds to a script
	commands int64 // of a row
	hop      network.Hop
}

type storeWrite uint8

const (
	byScript     storeWrite = iota // an operation for each report
	byBatch                        // an operation for each row, all rows of a report together
	byDescriptor                   // the same, each row after the response to the previous one
)

var storeWrites = map[string]storeWrite{"script": byScript, "batch": byBatch, "descriptor": byDescriptor}

// sparedCounts are the counts that remain after a failover to come, which loses
// the latest writes.
type sparedCounts struct {
	remote.Loss
	counts *batchreported.Server
}

// fragileQueue is a queue whose content is lost when its owner fails.
type fragileQueue struct {
	remote.Station
	lost int64 // when that was last
}

func newFragileQueue() fragileQueue { return fragileQueue{remote.NewStation(1), math.MinInt64} }

// lose empties the queue.
func (q *fragileQueue) lose(now int64) {
	q.Clear()
	q.lost = now
}

// storeHop returns the latency distribution of a server's call to the store.
func storeHop(s *engine.Setting, choice catalog.Choice) (random.Latency, error) {
	if choice.Name == "memory" {
		return random.Latency{}, nil
	}
	if n := choice.Values.Choice("network"); n.Name != "same" {
		l, err := engine.LatencyOf(n)
		if err != nil {
			err = fmt.Errorf("store: network: %w", err)
		}
		return l, err
	}
	return engine.LatencyOf(s.Scenario.Topology.Network)
}

// newReportedStore returns the store of a trial, nil if servers count in memory.
func newReportedStore(t *engine.Trial, c *batchreported.Config) *reportedStore {
	choice := t.Algorithm.Options.Choice("store")
	if choice.Name == "memory" {
		return nil
	}
	v := choice.Values
	s := &reportedStore{
		counts: batchreported.NewServer(c, 0, t.Origin), write: storeWrites[v.String("write")], queue: newFragileQueue(),
		service: v.Duration("service_time"), row: v.Duration("row_time"), commands: v.Int("commands"), hop: network.NewHop(t, faults.TheStore, engine.Must(storeHop(t.Setting, choice)), "store network"),
	}
	for _, l := range network.StoreLosses(t) {
		s.spared = append(s.spared, sparedCounts{l, batchreported.NewServer(c, 0, t.Origin)})
	}
	return s
}

// applyFaults fails the store over, and empties its queue if it is down.
func (s *reportedStore) applyFaults(c network.Change, down bool) {
	for range c.Failovers {
		s.counts, s.spared = s.spared[0].counts, s.spared[1:]
	}
	if down {
		s.queue.lose(c.At)
	}
}

// rows returns the rows of a call that are at the store.
func (s *reportedStore) rows(c *call) []batchreported.ReportRow {
	if s.write == byDescriptor {
		return c.report.Rows[c.row : c.row+1]
	}
	return c.report.Rows
}

// count writes the rows of a call.
func (s *reportedStore) count(now int64, c *call) {
	s.counts.ReceiveRows(now, c.report.SentAt, s.rows(c))
	for i := range s.spared {
		if s.survives(i, now) {
			s.spared[i].counts.ReceiveRows(now, c.report.SentAt, s.rows(c))
		}
	}
}

// answer reads the counts of the rows that a call has written, and goes on to its
// next rows.
func (s *reportedStore) answer(now int64, c *call) {
	rows := s.rows(c)
	for i := range s.spared {
		if s.survives(i, now) {
			var unread batchreported.Answer // reading brings the counts up to now
			s.spared[i].counts.AnswerRows(now, rows, &unread)
		}
	}
	s.counts.AnswerRows(now, rows, &c.answer)
	c.answer.Server, c.answer.LeftAt = c.report.Server, c.report.LeftAt
	c.row += int32(len(rows))
}

// survives reports whether a write at now remains after the failovers from the
// next one, 0, up to the given one.
func (s *reportedStore) survives(failover int, now int64) bool {
	for i := range failover + 1 {
		if f := &s.spared[i]; now > f.Since && now <= f.At {
			return false
		}
	}
	return true
}

// toStore sends the next rows of a call from its server to the store at a time
// that may be in the future.
func (r *reported) toStore(at int64, ref int32) {
	there, back := r.store.hop.RoundTrip(at)
	r.calls.At(ref).storeBack = back
	r.agenda.Schedule(at+there, atStore, ref)
}

// queueAtStore queues the operations of a call at the store.
func (r *reported) queueAtStore(now int64, ref int32) {
	s := r.store
	if r.setting.Faults.StoreFails(now) {
		r.refuse(now, ref)
		return
	}
	rows := int64(len(s.rows(r.calls.At(ref))))
	operations, service, commands := rows, s.service, s.commands
	if s.write == byScript {
		operations, service, commands = 1, s.service+rows*s.row, rows*s.commands
	}
	end := now
	r.calls.At(ref).queued = now
	for range operations {
		begin := s.queue.Begin(now)
		_, end = s.queue.Serve(now, r.setting.Faults.Slow(begin, service))
		r.load.StoreOp(begin, commands)
		r.load.StoreWait(begin, begin-now)
	}
	r.agenda.Schedule(end, storeDone, ref)
}

// write counts the rows of a call that the store has served.
func (r *reported) write(now int64, ref int32) {
	if r.store.queue.lost > r.calls.At(ref).queued {
		r.setting.Faults.StoreFails(r.store.queue.lost)
		r.refuse(now, ref)
		return
	}
	r.store.count(now, r.calls.At(ref))
	r.setting.Faults.Written(now)
	if c := r.calls.At(ref); int(c.row)+len(r.store.rows(c)) == len(c.report.Rows) {
		r.load.CountLag(now, now-c.oldest)
	}
	r.due = append(r.due, ref)
}
