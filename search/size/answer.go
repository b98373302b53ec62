package size

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/answer"
	"github.com/limitgauge/limitgauge/search/size/least"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// heaviestKeys is how many keys size shows.
const heaviestKeys = 6

// answering is a log and a question about it.
type answering struct {
	*Question
	log   *logs.Recording
	names []string // of the keys
	study *least.Study
	d     *Document
}

// Answer finds what a log needs.
func (q *Question) Answer(ctx context.Context, r *logs.Recording) (*Document, error) {
	a := &answering{Question: q, log: r, names: r.Keys().Of, d: &Document{
		Head: answer.NewHead("size", q.Version, q.Rerun), Algorithm: q.Algorithm.Name,
		Input: Input{AbusersAbsent: []string{}}, Warnings: []string{}, Settings: []Setting{}, Heaviest: []Key{}, Policies: []Policy{}, StandOut: []string{}, Unknown: []string{},
	}}
	if q.Shared {
		a.names = []string{"all requests"}
	}
	abusers, err := a.abusersByKey()
	if err != nil {
		return nil, err
	}
	if a.Hash != nil && !q.Shared {
		if a.names, err = traffic.HideNames(len(a.names), func(id int) string { return a.names[id] }, a.Hash); err != nil {
			return nil, err
		}
	}
	if a.study, err = least.NewStudy(player(ctx, r, q.Shared), len(a.names), abusers); err != nil {
		return nil, err
	}
	if a.study.Requests == 0 {
		return nil, misfitf("--abusers %s: every request of the log is one of theirs, so that no demand is left", q.AbusersFile)
	}
	a.describe()
	if err := a.solve(); err != nil {
		return nil, err
	}
	a.d.Unknown = append(a.d.Unknown, a.unknown()...)
	return a.d, nil
}

// player plays a recording, in which all keys are one if the limit is shared.
func player(ctx context.Context, r *logs.Recording, shared bool) least.Log {
	const rows = 1024
	times, ones, zeros := make([]int64, rows), make([]int64, rows), make([]int32, rows)
	for i := range ones {
		ones[i] = 1
	}
	return func(visit func(least.Block) error) error {
		c := r.Play(0, 1<<63-1)
		for {
			n := c.Fill(times)
			if err := cmp.Or(ctx.Err(), c.Err()); err != nil || n == 0 {
				return err
			}
			b := least.Block{Keys: c.Keys(), Times: times[:n], Costs: c.Costs()}
			if b.Costs == nil {
				b.Costs = ones[:n]
			}
			if shared {
				b.Keys = zeros[:n]
			}
			if err := visit(b); err != nil {
				return err
			}
		}
	}
}

// abusersByKey returns which keys are abusers, or nil if none are named.
func (a *answering) abusersByKey() ([]bool, error) {
	if a.Abusers == nil {
		return nil, nil
	}
	here := map[string]bool{} // by abuser
	for _, key := range a.Abusers {
		here[key] = false
	}
	found := lists.Map(a.names, func(name string) bool {
		_, named := here[name]
		if named {
			here[name] = true
		}
		return named
	})
	absent := lists.Where(lists.Distinct(a.Abusers), func(key string) bool { return !here[key] })
	if a.Hash != nil {
		absent = lists.Map(absent, a.Hash)
	}
	a.d.Input.AbusersAbsent = append(a.d.Input.AbusersAbsent, absent...)
	switch n := len(here) - len(absent); {
	case n == 0 && a.Hash != nil:
		return nil, misfitf("--abusers %s: the log has none of %s", a.AbusersFile, format.Count(len(here), "key"))
	case n == 0:
		return nil, misfitf("--abusers %s: the log has none of %s (%s)%s; its keys are such as %s", a.AbusersFile,
			format.Count(len(here), "key"), someOf(absent), scenarios.Suggest(a.Abusers[0], a.names[:min(len(a.names), 1000)]), a.names[0])
	case len(absent) > 0:
		a.d.Unknown = append(a.d.Unknown, fmt.Sprintf("%d of %s in %s: the log has no request of %s", len(absent), format.Count(len(here), "abuser"), a.AbusersFile, someOf(absent)))
	}
	return found, nil
}

