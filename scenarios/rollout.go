package scenarios

import (
	"cmp"
	"math/big"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Rollout describes a fleet that is being converted from one algorithm to
// another: the old one is that of the row, the new one is To.
type Rollout struct {
	To          *Algorithm
	Share       units.Fraction // of the clients that are converted
	From, Until int64          // ns from the start: when the first and the last of them are converted
	Service     string         // own | old | new
	Clients     int            // number of clients that are converted: clients 0, 1 and so on
	Values      catalog.Values // of RolloutFields

	OfTopology bool // the topology sets it, not the algorithm
}

// Services of a Rollout.
const (
	ownServices = "own"
	oldService  = "old"
	NewService  = "new"
)

// RolloutFields declares a rollout.
func RolloutFields() []catalog.Field {
	return []catalog.Field{
		{Name: "to", Kind: catalog.String, Required: true,
			Doc: "the algorithm or preset that decides on converted clients"},
		{Name: "share", Kind: catalog.Share, Required: true, Min: "0", Max: "1",
			Doc: "share of the clients that are converted, rounded down to whole clients; client 0 is converted first"},
		{Name: "from", Kind: catalog.Duration, Default: "0s", Min: "0s",
			Doc: "when the conversion starts"},
		{Name: "until", Kind: catalog.Duration, Min: "0s",
			Doc: "when the last of these clients is converted; they are converted one by one at equal distances, by default all at once at from"},
		{Name: "service", Kind: catalog.Enum, Enum: []string{ownServices, oldService, NewService}, Default: ownServices,
			Doc: "which service counts: own, each algorithm has servers of its own that enforce the whole limit; " +
				"old or new, all clients report to the servers of that algorithm, which needs two variants of batch-reported"},
	}
}

// Shared reports whether both algorithms use one service.
func (r *Rollout) Shared() bool { return r.Service != ownServices }

// rolloutField declares the rollout of a topology or of an algorithm.
func rolloutField(doc string) catalog.Field {
	return catalog.Field{Name: "rollout", Kind: catalog.Group, Fields: RolloutFields(), Doc: doc}
}

// rollout binds the rollout of a definition, or returns nil if it has none. After
// a problem ok is false. Its algorithm is not known yet.
func (l *loader) rollout(n *node, v catalog.Values) (r *Rollout, ok bool) {
	given := n.get("rollout")
	if given == nil {
		return nil, true
	}
	own := v.Group("rollout")
	r = &Rollout{Share: own.Share("share"), From: own.Duration("from"), Until: own.Duration("until"), Service: own.String("service"), Values: own}
	if !own.Set("until") {
		r.Until = r.From
	}
	for _, f := range RolloutFields() {
		if !own.Set(f.Name) && (f.Required || given.get(f.Name) != nil) {
			return r, false
		}
	}
	if r.From > r.Until {
		l.report(given.at("until"), "%s is before the start at %s", units.FormatDuration(r.Until), units.FormatDuration(r.From))
		return r, false
	}
	return r, true
}

// target finds the algorithm that a rollout leads to. It returns nil after a
// problem.
func (l *loader) target(n *node) *Algorithm {
	to := n.get("rollout").get("to")
	a := l.resolve(to)
	if a != nil && a.Rollout != nil {
		l.report(to.place, "%s is itself in a rollout: a fleet runs two algorithms", Clip(a.Name))
		return nil
	}
	return a
}

// rollOut finds the algorithms that the definitions under algorithms lead to. A
// definition may name one below it.
func (l *loader) rollOut(root *node) {
	for _, name := range l.algorithms.names {
		a := l.algorithms.values[name]
		if a == nil || a.Rollout == nil {
			continue
		}
		if a.Rollout.To = l.target(root.get("algorithms").get(name)); a.Rollout.To == nil {
			l.algorithms.values[name] = nil
		}
	}
}

// rollouts gives the algorithms of a scenario the rollout of its topology, unless
// they have one of their own, and counts the clients that are converted.
func (l *loader) rollouts(s *Scenario, n *node) {
	for i := range s.Algorithms {
		a := &s.Algorithms[i]
		from := cmp.Or(a.Rollout, s.Topology.Rollout)
		if from == nil {
			continue
		}
		r, item := *from, itemOf(n, a)
		a.Rollout = &r
		converted := new(big.Int).Mul(big.NewInt(r.Share.Num), big.NewInt(int64(s.Topology.Clients)))
		r.Clients = int(converted.Div(converted, big.NewInt(r.Share.Den)).Int64())
		switch {
		case r.Clients == 0 && r.Share.Num > 0:
			l.report(item.place, "the rollout to %s converts %s of %d clients, which is not one: take more clients or a larger share",
				Clip(r.To.Name), r.Share, s.Topology.Clients)
		case s.Duration > 0 && r.Until > s.Duration:
			l.report(item.place, "the rollout to %s ends at %s, after the scenario's duration of %s",
				Clip(r.To.Name), units.FormatDuration(r.Until), units.FormatDuration(s.Duration))
		}
	}
}

// running returns the algorithms of a scenario and those that its rollouts lead
// to. A file may list an algorithm more than once this way.
func (s *Scenario) running() []*Algorithm {
	var list []*Algorithm
	for i := range s.Algorithms {
		list = append(list, s.Algorithms[i].Stages()...)
	}
	return list
}

// Stages returns the algorithm without its rollout, and the one that the rollout
// leads to if there is one.
func (a *Algorithm) Stages() []*Algorithm {
	if a.Rollout == nil {
		return []*Algorithm{a}
	}
	old, converted := *a, *a.Rollout.To
	old.Rollout, converted.Pos = nil, a.Pos
	return []*Algorithm{&old, &converted}
}

// itemOf returns the item of a scenario's list that names an algorithm, or the list if the
// algorithm was added.
func itemOf(n *node, a *Algorithm) *node {
	for _, item := range n.list("algorithms") {
		if item.pos == a.Pos {
			return item
		}
	}
	return n.get("algorithms")
}
