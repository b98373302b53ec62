package sql

import (
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
	"github.com/limitgauge/limitgauge/sim/network"
)

// hashed reports whether an algorithm spreads its rows over servers.
func hashed(a *scenarios.Algorithm) bool { return a.Options.String("tablets") == "hashed" }

// servers is the Servers function of the limiter.
func servers(s *engine.Setting, a *scenarios.Algorithm) int {
	if hashed(a) {
		return s.Servers()
	}
	return 1
}

// serverLatency returns the distribution of the round trip between two servers.
func serverLatency(s *engine.Setting, a *scenarios.Algorithm) (random.Latency, error) {
	if c := a.Options.Choice("server_network"); c.Name != "same" {
		return engine.LatencyOf(c)
	}
	return engine.LatencyOf(s.Scenario.Topology.Network)
}

// cluster is the servers of a database: one, or those that share its rows. The rows
// of a tablet are on its first server and the servers after it, as many as there are
// replicas. The first of them that is not known to be down leads.
type cluster struct {
	faults   *faults.Timeline
	hashed   bool
	servers  int32
	replicas int32
	hop      network.Hop // between servers
	acks     network.Hop // of a Raft round, from the followers
}

func newCluster(t *engine.Trial) cluster {
	latency := engine.Must(serverLatency(t.Setting, t.Algorithm))
	c := cluster{
		faults: t.Faults, hashed: hashed(t.Algorithm), servers: int32(servers(t.Setting, t.Algorithm)),
		hop: network.NewHop(t, faults.Peers, latency, "server network"), acks: network.NewHop(t, faults.Peers, latency, "replicas"),
	}
	c.hop.Faults, c.acks.Faults = nil, nil // the fault network changes the callers' way
	c.replicas = min(int32(t.Algorithm.Options.Int("replicas")), c.servers)
	if c.hashed {
		t.Faults.OwnedBy(func(key int32) int32 { return routing.Owner(key, int(c.servers)) })
	}
	return c
}

// of returns the server that leads the tablet of a key at now.
func (c *cluster) of(now int64, key int32) int32 {
	if c.servers == 1 {
		return 0
	}
	return c.first(now, routing.Owner(key, int(c.servers)), c.replicas)
}

// gateway returns the server that a client calls at now. Its driver knows all
// servers and avoids those that are known to be down.
func (c *cluster) gateway(now int64, client int32) int32 {
	if c.servers == 1 {
		return 0
	}
	return c.first(now, client%c.servers, c.servers)
}

// first returns the first of n servers that is not known to be down, or home.
func (c *cluster) first(now int64, home, n int32) int32 {
	if c.faults == nil {
		return home
	}
	for i := range n {
		if s := (home + i) % c.servers; !c.faults.Avoids(now, s) {
			return s
		}
	}
	return home
}

// fails reports whether a call at now fails because its server is down, and counts
// the call.
func (c *cluster) fails(now int64, server int32) bool {
	switch {
	case c.faults == nil:
		return false
	case !c.hashed:
		return c.faults.StoreFails(now)
	}
	return c.faults.ServerFails(now, server)
}

// unavailable reports whether a statement fails at now because the leader of its row
// or most of the row's replicas are down, and counts the call.
func (c *cluster) unavailable(now int64, key, leader int32) bool {
	if c.faults == nil || !c.hashed {
		return false
	}
	up := int32(0)
	for i := range c.replicas {
		if !c.faults.ServerDown(now, (routing.Owner(key, int(c.servers))+i)%c.servers) {
			up++
		}
	}
	down := c.faults.ServerFails(now, leader)
	return down || up <= c.replicas/2
}

// stopped reports whether a server has been down or has restarted since a time, and
// counts the call that this ends.
func (c *cluster) stopped(server int32, since, now int64) bool {
	return c.faults != nil && c.hashed && c.faults.FailsDuring(since, now, server)
}

// round returns the duration of a Raft round that the server leads at now, in ns: the
// time until the followers that make a majority with it have answered. ok is false if
// too few of them are up; their calls count.
func (c *cluster) round(now int64, leader int32) (ns int64, ok bool) {
	var answers [sql.MaxReplicas]int64 // ascending
	up, needed := 0, int(c.replicas/2)
	for i := int32(1); i < c.replicas; i++ {
		ns := c.acks.Latency(now)
		if c.faults != nil && c.faults.ServerFails(now, (leader+i)%c.servers) {
			continue
		}
		at := up
		for ; at > 0 && answers[at-1] > ns; at-- {
			answers[at] = answers[at-1]
		}
		answers[at] = ns
		up++
	}
	if needed == 0 || up < needed {
		return 0, needed == 0
	}
	return answers[needed-1], true
}
