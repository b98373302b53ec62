package remote_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// naiveRemote is a reference model of a remote limiter. It runs one event at a
// time, keeps waiting calls in queues, and keeps counts as lists of writes.
type naiveRemote struct {
	c      *remoteCase
	keys   []int          // numbers of the keys by their names
	home   []int          // owners of the keys by their numbers
	epochs map[[2]int]int // by server and key: how often the server has begun with nothing
	now    int64
	events []naiveEvent
	seq    int

	turn    []int
	parked  [][]int // by client: attempts
	since   []int64 // arrival of the first parked attempt
	inside  []*naivePool
	lines   []int
	queued  [][]*naiveCall // calls that wait for a connection, by server
	store   *naivePool
	calls   []*naiveCall
	writes  []*naiveWrite
	cached  map[[2]int]int64
	outcome []simtest.Outcome
}

type naiveEvent struct {
	at        int64
	kind, seq int
	do        func()
}

// naiveCall is a call with its attempts.
type naiveCall struct {
	attempts       []int
	verdict, cause map[int]string
	over           map[int]int64 // time until which the key of the attempt is over its limit
	client, server int
	deadline       int64
	epochs         map[int]int // by key: that of the server when the call arrived there
	atServer       bool        // from arrival at the replica until its response leaves
	dead           bool        // its replica or the store has stopped meanwhile
	gone           bool
	line           bool
	ops            int // operations left at the store
}

type naiveWrite struct {
	server, key, epoch int
	at, cost           int64
	lost               bool
}

// naivePool serves jobs in the order in which they arrive.
type naivePool struct {
	workers, busy int
	queue         []*naiveJob
	serving       []*naiveJob
}

// naiveJob is one job. begin reports whether it takes any service.
type naiveJob struct {
	call  *naiveCall
	begin func() bool
	ends  func()
	over  bool
	seq   int // jobs that end at one instant end in the order of arrival
}

func (w *naiveRemote) at(t int64, kind int, do func()) {
	w.seq++
	w.events = append(w.events, naiveEvent{t, kind, w.seq, do})
}

// runUntil runs the events at or before t.
func (w *naiveRemote) runUntil(t int64) {
	for {
		first := -1
		for i, e := range w.events {
			if e.at > t {
				continue
			}
			if first < 0 || e.at < w.events[first].at || e.at == w.events[first].at &&
				(e.kind < w.events[first].kind || e.kind == w.events[first].kind && e.seq < w.events[first].seq) {
				first = i
			}
		}
		if first < 0 {
			w.now = t
			return
		}
		e := w.events[first]
		w.events = append(w.events[:first], w.events[first+1:]...)
		w.now = e.at
		e.do()
	}
}

// Event kinds, in the order in which they run when they share a timestamp.
const (
	aFault = iota
	aServiceEnds
	aBatch
	aCallAtReplica
	aCallAtStore
	aCallBack
	aCallAnswered
	aTimeout
)

func (w *naiveRemote) serve(s *naivePool, service int64, job *naiveJob) {
	w.seq++
	job.seq = w.seq
	s.queue = append(s.queue, job)
	w.next(s, service)
}

func (w *naiveRemote) next(s *naivePool, service int64) {
	for s.busy < s.workers && len(s.queue) > 0 {
		job := s.queue[0]
		s.queue = s.queue[1:]
		if !job.begin() {
			continue
		}
		s.busy++
		s.serving = append(s.serving, job)
		takes := service
		if w.c.slow.holds(w.now) {
			takes *= w.c.factor
		}
		end := func() {
			if job.over {
				return
			}
			job.over = true
			s.busy--
			job.ends()
			w.next(s, service)
		}
		if takes == 0 {
			end()
		} else {
			w.events = append(w.events, naiveEvent{w.now + takes, aServiceEnds, job.seq, end})
		}
	}
}

// clear drops the queued jobs and those in service.
func (s *naivePool) clear() {
	for _, job := range s.serving {
		job.over = true
	}
	s.queue, s.serving, s.busy = nil, nil, 0
}

func (w *naiveRemote) run() []simtest.Outcome {
	c := w.c
	w.turn = make([]int, c.clients)
	for i := range w.turn {
		w.turn[i] = i % c.servers
	}
	w.parked, w.since = make([][]int, c.clients), make([]int64, c.clients)
	w.lines, w.queued = make([]int, c.allServers()), make([][]*naiveCall, c.allServers())
	for range c.allServers() {
		w.inside = append(w.inside, &naivePool{workers: c.workers})
	}
	w.store = &naivePool{workers: 1}
	w.cached = map[[2]int]int64{}
	if c.down.to > 0 {
		w.at(c.down.from, aFault, func() {
			for _, job := range w.store.serving {
				if !job.over {
					w.lose(job.call)
				}
			}
			for _, job := range w.store.queue {
				w.lose(job.call)
			}
			w.store.clear()
		})
	}
	if c.stop.to > 0 {
		w.at(c.stop.from, aFault, func() { w.restarted(c.stopServer) })
	}
	w.scheduleChanges()
	for i, a := range c.arrivals {
		w.runUntil(a.At)
		w.outcome = append(w.outcome, simtest.Waiting)
		w.arrive(i, i%c.clients)
	}
	w.runUntil(c.end - 1)
	return w.outcome
}

