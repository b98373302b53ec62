package sql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/sql"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// sqlCase is a small input for concurrent transactions. Times are in ns.
type sqlCase struct {
	serializable, byServer, credited, open    bool
	refusalWrites, waits                      bool
	clients, connections, processors, retries int
	network, overhead, service, delay         int64
	statement, response, recheck, abort, wake int64
	maxWait, interval                         int64
	headStart                                 bool
	arrivals                                  []sqlArrival
}

type sqlArrival struct {
	at          int64
	key, client int
}

func (c *sqlCase) yaml() string {
	var b strings.Builder
	word := func(yes bool, a, otherwise string) string {
		if yes {
			return a
		}
		return otherwise
	}
	interval := ""
	if c.interval > 0 {
		interval = fmt.Sprintf("wait_interval: %dns, ", c.interval)
	}
	fmt.Fprintf(&b, "version: 1\nduration: 1ms\nreplications: 1\nalgorithms:\n  tested: {enforcement: sql, counter: sql-token-bucket, clock: 1ns, refusal_writes: %v, isolation: %s, retried_by: %s, lock_wait_credited: %v, on_failure: %s, when_short: %s, max_wait: %dns, %sconnections: %d, processors: %d, retries: %d, overhead: %dns, service_time: %dns, retry_delay: %dns, statement: %dns, response: %dns, recheck: %dns, abort: %dns, wakeup: %dns, head_start: %s}\n",
		c.refusalWrites, word(c.serializable, "serializable", "read-committed"), word(c.byServer, "server", "caller"), c.credited,
		word(c.open, "fail-open", "fail-closed"), word(c.waits, "wait", "refuse"), c.maxWait, interval, c.connections, c.processors, c.retries, c.overhead, c.service, c.delay,
		c.statement, c.response, c.recheck, c.abort, c.wake, word(c.headStart, "100%", "0%"))
	fmt.Fprintf(&b, "scenarios:\n  - name: model\n    policy: {limit: 1/1us, burst: 3}\n    topology: {clients: %d, network: %dns}\n    algorithms: [tested]\n    traffic:\n      - pattern: list\n        events:\n", c.clients, c.network)
	for _, a := range c.arrivals {
		fmt.Fprintf(&b, "          - {at: %dns, key: k%d, client: %d}\n", a.at, a.key, a.client)
	}
	return b.String()
}

// sqlModel is a reference model that follows every request through its
// transactions, with lists for everything that waits.
type sqlModel struct {
	*sqlCase
	now     int64
	due     []sqlDue
	free    []int
	pool    [][]int // requests without a connection, by client
	idle    int
	ready   []func(wake int64) // what waits for a processor
	kept    []int              // processors that a client's next call may go on with
	rows    []sql.Row
	rule    sql.Rule
	version map[int]int
	holder  map[int]int
	waiting map[int][]int
	asleep  []bool // waits for its row, and no recheck is due
	seen    []int  // the version of its row at its snapshot
	began   []int64
	tries   []int
	verdict []bool
	retryAt []int64
	out     []simtest.Outcome
}

// Ranks of events at one instant.
const (
	served, reaches, enters, begins, updates, flushed, rechecked, repeats, aborted, responds, answers, sends, frees, arrives = 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
)

// sqlDue is an event. Events of one instant run in the order of their rank,
// then in the order in which they were scheduled.
type sqlDue struct {
	at   int64
	rank int
	do   func()
}

func (w *sqlModel) plan(after int64, rank int, do func()) {
	w.due = append(w.due, sqlDue{w.now + after, rank, do})
}

func (w *sqlModel) simulate(end int64) []simtest.Outcome {
	n := len(w.arrivals)
	w.began, w.tries, w.verdict, w.retryAt = make([]int64, n), make([]int, n), make([]bool, n), make([]int64, n)
	w.version, w.holder, w.waiting = map[int]int{}, map[int]int{}, map[int][]int{}
	w.asleep, w.seen, w.kept, w.idle = make([]bool, n), make([]int, n), make([]int, w.clients), w.processors
	w.pool = make([][]int, w.clients)
	for range w.clients {
		w.free = append(w.free, w.connections)
	}
	for i := range w.arrivals {
		w.out = append(w.out, simtest.Waiting)
		w.plan(w.arrivals[i].at, arrives, func() { w.connect(i) })
	}
	for len(w.due) > 0 {
		first := 0
		for i, d := range w.due {
			if d.at < w.due[first].at || d.at == w.due[first].at && d.rank < w.due[first].rank {
				first = i
			}
		}
		d := w.due[first]
		if d.at >= end {
			break
		}
		w.due = slices.Delete(w.due, first, first+1)
		w.now = d.at
		d.do()
	}
	return w.out
}

