package batchreported

import (
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/engine"
	"github.com/limitgauge/limitgauge/sim/network"
)

// unaffected returns why a fault cannot affect an algorithm.
func unaffected(_ *engine.Setting, a *scenarios.Algorithm, f *scenarios.Fault) string {
	store := a.Options.Choice("store")
	shared, v := store.Name != "memory", store.Values
	atStore := shared && (v.Duration("service_time") > 0 || v.String("write") == "script" && v.Duration("row_time") > 0)
	switch {
	case (f.Kind == "store-down" || f.Kind == "store-latency") && !shared:
		return "its servers count in memory, without a store"
	case f.Kind == "slow-server" && a.Options.Duration("server_time") == 0 && !atStore:
		return "its servers and its store take no time"
	case shared && (f.Kind == "reshard" || f.Owned()):
		return "its servers share a store and own no keys"
	}
	return ""
}

// scale is the fraction by which faults multiply limits.
type scale struct{ num, den int64 }

// startFaults returns an error if a limit or a number of clients that faults put
// in force is not possible.
func (r *reported) startFaults() error {
	t := r.setting.Faults
	r.scale = scale{1, 1}
	r.change = min(r.faults.NextChange, r.owners.Next())
	for at := t.Next(r.setting.Origin - 1); at < r.setting.End; at = t.Next(at) {
		for i := range 1 + len(r.config.Further) {
			for c := range r.codes {
				if _, err := r.policyAt(&r.codes[c].config, i, at); err != nil {
					return fmt.Errorf("after a change of policy or of clients: %w", err)
				}
			}
		}
	}
	return nil
}

// catchUp applies the faults of now and moves keys.
func (r *reported) catchUp(now int64) {
	if r.faults.NextChange <= now {
		r.applyFaults(r.faults.Advance())
	}
	r.owners.Reassign(now)
	r.change = min(r.faults.NextChange, r.owners.Next())
}

func (r *reported) applyFaults(c network.Change) {
	t, now := r.setting.Faults, c.At
	for _, id := range c.Restarted {
		r.servers[id] = batchreported.NewServer(&r.config, id, now)
		r.relimit(now, r.servers[id])
	}
	for i := range r.servers {
		if t.ServerDown(now, int32(i)) {
			r.queues[i].lose(now)
		}
	}
	r.owners.ApplyFaults(now)
	if r.store != nil {
		r.store.applyFaults(c, t.StoreDown(now))
	}
	for gateway := c.Active; gateway < c.Before; gateway++ {
		for _, id := range r.clientsOf(gateway) {
			r.clients[id] = r.newClient(id) // with all counts that it has not reported
		}
	}
	num, den := t.LimitScale(now)
	limited := r.scale != scale{num, den}
	r.scale = scale{num, den}
	if limited {
		r.relimit(now, r.servers...)
		if r.store != nil {
			r.relimit(now, r.store.counts)
			for i := range r.store.spared {
				r.relimit(now, r.store.spared[i].counts)
			}
		}
	}
	if limited || c.Active != c.Before {
		r.relimitClients(now)
	}
	for id := range int32(len(r.clients)) {
		if r.ticking[id] { // others have nothing to decide or send yet
			r.readClock(now, id)
		} else {
			r.setClock(id, t.ClockOffset(r.gateway(id), now))
		}
	}
}

// active reports whether a client has not been stopped by autoscaling.
func (r *reported) active(client int32) bool { return r.gateway(client) < r.faults.Active }

func (r *reported) relimitClients(now int64) {
	for id, c := range r.clients {
		for i := range 1 + len(r.config.Further) {
			p := engine.Must(r.policyAt(&r.codeOf(int32(id)).config, i, now))
			c.Relimit(now, i, p.Local)
		}
	}
}

// relimit puts the limits of now in force at servers.
func (r *reported) relimit(now int64, servers ...*batchreported.Server) {
	for i := range 1 + len(r.config.Further) {
		p := engine.Must(r.policyAt(&r.config, i, now))
		for _, s := range servers {
			s.Relimit(now, i, p.Limit, p.Bucket)
		}
	}
}

// policyAt returns a policy at now under the options of servers or clients.
// startFaults checks that there is no error.
func (r *reported) policyAt(c *batchreported.Config, i int, now int64) (batchreported.Policy, error) {
	limit, from := r.setting.Limit, int32(0)
	if r.setting.MultiPolicy() {
		limit, from = r.setting.Policies[i].Limit, r.setting.Policies[i].From
	}
	limit = r.setting.LimitAt(limit, now)
	return c.PolicyFrom(limit, from, r.setting.ClientsAt(now), r.setting.ConformingDepth(i, limit))
}

// readClock gives a client that uses its clock the offset of now.
func (r *reported) readClock(now int64, id int32) {
	if t := r.setting.Faults; t != nil {
		r.setClock(id, t.Clock(r.gateway(id), now)-now)
	}
}

func (r *reported) setClock(id int32, off int64) {
	r.clients[id].SetClock(r.codeOf(id).Skew(r.gateway(id)) + off)
}
