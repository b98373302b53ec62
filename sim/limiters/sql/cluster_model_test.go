package sql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/internal/random"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// clusterCase is a small input for a database on several servers. Times are in ns.
type clusterCase struct {
	serializable, fails, byServer, forUpdate, single bool
	servers, replicas, clients, retries              int
	network, hop, overhead, service, delay           int64
	arrivals                                         []sqlArrival
}

func (c *clusterCase) yaml() string {
	pick := func(yes bool, a, b string) string { return map[bool]string{true: a, false: b}[yes] }
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nduration: 1ms\nreplications: 1\nalgorithms:\n  tested: {enforcement: sql, counter: sql-token-bucket, clock: 1ns, tablets: hashed, replicas: %d, server_network: %dns, isolation: %s, on_conflict: %s, for_update: %s, single_row: %s, retried_by: %s, connections: 100, processors: 100, retries: %d, overhead: %dns, service_time: %dns, retry_delay: %dns}\n",
		c.replicas, c.hop, pick(c.serializable, "serializable", "read-committed"), pick(c.fails, "fail", "wait"), pick(c.forUpdate, "100%", "0%"), pick(c.single, "100%", "0%"),
		pick(c.byServer, "server", "caller"), c.retries, c.overhead, c.service, c.delay)
	fmt.Fprintf(&b, "scenarios:\n  - name: model\n    policy: {limit: 1/1us, burst: 3}\n    topology: {clients: %d, servers: %d, network: %dns}\n    algorithms: [tested]\n    traffic:\n      - pattern: list\n        events:\n", c.clients, c.servers, c.network)
	for _, a := range c.arrivals {
		fmt.Fprintf(&b, "          - {at: %dns, key: k%d, client: %d}\n", a.at, a.key, a.client)
	}
	return b.String()
}

// transaction is one try of a request in clusterModel.
type transaction struct {
	request    int
	try        int
	here       int // the caller's server
	start      int64
	priority   uint64
	reading    bool // it is at its SELECT ... FOR UPDATE
	decided    int64
	aborted    bool
	committing bool
}

// tuple is a row with who has written it last and who waits for it.
type tuple struct {
	row     sql.Row
	exists  bool
	leader  int
	owner   *transaction
	waiting []*transaction
}

// clusterModel is a reference model that follows every transaction through the
// servers. It has an object for each transaction and sorts its events in a list.
type clusterModel struct {
	*clusterCase
	now     int64
	due     []sqlDue
	rule    sql.Rule
	rows    map[int]*tuple
	draws   random.Stream
	began   []int64
	out     []simtest.Outcome
	commits int
}

func (w *clusterModel) plan(after int64, rank int, do func()) {
	w.due = append(w.due, sqlDue{w.now + after, rank, do})
}

func (w *clusterModel) simulate() {
	numbers := map[int]int32{}
	w.rows, w.began = map[int]*tuple{}, make([]int64, len(w.arrivals))
	for i, a := range w.arrivals {
		if w.rows[a.key] == nil {
			numbers[a.key] = int32(len(numbers))
			w.rows[a.key] = &tuple{row: sql.Absent, leader: int(routing.Owner(numbers[a.key], w.servers))}
		}
		w.out = append(w.out, simtest.Waiting)
		w.plan(a.at, 99, func() { w.call(i, 1) })
	}
	for len(w.due) > 0 {
		slices.SortStableFunc(w.due, func(a, b sqlDue) int {
			if a.at != b.at {
				return int(a.at - b.at)
			}
			return a.rank - b.rank
		})
		d := w.due[0]
		w.due = w.due[1:]
		w.now = d.at
		d.do()
	}
}

// call sends a try from its caller.
func (w *clusterModel) call(request, try int) {
	w.plan(w.network/2, 5, func() { w.open(&transaction{request: request, try: try, here: w.arrivals[request].client % w.servers}) })
}

func (w *clusterModel) open(t *transaction) {
	w.plan(w.overhead, 7, func() {
		// A statement that the server retries under read committed and
		// Fail-on-Conflict stays in its transaction.
		if t.try == 1 || !w.byServer || w.serializable || !w.fails {
			w.began[t.request] = w.now
		}
		t.start = w.began[t.request]
		t.reading = w.forUpdate
		if w.fails && w.serializable && !w.alone() {
			// The bucket does not matter if all transactions have the same one.
			t.priority = w.draws.Uint64() >> 32
		}
		w.statement(t)
	})
}

func (w *clusterModel) row(t *transaction) *tuple { return w.rows[w.arrivals[t.request].key] }

// travel runs do after the way between a transaction's server and its leader.
func (w *clusterModel) travel(t *transaction, ns int64, rank int, do func()) {
	if t.here == w.row(t).leader {
		do()
		return
	}
	w.plan(ns, rank, do)
}

func (w *clusterModel) statement(t *transaction) {
	w.travel(t, w.hop/2, 3, func() {
		r := w.row(t)
		switch {
		case r.owner == t:
			w.work(t)
		case t.aborted:
			w.reply(t, func() { w.conflict(t) })
		case r.owner == nil:
			r.owner = t
			w.work(t)
		case !w.fails:
			r.waiting = append(r.waiting, t)
			slices.SortStableFunc(r.waiting, func(a, b *transaction) int { return int(a.start - b.start) })
		case t.priority > r.owner.priority && !r.owner.committing:
			r.owner.aborted = true
			r.owner = t
			w.work(t)
		default:
			w.reply(t, func() { w.conflict(t) })
		}
	})
}

