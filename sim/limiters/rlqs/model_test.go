package rlqs_test

import (
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/routing"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestQuotaServiceAgainstOneList checks that the clients and servers of a quota
// service, which apply expiries when they next look at a key, decide every request as
// a reference model in which every expiry is an event of its own.
func TestQuotaServiceAgainstOneList(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawQuota(t)
		got, want := simtest.Decisions(t, c.yaml())["tested"], newNaive(c).run()
		if len(got) != len(want) {
			t.Fatalf("%d decisions, want %d", len(got), len(want))
		}
		for _, d := range got {
			if admitted := d.Verdict == "admitted"; admitted != want[d.Attempt] {
				a := c.arrivals[d.Attempt]
				t.Fatalf("attempt %d of client %d, key %d at %d: %s\n%s", d.Attempt, a.client, a.key, a.at, d.Verdict, c.yaml())
			}
		}
	})
}

// Kinds of the model's events, in their order at one instant.
const (
	expires = iota
	drops
	reports
	arrives
	answers
	rebalances
	applies
	requests
)

type naive struct {
	*quotaCase
	now    int64
	queue  []event
	keys   [][3]*held // by client
	timer  []bool     // by client
	order  [][]int    // by client: its keys in the order of their first requests
	shares [3][]*member
	lost   bool // the restart has happened
	out    []bool
}

type event struct {
	at   int64
	kind int
	run  func()
}

// held is a client's state of a key that it tracks.
type held struct {
	strategy        string // allow, deny or bucket
	rate, depth     int64
	tokens          *big.Rat // units
	at              int64
	reported        int64
	allowed, denied int64
	sent            int64
	version         int // of the assignment
}

// member is a server's state of a client of a key.
type member struct {
	client                        int
	demand, assigned, until, seen int64
}

func newNaive(c *quotaCase) *naive {
	n := &naive{quotaCase: c, keys: make([][3]*held, c.clients), timer: make([]bool, c.clients), order: make([][]int, c.clients), out: make([]bool, len(c.arrivals))}
	for i, a := range c.arrivals {
		n.plan(a.at, requests, func() { n.request(i, a) })
	}
	if c.rebalance > 0 {
		for server := range c.servers {
			n.every(c.rebalance, func() { n.rebalanceAll(server) })
		}
	}
	return n
}

func (n *naive) every(interval int64, run func()) {
	n.plan(n.now+interval, rebalances, func() { run(); n.every(interval, run) })
}

// plan adds an event behind all of its kind and time.
func (n *naive) plan(at int64, kind int, run func()) {
	i := slices.IndexFunc(n.queue, func(e event) bool { return e.at > at || e.at == at && e.kind > kind })
	if i < 0 {
		i = len(n.queue)
	}
	n.queue = slices.Insert(n.queue, i, event{at, kind, run})
}

func (n *naive) run() []bool {
	for len(n.queue) > 0 && n.queue[0].at < n.end {
		e := n.queue[0]
		n.queue = n.queue[1:]
		n.now = e.at
		if n.down.to > 0 && n.now >= n.down.from && !n.lost {
			n.lost = true
			for key := range n.shares {
				if n.server(key) == n.downServer {
					n.shares[key] = nil
				}
			}
		}
		e.run()
	}
	return n.out
}

// number returns the number that the simulator gives a key: in the order of the list.
func (n *naive) number(key int) int32 {
	var seen []int
	for _, a := range n.arrivals {
		if !slices.Contains(seen, a.key) {
			seen = append(seen, a.key)
		}
	}
	return int32(slices.Index(seen, key))
}

func (n *naive) server(key int) int { return int(routing.Owner(max(n.number(key), 0), n.servers)) }

func (n *naive) request(i int, a arrival) {
	h := n.keys[a.client][a.key]
	isNew := h == nil
	if isNew {
		h = &held{reported: n.now, tokens: new(big.Rat)}
		n.keys[a.client][a.key] = h
		n.order[a.client] = append(slices.DeleteFunc(n.order[a.client], func(k int) bool { return k == a.key }), a.key)
		n.fall(h, n.before)
	}
	n.earn(h)
	cost := new(big.Rat).SetInt64(a.cost * unit)
	n.out[i] = h.strategy == "allow" || h.strategy == "bucket" && cost.Cmp(h.tokens) <= 0
	switch {
	case !n.out[i]:
		h.denied += a.cost
	default:
		h.allowed += a.cost
		if h.strategy == "bucket" {
			h.tokens.Sub(h.tokens, cost)
		}
	}
	if isNew {
		n.send(a.client, a.key)
		if !n.timer[a.client] {
			n.timer[a.client] = true
			n.startTimer(a.client)
		}
	}
}

func (n *naive) earn(h *held) {
	earned := new(big.Rat).Mul(big.NewRat(h.rate, n.window), new(big.Rat).SetInt64(n.now-h.at))
	h.at = n.now
	h.tokens.Add(h.tokens, earned)
	if full := new(big.Rat).SetInt64(h.depth); h.tokens.Cmp(full) > 0 {
		h.tokens = full
	}
}

// fall makes a client do what an action states.
func (n *naive) fall(h *held, action string) {
	switch action {
	case "discard":
		n.fall(h, n.before)
	case "limit":
		n.bucket(h, n.fallbackRate*unit, n.fallbackMax*unit)
	case "allow", "deny":
		h.strategy = action
	}
}

func (n *naive) bucket(h *held, rate, depth int64) {
	n.earn(h)
	was := h.strategy == "bucket"
	if was && h.rate == rate && h.depth == depth {
		return
	}
	if !was || !n.carries || h.tokens.Cmp(new(big.Rat).SetInt64(depth)) > 0 {
		h.tokens = new(big.Rat).SetInt64(depth)
	}
	h.strategy, h.rate, h.depth = "bucket", rate, depth
}

