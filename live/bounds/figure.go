package bounds

import (
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// Figure is one metric of docs/metrics.md of a real limiter. The truth is from Lo to Hi.
type Figure struct {
	Name   string
	Lo, Hi float64 // in the unit of the metric
	// Seen is the figure with each request counted when it was answered, and without
	// the Failed ones. Lo <= Seen <= Hi.
	Seen float64
	None string // why there is no figure, or ""
}

// bound is a Figure under one reading of the times.
type bound struct {
	name   string
	lo, hi float64
	none   string
}

// Figures returns the metrics of a run with their bounds, always in the same order,
// and the key of over_limit_pct_worst_key as it was seen, or "" if no key was seen over
// its limit or there is one key. rep is what Judge returned for the same exchanges and
// settings. The metrics wait_* are among the figures only if a request waited. Figures
// returns an error in the same cases as Judge.
func Figures(exchanges []exchange.Exchange, s Settings, rep *Report) (figures []Figure, worstKey string, err error) {
	if p := rep.Phase.Phase; p != nil && s.Kind != Calendar {
		exchanges = later(exchanges, s.Limit.Window-p.EarliestNs)
	}
	records, err := soundRecords(exchanges, &s)
	if err != nil {
		return nil, "", err
	}
	flows := lists.Map(records, flowOf)
	c := newScope(records, &s, rep.Phase.Phase)
	within, _ := c.bounds(flows)
	least := within
	if s.ResolutionNs > 0 {
		least, _ = c.bounds(lists.Map(flows, func(f flow) flow { return f.earlier(s.ResolutionNs) }))
	}
	seen, worst := c.asSeen().bounds(lists.Map(flows, flow.asSeen))
	if worst >= 0 {
		worstKey = records[worst].key
	}
	for i, b := range within {
		f := Figure{Name: b.name, Lo: least[i].lo, Hi: b.hi, Seen: seen[i].lo}
		for _, none := range []string{b.none, least[i].none, seen[i].none} {
			if f.None == "" && none != "" {
				f = Figure{Name: b.name, None: none}
			}
		}
		figures = append(figures, f)
	}
	counts := countFigures(&rep.Counts)
	return slices.Concat(figures, counts, latencyFigures(records), shareFigures(records)), worstKey, nil
}

// later returns exchanges by a clock that is ns ahead.
func later(exchanges []exchange.Exchange, ns int64) []exchange.Exchange {
	return lists.Map(exchanges, func(e exchange.Exchange) exchange.Exchange {
		if e.Verdict != exchange.NotSent {
			e.SentNs, e.AnsweredNs = e.SentNs+ns, e.AnsweredNs+ns
		}
		return e
	})
}

// bounds returns the bounds of what follows from the times of requests, and the
// number of the key that was furthest over its limit, or -1.
func (c *scope) bounds(flows []flow) (list []bound, worst int) {
	list, worst = c.overLimitBounds(flows)
	list = append(list, c.burstBounds(flows)...)
	return append(list, c.admissionBounds(flows)...), worst
}

// ratio returns factor*a/b, rounded once, so that it equals the figure of a simulation with the
// same counts.
func ratio(factor, a, b int64) float64 { return float64(factor) * float64(a) / float64(b) }

// noPhase is the reason if a figure needs the calendar windows of a target.
const noPhase = "the phase of the target's windows is not known"
