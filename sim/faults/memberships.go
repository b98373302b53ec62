package faults

import (
	"cmp"
	"slices"
)

// membership is a server that joins or leaves for good.
type membership struct {
	entry  int
	at     int64
	server int32
	joins  bool
	staleness
}

// staleness is the time for which some clients use the assignment of keys from
// before a change.
type staleness struct {
	stale int64   // ns
	whose members // nil: all clients
}

func (s *staleness) concerns(client int32) bool { return s.whose == nil || s.whose.has(client) }

// ChangesServers reports whether servers ever join or leave.
func (t *Timeline) ChangesServers() bool { return t != nil && len(t.memberships) > 0 }

// Member reports whether a server is one of the limiter's at now, and returns the
// entry of the fault by which it last joined or left until then, or -1.
func (t *Timeline) Member(now int64, server int32) (member bool, entry int) {
	if !t.ChangesServers() {
		return true, -1
	}
	member, entry = server < t.servers, -1
	for i := range t.memberships {
		if m := &t.memberships[i]; m.server == server && m.at <= now {
			member, entry = m.joins, m.entry
		}
	}
	return member, entry
}

// View returns the time whose assignment of keys to servers a client knows at now:
// now, or just before a server joined or left if the client is stale.
func (t *Timeline) View(now int64, client int32) int64 {
	if t == nil {
		return now
	}
	for i := range t.memberships {
		if m := &t.memberships[i]; m.at <= now && now < m.at+m.stale && m.concerns(client) {
			return m.at - 1
		}
	}
	return now
}

// Views calls each with every time whose assignment some client may know at now.
func (t *Timeline) Views(now int64, each func(view int64)) {
	each(now)
	if t == nil {
		return
	}
	for i := range t.memberships {
		if m := &t.memberships[i]; m.at <= now && now < m.at+m.stale {
			each(m.at - 1)
		}
	}
}

// LongestStale returns the longest time in ns for which a client is stale.
func (t *Timeline) LongestStale() (ns int64) {
	if t == nil {
		return 0
	}
	for i := range t.memberships {
		ns = max(ns, t.memberships[i].stale)
	}
	return ns
}

// numberServers gives the servers that join the next numbers in the order of time.
func (t *Timeline) numberServers(servers int) {
	t.servers = int32(servers)
	slices.SortStableFunc(t.memberships, func(a, b membership) int { return cmp.Compare(a.at, b.at) })
	next := t.servers
	for i := range t.memberships {
		if m := &t.memberships[i]; m.joins {
			m.server = next
			next++
		}
	}
}
