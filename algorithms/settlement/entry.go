// Package settlement charges requests whose cost is known only with their answer, as
// the tokens of a language model are. A [Rule] says what a limiter takes when the
// request arrives; at the answer the limiter takes the difference to the actual cost,
// or gives it back (Correct of counter.Table). The package reads no clock and keeps no
// counters: see docs/systems/llm-tokens.md.
//
// The package makes no promise: it can change at any time.
package settlement

import (
	"cmp"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// Ways of settlement, as in scenario files.
const (
	None            = "none"
	CheckThenDeduct = "check-then-deduct"
	Estimate        = "deduct-estimate-then-settle"
	ReserveMaximum  = "reserve-maximum-then-refund"
	ReserveQuantile = "reserve-quantile-then-settle"
)

// Fields declares the options of limiters that settle costs.
func Fields() []catalog.Field {
	maximum := func(name, doc string) catalog.Field {
		return catalog.Field{Name: name, Kind: catalog.Int, Unit: "tokens", Min: "1", Max: "1000000000", Doc: doc + "; by default the largest cost of the scenario"}
	}
	return []catalog.Field{
		{Name: "settle", Needs: catalog.Needs{"cost: estimated"}, Kind: catalog.Union, Default: None, Doc: "what a request takes when it arrives, if its cost is known only with its answer",
			Choices: []catalog.Entry{
				{Name: None, Summary: "its estimate, which is never corrected"},
				{Name: CheckThenDeduct, Summary: "nothing: it is admitted if anything is left, and its actual cost is taken at the answer"},
				{Name: Estimate, Summary: "its estimate; the difference to the actual cost is taken or given back at the answer"},
				{Name: ReserveMaximum, Summary: "the largest possible cost; what it did not use is given back at the answer", Fields: []catalog.Field{
					maximum("maximum", "tokens that every request reserves"),
				}},
				{Name: ReserveQuantile, Summary: "a quantile of the actual costs that were settled before; the difference is taken or given back at the answer", Fields: []catalog.Field{
					{Name: "quantile", Kind: catalog.Share, Default: "95%", Min: "0", Max: "1", Doc: "share of the answers that cost at most the reservation"},
					{Name: "answers", Kind: catalog.Int, Unit: "answers", Default: "1000", Min: "1", Max: "100000", Doc: "latest answers of which the quantile is taken"},
					{Name: "of", Kind: catalog.Enum, Enum: []string{"all", "key"}, Default: "all", Doc: "whether the quantile is one of all answers, or one of each key's"},
					maximum("first", "tokens that a request reserves before any answer"),
				}},
			}},
		{Name: "expires_after", Needs: reserves(), Kind: catalog.Duration, Default: "0s", Min: "0s",
			Doc: "time after which a reservation is given back if it has not been settled; a later settlement takes the whole cost; 0 means never"},
		{Name: "settlement_loss", Met: true, Needs: settles(), Kind: catalog.Share, Default: "0", Min: "0", Max: "1",
			Doc: "share of the settlements that never reach the limiter, because their caller has crashed"},
		{Name: "settlement_debt", Needs: settles(), Kind: catalog.Bool, Default: "true",
			Doc: "whether a settlement takes tokens that the limit does not have; if false, it takes what is left at most"},
	}
}

// settles returns the condition of options for every way of settlement but none.
func settles() catalog.Needs {
	return catalog.Needs{"cost: estimated", "settle: not " + None}
}

// reserves returns the condition of options for ways that take something on arrival.
func reserves() catalog.Needs {
	return append(settles(), "settle: not "+CheckThenDeduct)
}

// Config holds the options of a limiter that settles costs.
type Config struct {
	Way      string
	Maximum  int64          // tokens that ReserveMaximum takes, and ReserveQuantile before any answer
	Quantile units.Fraction `option:"quantile"`
	Answers  int            `option:"answers"`
	ByKey    bool           `option:"of=key"`
	Expires  int64          `option:"expires_after"` // ns; 0 means never
	Loss     units.Fraction `option:"settlement_loss"`
	Debt     bool           `option:"settlement_debt"`
}

// ConfigFrom reads the options of Fields. largest is the largest cost of any request.
func ConfigFrom(v catalog.Values, largest int64) (Config, error) {
	way := v.Choice("settle")
	c := Config{Way: cmp.Or(way.Name, None), Maximum: largest}
	v.Read(&c)
	way.Values.Read(&c)
	for _, name := range []string{"maximum", "first"} {
		if way.Values.Set(name) {
			c.Maximum = way.Values.Int(name)
		}
	}
	return c, catalog.ErrorIf(c.Way == ReserveMaximum && c.Maximum < largest,
		"settle: a maximum of %d tokens is below the largest cost of the traffic, %d", c.Maximum, largest)
}