func (w *naiveRemote) stopped(server int) {
	w.inside[server].clear()
	w.lines[server] = 0
	w.queued[server] = nil
	for _, call := range w.calls {
		if call.server == server && call.atServer {
			call.dead = true
			call.line = false
		}
	}
}

// restarted stops a server that then starts again.
func (w *naiveRemote) restarted(server int) {
	w.stopped(server)
	if w.c.stateKept {
		return
	}
	for _, x := range w.writes {
		x.lost = x.lost || !w.c.store && x.server == server
	}
	for p := range w.cached {
		if p[0] == server {
			delete(w.cached, p)
		}
	}
}

func (w *naiveRemote) arrive(attempt, client int) {
	if w.c.batchSize == 1 {
		w.send(client, []int{attempt})
		return
	}
	if len(w.parked[client]) == 0 {
		w.since[client] = w.now
		opened := w.now
		w.at(w.now+w.c.batchTime, aBatch, func() {
			if len(w.parked[client]) > 0 && w.since[client] == opened {
				w.send(client, w.parked[client])
				w.parked[client] = nil
			}
		})
	}
	w.parked[client] = append(w.parked[client], attempt)
	if len(w.parked[client]) == w.c.batchSize {
		w.send(client, w.parked[client])
		w.parked[client] = nil
	}
}

func (w *naiveRemote) key(attempt int) int { return w.keys[w.c.arrivals[attempt].Key] }

func (w *naiveRemote) send(client int, attempts []int) {
	var calls []*naiveCall
	if w.c.hash {
		by := map[int]*naiveCall{}
		for _, a := range attempts {
			server := w.owner(w.key(a), w.view(client))
			if by[server] == nil {
				by[server] = &naiveCall{client: client, server: server}
				calls = append(calls, by[server])
			}
			by[server].attempts = append(by[server].attempts, a)
		}
	} else {
		calls = append(calls, &naiveCall{client: client, server: w.take(client), attempts: attempts})
	}
	for _, call := range calls {
		w.calls = append(w.calls, call)
		call.verdict, call.cause, call.over = map[int]string{}, map[int]string{}, map[int]int64{}
		if w.c.timeout > 0 {
			call.deadline = w.now + w.c.timeout
			w.at(call.deadline, aTimeout, func() { w.timeout(call) })
		}
		if w.c.cut.holds(w.now) && client == w.c.cutClient {
			continue
		}
		w.at(w.now+w.c.network/2, aCallAtReplica, func() { w.atReplica(call) })
	}
}

func (w *naiveRemote) tooLate(call *naiveCall) bool {
	return w.c.drop && call.deadline > 0 && call.deadline <= w.now
}

func (w *naiveRemote) atReplica(call *naiveCall) {
	if w.c.stop.holds(w.now) && call.server == w.c.stopServer || w.closed(call.server) {
		return
	}
	call.atServer, call.epochs = true, map[int]int{}
	for _, a := range call.attempts {
		call.epochs[w.key(a)] = w.epochs[[2]int{call.server, w.key(a)}]
	}
	w.serve(w.inside[call.server], w.c.service, &naiveJob{call: call,
		begin: func() bool {
			if w.tooLate(call) {
				return false
			}
			if !w.c.store {
				for _, a := range call.attempts {
					if !w.fromCache(call, a) {
						w.count(call, a)
						w.toCache(call, a)
					}
				}
			}
			return true
		},
		ends: func() {
			if w.c.store {
				w.ask(call)
			} else {
				w.reply(call)
			}
		},
	})
}

func (w *naiveRemote) fromCache(call *naiveCall, a int) bool {
	if !w.c.cache || w.now >= w.cached[[2]int{call.server, w.key(a)}] {
		return false
	}
	call.verdict[a], call.cause[a] = "rejected", "cache"
	return true
}

func (w *naiveRemote) toCache(call *naiveCall, a int) {
	if p := [2]int{call.server, w.key(a)}; w.c.cache && call.over[a] > w.now {
		w.cached[p] = max(w.cached[p], call.over[a])
	}
}

// counted returns the cost counted for a key in the current window, for a call.
func (w *naiveRemote) counted(call *naiveCall, key int) (sum int64) {
	for _, x := range w.writes {
		here := x.server == call.server && x.epoch == call.epochs[key]
		if x.key == key && x.at/w.c.window == w.now/w.c.window && !x.lost && (w.c.store || here) {
			sum += x.cost
		}
	}
	return sum
}

