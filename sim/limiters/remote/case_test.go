package remote_test

import (
	"fmt"
	"slices"
	"strings"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// remoteCase is a small input for a remote limiter over fixed windows. It draws
// no random numbers.
type remoteCase struct {
	limit, window                    int64
	clients, servers                 int
	network, storeNetwork            int64
	service, storeService            int64
	workers, lines                   int
	timeout                          int64
	closed, drop, cache, hash, store bool
	perKey                           bool
	batchSize                        int
	batchTime                        int64
	arrivals                         []simtest.Arrival
	end                              int64

	down, cut, slow, stop remoteSpan
	lose, factor          int64
	cutClient, stopServer int
	modulo                bool
	changes               []remoteChange // of the servers, in the order of time
	stateKept             bool
}

// remoteSpan is the span of a fault. There is no fault if both times are equal.
type remoteSpan struct{ from, to int64 }

func (s remoteSpan) holds(now int64) bool { return s.from <= now && now < s.to }

// remoteChange is a server that joins or leaves at a time, and the clients that do
// not know of it for a while.
type remoteChange struct {
	joins       bool
	at          int64
	server      int
	both, stale int64
	clients     []int // that are stale; nil for all
}

func (c *remoteChange) isStale(client int) bool {
	return c.clients == nil || slices.Contains(c.clients, client)
}

// drawRemote draws a case with times of a few ns, up to four faults and up to two
// changes of the servers.
func drawRemote(t *rapid.T) *remoteCase {
	c := &remoteCase{
		limit: rapid.Int64Range(1, 12).Draw(t, "limit"), window: rapid.Int64Range(20, 90).Draw(t, "window"),
		clients: rapid.IntRange(1, 4).Draw(t, "clients"), servers: rapid.IntRange(1, 3).Draw(t, "servers"),
		network: rapid.Int64Range(0, 9).Draw(t, "network"), storeNetwork: rapid.Int64Range(0, 9).Draw(t, "store network"),
		service: rapid.Int64Range(0, 4).Draw(t, "service"), storeService: rapid.Int64Range(0, 4).Draw(t, "store service"),
		workers: rapid.IntRange(1, 2).Draw(t, "workers"),
		lines:   rapid.IntRange(0, 3).Draw(t, "connections"), timeout: rapid.Int64Range(0, 40).Draw(t, "timeout"),
		closed: rapid.Bool().Draw(t, "closed"), drop: rapid.Bool().Draw(t, "drop"), cache: rapid.Bool().Draw(t, "cache"),
		store: rapid.Bool().Draw(t, "store"), perKey: rapid.Bool().Draw(t, "per key"), batchSize: 1,
		cutClient: rapid.IntRange(0, 3).Draw(t, "cut client"), stopServer: rapid.IntRange(0, 2).Draw(t, "stopped server"),
		stateKept: rapid.Bool().Draw(t, "kept"), factor: 3,
	}
	c.hash = !c.store || rapid.Bool().Draw(t, "hash")
	if rapid.Bool().Draw(t, "batches") {
		c.batchSize, c.batchTime = rapid.IntRange(2, 5).Draw(t, "batch size"), rapid.Int64Range(1, 12).Draw(t, "batch time")
	}
	at := int64(0)
	for range rapid.IntRange(1, 60).Draw(t, "arrivals") {
		at += rapid.SampledFrom([]int64{0, 0, 1, 1, 2, 3, 7, 30}).Draw(t, "gap")
		c.arrivals = append(c.arrivals, simtest.Arrival{At: at, Cost: rapid.Int64Range(1, 2).Draw(t, "cost"), Key: rapid.IntRange(0, 2).Draw(t, "key")})
	}
	c.end = (at/c.window + 2) * c.window
	span := func(name string) (s remoteSpan) {
		if rapid.IntRange(0, 2).Draw(t, name) == 0 {
			s.from = rapid.Int64Range(1, at+1).Draw(t, name+" from")
			s.to = min(c.end, s.from+rapid.Int64Range(1, 60).Draw(t, name+" for"))
		}
		return s
	}
	c.down, c.cut, c.slow, c.stop = span("down"), span("cut"), span("slow"), span("stop")
	c.lose = rapid.Int64Range(0, 30).Draw(t, "lose")
	c.cutClient, c.stopServer = c.cutClient%c.clients, c.stopServer%c.servers
	c.modulo = c.hash && rapid.Bool().Draw(t, "modulo")
	c.drawChanges(t, at)
	return c
}

func (c *remoteCase) drawChanges(t *rapid.T, last int64) {
	from := int64(1)
	servers, present := c.servers, c.servers
	for _, what := range rapid.SampledFrom([]string{"", "", "j", "l", "jl", "lj", "jj"}).Draw(t, "changes") {
		x := remoteChange{joins: what == 'j', at: from, server: servers, stale: rapid.SampledFrom([]int64{0, 5, 30}).Draw(t, "stale")}
		if x.at += rapid.Int64Range(0, 40).Draw(t, "change at"); x.at > last || !x.joins && present == 1 {
			return
		}
		if n := rapid.IntRange(0, c.clients).Draw(t, "stale clients"); n < c.clients {
			for client := range n {
				x.clients = append(x.clients, client)
			}
			if n == 0 {
				x.stale = 0
			}
		}
		if from = x.at; x.joins {
			servers, present = servers+1, present+1
		} else {
			x.server = rapid.IntRange(0, servers-1).Draw(t, "leaves")
			x.both = rapid.SampledFrom([]int64{0, 10}).Draw(t, "both")
			present--
		}
		c.changes = append(c.changes, x)
	}
}

// allServers returns the number of servers with those that join.
func (c *remoteCase) allServers() int {
	n := c.servers
	for _, x := range c.changes {
		if x.joins {
			n++
		}
	}
	return n
}

func (c *remoteCase) yaml() string {
	var b strings.Builder
	word := func(on bool, name, value string) string {
		if !on {
			return ""
		}
		return ", " + name + ": " + value
	}
	fmt.Fprintf(&b, "version: 1\nduration: %dns\nreplications: 1\nalgorithms:\n  tested: {enforcement: remote, counter: fixed-window", c.end)
	fmt.Fprintf(&b, ", store_network: %dns, service_time: %dns, store_service_time: %dns, concurrency: %d, connections: %d, timeout: %dns",
		c.storeNetwork, c.service, c.storeService, c.workers, c.lines, c.timeout)
	b.WriteString(word(c.closed, "on_timeout", "fail-closed") + word(c.drop, "abandoned", "dropped") + word(c.cache, "over_limit_cache", "true") +
		word(c.hash && !c.modulo, "route", "hash") + word(c.modulo, "route", "{modulo: {propagation: 0s}}") + word(!c.store, "store", "false") + word(c.perKey, "store_writes", "per-key"))
	if c.batchSize > 1 {
		fmt.Fprintf(&b, ", batch_size: %d, batch_time: %dns", c.batchSize, c.batchTime)
	}
	fmt.Fprintf(&b, "}\nscenarios:\n  - name: model\n    policy: {limit: %d/%dns, burst: 1}\n    topology: {clients: %d, servers: %d, network: %dns}\n", c.limit, c.window, c.clients, c.servers, c.network)
	b.WriteString("    faults:\n      - slow-server: {from: 0ns, to: 1ns, factor: 1, expect_no_effect: true}\n")
	if c.down.to > 0 {
		fmt.Fprintf(&b, "      - store-down: {from: %dns, to: %dns, lose: %dns, expect_no_effect: true}\n", c.down.from, c.down.to, c.lose)
	}
	if c.cut.to > 0 {
		fmt.Fprintf(&b, "      - partition: {from: %dns, to: %dns, clients: [%d], expect_no_effect: true}\n", c.cut.from, c.cut.to, c.cutClient)
	}
	if c.slow.to > 0 {
		fmt.Fprintf(&b, "      - slow-server: {from: %dns, to: %dns, factor: %d, expect_no_effect: true}\n", c.slow.from, c.slow.to, c.factor)
	}
	if c.stop.to > 0 {
		state := map[bool]string{true: "kept", false: "lost"}[c.stateKept]
		fmt.Fprintf(&b, "      - server-restart: {from: %dns, servers: %d, down_for: %dns, state: %s, expect_no_effect: true}\n", c.stop.from, c.stopServer, c.stop.to-c.stop.from, state)
	}
	for _, x := range c.changes {
		kind := map[bool]string{true: "server-added: {", false: fmt.Sprintf("server-removed: {server: %d, two_owners_for: %dns, ", x.server, x.both)}[x.joins]
		fmt.Fprintf(&b, "      - %sfrom: %dns, stale_for: %dns, expect_no_effect: true", kind, x.at, x.stale)
		if x.stale > 0 && x.clients != nil {
			fmt.Fprintf(&b, ", stale_clients: [%s]", strings.Trim(strings.ReplaceAll(fmt.Sprint(x.clients), " ", ", "), "[]"))
		}
		b.WriteString("}\n")
	}
	b.WriteString("    algorithms: [tested]\n    traffic:\n      - pattern: list\n        events:\n")
	for _, a := range c.arrivals {
		fmt.Fprintf(&b, "          - {at: %dns, cost: %d, key: k%d}\n", a.At, a.Cost, a.Key)
	}
	return b.String()
}
