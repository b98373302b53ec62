package cli

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
	"github.com/limitgauge/limitgauge/search/advice"
)

// promise holds the flags of explain that state the largest accepted errors.
type promise struct{ both, over, under string }

func (p *promise) flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&p.both, "promise", "5%", "largest accepted error above and below the limit, as a `SHARE` of the limit")
	f.StringVar(&p.over, "promise-over", "", "largest accepted over-limit, as a `SHARE`; --promise unless given")
	f.StringVar(&p.under, "promise-under", "", "largest accepted under-admission, as a `SHARE`; --promise unless given")
}

// bounds returns the promise over and under the limit.
func (p *promise) bounds() (b advice.Bounds, err error) {
	for _, bound := range []struct {
		flag, text string
		pcts       []*float64
	}{{"promise", p.both, []*float64{&b.OverPct, &b.UnderPct}}, {"promise-over", p.over, []*float64{&b.OverPct}}, {"promise-under", p.under, []*float64{&b.UnderPct}}} {
		if bound.text == "" {
			continue
		}
		share, err := units.ParseFraction(bound.text)
		if err != nil || share.Num <= 0 {
			return b, usagef("--%s: want a share above 0, such as 5%%, not %q", bound.flag, bound.text)
		}
		for _, pct := range bound.pcts {
			*pct = 100 * share.Float()
		}
	}
	return b, nil
}

func describePromise(b advice.Bounds) string {
	if b.OverPct == b.UnderPct {
		return fmt.Sprintf("within %s %% of the limit, over it (over-limit) and under it (under-admission)", format.Number(b.OverPct))
	}
	return fmt.Sprintf("at most %s %% over the limit (over-limit) and %s %% under it (under-admission)", format.Number(b.OverPct), format.Number(b.UnderPct))
}

// changes returns a table of the single changes that stay within the bounds, and
// of what they cost.
func changes(kept []advice.Kept, now advice.Figures) table.Table {
	t := table.Table{
		Lead: "Each of these changes alone keeps it, the one with the fewest server calls first, among equal ones the smallest (a number by its ratio, another word counts as tenfold). " +
			"Now there are " + format.Number(now.ServerCallsPerS) + " calls per second, " + format.Number(now.CallsPerRequest) + " per request:",
		Columns: []table.Column{{Header: "option"}, {Header: "from"}, {Header: "to"},
			{Header: "over-limit", Unit: "%", Right: true}, {Header: "under-admission", Unit: "%", Right: true}, {Header: "server calls", Unit: "/s", Right: true}, {Header: "calls", Unit: "/request", Right: true}},
	}
	for _, k := range kept {
		t.Rows = append(t.Rows, []string{k.Option, k.From, k.To,
			format.Number(k.Figures.OverLimitPct), format.Number(k.Figures.UnderAdmissionPct), format.Number(k.Figures.ServerCallsPerS), format.Number(k.Figures.CallsPerRequest)})
	}
	return t
}

// floors returns a table of the options that cannot keep the promise alone, with
// the best value of each. predict returns the closed form of the over-limit for a
// change.
func floors(short []advice.Short, predict func(advice.Change) catalog.Predicted) table.Table {
	t := table.Table{
		Lead: "No value of these options keeps it alone. The best of those that were tried, which is the floor of the option here:",
		Columns: []table.Column{{Header: "option"}, {Header: "tried", Free: true}, {Header: "best"},
			{Header: "over-limit", Unit: "%", Right: true}, {Header: "closed form", Unit: "%"}, {Header: "under-admission", Unit: "%", Right: true}},
	}
	for _, s := range short {
		var words []string
		for _, c := range s.Tried {
			words = append(words, c.To)
		}
		tried, form := strings.Join(words, ", "), "-"
		if last := s.Tried[len(s.Tried)-1]; s.Graded() {
			tried = s.Tried[0].To + " to " + last.To
			if p := predict(last); p.Formula != "" {
				form = fmt.Sprintf("%s = %s at %s", p.Formula, format.Number(100*p.Value), last.To)
			}
		}
		t.Rows = append(t.Rows, []string{s.Option, tried, s.To, format.Number(s.Figures.OverLimitPct), form, format.Number(s.Figures.UnderAdmissionPct)})
	}
	return t
}
