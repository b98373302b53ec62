// Package sql runs a limiter in a SQL database: its locks, conflicts and
// retries.
//
// The package makes no promise: it can change at any time.
package sql

import (
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/limiters/rover"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes callers that run one database transaction per request, and
// retry it if it conflicts.
var Limiter = engine.Limiter{
	Entry:       sql.Entry(),
	Presets:     sql.Presets(),
	Check:       checkSQL,
	Executor:    newSQL,
	ClientBytes: 64,
	Random:      sqlDraws,
	Waits:       rover.Waits,
	Servers:     servers,
	AffectedBy:  []string{"network", "partition", "store-down", "server-restart", "server-crash", "slow-server", "store-latency", "server-latency", "autoscale", "policy-change"},
	Unaffected:  unaffected,
	OnePolicy:   "the published functions read and write one row, and say neither how a transaction locks the rows of several keys nor which of them it charges if one rejects",
	Sidecar:     true,
}

// sqlCallers runs the callers of a database and their calls to it.
type sqlCallers struct {
	executor *engine.EventExecutor
	load     *measure.Load
	faults   *faults.Timeline
	network  network.Hop
	database sqlDatabase

	maxWait      int64 // ns that a request may wait for its token; 0: it does not wait
	waitInterval int64 // ns; 0: until its own call would succeed
	timeout      int64
	backoff      backoff
	retries      int64
	byServer     bool
	failOpen     bool

	clients []sqlClient
	calls   []sqlCall // by slot
}

// sqlClient holds the connections of a client.
type sqlClient struct {
	free    int64
	keeps   int32 // processors that its next call may go on with, at this instant
	waiting engine.FIFO[int32]
}

// sqlCall is the state of a request in flight.
type sqlCall struct {
	key, client int32
	cost        int64
	sent        int64 // when the try left its caller
	back        int64 // ns from the database to the caller
	reached     int64 // when the try arrived at the database
	began       int64 // when its transaction began
	retryAt     int64 // when the next call would succeed, as the database sees it
	tries       int64
	verdict     counting.Verdict
	failed      bool
	lost        bool // the try gets no response
	try
}

// try is the state of a transaction in the database.
type try struct {
	server   int32 // of the caller
	leader   int32 // of the row, as its latest statement knows it
	rest     int64 // ns that its response takes from there
	here     int64 // when the caller's server was last known to be up
	there    int64 // when the leader was
	decided  int64 // when the statement that decides began
	priority uint64
	state    sql.SQLState
	locks    bool // it has the row, which others may wait for
	running  bool // a statement has had the row
	selects  bool // the present statement is SELECT ... FOR UPDATE
	single   bool // the row's leader commits it
	done     bool // it has committed
	wounded  bool // another transaction has aborted it
	asleep   bool // it waits for a row and no recheck is due
	version  int64
	next     int32 // the transaction that fails after it, at the same commit
	stage    stage
}

// retry begins the next try of a call at the same server.
func (c *sqlCall) retry() {
	c.tries++
	c.try = try{server: c.server}
}

// Event kinds, in the order in which they run when they share a timestamp. Ref is
// a slot.
const (
	sqlServed    uint32 = iota // a statement ends at the leader of its row
	sqlCommits                 // the Raft round of a commit ends
	sqlReleases                // the leader of a row hears of a commit; Ref is a key
	sqlAtLeader                // a statement arrives there
	sqlReplied                 // its result arrives at the caller's server
	sqlReaches                 // the call arrives at the caller's server
	sqlEnters                  // the server retries it
	sqlBegins                  // a processor has done its part and the transaction begins
	sqlUpdates                 // a statement arrives at its row
	sqlFlushed                 // an idle processor goes on after the flush
	sqlRechecked               // a transaction has seen what became of its row
	sqlRepeats                 // a statement that has waited has seen the row as it is now
	sqlAborted                 // a failed transaction has ended
	sqlResponds                // a processor has sent a commit's response
	sqlAnswered
	sqlSent
	sqlFrees // a processor is free unless the next call came at once; Ref is a client
)

func (s *sqlCallers) Arrive(now int64, slot int32) {
	a := s.executor.Attempt(slot)
	s.calls = lists.Reach(s.calls, slot)
	s.calls[slot] = sqlCall{key: a.Key, client: a.Client, cost: a.Cost}
	s.connect(now, slot)
}

// connect sends a request's call once its client has a free connection.
func (s *sqlCallers) connect(now int64, slot int32) {
	s.executor.Asks(slot)
	c := &s.clients[s.calls[slot].client]
	if c.free == 0 {
		c.waiting.Push(slot)
		return
	}
	c.free--
	s.send(now, slot)
}

// disconnect passes the connection of a call to the request that waits longest.
func (s *sqlCallers) disconnect(now int64, slot int32) {
	c := &s.clients[s.calls[slot].client]
	if c.waiting.Len() == 0 {
		c.free++
		return
	}
	s.send(now, c.waiting.Pop())
}

// send sends a try.
func (s *sqlCallers) send(now int64, slot int32) {
	c := &s.calls[slot]
	c.retry()
	c.sent, c.failed, c.lost = now, false, false
	if s.faults.Cut(now, c.client) {
		s.lose(now, slot)
		return
	}
	there, back := s.network.RoundTrip(now)
	c.back = back
	s.executor.Schedule(now+there, sqlReaches, slot)
}

// lose ends a try without a response at its timeout.
func (s *sqlCallers) lose(now int64, slot int32) {
	c := &s.calls[slot]
	c.lost = true
	s.executor.Schedule(max(now, c.sent+s.timeout), sqlAnswered, slot)
}

func (s *sqlCallers) Fire(e engine.Event) {
	switch e.Kind {
	case sqlAnswered:
		s.answered(e.Time, e.Ref)
	case sqlSent:
		s.sent(e.Time, e.Ref)
	default:
		handlers[e.Kind](&s.database, e.Time, e.Ref)
	}
}

// handlers names what the database does with each kind of event that is not the callers'.
var handlers = [...]func(d *sqlDatabase, now int64, ref int32){
	sqlServed:    (*sqlDatabase).reply,
	sqlCommits:   (*sqlDatabase).commit,
	sqlReleases:  (*sqlDatabase).release,
	sqlAtLeader:  (*sqlDatabase).statement,
	sqlReplied:   (*sqlDatabase).replied,
	sqlReaches:   (*sqlDatabase).reached,
	sqlEnters:    (*sqlDatabase).enters,
	sqlBegins:    (*sqlDatabase).begin,
	sqlUpdates:   (*sqlDatabase).update,
	sqlFlushed:   (*sqlDatabase).commit,
	sqlRechecked: (*sqlDatabase).rechecked,
	sqlRepeats:   (*sqlDatabase).repeat,
	sqlAborted:   (*sqlDatabase).aborted,
	sqlResponds:  (*sqlDatabase).respond,
	sqlFrees:     (*sqlDatabase).frees,
}

// answer sends the response to a try.
func (s *sqlCallers) answer(now int64, slot int32) {
	c := &s.calls[slot]
	if s.faults.Cut(now, c.client) || !s.database.cluster.hashed && s.faults.StoreFails(now) {
		s.lose(now, slot) // its writes remain
		return
	}
	s.executor.Schedule(now+c.back, sqlAnswered, slot)
}

// answered handles the response to a try at its caller.
func (s *sqlCallers) answered(now int64, slot int32) {
	c := &s.calls[slot]
	switch {
	case c.lost:
		s.executor.TimedOut(slot)
		s.fail(now, slot)
	case c.failed && c.tries <= s.retries:
		if wait := s.backoff.next(c.tries); wait > 0 {
			s.executor.Schedule(now+wait, sqlSent, slot)
		} else {
			s.send(now, slot)
		}
	case c.failed:
		s.database.meter.GaveUp(now)
		s.fail(now, slot)
	case !c.verdict.Admitted() && s.maxWait > 0:
		s.wait(now, slot)
	default:
		s.end(now, slot, c.verdict)
	}
}

// fail ends a call without the database's decision.
func (s *sqlCallers) fail(now int64, slot int32) {
	s.end(now, slot, counting.Unanswered(s.failOpen))
}

func (s *sqlCallers) end(now int64, slot int32, v counting.Verdict) {
	s.disconnect(now, slot)
	s.executor.Settle(slot, v)
}

// wait has a caller that got no token call again later. It keeps no connection
// meanwhile.
func (s *sqlCallers) wait(now int64, slot int32) {
	c := &s.calls[slot]
	deadline := s.executor.Reached(slot) + s.maxWait
	at := max(c.retryAt, now)
	if s.waitInterval > 0 {
		at = now + s.waitInterval
	}
	s.disconnect(now, slot)
	if now >= deadline {
		s.executor.Reject(slot, counting.ByMaxWait)
		return
	}
	c.tries, c.failed = 0, false
	s.executor.Waits(slot)
	s.executor.Schedule(min(at, deadline), sqlSent, slot)
}

// sent sends a caller's next try, or its next call if it has waited for a token.
func (s *sqlCallers) sent(now int64, slot int32) {
	c := &s.calls[slot]
	switch {
	case c.failed:
		s.send(now, slot)
	case now >= s.executor.Reached(slot)+s.maxWait:
		s.executor.Reject(slot, counting.ByMaxWait)
	default:
		s.connect(now, slot)
	}
}

func (s *sqlCallers) Inspect(key, _ int32, now, cost int64) (level, retryAt int64) {
	return s.database.rows.Level(key, now), s.database.rows.RetryAt(key, now, cost)
}
