package faults

import (
	"fmt"
	"math"

	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// World is the system that faults affect.
type World struct {
	Clients, Servers int   // of the topology; faults may add servers
	Start, End       int64 // ns; of the simulation
	// Keys holds, by entry, the key of a fault with server: owner. Nil means
	// key 0.
	Keys []int32
	// Stream returns a named random stream of the replication. Fault i draws
	// the clients that it affects from the stream faults[i], so that adding a
	// fault does not change the draws of others.
	Stream func(name string) random.Stream
}

// Compile returns the faults of one replication and makes their random draws.
// The Timeline is nil if list is empty.
func Compile(list []scenarios.Fault, w World) (*Timeline, error) {
	if len(list) == 0 {
		return nil, nil
	}
	c := compiler{world: w, servers: w.Servers + scenarios.AddedServers(list), timeline: &Timeline{scaled: make([]int64, len(list))}, instants: []int64{math.MinInt64}}
	for i := range list {
		if err := c.addEntry(i, &list[i]); err != nil {
			return nil, fmt.Errorf("faults[%d]: %w", i, err)
		}
	}
	c.sweep()
	return c.timeline, nil
}

// compiler collects the effects of faults, then splits time at their changes.
type compiler struct {
	entry    int // in work
	world    World
	servers  int // of the topology and those that are added
	timeline *Timeline
	effects  []effect
	instants []int64 // of all changes
}

// effect is a change of the state at from <= now < to. If two effects
// contradict each other, the later one in the scenario's list applies.
type effect struct {
	from, to int64
	on       func(s *state)
}

func (c *compiler) addEffect(from, to int64, on func(s *state)) {
	if from < to {
		c.effects = append(c.effects, effect{from, to, on})
		c.instants = append(c.instants, from, to)
	}
}

func (c *compiler) addSpan(f *scenarios.Fault, from, to int64) {
	c.timeline.spans = append(c.timeline.spans, Span{Kind: f.Kind, Entry: c.entry, From: from, To: min(to, c.world.End)})
}

func (c *compiler) addEntry(i int, f *scenarios.Fault) error {
	c.entry = i
	name := fmt.Sprintf("faults[%d]", i)
	draws := c.world.Stream(name)
	open := *f
	if !f.Values.Set("to") && open.To == 0 {
		open.To = c.world.End // of the replayed log
	}
	var err error
	number := 0
	open.Occurrences(c.world.End, func(from, to int64) {
		switch f.Kind {
		case "autoscale":
			c.autoscale(f)
		case "server-restart":
			c.restart(f, from)
		case "server-crash":
			c.crash(f, from)
		case "reshard":
			c.reshard(f, from, c.world.Stream(fmt.Sprintf("%s/%d", name, number)), &draws)
		case "server-added", "server-removed":
			c.membership(f, from, &draws)
		default:
			c.addSpan(f, from, to)
			if e := c.addLasting(f, from, to, &draws); e != nil {
				err = e
			}
		}
		number++
	})
	return err
}

// addLasting adds a fault that changes the state only while it lasts.
func (c *compiler) addLasting(f *scenarios.Fault, from, to int64, draws *random.Stream) error {
	v := f.Values
	switch f.Kind {
	case "report-loss", "report-duplicate", "report-delay", "report-reorder":
		if p := v.Share("p"); p.Num > 0 {
			m := message{c.entry, uint64(p.Num), uint64(p.Den), Outcome{f.Kind == "report-loss", f.Kind == "report-duplicate", v.Duration("delay")}}
			c.addEffect(from, to, func(s *state) { s.messages = append(s.messages, m) })
		}
	case "network":
		n := v.Choice("latency")
		distribution, err := random.NewLatency(n.Name, n.Values.Duration("p50"), n.Values.Duration("p99"), n.Values.Duration("time"))
		if err != nil {
			return err
		}
		replaced := &latency{c.entry, distribution}
		c.addEffect(from, to, func(s *state) { s.latency = replaced })
	case "partition":
		partition := cut{c.entry, c.affectedClients(f, "share", "clients", draws)}
		c.addEffect(from, to, func(s *state) { s.cuts = append(s.cuts, partition) })
	case "clock":
		off := clock{
			entry: c.entry, whose: c.affectedClients(f, "share", "clients", draws), since: from,
			skew: v.Duration("ahead") - v.Duration("behind"), ppm: v.Int("fast") - v.Int("slow"),
		}
		c.addEffect(from, to, func(s *state) { s.clocks = append(s.clocks, off) })
	case "store-down":
		entry := c.entry
		c.addEffect(from, to, func(s *state) { s.storeDown = append(s.storeDown, entry) })
		if lose := v.Duration("lose"); lose > 0 {
			c.addRestart(Restart{At: from, Server: Store, LoseFrom: max(from-lose, c.world.Start)})
		}
	case "slow-server":
		slow := slowdown{c.entry, v.Int("factor")}
		c.addEffect(from, to, func(s *state) { s.slow = slow })
	case "store-latency", "server-latency":
		late, responder := lateness{c.entry, v.Int("factor"), v.Duration("add")}, TheStore
		if f.Kind == "server-latency" {
			responder = Servers
		}
		c.addEffect(from, to, func(s *state) { s.late[responder] = late })
	case "policy-change":
		factor := v.Share("factor")
		c.addEffect(from, to, func(s *state) { s.num, s.den = factor.Num, factor.Den })
	default:
		return fmt.Errorf("nobody knows how to do %s", f.Kind)
	}
	return nil
}

func (c *compiler) addRestart(r Restart) {
	r.entry = c.entry
	c.timeline.restarts = append(c.timeline.restarts, r)
	c.instants = append(c.instants, r.At)
	if r.Server == Store {
		c.timeline.saves = append(c.timeline.saves, r.LoseFrom)
		c.instants = append(c.instants, r.LoseFrom)
	}
}

func (c *compiler) autoscale(f *scenarios.Fault) {
	stages := f.Values.List("stages")
	before := c.world.Clients
	for i, item := range stages {
		stage, to := item.(catalog.Values), c.world.End
		if i+1 < len(stages) {
			to = stages[i+1].(catalog.Values).Duration("from")
		}
		from, clients := stage.Duration("from"), int(stage.Int("clients"))
		c.timeline.scaled[c.entry] += int64(max(clients-before, before-clients))
		before = clients
		c.addSpan(f, from, to)
		c.addEffect(from, to, func(s *state) { s.active = clients })
	}
}
