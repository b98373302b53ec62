package scenarios

import (
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// maxOccurrences limits how often the faults of one scenario occur.
const maxOccurrences = 10_000

// faults binds a scenario's faults and checks them against its duration,
// topology and policies.
func (l *loader) faults(n *node, s *Scenario, topology *Topology, policies []Policy, keepsTime bool) {
	occurrences := int64(0)
	scaled := false
	var paths []string
	var places []place
	defer func() { l.faultPaths = append(l.faultPaths, paths) }()
	if n == nil {
		return
	}
	for _, item := range l.expand(n, l.outages, FaultKinds()) {
		bound, ok := l.value(item, faultField())
		if !ok {
			continue
		}
		c := bound.(catalog.Choice)
		v, at := c.Values, place{c.Pos, item.at(c.Name).path}
		f := Fault{Kind: c.Name, From: v.Duration("from"), To: v.Duration("to"), Every: v.Duration("every"), Values: v, Pos: c.Pos}
		end := s.Duration
		switch kind := catalog.Find(FaultKinds(), c.Name); {
		case catalog.Find(kind.Fields, "to") == nil:
			f.To = f.From
		case !v.Set("to"):
			f.To = end
		}
		switch {
		case keepsTime:
			l.report(at, "faults need a trace with rebase: true")
			continue
		case end > 0 && f.From >= end:
			l.report(at.value(v, "from"), "%s is not before the scenario's duration of %s", units.FormatDuration(f.From), units.FormatDuration(end))
			continue
		case end > 0 && f.To > end:
			l.report(at.value(v, "to"), "%s is after the scenario's duration of %s", units.FormatDuration(f.To), units.FormatDuration(end))
			continue
		case v.Set("to") && f.From >= f.To:
			l.report(at.value(v, "from"), "%s is not before the end at %s", units.FormatDuration(f.From), units.FormatDuration(f.To))
			continue
		case f.Every > 0 && f.Every < f.To-f.From:
			l.report(at.value(v, "every"), "%s is shorter than the fault, which lasts %s", units.FormatDuration(f.Every), units.FormatDuration(f.To-f.From))
			continue
		}
		if occurrences++; f.Every > 0 && end > f.From {
			occurrences += (end - f.From - 1) / f.Every
		}
		if occurrences > maxOccurrences {
			l.report(at, "the faults of a scenario may occur at most %d times in total", maxOccurrences)
			return
		}
		switch f.Kind {
		case "autoscale":
			if scaled {
				l.report(at, "only one autoscale fault is allowed")
			}
			scaled = true
			l.autoscale(&f, s.Duration, topology, at)
		case "partition":
			l.concerned(&f, "share", "clients", topology, at)
		case "clock":
			l.concerned(&f, "share", "clients", topology, at)
			l.clockIsOff(&f, at)
		case "reshard", "server-added", "server-removed":
			l.concerned(&f, "stale_share", "stale_clients", topology, at)
		case "policy-change":
			l.policyChange(&f, policies, at)
		}
		s.Faults = append(s.Faults, f)
		paths, places = append(paths, at.path.String()), append(places, at)
	}
	l.serverFaults(s.Faults, places, topology)
}

// autoscale checks the stages and sets the fault's duration to theirs.
func (l *loader) autoscale(f *Fault, duration int64, t *Topology, at place) {
	at = at.field("stages")
	for i, item := range f.Values.List("stages") {
		stage := item.(catalog.Values)
		from := stage.Duration("from")
		at := place{stage["clients"].Pos, at.item(i).path}
		switch {
		case i > 0 && from <= f.To:
			l.report(at.field("from"), "%s must be after the previous stage", units.FormatDuration(from))
		case duration > 0 && from >= duration:
			l.report(at.field("from"), "%s is not before the scenario's duration of %s", units.FormatDuration(from), units.FormatDuration(duration))
		case t != nil && stage.Int("clients") > int64(t.Clients):
			l.report(at.field("clients"), "%d is above the number of clients in the topology, %d", stage.Int("clients"), t.Clients)
		}
		if i == 0 {
			f.From = from
		}
		f.To = from
	}
	if duration > 0 {
		f.To = duration
	}
}

// concerned checks the clients that a fault affects: those of a list, or a share.
func (l *loader) concerned(f *Fault, share, clients string, t *Topology, at place) {
	v := f.Values
	switch {
	case !v[clients].Given:
	case v[share].Given:
		l.report(at.value(v, clients), "cannot be combined with %s: remove one of the two", share)
	default:
		delete(v, share) // its default would stand beside the list in the effective file
	}
	for i, x := range v.List(clients) {
		if n := x.(int64); t != nil && n >= int64(t.Clients) {
			l.report(at.value(v, clients).item(i), "client %d does not exist: the last one is number %d", n, t.Clients-1)
		}
	}
}

// clockIsOff checks how a fault sets clocks wrong.
func (l *loader) clockIsOff(f *Fault, at place) {
	v, off := f.Values, false
	for _, p := range [][2]string{{"ahead", "behind"}, {"fast", "slow"}} {
		if v.Int(p[0]) > 0 && v.Int(p[1]) > 0 {
			l.report(at.value(v, p[1]), "cannot be combined with %s", p[0])
		}
		off = off || v.Int(p[0]) > 0 || v.Int(p[1]) > 0
	}
	if !off {
		l.report(at, "has no effect: set ahead, behind, fast or slow")
	}
}

// policyChange checks that every limit stays a whole number that counters can
// represent exactly.
func (l *loader) policyChange(f *Fault, policies []Policy, at place) {
	factor, at := f.Values.Share("factor"), at.value(f.Values, "factor")
	for i := range policies {
		p := &policies[i]
		count, whole := scale(p.Limit.Count, factor)
		burst, _ := scale(p.Burst, factor)
		switch {
		case p.Reference.Own:
			l.report(at, "would change the limit of %s, whose reference has a limit of its own, which would stay as it is", Clip(p.Name))
		case !whole || count < 1:
			l.report(at, "%s of %s is not a whole number of requests, at least 1", factor, p.Limit)
		default:
			l.depthFits(max(burst, 1), units.Rate{Count: count, Per: p.Limit.Per}, at)
		}
	}
}

// scale returns n*factor rounded down, or -1 if it overflows, and whether the
// product is a whole number.
func scale(n int64, factor units.Fraction) (product int64, whole bool) {
	if n > 0 && factor.Num > (1<<63-1)/n {
		return -1, false
	}
	return n * factor.Num / factor.Den, n*factor.Num%factor.Den == 0
}
