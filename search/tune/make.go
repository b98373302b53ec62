package tune

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/groups"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/internal/stats"
	"github.com/limitgauge/limitgauge/search/tune/search"
)

// Candidates describes the candidates of a search.
type Candidates interface {
	Algorithm(candidate int) string
	Values(candidate int) []string
	Setting(candidate int) string
	Text(candidate int) ([]byte, error)
}

// Complete adds to a document what a search found. The document has the members up to
// Axes.
func Complete(d *Document, found *search.Found, c Candidates) error {
	d.Answer, d.NextCheaper = settingOf(found.Answer, c), settingOf(found.Below, c)
	tightest := found.Below
	switch {
	case found.Answer != nil:
		d.Outcome = Kept
		d.YAML = c.Setting(found.Answer.Number)
		text, err := c.Text(found.Answer.Number)
		if err != nil {
			return err
		}
		d.File = string(text)
		d.GateReplications = gateReplications(found.Answer, d.Replications)
		tightest = cmp.Or(tightest, found.Answer)
	case found.UsedUp:
		d.Outcome, d.Reason = Undecided, "the budget is used up before a setting is known to keep the promise"
		d.Nearest, tightest = settingOf(found.Nearest, c), found.Nearest
	case found.Nearest == nil:
		d.Outcome, d.Reason = Undecided, "no setting has figures"
	default:
		d.Outcome, d.Reason = Broken, "no setting keeps the promise"
		if found.Parts != nil {
			d.Reason = "no option keeps the promise alone, at any value that was tried"
		}
		d.Nearest, tightest = settingOf(found.Nearest, c), found.Nearest
	}
	d.Without = without(found.Seen)
	d.alone(found, c)
	d.Work = workOf(found)
	d.axes(found, c)
	d.settings(found.Seen, tightest, c)
	return nil
}

func settingOf(from *search.Candidate, c Candidates) *Setting {
	if from == nil {
		return nil
	}
	s := &Setting{
		Algorithm: c.Algorithm(from.Number), At: c.Values(from.Number), Cost: from.Cost(), Replications: len(from.Costs), Exact: from.Exact,
		Verdict: map[search.Verdict]string{search.Kept: Kept, search.Rejected: Broken, search.Open: Undecided}[from.Verdict],
	}
	for i, p := range from.Promises {
		s.Figures = append(s.Figures, Figure{p.Metric, from.Mean(i), p.Scenario})
	}
	if len(from.Fresh) > 0 {
		s.Fresh = freshOf(from, s.Algorithm)
	}
	return s
}

func promiseOf(p search.Promise, algorithm string) Promise {
	return Promise{algorithm, p.Metric, p.Op, p.Threshold, p.Scenario}
}

func freshOf(from *search.Candidate, algorithm string) *Fresh {
	f := &Fresh{Seeds: len(from.Fresh), Kept: from.KeptSeeds()}
	lo, hi := stats.Share(f.Kept, f.Seeds)
	if from.Exact { // every seed gives the same
		lo, hi = float64(f.Kept), float64(f.Kept)
	}
	f.KeptLoPct, f.KeptHiPct = 100*lo, 100*hi
	var costs []float64
	figures := make([][]float64, len(from.Promises))
	for _, seed := range from.Fresh {
		if seed.NoData != "" {
			f.NoData = cmp.Or(f.NoData, seed.NoData)
			continue
		}
		costs = append(costs, seed.Cost)
		for i, x := range seed.Figures {
			figures[i] = append(figures[i], x)
		}
	}
	if len(costs) == 0 {
		return f
	}
	f.Cost = stats.Mean(costs)
	for i, p := range from.Promises {
		h := Held{Promise: promiseOf(p, algorithm), Mean: stats.Mean(figures[i]), Worst: figures[i][0]}
		for _, x := range figures[i] {
			if p.Margin(x) < p.Margin(h.Worst) {
				h.Worst = x
			}
			if !p.Keeps(x) {
				h.Broken++
			}
		}
		f.Promises = append(f.Promises, h)
	}
	return f
}

// without says why settings have no figures, each reason once.
func without(seen []*search.Candidate) []string {
	var settings groups.Groups[string, *search.Candidate] // by reason
	for _, c := range seen {
		if c.NoData != "" {
			settings.Add(c.NoData, c)
		}
	}
	return append([]string{}, lists.Map(settings.Keys, func(reason string) string {
		return fmt.Sprintf("%s: %s", format.Count(len(settings.Of[reason]), "setting"), reason)
	})...)
}

func workOf(found *search.Found) Work {
	w := found.Work
	percent := func(part, of int64) float64 { return 100 * float64(part) / float64(of) }
	return Work{
		Settings: w.Candidates, Seen: len(found.Seen), Searched: w.Searched, Fresh: w.Fresh, Used: w.Used(),
		Sweep: w.Sweep, FullSeeds: search.FullSeeds, Full: w.Full,
		OfFullPct: percent(w.Used(), w.Full), OfSweepPct: percent(w.Used(), w.Sweep), SearchedPct: percent(w.Searched, w.Sweep),
	}
}

// settings lists what the search saw, and marks the front of the cost and of the promise
// that the given candidate is nearest to breaking, or breaks.
func (d *Document) settings(seen []*search.Candidate, tightest *search.Candidate, c Candidates) {
	d.Settings = []Setting{}
	list := slices.DeleteFunc(slices.Clone(seen), func(one *search.Candidate) bool { return one.NoData != "" })
	if len(list) == 0 {
		return
	}
	tightest = cmp.Or(tightest, list[0])
	promise := tightest.Promises[tightest.Tightest()]
	d.Tightest = promiseOf(promise, c.Algorithm(tightest.Number))
	margin := func(one *search.Candidate) float64 {
		i := slices.IndexFunc(one.Promises, func(p search.Promise) bool { return p.Metric == promise.Metric && p.Scenario == promise.Scenario })
		if i < 0 {
			return math.Inf(-1)
		}
		return promise.Margin(one.Mean(i))
	}
	slices.SortStableFunc(list, func(a, b *search.Candidate) int {
		return cmp.Or(cmp.Compare(a.Cost(), b.Cost()), cmp.Compare(margin(b), margin(a)), cmp.Compare(a.Number, b.Number))
	})
	best := math.Inf(-1)
	for _, one := range list {
		s := settingOf(one, c)
		if m := margin(one); m > best {
			best, s.Front = m, true
		}
		d.Settings = append(d.Settings, *s)
	}
}