func (w *sqlModel) connect(i int) {
	client := w.arrivals[i].client
	if w.free[client] == 0 {
		w.pool[client] = append(w.pool[client], i)
		return
	}
	w.free[client]--
	w.send(i)
}

func (w *sqlModel) disconnect(i int) {
	client := w.arrivals[i].client
	w.free[client]++
	if len(w.pool[client]) > 0 {
		next := w.pool[client][0]
		w.pool[client] = w.pool[client][1:]
		w.connect(next)
	}
}

func (w *sqlModel) send(i int) {
	w.tries[i]++
	w.plan(w.network/2, reaches, func() { w.enter(i) })
}

// processor runs do when a processor is free for it.
func (w *sqlModel) processor(do func(wake int64)) {
	if w.idle > 0 {
		w.idle--
		do(w.wake)
		return
	}
	w.ready = append(w.ready, do)
}

// release frees a processor.
func (w *sqlModel) release() {
	if len(w.ready) == 0 {
		w.idle++
		return
	}
	do := w.ready[0]
	w.ready = w.ready[1:]
	do(0)
}

// keep keeps a processor for the next call of a request's client, until the end of
// the instant.
func (w *sqlModel) keep(i int) {
	client := w.arrivals[i].client
	w.kept[client]++
	w.plan(0, frees, func() {
		if w.kept[client] > 0 {
			w.kept[client]--
			w.release()
		}
	})
}

func (w *sqlModel) enter(i int) {
	open := func(wake int64) { w.plan(wake+w.overhead, begins, func() { w.begin(i) }) }
	if client := w.arrivals[i].client; w.kept[client] > 0 {
		if len(w.ready) > 0 && w.headStart {
			w.kept[client]--
			open(0)
			return
		}
		if len(w.ready) == 0 {
			w.kept[client]--
			w.idle++
		}
	}
	w.processor(open)
}

func (w *sqlModel) begin(i int) {
	w.began[i] = w.now
	w.seen[i] = w.version[w.arrivals[i].key]
	w.plan(w.statement, updates, func() { w.update(i) })
}

func (w *sqlModel) update(i int) {
	key := w.arrivals[i].key
	probe := w.rows[key]
	_, passes := w.rule.Call(&probe, w.now, w.now, 1)
	_, held := w.holder[key]
	changed := w.seen[i] != w.version[key] && (w.serializable || w.seen[i] == 0)
	switch {
	case !passes && !w.refusalWrites:
		w.decide(i)
		w.plan(w.service, served, func() { w.flushed(i, func() {}) })
	case changed:
		w.fail(i)
		return
	case held:
		w.waiting[key] = append(w.waiting[key], i)
		w.asleep[i] = true
	default:
		w.lock(i)
	}
	w.release()
}

func (w *sqlModel) lock(i int) {
	w.holder[w.arrivals[i].key] = i
	w.decide(i)
	w.plan(w.service, served, func() { w.flushed(i, func() { w.pass(i) }) })
}

// flushed commits, then does more, then responds.
func (w *sqlModel) flushed(i int, more func()) {
	w.processor(func(wake int64) {
		w.plan(wake, flushed, func() {
			more()
			w.plan(w.response, responds, func() {
				w.keep(i)
				w.answer(i, w.decided)
			})
		})
	})
}

// pass ends a transaction that has its row.
func (w *sqlModel) pass(i int) {
	key := w.arrivals[i].key
	delete(w.holder, key)
	others := w.waiting[key]
	w.waiting[key] = nil
	w.version[key]++
	if w.serializable || w.version[key] == 1 {
		w.failAll(others)
		return
	}
	if len(others) == 0 {
		return
	}
	w.holder[key], w.waiting[key] = others[0], others[1:]
	for _, other := range others {
		if w.asleep[other] {
			w.asleep[other] = false
			w.processor(func(wake int64) { w.plan(wake+w.recheck, rechecked, func() { w.look(other) }) })
		}
	}
}

// look has a waiting transaction take its row or wait again.
func (w *sqlModel) look(i int) {
	if holder, held := w.holder[w.arrivals[i].key]; !held || holder != i {
		w.asleep[i] = true
		w.release()
		return
	}
	w.plan(w.statement, repeats, func() {
		w.lock(i)
		w.release()
	})
}

// failAll fails transactions one after another.
func (w *sqlModel) failAll(all []int) {
	if len(all) == 0 {
		return
	}
	w.processor(func(wake int64) {
		w.plan(wake+w.recheck, rechecked, func() {
			w.fail(all[0])
			w.failAll(all[1:])
		})
	})
}

