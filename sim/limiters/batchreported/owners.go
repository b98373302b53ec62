package batchreported

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/routing"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// reportedOwners says which server a client reports a key to.
type reportedOwners struct {
	servers     int
	clients     int64
	shared      bool           // any server takes any report: they count in a store
	turn        []int32        // by client, where shared: the server that is next
	assignment  routing.Map    // nil where keys never move by themselves
	propagation int64          // ns until all clients know an assignment
	moved       *faults.Owners // nil unless faults move keys
	home        []int32        // by key: its owner; nil where keys never move
	version     int            // of the assignment that home is of
	kept        bool           // counts move with their keys
}

func newOwners(s *engine.Setting, a *scenarios.Algorithm, clients int) (reportedOwners, error) {
	o := reportedOwners{
		servers: s.Servers(), clients: int64(clients),
		shared: a.Options.Choice("store").Name != "memory", kept: a.Options.String("moved_state") == "kept",
	}
	if o.shared {
		if name := a.Options.Choice("sharding").Name; name != "hash" {
			return o, fmt.Errorf("sharding: %s has no meaning with a store that all servers share", name)
		}
		o.turn = make([]int32, clients)
		for i := range o.turn {
			o.turn[i] = int32(i % o.servers)
		}
		return o, nil
	}
	c := routing.ConfigFrom(a.Options.Choice("sharding"), s.Servers(), s.Origin)
	if err := c.Check(); err != nil {
		return o, err
	}
	if c.Kind != routing.ByHash {
		o.assignment, o.propagation = routing.New(c), c.Propagation
		o.version = o.assignment.Version()
	}
	if o.assignment == nil && !s.Faults.Moves() {
		return o, nil
	}
	o.home = make([]int32, s.Keys)
	for key := range o.home {
		if o.assignment != nil {
			o.home[key] = o.assignment.Owner(int32(key))
		} else {
			o.home[key] = routing.Owner(int32(key), o.servers)
		}
	}
	if s.Faults.Moves() {
		o.moved = faults.NewOwners(s.Faults, o.home, o.servers)
	}
	return o, nil
}

// ask is the owner of each key as a client takes it at now, nil where server 0
// owns all. Clients learn of a new assignment one after the other, the last when
// the propagation time is over. Faults that move keys decide alone where they
// do.
func (r *reported) ask(now int64, client int32) func(key int32) int32 {
	o := &r.owners
	switch {
	case o.shared:
		server := r.nextInTurn(now, client)
		return func(int32) int32 { return server }
	case o.moved != nil:
		return func(key int32) int32 { return o.moved.Asked(now, key) }
	case o.assignment != nil:
		known := now + o.propagation*(o.clients-1-int64(client))/o.clients
		return func(key int32) int32 { return o.assignment.Known(key, known) }
	case o.servers == 1:
		return nil
	}
	return func(key int32) int32 { return routing.Owner(key, o.servers) }
}

// nextInTurn is the server that a client reports to, where any of them will do.
// Those that are known to be down are left out.
func (r *reported) nextInTurn(now int64, client int32) int32 {
	o := &r.owners
	server := o.turn[client]
	for range o.servers {
		next := server
		if server++; int(server) == o.servers {
			server = 0
		}
		o.turn[client] = server
		if !r.setting.Faults.Noticed(now, next) {
			return next
		}
	}
	return server
}

// takes reports whether a server takes a report. One that has long ceased to
// own all of its keys refuses it; where it owns some of them, the rows of the
// others become a call of their own, which it refuses.
func (r *reported) takes(now int64, ref int32) bool {
	o, c := &r.owners, &r.calls[ref]
	if o.moved == nil {
		return true
	}
	server := c.report.Server
	foreign := func(row batchreported.ReportRow) bool { return !o.moved.Takes(now, row.Key, server) }
	if first := slices.IndexFunc(c.report.Rows, foreign); first < 0 {
		return true
	}
	mine := slices.IndexFunc(c.report.Rows, func(row batchreported.ReportRow) bool { return !foreign(row) })
	if mine < 0 {
		return false
	}
	if !c.twin && c.state == underWay {
		r.partRows(now, ref, foreign)
	}
	c = &r.calls[ref]
	c.report.Rows = slices.DeleteFunc(c.report.Rows, foreign)
	return true
}

// partRows makes a call of some rows of another, which its server refuses.
func (r *reported) partRows(now int64, ref int32, which func(batchreported.ReportRow) bool) {
	part := r.newCall()
	from, to := &r.calls[ref], &r.calls[part]
	to.sent, to.cycle = from.sent, from.cycle
	rows := to.report.Rows[:0]
	for _, row := range from.report.Rows {
		if which(row) {
			rows = append(rows, row)
		}
	}
	*to.report = *from.report
	to.report.Rows = rows
	r.cycles[to.cycle].open++
	if r.config.Timeout > 0 {
		to.alarm = r.schedule(to.sent+r.config.Timeout, gaveUp, part)
	}
	r.refuse(now, part)
}

// served tells the assignment what a server was asked.
func (o *reportedOwners) served(now int64, report *batchreported.Report) {
	if o.assignment == nil {
		return
	}
	for i := range report.Rows {
		row := &report.Rows[i]
		o.assignment.Served(now, row.Key, row.Hits+row.Rejected)
	}
}

// next is when keys may next move of their own accord.
func (o *reportedOwners) next() int64 {
	if o.assignment == nil || o.moved != nil {
		return faults.Never
	}
	return o.assignment.Next()
}

// reassign moves the counts of keys that have other owners by the newest
// assignment. Who owned a key counts on for clients that have not heard of it.
func (r *reported) reassign(now int64) {
	o := &r.owners
	if o.assignment == nil || o.moved != nil {
		return
	}
	if o.assignment.Next() <= now {
		o.assignment.Step(now)
	}
	if o.assignment.Version() == o.version {
		return
	}
	o.version = o.assignment.Version()
	for key := range o.home {
		if to := o.assignment.Owner(int32(key)); to != o.home[key] {
			r.move(now, int32(key), to)
		}
	}
}

// move gives a key to another server.
func (r *reported) move(now int64, key, to int32) {
	from := r.owners.home[key]
	r.owners.home[key] = to
	if r.owners.kept {
		r.servers[to].TakeOver(now, key, r.servers[from])
	} else {
		r.servers[to].Forget(now, key)
	}
}
