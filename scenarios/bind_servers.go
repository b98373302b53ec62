package scenarios

import (
	"cmp"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// maxServers limits the servers of a topology with those that faults add.
const maxServers = 10_000

// serverFaults checks the faults that concern servers. Added servers have the numbers
// that follow those of the topology, in the order in which they join.
func (l *loader) serverFaults(faults []Fault, at []place, t *Topology) {
	all := 0
	if t != nil {
		all = t.Servers + AddedServers(faults)
	}
	var changes []int
	for i := range faults {
		switch f := &faults[i]; f.Kind {
		case "server-restart", "server-crash":
			l.serverNumber(f, all, at[i])
		case "server-added", "server-removed":
			changes = append(changes, i)
		}
	}
	if len(changes) == 0 {
		return
	}
	if i := slices.IndexFunc(faults, func(f Fault) bool { return f.Kind == "reshard" }); i >= 0 {
		l.report(at[i], "cannot be combined with %s: one assigns keys at random, the other as the limiter does", faults[changes[0]].Kind)
	}
	if all > maxServers {
		l.report(at[changes[0]], "%d servers, with those that faults add, exceed %d", all, maxServers)
	}
	if t != nil {
		l.memberships(faults, changes, at, t.Servers)
	}
}

// memberships checks, in the order of time, that a server that leaves is there, and
// is not the last one.
func (l *loader) memberships(faults []Fault, changes []int, at []place, servers int) {
	slices.SortStableFunc(changes, func(a, b int) int { return cmp.Compare(faults[a].From, faults[b].From) })
	present, gone := servers, map[int64]bool{}
	for _, i := range changes {
		f := &faults[i]
		if f.Kind == "server-added" {
			servers, present = servers+1, present+1
			continue
		}
		n := f.Values.Int("server")
		switch at := at[i].value(f.Values, "server"); {
		case n >= int64(servers):
			l.report(at, "server %d does not exist at %s: the %d servers until then are numbered from 0", n, units.FormatDuration(f.From), servers)
		case gone[n]:
			l.report(at, "server %d has been removed before", n)
		case present == 1:
			l.report(at, "server %d is the last one", n)
		default:
			gone[n] = true
			present--
		}
	}
}

// serverNumber checks that a server of that number exists at some time. It does not
// if servers is 0, because their number is unknown.
func (l *loader) serverNumber(f *Fault, servers int, at place) {
	name := "servers"
	if f.Kind == "server-crash" {
		name = "server"
	}
	n, word := f.Values.IntOr(name)
	if f.Values["key"].Given && word != "owner" {
		l.report(at.value(f.Values, "key"), "requires %s: owner", name)
	}
	if servers > 0 && word == "" && f.Values.Set(name) && n >= int64(servers) {
		l.report(at.value(f.Values, name), "server %d does not exist: the %d servers are numbered from 0", n, servers)
	}
	if f.Values["rolling"].Given && word != "rolling" && !isDefault(catalog.Find(catalog.Find(FaultKinds(), f.Kind).Fields, "rolling"), f.Values["rolling"].V) {
		l.report(at.value(f.Values, "rolling"), "requires servers: rolling")
	}
}