func (w *sqlModel) fail(i int) {
	w.plan(w.abort, aborted, func() {
		w.keep(i)
		w.failed(i)
	})
}

func (w *sqlModel) decide(i int) {
	row := &w.rows[w.arrivals[i].key]
	start := w.began[i]
	if !w.credited {
		start = w.now
	}
	_, w.verdict[i] = w.rule.Call(row, start, w.now, 1)
	w.retryAt[i] = w.rule.RetryAt(*row, w.now, 1)
}

func (w *sqlModel) failed(i int) {
	again := w.tries[i] <= w.retries
	switch {
	case again && w.byServer:
		w.tries[i]++
		if w.delay > 0 {
			w.plan(w.delay, enters, func() { w.enter(i) })
		} else {
			w.enter(i)
		}
	case again:
		w.answer(i, func(i int) {
			if w.delay > 0 {
				w.plan(w.delay, sends, func() { w.send(i) })
			} else {
				w.send(i)
			}
		})
	default:
		cause := "fail-closed"
		if w.open {
			cause = "fail-open"
		}
		w.answer(i, func(i int) {
			w.disconnect(i)
			w.end(i, w.open, cause)
		})
	}
}

func (w *sqlModel) answer(i int, then func(i int)) {
	w.plan(w.network-w.network/2, answers, func() { then(i) })
}

func (w *sqlModel) decided(i int) {
	w.disconnect(i)
	if w.verdict[i] || !w.waits {
		w.end(i, w.verdict[i], "limiter")
		return
	}
	patience := w.arrivals[i].at + w.maxWait
	if w.now >= patience {
		w.end(i, false, "max-wait")
		return
	}
	at := w.now + w.interval
	if w.interval == 0 {
		at = max(w.retryAt[i], w.now)
	}
	w.tries[i] = 0
	w.plan(min(at, patience)-w.now, sends, func() {
		if w.now >= patience {
			w.end(i, false, "max-wait")
			return
		}
		w.connect(i)
	})
}

func (w *sqlModel) end(i int, admitted bool, cause string) {
	w.out[i] = simtest.Rejected(w.now, cause)
	if admitted {
		w.out[i] = simtest.Admitted(w.now, cause)
	}
}

// TestSQLEqualsReferenceModel compares the outcome of every attempt with sqlModel.
func TestSQLEqualsReferenceModel(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		some := func(name string, most int) int { return rapid.IntRange(0, most).Draw(t, name) }
		yes := func(name string) bool { return rapid.Bool().Draw(t, name) }
		c := &sqlCase{
			serializable: yes("serializable"), byServer: yes("by server"), credited: yes("credited"), open: yes("open"),
			refusalWrites: yes("refusal writes"), waits: yes("waits"),
			clients: 1 + some("clients", 2), connections: 1 + some("connections", 2), processors: 1 + some("processors", 2), retries: some("retries", 3),
			network: 100 * int64(some("network", 4)), overhead: 100 * int64(some("overhead", 3)), service: 100 * int64(some("service", 6)), delay: 100 * int64(some("delay", 3)),
			statement: 100 * int64(some("statement", 3)), response: 100 * int64(some("response", 2)), recheck: 100 * int64(some("recheck", 2)),
			abort: 100 * int64(some("abort", 3)), wake: 100 * int64(some("wake", 2)), headStart: yes("head start"),
			maxWait:  500 * int64(1+some("max wait", 12)),
			interval: 1000 * int64(some("interval", 2)),
		}
		at := int64(0)
		for range 1 + some("arrivals", 30) {
			at += 100 * int64(some("gap", 4)) * int64(some("pause", 3))
			c.arrivals = append(c.arrivals, sqlArrival{at, some("key", 1), some("client", c.clients-1)})
		}
		rule, err := sql.NewRule(1, 1000, 3, sql.Options{Clock: 1, NoRefusal: !c.refusalWrites})
		if err != nil {
			t.Fatal(err)
		}
		model := &sqlModel{sqlCase: c, rule: rule, rows: []sql.Row{sql.Absent, sql.Absent}}
		want := model.simulate(1e6)
		text := c.yaml()
		got := simtest.Outcomes(t, text, "tested")
		for i := range want {
			if want[i].Decided < 0 {
				t.Fatalf("attempt %d does not end in the model\n%s", i, text)
			}
			if got[i] != want[i] {
				t.Fatalf("attempt %d: %+v, the model says %+v\n%s", i, got[i], want[i], text)
			}
		}
	})
}
