package batchreported

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/sim/faults"
)

// world is what changes around the protocol: faults come and go, keys move.
type world struct {
	change   int64 // when something next changes
	faults   int64 // when a fault next comes or goes
	last     int64 // up to when faults have been followed
	active   int32 // clients that are alive
	num, den int64 // by which limits are multiplied
}

func (w *world) alive(client int32) bool { return client < w.active }

// startWorld makes sure that the limits of all times can be kept.
func (r *reported) startWorld() error {
	t := r.setting.Faults
	r.world = world{last: r.setting.Origin - 1, faults: faults.Never, active: int32(len(r.clients)), num: 1, den: 1}
	if t != nil {
		r.world.faults = r.setting.Origin
	}
	r.world.change = min(r.world.faults, r.owners.next())
	for at := t.Next(r.world.last); at < r.setting.End; at = t.Next(at) {
		for i := range 1 + len(r.config.Further) {
			if _, err := r.policyAt(i, at); err != nil {
				return fmt.Errorf("after a change of policy or of clients: %w", err)
			}
		}
	}
	return nil
}

// catchUp brings the world up to now.
func (r *reported) catchUp(now int64) {
	w := &r.world
	if w.faults <= now {
		r.applyFaults(now)
	}
	r.reassign(now)
	w.change = min(w.faults, r.owners.next())
}

// befall lets faults come and go at an instant at which they do.
func (r *reported) applyFaults(now int64) {
	t, w := r.setting.Faults, &r.world
	for _, l := range t.Lost(w.last, now) {
		r.wipe(l.At, l.Server)
	}
	for i := range r.servers {
		id := int32(i)
		if t.ServerDown(now, id) {
			r.queues[i].lose(now)
		}
		if a := r.owners.assignment; a != nil && t.Noticed(now, id) {
			a.Fail(now, id)
		} else if a != nil {
			a.Recover(now, id)
		}
	}
	if r.owners.moved != nil {
		r.owners.moved.Advance(now, func(key, server int32) { r.move(now, key, server) })
	}
	if r.store != nil && t.StoreDown(now) {
		r.store.queue.lose(now)
	}
	num, den := t.LimitScale(now)
	active := int32(r.setting.ClientsAt(now))
	r.scale(active)
	if num != w.num || den != w.den {
		r.relimitServers(now)
	}
	if num != w.num || den != w.den || active != w.active {
		r.relimitClients(now)
	}
	w.active, w.num, w.den = active, num, den
	for id := range r.clients {
		r.readClock(now, int32(id))
	}
	w.last, w.faults = now, t.Next(now)
}

// wipe empties the memory of a server, or takes the store back.
func (r *reported) wipe(now int64, server int32) {
	switch {
	case server == faults.Store && r.store != nil:
		r.store.failOver()
	case server >= 0 && int(server) < len(r.servers):
		r.servers[server] = batchreported.NewServer(&r.config, server, now)
		r.relimitServer(now, r.servers[server])
	}
}

// scale stops clients, with all that they knew and had not reported.
func (r *reported) scale(active int32) {
	for id := active; id < r.world.active; id++ {
		r.clients[id] = r.newClient(id)
	}
}

// relimitServers puts the limits of this instant in force.
func (r *reported) relimitServers(now int64) {
	for _, s := range r.servers {
		r.relimitServer(now, s)
	}
	if r.store != nil {
		r.relimitServer(now, r.store.counts)
		for i := range r.store.spared {
			r.relimitServer(now, r.store.spared[i].counts)
		}
	}
}

func (r *reported) relimitClients(now int64) {
	for i := range 1 + len(r.config.Further) {
		p := r.policyNow(i, now)
		for _, c := range r.clients {
			c.Relimit(now, i, p.Local)
		}
	}
}

func (r *reported) relimitServer(now int64, s *batchreported.Server) {
	for i := range 1 + len(r.config.Further) {
		p := r.policyNow(i, now)
		s.Relimit(now, i, p.Limit, p.Bucket)
	}
}

// policyNow is a policy at this instant; startWorld has seen that it can be.
func (r *reported) policyNow(i int, now int64) batchreported.Policy {
	p, err := r.policyAt(i, now)
	if err != nil {
		panic("enforcements: " + err.Error())
	}
	return p
}

func (r *reported) policyAt(i int, now int64) (batchreported.Policy, error) {
	limit, from := r.setting.Limit, int32(0)
	if r.setting.MultiPolicy() {
		limit, from = r.setting.Policies[i].Limit, r.setting.Policies[i].From
	}
	return r.config.PolicyFrom(r.setting.LimitAt(limit, now), from, r.setting.ClientsAt(now))
}

// readClock lets a client look at its clock.
func (r *reported) readClock(now int64, id int32) {
	if t := r.setting.Faults; t != nil {
		r.clients[id].SetClock(r.config.Skew(id) + t.Clock(id, now) - now)
	}
}
