package batchreported

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/network"
)

// reportedOwners decides to which server a client reports a key.
type reportedOwners struct {
	network.Owners                  // unless shared
	rotation       network.Rotation // if shared
	shared         bool             // any server takes any report: all count in a store
	kept           bool             // counts move with their keys
}

// sharding returns the assignment of keys to servers, and whether the servers
// share a store instead.
func sharding(s *engine.Setting, a *scenarios.Algorithm) (c routing.Config, shared bool, err error) {
	choice := a.Options.Choice("sharding")
	if shared = a.Options.Choice("store").Name != "memory"; shared && choice.Name != "hash" {
		return c, shared, fmt.Errorf("sharding: %s has no meaning with a store that all servers share", choice.Name)
	}
	c = routing.ConfigFrom(choice, s.Servers(), s.Origin)
	return c, shared, c.Check()
}

func (r *reported) startOwners(t *engine.Trial) {
	c, shared, _ := sharding(t.Setting, t.Algorithm) // checkReported has seen no error
	r.owners = reportedOwners{rotation: network.NewRotation(t.Setting), shared: shared, kept: t.Algorithm.Options.String("moved_state") == "kept"}
	if shared {
		return
	}
	var assignment routing.Map // nil: by hash
	if c.Kind != routing.ByHash {
		assignment = network.NewMap(t.Setting, c)
	}
	r.owners.Owners = network.NewOwners(t.Setting, assignment, r.move)
	r.owners.Stagger = c.Propagation
}

// asked returns the owner of each key by a client's knowledge at now; nil if
// server 0 owns all keys. Clients learn of a new assignment one after the other,
// the last one when the propagation time is over. If faults move keys at random, all
// clients that are not stale know the same.
func (r *reported) asked(now int64, client int32) func(key int32) int32 {
	o := &r.owners
	client = r.gateway(client)
	switch {
	case o.shared:
		server := o.rotation.Next(now, client)
		return func(int32) int32 { return server }
	case o.Home == nil && len(r.servers) == 1:
		return nil
	}
	return func(key int32) int32 { return o.Asked(now, client, key) }
}

// takes reports whether a server takes a report. A server that no longer answers
// for any of the keys refuses the report. If it answers for some of them, the
// rows of the others become a call of their own, which it refuses.
func (r *reported) takes(now int64, ref int32) bool {
	c := r.calls.At(ref)
	if !r.owners.FaultsMove() {
		return true
	}
	server := c.report.Server
	foreign := func(row batchreported.ReportRow) bool { return !r.owners.Takes(now, row.Key, server) }
	if !slices.ContainsFunc(c.report.Rows, foreign) {
		return true
	}
	if !slices.ContainsFunc(c.report.Rows, func(row batchreported.ReportRow) bool { return !foreign(row) }) {
		return false
	}
	if !c.duplicate {
		part := r.copyCall(ref, foreign)
		to := r.calls.At(part)
		r.cycles.At(to.cycle).open++
		r.logPart(r.calls.At(ref), to)
		r.refuse(now, part)
	} else {
		r.logRefused(c, foreign)
	}
	c = r.calls.At(ref)
	c.logWithout(foreign)
	c.report.Rows = slices.DeleteFunc(c.report.Rows, foreign)
	return true
}

// move gives a key to another server.
func (r *reported) move(now int64, key, to int32) {
	if r.owners.kept {
		r.setting.Faults.Holds(to, key)
		r.servers[to].TakeOver(now, key, r.servers[r.owners.Owner(key)])
	} else {
		r.servers[to].Forget(now, key)
	}
}
