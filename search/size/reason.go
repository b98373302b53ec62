package size

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// reason says why a setting is recommended.
func (a *answering) reason(s *Setting) string {
	text := fmt.Sprintf("it refuses %s (%s %% of the demand) of %s", format.Count(s.RefusedRequests, "request"), format.Number(s.RefusedRequestsPct), format.Count(s.RefusedKeys, "key"))
	if s.RefusedRequests == 0 {
		text = "it refuses nothing of the demand"
	}
	if s.AbuserPassesPct != nil {
		text += fmt.Sprintf(", and %d of the %s of abusers (%s %% pass)", s.AbuserRefused, format.Count(a.study.AbuserRequests, "request"), share(*s.AbuserPassesPct))
		of := "these settings"
		if a.d.Unstopped == "" {
			of = "the settings that refuse abusers at least nine tenths of what the strictest does"
		}
		return text + fmt.Sprintf("; of %s, it refuses the fewest keys of the demand, then abusers the most; a key can take at most %d in any minute", of, s.MostPerMinute)
	}
	if a.d.Goal.Reserve != 1 {
		return fmt.Sprintf("%s; a key can take at most %d in any minute, and without the reserve the least of these settings", text, s.MostPerMinute)
	}
	return fmt.Sprintf("%s; a key can take at most %d in any minute, the least of these settings", text, s.MostPerMinute)
}

// share writes a share in percent, and 100 only for all.
func share(percent float64) string { return format.Beside(percent, 100) }

// unstopped says that no setting stops the abusers, if none refuses half of their requests.
func (a *answering) unstopped(outcomes []least.Outcome) string {
	if a.study.Stopped(outcomes) || len(outcomes) == 0 {
		return ""
	}
	most, all := least.Strictest(outcomes), a.study.AbuserRequests
	return fmt.Sprintf("no limit per key stops these abusers: of their %s by %s, these settings refuse at most %d (%s %% pass)",
		format.Count(all, "request"), format.Count(a.study.AbuserKeys, "key"), most, share(percent(all-most, all)))
}

// replay returns the command that shows a limit at work.
func (a *answering) replay(l counting.Limit) string {
	command := fmt.Sprintf("%s --limit %s --algorithms %s --no-plots", a.Command, limitText(l), a.Algorithm.Name)
	if a.Algorithm.Bucket {
		command += fmt.Sprintf(" --burst %d", l.Burst)
	}
	return command
}

// policies fills in the policies of a limit. It also sizes windows, for the limiters that
// have no bucket, and counts what their nearest settings change.
func (a *answering) policies(best *least.Outcome) (err error) {
	l := best.Limit
	sized := map[string]int64{}
	a.d.Policies = Policies(Ask{
		Algorithm: a.Algorithm.Name, Limit: l, Text: limitText(l), Bucket: a.Algorithm.Bucket, Per: a.d.Input.Per, Where: a.Where, Address: !slices.ContainsFunc(a.log.Facts.Choices, func(c logs.Choice) bool { return !c.Address }), Weighted: a.study.Weighted() || a.log.Weighed(), Window: l.Window,
		Least: func(algorithm string, window int64) int64 {
			if algorithm == a.Algorithm.Name && window == l.Window {
				return l.Count
			}
			id := fmt.Sprint(algorithm, window)
			if _, known := sized[id]; !known && err == nil {
				sized[id], err = a.leastCount(algorithm, window)
			}
			return sized[id]
		},
		Change: func(algorithm string, other counting.Limit) string {
			counter, failed := least.Find(algorithm)
			if algorithm == least.Nginx.Name {
				counter, failed = &least.Nginx, nil
			}
			if err = cmp.Or(err, failed); err != nil {
				return ""
			}
			o, failed := a.study.Count(counter, other)
			err = failed
			change, more, text := o.Requests-best.Requests, "more", "refuse as many requests"
			switch {
			case change == 0 && o.Most == best.Most:
				return ""
			case change < 0:
				change, more = -change, "fewer"
			}
			if change > 0 {
				text = fmt.Sprintf("refuse %s %s, %s %% of the demand", format.Count(change, "request"), more, format.Number(percent(change, a.study.Requests)))
			}
			return fmt.Sprintf("%s, and a key can take at most %d in any minute", text, o.Most)
		},
	})
	return err
}

