package remote_test

import (
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/routing"
)

// This file holds the part of the reference model about servers that join and leave.

// members returns the servers that there are at a time.
func (w *naiveRemote) members(at int64) (list []int) {
	for server := range w.c.allServers() {
		there := server < w.c.servers
		for _, x := range w.c.changes {
			if x.server == server && x.at <= at {
				there = x.joins
			}
		}
		if there {
			list = append(list, server)
		}
	}
	return list
}

// owner returns the owner of a key by the assignment of a time.
func (w *naiveRemote) owner(key int, at int64) int {
	list := w.members(at)
	if w.c.modulo {
		return list[routing.Hash(int32(key))%uint64(len(list))]
	}
	return list[routing.Owner(int32(key), len(list))]
}

// view returns the time whose assignment a client knows.
func (w *naiveRemote) view(client int) int64 {
	for _, x := range w.c.changes {
		if x.at <= w.now && w.now < x.at+x.stale && x.isStale(client) {
			return x.at - 1
		}
	}
	return w.now
}

// take returns a client's next server, if any server takes any call.
func (w *naiveRemote) take(client int) int {
	for {
		server := w.turn[client]
		w.turn[client] = (server + 1) % w.c.allServers()
		if slices.Contains(w.members(w.view(client)), server) {
			return server
		}
	}
}

// closed reports whether a server has left and does not respond any more.
func (w *naiveRemote) closed(server int) bool {
	return slices.ContainsFunc(w.c.changes, func(x remoteChange) bool {
		return !x.joins && x.server == server && w.now >= x.at+x.both
	})
}

// scheduleChanges schedules the changes of the servers, and what servers forget when
// any fault begins or ends.
func (w *naiveRemote) scheduleChanges() {
	c := w.c
	w.epochs = map[[2]int]int{}
	for key := range 3 {
		w.home = append(w.home, w.owner(key, 0))
	}
	instants := []int64{c.down.from, c.down.to, c.cut.from, c.cut.to, c.slow.from, c.slow.to, c.stop.from, c.stop.to, max(0, c.down.from-c.lose)}
	for _, x := range c.changes {
		instants = append(instants, x.at, x.at+x.stale, x.at+x.both)
		if !x.joins {
			w.at(x.at+x.both, aFault, func() { w.stopped(x.server) })
		}
		w.at(x.at, aFault, w.move)
	}
	for _, at := range instants {
		if at > 0 && len(c.changes) > 0 {
			w.at(at, aFault, w.expire)
		}
	}
}

// move gives keys to their new owners, which know nothing of them.
func (w *naiveRemote) move() {
	for key, from := range w.home {
		to := w.owner(key, w.now)
		if to == from {
			continue
		}
		w.home[key] = to
		w.epochs[[2]int{to, key}]++
	}
}

// expire lets servers forget keys of which no client asks them any more. A call that
// is at its server before finds what the server knew when it arrived.
func (w *naiveRemote) expire() {
	views := []int64{w.now}
	for _, x := range w.c.changes {
		if x.at <= w.now && w.now < x.at+x.stale {
			views = append(views, x.at-1)
		}
	}
	for key, owner := range w.home {
		for server := range w.c.allServers() {
			asked := slices.ContainsFunc(views, func(view int64) bool { return w.owner(key, view) == server })
			if !asked && server != owner {
				w.epochs[[2]int{server, key}]++
			}
		}
	}
}
