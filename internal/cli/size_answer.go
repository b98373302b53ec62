package cli

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/format"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/size"
	"github.com/limitgauge/limitgauge/search/sizing"
)

// heaviestKeys is how many keys size shows.
const heaviestKeys = 6

// readKeys reads keys, one a line. Lines without text are left out.
func readKeys(name string) (keys []string, err error) {
	if name == "" {
		return nil, nil
	}
	f, err := openInput(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	text, err := readAll(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for line := range bytes.Lines(text) {
		if key := strings.TrimSpace(string(line)); key != "" {
			keys = append(keys, key)
		}
	}
	if len(keys) == 0 {
		return nil, usagef("--abusers %s: no key in it; want one a line", name)
	}
	return keys, nil
}

// answering is a log and a question about it.
type answering struct {
	*question
	log   *logs.Recording
	names []string // of the keys
	study *size.Study
	d     *sizing.Document
}

// answer finds what a log needs.
func (q *question) answer(ctx context.Context, r *logs.Recording) (*sizing.Document, error) {
	a := &answering{question: q, log: r, names: r.Keys().Of, d: &sizing.Document{
		Schema: sizing.Schema, Version: q.version, Rerun: q.rerun, Algorithm: q.algorithm.Name,
		Settings: []sizing.Setting{}, Heaviest: []sizing.Key{}, Policies: []sizing.Policy{}, Unknown: []string{},
	}}
	if q.shared {
		a.names = []string{"all requests"}
	}
	abusers, err := a.abusersByKey()
	if err != nil {
		return nil, err
	}
	if a.study, err = size.NewStudy(player(ctx, r, q.shared), len(a.names), abusers); err != nil {
		return nil, err
	}
	if a.study.Requests == 0 {
		return nil, usagef("--abusers %s: every request of the log is one of theirs, so that no demand is left", q.abusersFile)
	}
	a.describe()
	if err := a.solve(); err != nil {
		return nil, err
	}
	a.d.Unknown = append(a.d.Unknown, a.unknown()...)
	return a.d, nil
}

// player plays a recording, in which all keys are one if the limit is shared.
func player(ctx context.Context, r *logs.Recording, shared bool) size.Log {
	const rows = 1024
	times, ones, zeros := make([]int64, rows), make([]int64, rows), make([]int32, rows)
	for i := range ones {
		ones[i] = 1
	}
	return func(visit func(size.Block) error) error {
		c := r.Play(0, 1<<63-1)
		for {
			n := c.Fill(times)
			if err := cmp.Or(ctx.Err(), c.Err()); err != nil || n == 0 {
				return err
			}
			b := size.Block{Keys: c.Keys(), Times: times[:n], Costs: c.Costs()}
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
	if a.abusers == nil {
		return nil, nil
	}
	named := map[string]bool{}
	for _, key := range a.abusers {
		named[key] = true
	}
	found := make([]bool, len(a.names))
	n := 0
	for i, name := range a.names {
		if found[i] = named[name]; found[i] {
			n++
		}
	}
	switch {
	case n == 0:
		return nil, usagef("--abusers %s: the log has none of %s%s; its keys are such as %s", a.abusersFile,
			format.Count(len(named), "key"), scenarios.Suggest(a.abusers[0], a.names[:min(len(a.names), 1000)]), a.names[0])
	case n < len(named):
		a.d.Unknown = append(a.d.Unknown, fmt.Sprintf("%d of %s in %s: the log has no request of theirs", len(named)-n, format.Count(len(named), "abuser"), a.abusersFile))
	}
	return found, nil
}

// describe fills in the facts of the log and the goal.
func (a *answering) describe() {
	f, s := &a.log.Facts, a.study
	a.d.Input = sizing.Input{
		Files: f.Files, Read: []string{}, Requests: f.Rows, Keys: s.DemandKeys + s.AbuserKeys, Cost: f.Cost, Malformed: f.Malformed,
		FirstNs: f.FirstNs, LastNs: f.LastNs, ResolutionNs: f.ResolutionNs, AbuserRequests: s.AbuserRequests, AbuserKeys: s.AbuserKeys,
	}
	for _, c := range f.Choices {
		if text := c.String(); !slices.Contains(a.d.Input.Read, text) {
			a.d.Input.Read = append(a.d.Input.Read, text)
		}
		a.d.Input.Per = cmp.Or(a.per, c.Key)
	}
	if a.shared {
		a.d.Input.Per = ""
	}
	a.d.Goal = sizing.Goal{AtMost: a.atMost, Of: a.of, Allowed: s.Allowed(a.goal), DemandRequests: s.Requests, DemandKeys: s.DemandKeys}
}

// heaviest fills in the keys with the most requests, and what each needs.
func (a *answering) heaviest(candidates []counter.Limit, outcomes []size.Outcome, best int) error {
	var keys []int32
	for key, d := range a.study.Keys {
		if d.Requests > 0 {
			keys = append(keys, int32(key))
		}
	}
	slices.SortFunc(keys, func(x, y int32) int {
		return cmp.Or(cmp.Compare(a.study.Keys[y].Requests, a.study.Keys[x].Requests), cmp.Compare(x, y))
	})
	keys = keys[:min(len(keys), heaviestKeys)]
	if best >= 0 {
		candidates = append([]counter.Limit{outcomes[best].Limit}, candidates...)
	}
	own, err := a.study.Own(a.algorithm, candidates, keys)
	if err != nil {
		return err
	}
	for i, key := range keys {
		k := a.heavy(key, own[i])
		if best >= 0 && own[i][0].Need != size.Unbounded {
			k.Need = &own[i][0].Need
		}
		a.d.Heaviest = append(a.d.Heaviest, k)
	}
	return nil
}

// solve finds the settings, and recommends one.
func (a *answering) solve() error {
	s := a.study
	var candidates []counter.Limit
	for _, r := range a.rates {
		candidates = append(candidates, counter.Limit{Count: r.Count, Window: r.Per})
	}
	slices.SortFunc(candidates, byRate)
	asked := len(candidates) > 0
	if !asked {
		candidates = a.resolved(s.Candidates(a.algorithm, a.windows))
	}
	outcomes, err := a.outcomes(candidates, asked)
	if err != nil {
		return err
	}
	best := size.Recommend(outcomes)
	for i := range outcomes {
		a.d.Settings = append(a.d.Settings, a.setting(&outcomes[i]))
	}
	if err := a.heaviest(candidates, outcomes, best); err != nil {
		return err
	}
	if best < 0 {
		return nil
	}
	a.d.Recommended = &best
	a.d.Reason = a.reason(&a.d.Settings[best])
	if a.d.Above, err = a.above(outcomes[best].Limit); err != nil {
		return err
	}
	a.d.Replay = a.replay(outcomes[best].Limit)
	return a.policies(outcomes[best].Limit)
}

// outcomes solves candidates. Unless they are asked for by name, it then tries more rates
// beside the best one.
func (a *answering) outcomes(candidates []counter.Limit, asked bool) ([]size.Outcome, error) {
	answer, err := a.study.Solve(a.algorithm, candidates, a.goal, asked)
	if err != nil {
		return nil, err
	}
	if asked {
		return answer.Outcomes, nil
	}
	a.dropped(answer.Dropped)
	outcomes := size.Frontier(a.algorithm, answer.Outcomes)
	best := size.Recommend(outcomes)
	if best < 0 || !a.algorithm.Bucket {
		return outcomes, nil
	}
	more, err := a.study.Solve(a.algorithm, size.Between(candidates, outcomes[best].Limit), a.goal, false)
	if err != nil {
		return nil, err
	}
	outcomes = append(outcomes, more.Outcomes...)
	slices.SortFunc(outcomes, func(x, y size.Outcome) int { return byRate(x.Limit, y.Limit) })
	return size.Frontier(a.algorithm, outcomes), nil
}

// byRate orders limits by their rates.
func byRate(x, y counter.Limit) int {
	switch {
	case size.Slower(x, y):
		return -1
	case size.Slower(y, x):
		return 1
	}
	return 0
}

// resolved returns the candidates whose windows the stamps of the log can tell apart.
func (a *answering) resolved(candidates []counter.Limit) (list []counter.Limit) {
	for _, c := range candidates {
		if a.algorithm.Resolves(c.Window, a.log.Facts.ResolutionNs) {
			list = append(list, c)
			continue
		}
		a.d.Unknown = append(a.d.Unknown, fmt.Sprintf("windows of %s: stamps resolve to %s", format.Span(c.Window), format.Span(a.log.Facts.ResolutionNs)))
	}
	return list
}

// limitText writes the rate of a bucket, or the limit of a window.
func limitText(l counter.Limit) string { return units.Rate{Count: l.Count, Per: l.Window}.String() }

func percent(part, of int64) float64 {
	if of == 0 {
		return 0
	}
	return 100 * float64(part) / float64(of)
}

// setting returns the entry of an outcome in the document.
func (a *answering) setting(o *size.Outcome) sizing.Setting {
	s := a.study
	entry := sizing.Setting{
		Limit: limitText(o.Limit), Count: o.Limit.Count, WindowNs: o.Limit.Window, Least: o.Exact, Tried: o.Tried, Short: o.Short,
		RefusedRequests: o.Requests, RefusedRequestsPct: percent(o.Requests, s.Requests), RefusedCost: o.Cost,
		RefusedKeys: o.Keys, RefusedKeysPct: percent(o.Keys, s.DemandKeys), AbuserRefused: o.AbuserRequests, MostPerMinute: o.Most, Who: []sizing.Who{},
	}
	if a.algorithm.Bucket {
		entry.Burst = &o.Limit.Burst
	}
	if s.AbuserRequests > 0 {
		passes := percent(s.AbuserRequests-o.AbuserRequests, s.AbuserRequests)
		entry.AbuserPassesPct = &passes
	}
	for _, w := range o.Who {
		entry.Who = append(entry.Who, sizing.Who{Key: a.names[w.Key], Requests: w.Requests, Cost: w.Cost})
	}
	return entry
}

// heavy returns the entry of a key, without its need under the recommended limit.
func (a *answering) heavy(key int32, own []size.Own) sizing.Key {
	d := &a.study.Keys[key]
	k := sizing.Key{
		Key: a.names[key], Abuser: a.study.IsAbuser(key), Requests: d.Requests, SharePct: percent(d.Requests, a.log.Facts.Rows), Cost: d.Cost, PeakPerS: d.PeakPerS,
	}
	if best, found := size.Tightest(a.algorithm, own); found {
		k.OwnLimit, k.PerMinute = limitText(best.Limit), a.algorithm.Most(best.Limit, size.Minute)
		if a.algorithm.Bucket {
			k.OwnBurst = &best.Limit.Burst
		}
	}
	return k
}