func (w *naiveRemote) count(call *naiveCall, a int) {
	if w.c.store && w.c.down.to > 0 && w.now >= w.c.down.from {
		for _, x := range w.writes {
			x.lost = x.lost || x.at >= w.c.down.from-w.c.lose && x.at < w.c.down.from
		}
	}
	cost := w.c.arrivals[a].Cost
	call.verdict[a], call.cause[a] = "rejected", "limiter"
	counted := w.counted(call, w.key(a))
	if counted == w.c.limit {
		call.over[a] = (w.now/w.c.window + 1) * w.c.window
	}
	if counted+cost <= w.c.limit {
		call.verdict[a] = "admitted"
		w.writes = append(w.writes, &naiveWrite{server: call.server, key: w.key(a), epoch: call.epochs[w.key(a)], at: w.now, cost: cost})
	}
}

func (w *naiveRemote) ask(call *naiveCall) {
	open := 0
	for _, a := range call.attempts {
		if !w.fromCache(call, a) {
			open++
		}
	}
	switch {
	case open == 0:
		w.reply(call)
	case w.c.lines > 0 && w.lines[call.server] == w.c.lines:
		w.queued[call.server] = append(w.queued[call.server], call)
	default:
		if w.c.lines > 0 {
			w.lines[call.server]++
			call.line = true
		}
		w.leave(call)
	}
}

func (w *naiveRemote) leave(call *naiveCall) {
	w.at(w.now+w.c.storeNetwork/2, aCallAtStore, func() { w.atStore(call) })
}

// hangUp gives the call's connection to the call that has waited longest.
func (w *naiveRemote) hangUp(call *naiveCall) {
	if !call.line {
		return
	}
	call.line = false
	for len(w.queued[call.server]) > 0 {
		next := w.queued[call.server][0]
		w.queued[call.server] = w.queued[call.server][1:]
		if w.c.drop && next.gone {
			continue
		}
		next.line = true
		w.leave(next)
		return
	}
	w.lines[call.server]--
}

// lose marks a call as lost at the store. Its connection stays in use until its
// caller times out.
func (w *naiveRemote) lose(call *naiveCall) {
	call.dead = true
	if call.gone || call.deadline == 0 {
		w.hangUp(call)
	}
}

func (w *naiveRemote) atStore(call *naiveCall) {
	if w.c.down.holds(w.now) {
		w.lose(call)
		return
	}
	var open []int
	for _, a := range call.attempts {
		if call.verdict[a] == "" {
			open = append(open, a)
		}
	}
	ops := [][]int{open}
	if w.c.perKey {
		ops = nil
		for _, a := range open {
			ops = append(ops, []int{a})
		}
	}
	call.ops = len(ops)
	dropped := false
	for i, op := range ops {
		w.serve(w.store, w.c.storeService, &naiveJob{call: call,
			begin: func() bool {
				if i == 0 && w.tooLate(call) {
					dropped = true
					w.lose(call)
				}
				if dropped {
					return false
				}
				for _, a := range op {
					w.count(call, a)
				}
				return true
			},
			ends: func() {
				if call.ops--; call.ops == 0 {
					w.at(w.now+w.c.storeNetwork-w.c.storeNetwork/2, aCallBack, func() { w.back(call) })
				}
			},
		})
	}
}

func (w *naiveRemote) back(call *naiveCall) {
	w.hangUp(call)
	if call.dead {
		return
	}
	for _, a := range call.attempts {
		w.toCache(call, a)
	}
	w.reply(call)
}

func (w *naiveRemote) reply(call *naiveCall) {
	call.atServer = false
	if call.dead || call.gone || w.c.cut.holds(w.now) && call.client == w.c.cutClient {
		return
	}
	w.at(w.now+w.c.network-w.c.network/2, aCallAnswered, func() {
		if call.gone {
			return
		}
		call.gone = true
		for _, a := range call.attempts {
			w.decide(a, call.verdict[a], call.cause[a])
		}
	})
}

func (w *naiveRemote) timeout(call *naiveCall) {
	if call.gone {
		return
	}
	call.gone = true
	for _, a := range call.attempts {
		if w.c.closed {
			w.decide(a, "rejected", "fail-closed")
		} else {
			w.decide(a, "admitted", "fail-open")
		}
	}
	if call.dead {
		w.hangUp(call)
	}
}

func (w *naiveRemote) decide(attempt int, verdict, cause string) {
	w.outcome[attempt] = simtest.Rejected(w.now, cause)
	if verdict == "admitted" {
		w.outcome[attempt] = simtest.Admitted(w.now, cause)
	}
}

// TestRemoteAgainstEveryEvent checks that calls whose service and responses are
// computed ahead decide every request as the reference model, in which everything
// is a separate event.
func TestRemoteAgainstEveryEvent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawRemote(t)
		w := &naiveRemote{c: c, keys: []int{-1, -1, -1}}
		for _, a := range c.arrivals { // keys are numbered as they appear
			if w.keys[a.Key] < 0 {
				number := 0
				for _, k := range w.keys {
					number = max(number, k+1)
				}
				w.keys[a.Key] = number
			}
		}
		want := w.run()
		got := simtest.Outcomes(t, c.yaml(), "tested")
		for i := range want {
			if got[i] != want[i] {
				t.Fatalf("attempt %d at %d: %+v, want %+v\n%s", i, c.arrivals[i].At, got[i], want[i], c.yaml())
			}
		}
	})
}