// leastCount returns the least count of exact windows, or of HAProxy, that keeps the goal, 0 if the
// stamps do not resolve them or the log holds fewer than ten.
func (a *answering) leastCount(name string, window int64) (int64, error) {
	rate := name == haproxyRate
	if rate { // it resolves what an exact window does
		name = exactSliding
	}
	algorithm, err := least.Find(name)
	if err != nil || !algorithm.Resolves(window, a.log.Facts.ResolutionNs) || !a.study.Holds(window) {
		return 0, err
	}
	if rate {
		return a.study.LeastRate(window, a.Goal)
	}
	answer, err := a.study.Solve(algorithm, []counting.Limit{{Window: window}}, a.Goal, true)
	if err != nil || len(answer.Outcomes) == 0 {
		return 0, err
	}
	return answer.Outcomes[0].Limit.Count, nil
}

// dropped says which windows and candidates the log cannot decide.
func (a *answering) dropped(list []least.Dropped) {
	span := format.Span(a.study.LastNs - a.study.FirstNs)
	kind := "windows of"
	if a.Algorithm.Bucket {
		kind = "rates per"
	}
	for _, w := range lists.Distinct(a.Windows) {
		switch {
		case a.Rates != nil:
		case !a.resolves(w):
			a.d.Unknown = append(a.d.Unknown, fmt.Sprintf("%s %s: stamps resolve to %s", kind, format.Span(w), format.Span(a.log.Facts.ResolutionNs)))
		case !a.study.Holds(w):
			a.d.Unknown = append(a.d.Unknown, fmt.Sprintf("%s %s: the log spans %s, fewer than ten of them", kind, format.Span(w), span))
		}
	}
	if len(list) == 0 || !a.Algorithm.Bucket {
		return
	}
	last := list[len(list)-1]
	at := limitText(last.Limit)
	if len(list) > 1 {
		at += " and slower"
	}
	a.d.Unknown = append(a.d.Unknown, fmt.Sprintf("rates of %s: what they need depends on how long the log is; a burst of at least %d, as %s needs, takes more than a quarter of its %s to refill",
		at, last.Allowance, limitText(last.Limit), span))
}

// mostOfDay is the length in ns of a part that shows a day: the log of a day seldom spans
// all of it.
const mostOfDay = 23 * int64(3600e9)

// unknown says what else the log cannot say.
func (a *answering) unknown() (list []string) {
	f, g := &a.log.Facts, &a.d.Goal
	if g.Allowed == 0 && a.Goal.AtMost.Num > 0 {
		of := g.DemandRequests
		if a.Goal.OfKeys {
			of = g.DemandKeys
		}
		list = append(list, fmt.Sprintf("what a share of %s needs: of %s it is less than one, so the settings refuse nothing of the demand", g.AtMost, format.Count(of, strings.TrimSuffix(g.Of, "s"))))
	}
	best := a.d.Best()
	if best == nil && slices.ContainsFunc(a.Windows, a.resolves) {
		list = append(list, "any setting: the log is too short, or too few requests are in it")
	}
	if f.ResolutionNs > 1e6 && best != nil && a.Algorithm.Bucket {
		off := (best.Count*f.ResolutionNs + best.WindowNs - 1) / best.WindowNs
		list = append(list, fmt.Sprintf("bursts to the request: stamps resolve to %s, so at %s a burst may be off by %d", format.Span(f.ResolutionNs), best.Limit, off))
	}
	if f.ResolutionNs > 1e6 && best != nil && a.Algorithm.Name == "sliding-window-log" {
		list = append(list, fmt.Sprintf("counts to the request: stamps resolve to %s, so each window may begin and end by that much later", format.Span(f.ResolutionNs)))
	}
	for _, s := range a.d.Settings {
		if s.Short {
			list = append(list, fmt.Sprintf("what %s needs in a longer log: this one holds fewer than ten windows of %s, or fewer than four times what its burst takes to refill", s.String(), format.Span(s.WindowNs)))
		}
		if !s.Least {
			list = append(list, fmt.Sprintf("whether %s is the least: costs differ, so a smaller one can refuse less, and not all of them from %d on were tried", s.String(), s.Tried))
		}
	}
	if b := a.d.Backtest; b != nil && len(b.Parts) > 0 {
		if part := b.Parts[0].ToNs - b.Parts[0].FromNs; part < mostOfDay {
			list = append(list, fmt.Sprintf("other days: a part of the test is %s of this log, and tomorrow can have clients and bursts that no part has; size logs of several days together", format.Span(part)))
		}
	}
	return list
}