func (w *clusterModel) reply(t *transaction, then func()) { w.travel(t, w.hop-w.hop/2, 4, then) }

func (w *clusterModel) work(t *transaction) {
	if !t.reading {
		t.decided = w.now
	}
	w.plan(w.service, 0, func() {
		if w.alone() && !t.aborted {
			w.round(t, func(passes bool) {
				w.free(w.row(t))
				w.reply(t, func() { w.answer(t, func() { w.end(t, passes, "limiter") }) })
			})
			return
		}
		w.reply(t, func() {
			switch {
			case t.aborted:
				w.conflict(t)
			case t.reading:
				t.reading = false
				w.statement(t)
			default:
				w.round(t, func(passes bool) {
					w.travel(t, w.hop/2, 2, func() { w.free(w.row(t)) })
					w.answer(t, func() { w.end(t, passes, "limiter") })
				})
			}
		})
	})
}

// alone reports whether transactions are single statements that the leader commits.
func (w *clusterModel) alone() bool { return w.single && !w.forUpdate }

// round commits a transaction and runs then.
func (w *clusterModel) round(t *transaction, then func(passes bool)) {
	t.committing = true
	round := w.hop // all followers answer at the same time
	if min(w.replicas, w.servers) == 1 {
		round = 0
	}
	done := func() {
		w.commits++
		r := w.row(t)
		_, passes := w.rule.Call(&r.row, t.start, t.decided, 1)
		then(passes)
	}
	if round == 0 {
		done()
	} else {
		w.plan(round, 1, done)
	}
}

// free lets others have a row after a commit.
func (w *clusterModel) free(r *tuple) {
	r.owner = nil
	others := r.waiting
	r.waiting = nil
	if w.serializable || !r.exists {
		for _, t := range others {
			w.reply(t, func() { w.conflict(t) })
		}
	} else if len(others) > 0 {
		r.owner, r.waiting = others[0], others[1:]
		w.work(others[0])
	}
	r.exists = true
}

// conflict ends a try at the caller's server.
func (w *clusterModel) conflict(t *transaction) {
	again := &transaction{request: t.request, try: t.try + 1, here: t.here}
	switch {
	case t.try > w.retries:
		w.answer(t, func() { w.end(t, false, "fail-closed") })
	case !w.byServer:
		w.answer(t, func() {
			if w.delay == 0 {
				w.call(t.request, t.try+1)
			} else {
				w.plan(w.delay, 9, func() { w.call(t.request, t.try+1) })
			}
		})
	case w.delay == 0:
		w.open(again)
	default:
		w.plan(w.delay, 6, func() { w.open(again) })
	}
}

func (w *clusterModel) answer(_ *transaction, then func()) { w.plan(w.network-w.network/2, 8, then) }

func (w *clusterModel) end(t *transaction, admitted bool, cause string) {
	w.out[t.request] = simtest.Rejected(w.now, cause)
	if admitted {
		w.out[t.request] = simtest.Admitted(w.now, cause)
	}
}

// TestClusterEqualsReferenceModel compares the outcome of every attempt at a database
// on several servers with clusterModel.
func TestClusterEqualsReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := func(name string, most int) int { return rapid.IntRange(0, most).Draw(t, name) }
		yes := func(name string) bool { return rapid.Bool().Draw(t, name) }
		c := &clusterCase{
			serializable: yes("serializable"), fails: yes("fails"), byServer: yes("by server"), forUpdate: yes("for update"), single: yes("single"),
			servers: 1 + some("servers", 4), replicas: 1 + some("replicas", 4), clients: 1 + some("clients", 4), retries: some("retries", 4),
			network: 100 * int64(some("network", 4)), hop: 100 * int64(some("hop", 6)), overhead: 100 * int64(some("overhead", 2)),
			service: 100 * int64(some("service", 4)), delay: 100 * int64(some("delay", 3)),
		}
		at := int64(0)
		for range 1 + some("arrivals", 30) {
			at += 100 * int64(some("gap", 4)) * int64(some("pause", 3))
			c.arrivals = append(c.arrivals, sqlArrival{at, some("key", 2), some("client", c.clients-1)})
		}
		rule, err := sql.NewRule(1, 1000, 3, sql.Options{Clock: 1})
		if err != nil {
			t.Fatal(err)
		}
		model := &clusterModel{clusterCase: c, rule: rule, draws: random.New(1, 0, "algorithm/tested/priorities")}
		model.simulate()
		decided := 0
		text := c.yaml()
		got := simtest.Outcomes(t, text, "tested")
		for i, want := range model.out {
			if want.Decided < 0 {
				t.Fatalf("attempt %d does not end in the model\n%s", i, text)
			}
			if got[i] != want {
				t.Fatalf("attempt %d: %+v, the model says %+v\n%s", i, got[i], want, text)
			}
			if got[i].Cause == "limiter" {
				decided++
			}
		}
		if decided != model.commits {
			t.Fatalf("%d attempts are decided by %d commits\n%s", decided, model.commits, text)
		}
	})
}
