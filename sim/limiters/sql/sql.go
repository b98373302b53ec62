// Package sql runs a limiter in a SQL database: its locks, conflicts and
// retries.
package sql

import (
	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/network"
)

// Limiter describes callers that run one database transaction per request, and
// retry it if it conflicts.
var Limiter = engine.Limiter{
	Entry:      sql.Entry(),
	Presets:    sql.Presets(),
	Check:      checkSQL,
	Executor:   newSQL,
	Random:     sqlDraws,
	Waits:      waits,
	Servers:    network.OneServer,
	AffectedBy: []string{"network", "partition", "store-down", "slow-server", "autoscale", "policy-change"},
	Unaffected: unaffected,
}

// unaffected returns why a fault cannot affect an algorithm.
func unaffected(_ *engine.Setting, a *scenarios.Algorithm, f *scenarios.Fault) string {
	overhead, service := engine.ServiceOf(a.Options.Choice("overhead"), random.Stream{}), engine.ServiceOf(a.Options.Choice("service_time"), random.Stream{})
	if f.Kind == "slow-server" && overhead.TakesNone() && service.TakesNone() {
		return "its database takes no time"
	}
	return ""
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
	retryDelay   int64
	retries      int64
	byServer     bool
	failOpen     bool

	clients []sqlClient
	calls   []sqlCall // by slot
}

// sqlClient holds the connections of a client.
type sqlClient struct {
	free    int64
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
	verdict     counter.Verdict
	locks       bool // the try holds the row's lock, which others may wait for
	failed      bool
	lost        bool // the try gets no response
}

// Event kinds, in the order in which they run when they share a timestamp. Ref is
// a slot.
const (
	sqlCommits uint32 = iota
	sqlReaches        // the call arrives at the database
	sqlBegins         // a processor has done its part and the transaction begins
	sqlAnswered
	sqlSent
)

func checkSQL(s *engine.Setting, a *scenarios.Algorithm) error {
	_, err := s.NewTable(a, s.Limit, engine.Whole, 0)
	return err
}

func sqlDraws(s *engine.Setting, a *scenarios.Algorithm) bool {
	return network.DrawsLatency(s, a) || a.Options.Choice("service_time").Name == "exponential" || a.Options.Choice("overhead").Name == "exponential"
}

func waits(_ *engine.Setting, a *scenarios.Algorithm) *counter.Waiting {
	if a.Options.String("when_short") != "wait" || a.Options.Duration("max_wait") == 0 {
		return nil
	}
	return &counter.Waiting{Time: a.Options.Duration("max_wait")}
}

func newSQL(t *engine.Trial) (engine.Executor, error) {
	o := t.Algorithm.Options
	s := &sqlCallers{
		executor: engine.NewEventExecutor(t.Sinks, t.Start), load: t.Recorder.Load(), faults: t.Faults,
		waitInterval: o.Duration("wait_interval"), timeout: o.Duration("timeout"), retryDelay: o.Duration("retry_delay"),
		retries: o.Int("retries"), byServer: o.String("retried_by") == "server", failOpen: o.String("on_failure") == "fail-open",
		clients: make([]sqlClient, t.Clients()),
	}
	s.network = network.NewHop(t, t.Latency(), "network")
	if w := waits(t.Setting, t.Algorithm); w != nil {
		s.maxWait = w.Time
	}
	for i := range s.clients {
		s.clients[i].free = o.Int("connections")
	}
	serializable := o.String("isolation") == "serializable"
	s.database = sqlDatabase{
		callers: s, meter: t.Recorder.Conflicts(), locks: sql.NewLocks(serializable, t.Keys),
		idle: o.Int("processors"), credited: o.Bool("lock_wait_credited"), refusalWrites: o.Bool("count_rejected"),
		overhead: engine.ServiceOf(o.Choice("overhead"), t.Stream("overhead")),
		service:  engine.ServiceOf(o.Choice("service_time"), t.Stream("service")),
	}
	if err := s.database.open(t); err != nil {
		return nil, err
	}
	s.executor.Run(s)
	return s.executor, nil
}

func (s *sqlCallers) Arrive(now int64, slot int32) {
	a := s.executor.Attempt(slot)
	for int(slot) >= len(s.calls) {
		s.calls = append(s.calls, sqlCall{})
	}
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
	c.tries++
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
	case sqlCommits:
		s.database.commit(e.Time, e.Ref)
	case sqlReaches:
		s.database.reached(e.Time, e.Ref)
	case sqlBegins:
		s.database.begin(e.Time, e.Ref)
	case sqlAnswered:
		s.answered(e.Time, e.Ref)
	case sqlSent:
		s.sent(e.Time, e.Ref)
	}
}

// answer sends the response to a try.
func (s *sqlCallers) answer(now int64, slot int32) {
	c := &s.calls[slot]
	if s.faults.Cut(now, c.client) || s.faults.StoreFails(now) {
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
	case c.failed && c.tries <= s.retries && s.retryDelay > 0:
		s.executor.Schedule(now+s.retryDelay, sqlSent, slot)
	case c.failed && c.tries <= s.retries:
		s.send(now, slot)
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
	s.end(now, slot, counter.Unanswered(s.failOpen))
}

func (s *sqlCallers) end(now int64, slot int32, v counter.Verdict) {
	s.disconnect(now, slot)
	s.executor.Settle(slot, v)
}

// wait has a caller that got no token call again later. It keeps no connection
// meanwhile.
func (s *sqlCallers) wait(now int64, slot int32) {
	c := &s.calls[slot]
	deadline := s.executor.Attempt(slot).Arrival + s.maxWait
	at := max(c.retryAt, now)
	if s.waitInterval > 0 {
		at = now + s.waitInterval
	}
	s.disconnect(now, slot)
	if now >= deadline {
		s.executor.Reject(slot, counter.ByMaxWait)
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
	case now >= s.executor.Attempt(slot).Arrival+s.maxWait:
		s.executor.Reject(slot, counter.ByMaxWait)
	default:
		s.connect(now, slot)
	}
}

func (*sqlCallers) Finish(*measure.Recorder) {}

func (s *sqlCallers) Inspect(key int32, now, cost int64) (level, retryAt int64) {
	return s.database.rows.Level(key, now), s.database.rows.RetryAt(key, now, cost)
}
