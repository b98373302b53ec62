package rlqs_test

import (
	"fmt"
	"strings"

	"pgregory.net/rapid"
)

// unit is the number of units in a request at the limits of the cases.
const unit = int64(1_000_000)

// quotaCase is a small input for a quota service. It draws no random numbers.
type quotaCase struct {
	limit, window, burst      int64
	clients, servers          int
	hop                       int64 // one way
	interval, rebalance       int64
	ttl, forget               int64
	fill, clientBurst         int64
	phase, allocation         string
	conserves, carries        bool
	before, after             string // no_assignment and expired
	expiredFor                int64  // below 0: unset
	arrivals                  []arrival
	end                       int64
	cut, down, doubled        faultSpan
	cutClient, downServer     int
	fallbackRate, fallbackMax int64
}

type arrival struct {
	at, cost    int64
	client, key int
}

// faultSpan is the time of a fault. There is none if both times are equal.
type faultSpan struct{ from, to int64 }

func (s faultSpan) holds(now int64) bool { return s.from <= now && now < s.to }

// us is a microsecond, the unit of all times of a case.
const us = int64(1000)

// drawQuota draws a case with times of a few us and up to three faults.
func drawQuota(t *rapid.T) *quotaCase {
	number := func(name string, lo, hi int64) int64 { return rapid.Int64Range(lo, hi).Draw(t, name) }
	pick := func(name string, from ...string) string { return rapid.SampledFrom(from).Draw(t, name) }
	span := func(name string, lo, hi int64) int64 { return number(name, lo, hi) * us }
	sometimes := func(name string, lo, hi int64) int64 {
		if rapid.Bool().Draw(t, name+" given") {
			return number(name, lo, hi)
		}
		return 0
	}
	c := &quotaCase{
		limit: number("limit", 1, 12), window: span("window", 5, 60), burst: number("burst", 1, 9),
		clients: int(number("clients", 1, 4)), servers: int(number("servers", 1, 2)), hop: span("hop", 0, 5),
		interval: span("interval", 1, 40), rebalance: sometimes("rebalance", 1, 40) * us,
		ttl: span("ttl", 1, 60), forget: span("forget", 1, 60),
		fill: sometimes("fill", 1, 90) * us, clientBurst: sometimes("client burst", 1, 6),
		phase: pick("phase", "first-request", "aligned", "staggered"), allocation: pick("allocation", "fair", "proportional", "greedy", "whole"),
		carries: rapid.Bool().Draw(t, "carries over"), before: pick("no assignment", "allow", "deny", "limit"),
		after: pick("expired", "discard", "reuse", "allow", "deny", "limit"), expiredFor: span("expired for", -1, 60),
		fallbackRate: number("fallback rate", 1, 9), fallbackMax: number("fallback burst", 1, 5),
	}
	if c.allocation == "fair" || c.allocation == "proportional" {
		c.conserves = rapid.Bool().Draw(t, "conserves")
	}
	at := int64(0)
	for range rapid.IntRange(1, 250).Draw(t, "arrivals") {
		at += rapid.SampledFrom([]int64{0, 0, 1, 1, 1, 2, 2, 3, 3, 7, 30}).Draw(t, "gap") * us
		c.arrivals = append(c.arrivals, arrival{at: at, cost: 1, client: rapid.IntRange(0, c.clients-1).Draw(t, "client"), key: rapid.IntRange(0, 2).Draw(t, "key")})
	}
	c.end = (at/c.window + 2) * c.window
	fault := func(name string) (s faultSpan) {
		if rapid.IntRange(0, 2).Draw(t, name) == 0 {
			s.from = span(name+" from", 1, at/us+1)
			s.to = min(c.end, s.from+span(name+" for", 1, 60))
		}
		return s
	}
	c.cut, c.down, c.doubled = fault("cut"), fault("down"), fault("doubled")
	c.cutClient, c.downServer = rapid.IntRange(0, c.clients-1).Draw(t, "cut client"), rapid.IntRange(0, c.servers-1).Draw(t, "down server")
	return c
}

// yaml returns the case as a scenario file with the algorithm "tested".
func (c *quotaCase) yaml() string {
	var b strings.Builder
	fmt.Fprintf(&b, "version: 1\nduration: %dns\nreplications: 1\nalgorithms:\n  tested: {enforcement: rlqs, counter: token-bucket, report_interval: %dns, ttl: %dns, forget: %dns, phase: %s, allocation: %s",
		c.end, c.interval, c.ttl, c.forget, c.phase, c.allocation)
	option := func(given bool, format string, value any) {
		if given {
			fmt.Fprintf(&b, ", "+format, value)
		}
	}
	option(c.rebalance > 0, "rebalance: %dns", c.rebalance)
	option(c.fill > 0, "fill_interval: %dns", c.fill)
	option(c.clientBurst > 0, "client_burst: %d", c.clientBurst)
	option(c.conserves, "conserves: %v", true)
	option(c.carries, "on_change: %s", "carry-over")
	option(c.expiredFor >= 0, "expired_for: %dns", c.expiredFor)
	fallback := func(action string) string {
		if action == "limit" {
			return fmt.Sprintf("{limit: {rate: %d/%dns, burst: %d}}", c.fallbackRate, c.window, c.fallbackMax)
		}
		return action
	}
	fmt.Fprintf(&b, ", no_assignment: %s, expired: %s}\n", fallback(c.before), fallback(c.after))
	fmt.Fprintf(&b, "scenarios:\n  - name: model\n    policy: {limit: %d/%dns, burst: %d}\n    topology: {clients: %d, servers: %d, network: %dns}\n", c.limit, c.window, c.burst, c.clients, c.servers, 2*c.hop)
	if c.cut.to+c.down.to+c.doubled.to > 0 {
		b.WriteString("    faults:\n")
	}
	if c.cut.to > 0 {
		fmt.Fprintf(&b, "      - partition: {from: %dns, to: %dns, clients: [%d], expect_no_effect: true}\n", c.cut.from, c.cut.to, c.cutClient)
	}
	if c.down.to > 0 {
		fmt.Fprintf(&b, "      - server-restart: {from: %dns, down_for: %dns, servers: %d, expect_no_effect: true}\n", c.down.from, c.down.to-c.down.from, c.downServer)
	}
	if c.doubled.to > 0 {
		fmt.Fprintf(&b, "      - policy-change: {from: %dns, to: %dns, factor: 2, expect_no_effect: true}\n", c.doubled.from, c.doubled.to)
	}
	b.WriteString("    traffic:\n      - pattern: list\n        events:\n")
	for _, a := range c.arrivals {
		fmt.Fprintf(&b, "          - {at: %dns, client: %d, key: k%d, cost: %d}\n", a.at, a.client, a.key, a.cost)
	}
	b.WriteString("    algorithms: [tested]\n")
	return b.String()
}
