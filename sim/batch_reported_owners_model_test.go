package sim

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/routing"
)

// This file holds the part of the reference model about the owners of keys.

// modulo reports whether keys are assigned by the remainder of their hash.
func (n *naiveFleet) modulo() bool { return n.options.Choice("sharding").Name == "modulo" }

// owning lists the servers that own keys at now. By modulo these are not those that
// are known to be down.
func (n *naiveFleet) owning(now int64) (list []int32) {
	for i := range int32(len(n.servers)) {
		member, _ := n.faults.Member(now, i)
		_, noticed := n.faults.NoticedBy(now, i)
		if member && !(n.modulo() && noticed) {
			list = append(list, i)
		}
	}
	return list
}

// assigned returns the owner of a key by an assignment.
func (n *naiveFleet) assigned(key int32, assignment int) int32 {
	list := n.assignments[assignment].servers
	if n.modulo() {
		return list[routing.Hash(key)%uint64(len(list))]
	}
	return list[routing.Owner(key, len(list))]
}

// asked returns the server that a client takes for the owner of a key at now. Client i
// of n clients learns of an assignment when i+1 of n parts of the propagation time are
// over. A stale client knows the assignment from before a change.
func (n *naiveFleet) asked(now int64, client, key int32) int32 {
	if n.moved != nil {
		return n.moved.Asked(now, client, key)
	}
	clients := int64(len(n.clients))
	propagation := n.options.Choice("sharding").Values.Duration("propagation")
	known := n.faults.View(now, client) - (propagation - propagation*(clients-1-int64(client))/clients)
	at := len(n.assignments) - 1
	for at > 0 && n.assignments[at].from > known {
		at--
	}
	return n.assigned(key, at)
}

// moveKeys moves the keys that have other owners from now on.
func (n *naiveFleet) moveKeys(now int64) {
	move := func(key, to int32) {
		if n.options.String("moved_state") == "kept" {
			n.servers[to].TakeOver(now, key, n.servers[n.owner[key]])
		} else {
			n.servers[to].Forget(now, key)
		}
		n.owner[key] = to
	}
	if n.moved != nil {
		n.moved.Advance(now, move)
		return
	}
	last := len(n.assignments) - 1
	if list := n.owning(now); len(list) > 0 && !slices.Equal(list, n.assignments[last].servers) {
		n.assignments = append(n.assignments, naiveAssignment{now, list})
		for key, from := range n.owner {
			if to := n.assigned(int32(key), last+1); to != from {
				move(int32(key), to)
			}
		}
	}
}