// someOf writes the first of some names, and how many more there are.
func someOf(names []string) string {
	const most = 10
	if more := len(names) - most; more > 0 {
		names = append(names[:most:most], fmt.Sprintf("%d more", more))
	}
	return format.Clean(strings.Join(names, ", "))
}

// describe fills in the facts of the log and the goal.
func (a *answering) describe() {
	f, s := &a.log.Facts, a.study
	a.d.Input = Input{
		Files: f.Files, Read: []string{}, AbusersAbsent: a.d.Input.AbusersAbsent, Requests: f.Rows, Keys: s.DemandKeys + s.AbuserKeys, Cost: f.Cost, Malformed: f.Malformed,
		FirstNs: f.FirstNs, LastNs: f.LastNs, ResolutionNs: f.ResolutionNs, AbuserRequests: s.AbuserRequests, AbuserKeys: s.AbuserKeys,
	}
	for _, c := range f.Choices {
		a.d.Warnings = append(a.d.Warnings, c.Warnings...)
		if text := c.String(); !slices.Contains(a.d.Input.Read, text) {
			a.d.Input.Read = append(a.d.Input.Read, text)
			for _, o := range c.Others {
				a.d.Input.Read = append(a.d.Input.Read, "other candidate: "+o.String())
			}
		}
		a.d.Input.Per = cmp.Or(a.Per, c.Key)
	}
	if a.Shared {
		a.d.Input.Per = ""
	}
	a.d.Goal = Goal{AtMost: a.AtMost, Of: a.Of, Allowed: s.Allowed(a.Goal), Reserve: a.Goal.Reserve.Float(), DemandRequests: s.Requests, DemandKeys: s.DemandKeys}
}

// limitText writes the rate of a bucket, or the limit of a window.
func limitText(l counting.Limit) string { return units.Rate{Count: l.Count, Per: l.Window}.String() }

func percent(part, of int64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(part) / float64(of)
}

// setting returns the entry of an outcome in the document.
func (a *answering) setting(o *least.Outcome) Setting {
	s := a.study
	entry := Setting{
		Limit: limitText(o.Limit), Count: o.Limit.Count, WindowNs: o.Limit.Window, Least: o.Exact, Tried: o.Tried, Short: o.Short,
		RefusedRequests: o.Requests, RefusedRequestsPct: percent(o.Requests, s.Requests), RefusedCost: o.Cost,
		RefusedKeys: o.Keys, RefusedKeysPct: percent(o.Keys, s.DemandKeys), AbuserRefused: o.AbuserRequests, MostPerMinute: a.Algorithm.Most(o.Limit, least.Minute), Who: []Who{},
	}
	if a.Algorithm.Bucket {
		entry.Burst = &o.Limit.Burst
	}
	if s.AbuserRequests > 0 {
		passes := percent(s.AbuserRequests-o.AbuserRequests, s.AbuserRequests)
		entry.AbuserPassesPct = &passes
	}
	entry.Who = append(entry.Who, lists.Map(o.Who, func(w least.Refused) Who { return Who{Key: a.names[w.Key], Requests: w.Requests, Cost: w.Cost} })...)
	return entry
}

// heavy returns the entry of a key, without its need under the recommended limit.
func (a *answering) heavy(key int32, own []least.Own) Key {
	d := &a.study.Keys[key]
	k := Key{
		Key: a.names[key], Abuser: a.study.IsAbuser(key), Requests: d.Requests, SharePct: percent(d.Requests, a.log.Facts.Rows), Cost: d.Cost, PeakPerS: d.PeakPerS,
	}
	if best, found := least.Tightest(a.Algorithm, own); found {
		k.OwnLimit, k.PerMinute = limitText(best.Limit), a.Algorithm.Most(best.Limit, least.Minute)
		if a.Algorithm.Bucket {
			k.OwnBurst = &best.Limit.Burst
		}
	}
	return k
}