func (n *naive) startTimer(client int) {
	next := n.now + n.interval
	if n.phase != "first-request" {
		next = 0
		if n.phase == "staggered" {
			next = int64(2*client+1) * n.interval / int64(2*n.clients)
		}
		for next <= n.now {
			next += n.interval
		}
	}
	n.plan(next, reports, func() { n.report(client) })
}

func (n *naive) report(client int) {
	tracked := false
	for _, key := range n.order[client] {
		if n.keys[client][key] != nil {
			tracked = true
			n.send(client, key)
		}
	}
	if n.timer[client] = tracked; tracked {
		n.startTimer(client)
	}
}

func (n *naive) isCut(client int) bool { return client == n.cutClient && n.cut.holds(n.now) }

// send reports one key.
func (n *naive) send(client, key int) {
	h := n.keys[client][key]
	used, elapsed := h.allowed+h.denied, n.now-h.reported
	h.allowed, h.denied, h.reported = 0, 0, n.now
	if n.isCut(client) {
		return
	}
	n.plan(n.now+n.hop, arrives, func() {
		if n.server(key) == n.downServer && n.down.holds(n.now) {
			return
		}
		n.count(client, key, used, elapsed)
		if n.rebalance == 0 {
			n.plan(n.now, answers, func() { n.answer(client, key) })
		}
	})
}

func (n *naive) find(client, key int) *member {
	for _, m := range n.shares[key] {
		if m.client == client {
			return m
		}
	}
	return nil
}

func (n *naive) forgetIn(key int) {
	n.shares[key] = slices.DeleteFunc(n.shares[key], func(m *member) bool { return n.now-m.seen >= n.forget })
}

func (n *naive) count(client, key int, used, elapsed int64) {
	n.forgetIn(key)
	m := n.find(client, key)
	if m == nil {
		m = &member{client: client, demand: n.limit * unit}
		n.shares[key] = append(n.shares[key], m)
	}
	m.seen = n.now
	if elapsed > 0 {
		m.demand = max(used*unit*n.window/elapsed, unit*n.window/n.interval, 1)
	}
}

func (n *naive) answer(client, key int) {
	m := n.find(client, key)
	if m == nil {
		return
	}
	others := int64(0)
	for _, o := range n.shares[key] {
		if o != m && o.until > n.now {
			others += o.assigned
		}
	}
	n.grant(m, key, n.share(m, key, others))
}

func (n *naive) rebalanceAll(server int) {
	if server == n.downServer && n.down.holds(n.now) {
		return
	}
	for key := range n.shares {
		if n.server(key) != server {
			continue
		}
		n.forgetIn(key)
		granted := int64(0)
		for _, m := range n.shares[key] {
			share := n.share(m, key, granted)
			granted += share
			n.grant(m, key, share)
		}
	}
}

// share returns what a client gets by definition: max-min fairness raises the level of
// all demands as far as they fit.
func (n *naive) share(m *member, key int, others int64) (share int64) {
	limit := n.limit * unit
	if n.doubled.holds(n.now) {
		limit *= 2
	}
	all, sum, most := n.shares[key], int64(0), int64(0)
	for _, o := range all {
		sum, most = sum+o.demand, max(most, o.demand)
	}
	at := func(level int64) (total int64) {
		for _, o := range all {
			total += min(o.demand, level)
		}
		return total
	}
	switch n.allocation {
	case "whole":
		return limit
	case "greedy":
		return min(m.demand, max(0, limit-others))
	case "fair":
		if sum <= limit {
			share = m.demand + (limit-sum)/int64(len(all))
			break
		}
		low, high := int64(0), most
		for low < high {
			if mid := (low + high + 1) / 2; at(mid) <= limit {
				low = mid
			} else {
				high = mid - 1
			}
		}
		share = min(m.demand, low)
	case "proportional":
		share = new(big.Int).Div(new(big.Int).Mul(big.NewInt(m.demand), big.NewInt(limit)), big.NewInt(sum)).Int64()
	}
	if n.conserves {
		share = min(share, max(0, limit-others))
	}
	return share
}

func (n *naive) grant(m *member, key int, share int64) {
	rate := share
	if n.fill > 0 {
		rate = share * n.fill / n.window / unit * unit * n.window / n.fill
	}
	m.assigned, m.until = rate, n.now+n.ttl
	depth := (n.burst*rate + n.limit*unit - 1) / (n.limit * unit) * unit
	if n.clientBurst > 0 {
		depth = n.clientBurst * unit
	}
	sent := n.now
	n.tell(m.client, key, func(client int) {
		h := n.keys[client][key]
		n.bucket(h, rate, depth)
		h.sent = sent
		h.version++
		n.expire(h, client, key)
	})
}

// tell sends an action to a client, which applies it to a key that it tracks.
func (n *naive) tell(client, key int, apply func(client int)) {
	if n.isCut(client) {
		return
	}
	sent := n.now
	n.plan(n.now+n.hop, applies, func() {
		if h := n.keys[client][key]; h != nil && sent >= h.sent {
			apply(client)
		}
	})
}

// expire plans the expiry of the assignment that a client has just applied.
func (n *naive) expire(h *held, client, key int) {
	version := h.version
	current := func() bool { return n.keys[client][key] == h && h.version == version }
	n.plan(n.now+n.ttl, expires, func() {
		if current() {
			n.fall(h, n.after)
		}
	})
	if n.expiredFor >= 0 {
		n.plan(n.now+n.ttl+n.expiredFor, drops, func() {
			if current() {
				n.keys[client][key] = nil
			}
		})
	}
}
