package sim

import (
	"context"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

// followedKey is a key whose series is wanted, and why.
type followedKey struct {
	key                int32
	name, why, worstOf string // as in results.KeySeries
}

// UnknownKey reports a name that no key of any scenario has.
type UnknownKey struct {
	Name string
	Keys []string // all names of keys
}

func (e *UnknownKey) Error() string {
	text := fmt.Sprintf("no scenario has a key called %q%s", e.Name, scenarios.Suggest(e.Name, e.Keys))
	if len(e.Keys) <= 10 {
		text += "; the keys are " + catalog.Join(e.Keys)
	}
	return text
}

// checkKeys returns the names of keys as results show them. It returns an error if
// no scenario has one of the keys.
func checkKeys(plans []*plan, names []string) (shown []string, err error) {
	for _, name := range names {
		found := len(shown)
		for _, p := range plans {
			if key, ok := p.traffic.KeyCalled(name); ok {
				shown = append(shown, p.traffic.KeyName(key))
				break
			}
		}
		if found == len(shown) {
			return nil, &UnknownKey{name, allKeys(plans)}
		}
	}
	return shown, nil
}

// allKeys returns the names of all keys, sorted.
func allKeys(plans []*plan) (known []string) {
	for _, p := range plans {
		for key := range p.traffic.Keys() {
			known = append(known, p.traffic.KeyName(key))
		}
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// addKeySeries adds the series of the worst key and of the named ones to a
// document of finished jobs. If ctx ends early, it adds none and returns ctx's
// error.
func addKeySeries(ctx context.Context, d *results.Document, plans []*plan, jobs []*job, o Options) error {
	repeated := repeatJobs(d, plans, jobs, o)
	if err := runJobs(ctx, repeated, o); err != nil {
		return err
	}
	for _, j := range repeated {
		d.KeySeries = append(d.KeySeries, j.keySeries...)
	}
	return nil
}

// repeatJobs returns jobs that repeat the first replication to record the series
// of single keys: which key is the worst is known only after a run. A trial
// decides the same each time. Recording the series of every key instead would
// need memory for each.
func repeatJobs(d *results.Document, plans []*plan, jobs []*job, o Options) (repeated []*job) {
	trials, _ := finishedTrials(plans, jobs)
	for i, part := range d.PerScenario() {
		p := plans[i]
		var follow []followedKey
		if o.WorstKey && p.traffic.Keys() > 1 {
			follow = append(follow, worstOrBusiest(part.Results, trials[p], trials[p][p.rows[0].name][0].busiest))
		}
		for _, name := range o.Keys {
			follow = append(follow, followedKey{name: name, why: results.KeyNamed})
		}
		if o.WorstKey && len(p.recordings) > 0 {
			for _, name := range part.MostRefused(refusedKeys) {
				follow = append(follow, followedKey{name: name, why: results.KeyRefused})
			}
		}
		follow = p.number(follow)
		for _, j := range jobs {
			if len(follow) > 0 && j.plan == p && j.replication == 0 {
				repeated = append(repeated, &job{plan: p, rows: j.rows, follow: follow})
			}
		}
	}
	return repeated
}

// refusedKeys is the number of keys of a recorded log whose refusals are followed.
const refusedKeys = 5

// worstOrBusiest returns the worst key of the algorithm with the largest
// over_limit_pct_worst_key, named or not. If no key is over its limit, it returns the
// busiest. trials are those of the rows by name.
func worstOrBusiest(rows []results.Result, trials map[string][]*measured, busiest string) followedKey {
	worst, most := followedKey{name: busiest, why: results.KeyBusiest}, 0.0
	for _, r := range rows {
		over := r.Summary("over_limit_pct_worst_key").Mean
		if r.Reference || over == nil || *over <= most { // the best fixed limit, a reference, has no trials of its own
			continue
		}
		if key, _ := usualWorst(trials[r.Algorithm][:r.Replications]); key != "" {
			worst, most = followedKey{name: key, why: results.KeyWorst, worstOf: r.Algorithm}, *over
		}
	}
	return worst
}

// number returns the keys that the plan has, with their numbers. It leaves out
// repeated names.
func (p *plan) number(wanted []followedKey) []followedKey {
	var all []followedKey
	for _, f := range wanted {
		key, ok := p.traffic.KeyCalled(f.name)
		if f.key = int32(key); ok && !slices.ContainsFunc(all, func(o followedKey) bool { return o.key == f.key }) {
			all = append(all, f)
		}
	}
	return all
}

// collectKeySeries returns the series of the followed keys of a trial.
func (p *plan) collectKeySeries(s *rowRun, follow []followedKey) (list []results.KeySeries) {
	for _, f := range follow {
		one := results.KeySeries{
			Key: f.name, Why: f.why, WorstOf: f.worstOf,
			Series: p.seriesOf(s, s.recorder.KeySeries(f.key)),
		}
		drawLimit(&one.Series, s.setting, p.policyOf(f.key), 1)
		list = append(list, one)
	}
	return list
}

// policyOf returns the policy that a key belongs to.
func (p *plan) policyOf(key int32) *scenarios.Policy {
	if !p.traffic.MultiPolicy() {
		return &p.scenario.Policy
	}
	return &p.scenario.Policies()[p.checked.PolicyOf(key)]
}
