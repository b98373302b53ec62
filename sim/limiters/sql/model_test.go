package sql_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/sql"
	_ "github.com/limitgauge/limitgauge/internal/samedraws"
	"github.com/limitgauge/limitgauge/internal/simtest"
)

// sqlCase is a small input for concurrent transactions. Times are in ns.
type sqlCase struct {
	serializable, byServer, credited, open    bool
	refusalWrites, waits                      bool
	clients, connections, processors, retries int
	network, overhead, service, delay         int64
	maxWait, interval                         int64
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
	fmt.Fprintf(&b, "version: 1\nduration: 1ms\nreplications: 1\nalgorithms:\n  tested: {enforcement: sql, counter: sql-token-bucket, clock: 1ns, refusal_writes: %v, isolation: %s, retried_by: %s, lock_wait_credited: %v, on_failure: %s, when_short: %s, max_wait: %dns, %sconnections: %d, processors: %d, retries: %d, overhead: %dns, service_time: %dns, retry_delay: %dns}\n",
		c.refusalWrites, word(c.serializable, "serializable", "read-committed"), word(c.byServer, "server", "caller"), c.credited,
		word(c.open, "fail-open", "fail-closed"), word(c.waits, "wait", "refuse"), c.maxWait, interval, c.connections, c.processors, c.retries, c.overhead, c.service, c.delay)
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
	busy    int
	run     []int // tries without a processor
	rows    []sql.Row
	rule    sql.Rule
	exists  map[int]bool
	holder  map[int]int
	waiting map[int][]int
	began   []int64
	tries   []int
	verdict []bool
	retryAt []int64
	out     []simtest.Outcome
}

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
	w.exists, w.holder, w.waiting = map[int]bool{}, map[int]int{}, map[int][]int{}
	w.pool = make([][]int, w.clients)
	for range w.clients {
		w.free = append(w.free, w.connections)
	}
	for i := range w.arrivals {
		w.out = append(w.out, simtest.Waiting)
		w.plan(w.arrivals[i].at, 9, func() { w.connect(i) })
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
	w.plan(w.network/2, 1, func() { w.enter(i) })
}

func (w *sqlModel) enter(i int) {
	w.run = append(w.run, i)
	w.work()
}

func (w *sqlModel) work() {
	for w.busy < w.processors && len(w.run) > 0 {
		i := w.run[0]
		w.run = w.run[1:]
		w.busy++
		w.plan(w.overhead, 3, func() {
			w.busy--
			w.work()
			w.begin(i)
		})
	}
}

func (w *sqlModel) begin(i int) {
	key := w.arrivals[i].key
	w.began[i] = w.now
	probe := w.rows[key]
	if _, passes := w.rule.Call(&probe, w.now, w.now, 1); !passes && !w.refusalWrites {
		w.decide(i)
		w.plan(w.service, 0, func() { w.answer(i, w.decided) })
		return
	}
	if _, held := w.holder[key]; held {
		w.waiting[key] = append(w.waiting[key], i)
		return
	}
	w.lock(i)
}

func (w *sqlModel) lock(i int) {
	key := w.arrivals[i].key
	w.holder[key] = i
	w.decide(i)
	w.plan(w.service, 0, func() {
		delete(w.holder, key)
		others := w.waiting[key]
		w.waiting[key] = nil
		if w.serializable || !w.exists[key] {
			for _, other := range others {
				w.failed(other)
			}
		} else if len(others) > 0 {
			w.waiting[key] = others[1:]
			w.lock(others[0])
		}
		w.exists[key] = true
		w.answer(i, w.decided)
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
			w.plan(w.delay, 2, func() { w.enter(i) })
		} else {
			w.enter(i)
		}
	case again:
		w.answer(i, func(i int) {
			if w.delay > 0 {
				w.plan(w.delay, 5, func() { w.send(i) })
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
	w.plan(w.network-w.network/2, 4, func() { then(i) })
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
	w.plan(min(at, patience)-w.now, 5, func() {
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
