package scenarios

import (
	"math/big"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// CostKinds declares how the costs of requests are selected.
func CostKinds() []catalog.Entry {
	return append(distributions(), catalog.Entry{
		Name: costEstimated, Summary: "known only with the answer, as with the tokens of a language model; until then a limiter has an estimate",
		Fields: []catalog.Field{
			{Name: "estimate", Kind: catalog.Union, Definition: distribution, Choices: distributions(), Bare: "constant", Required: true, Doc: "tokens that are expected when the request arrives"},
			{Name: "actual", Kind: catalog.Union, Definition: distribution, Choices: distributions(), Bare: "constant", Required: true, Doc: "tokens that the request turns out to cost"},
			{Name: "correlation", Kind: catalog.Share, Default: "0", Min: "0", Max: "1",
				Doc: "Spearman's rank correlation of estimate and actual cost: the share of requests whose two costs have the same rank; see below"},
		},
	})
}

// distribution is the definition of distributions in the schema.
const distribution = "distribution"

// costEstimated is the kind of cost that is known only with the answer.
const costEstimated = "estimated"

// distributions declares the distributions of a number of tokens.
func distributions() []catalog.Entry {
	tokens := func(name, fallback, doc string) catalog.Field {
		return catalog.Field{Name: name, Kind: catalog.Int, Unit: "tokens", Default: fallback, Required: fallback == "",
			Min: "1", Max: "1000000000", Doc: doc}
	}
	return []catalog.Entry{
		{Name: "constant", Summary: "every request the same", Fields: []catalog.Field{
			tokens("value", "1", "tokens per request"),
		}},
		{Name: "uniform", Summary: "every whole number of a range with equal probability", Fields: []catalog.Field{
			tokens("min", "1", "smallest"),
			tokens("max", "", "largest"),
		}},
		{Name: "choice", Summary: "one of a few values, with weights", Fields: []catalog.Field{
			{Name: "values", Kind: catalog.List, Required: true,
				Elem: &catalog.Field{Kind: catalog.Int, Min: "1", Max: "1000000000"}, Doc: "tokens per request"},
			{Name: "weights", Kind: catalog.List,
				Elem: &catalog.Field{Kind: catalog.Int, Min: "0", Max: "1000000000"},
				Doc:  "one whole number per value; values are drawn in proportion to them; equal by default"},
		}},
		{Name: "exponential", Summary: "exponential, rounded to whole tokens of at least 1", Fields: []catalog.Field{
			tokens("mean", "", "mean before rounding"),
			tokens("max", "", "largest; larger draws are cut to it"),
		}},
		{Name: "lognormal", Summary: "log-normal, rounded to whole tokens of at least 1", Fields: []catalog.Field{
			tokens("p50", "", "median"),
			tokens("p99", "", "99th percentile; at least p50"),
			tokens("max", "", "largest; larger draws are cut to it"),
		}},
		{Name: "quantiles", Summary: "given by some of its quantiles, linear between them", Fields: []catalog.Field{
			{Name: "tokens", Kind: catalog.List, Required: true,
				Elem: &catalog.Field{Kind: catalog.Int, Min: "1", Max: "1000000000"}, Doc: "two or more numbers of tokens that do not decrease: the smallest, quantiles, the largest"},
			{Name: "at", Kind: catalog.List,
				Elem: &catalog.Field{Kind: catalog.Share, Min: "0", Max: "1"},
				Doc:  "share of the requests that cost at most the number of tokens at the same place: 0% first, 100% last, increasing; evenly spaced by default"},
		}},
	}
}

// AnswerKinds declares the distributions of the time until an answer.
func AnswerKinds() []catalog.Entry {
	return append(catalog.Latencies(), catalog.Entry{
		Name: "per_token", Summary: "in proportion to tokens", Fields: []catalog.Field{
			{Name: "per_token", Kind: catalog.Duration, Required: true, Min: "0s", Doc: "time for each token"},
			{Name: "base", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "time in addition to that"},
			{Name: "of", Kind: catalog.Enum, Enum: []string{"cost", "output"}, Default: "cost",
				Doc: "tokens that take time: all of the cost, or its output, which is the cost minus the estimate (without estimate_plus)"},
		}})
}

// answerField declares the time until a cost is known.
func answerField() catalog.Field {
	return catalog.Field{Name: "answer", Needs: catalog.Needs{"estimates: any or pattern: workers"}, Kind: catalog.Union, Bare: "constant", Default: "constant", Choices: AnswerKinds(),
		Doc: "time from the dispatch of a request to the end of its answer, when its cost becomes known and a worker goes on; a log or a list may state its own"}
}

// Settles reports whether the costs of the entry's requests become known only with
// their answers.
func (t *Traffic) Settles() bool {
	stated := func(event any) bool { return event.(catalog.Values).Set("estimate") }
	return t.Cost.Name == costEstimated || t.Cost.Name == "" && len(t.Options.List("estimate_fields")) > 0 ||
		t.Pattern == patternList && slices.ContainsFunc(t.Options.List("events"), stated)
}

// settles reports whether an entry of the scenario does so.
func (s *Scenario) settles() bool {
	return slices.ContainsFunc(s.Traffic, func(t Traffic) bool { return t.Settles() })
}

// costs checks cost distributions whose fields depend on each other.
func (l *loader) costs(e *entry) {
	at := place{e.Cost.Pos, e.node.at("cost").field(e.Cost.Name).path}
	if e.Cost.Name != costEstimated {
		l.distribution(e.Cost, at)
		return
	}
	for _, name := range []string{"estimate", "actual"} {
		c := e.Cost.Values.Choice(name)
		l.distribution(c, place{c.Pos, at.field(name).field(c.Name).path})
	}
}

// ordered holds the fields of distributions of which the first may not be above the
// second.
var ordered = map[string][][2]string{
	"uniform":     {{"min", "max"}},
	"exponential": {{"mean", "max"}},
	"lognormal":   {{"p50", "p99"}, {"p50", "max"}},
}

// distribution checks one distribution.
func (l *loader) distribution(c catalog.Choice, at place) {
	v := c.Values
	for _, pair := range ordered[c.Name] {
		if v.Int(pair[0]) > v.Int(pair[1]) {
			l.report(at, "%s is above %s", pair[0], pair[1])
		}
	}
	switch c.Name {
	case "choice":
		values, weights := v.List("values"), v.List("weights")
		if len(weights) == 0 {
			return
		}
		if len(weights) != len(values) {
			l.report(at.field("weights"), "the number of weights is %d, but there are %d values", len(weights), len(values))
		}
		if !slices.ContainsFunc(weights, func(w any) bool { return w.(int64) > 0 }) {
			l.report(at.field("weights"), "are all 0")
		}
	case "quantiles":
		l.quantiles(v, at)
	}
}

// quantiles checks the two lists of a distribution by quantiles.
func (l *loader) quantiles(v catalog.Values, at place) {
	tokens, shares := v.List("tokens"), v.List("at")
	falls := func(a, b any) bool { return a.(int64) > b.(int64) }
	share := func(x any) (num, den int64) { f := x.(units.Fraction); return f.Num, f.Den }
	switch {
	case len(tokens) < 2:
		l.report(at.field("tokens"), "has %d numbers, but needs the smallest and the largest", len(tokens))
	case firstPair(tokens, falls) > 0:
		i := firstPair(tokens, falls)
		l.report(at.field("tokens"), "%d comes after %d: they must not decrease", tokens[i], tokens[i-1])
	}
	if len(shares) == 0 {
		return
	}
	if len(shares) != len(tokens) {
		l.report(at.field("at"), "the number of shares is %d, but there are %d numbers of tokens", len(shares), len(tokens))
		return
	}
	first, _ := share(shares[0])
	num, den := share(shares[len(shares)-1])
	if first != 0 || num != den {
		l.report(at.field("at"), "must begin with 0%% and end with 100%%")
	}
	rises := func(a, b any) bool {
		x, xDen := share(a)
		y, yDen := share(b)
		return big.NewRat(x, xDen).Cmp(big.NewRat(y, yDen)) >= 0
	}
	if firstPair(shares, rises) > 0 {
		l.report(at.field("at"), "must increase")
	}
}

// firstPair returns the index of the first item that is wrong after the one before
// it, or 0.
func firstPair(list []any, wrong func(before, item any) bool) int {
	for i := 1; i < len(list); i++ {
		if wrong(list[i-1], list[i]) {
			return i
		}
	}
	return 0
}

// largestCost returns the most that a synthetic request takes on arrival under a
// policy: its cost, or the estimate of a cost that becomes known with the answer.
// Recorded and listed costs are not known here, nor what an algorithm takes in place
// of the estimate.
func largestCost(a *Algorithm, entries []entry, policy int, requests bool) (cost int64) {
	if requests {
		return 1
	}
	settles := slices.ContainsFunc(entries, func(e entry) bool { return e.Settles() })
	switch a.Options.Choice("settle").Name {
	case "", "none", "deduct-estimate-then-settle":
	default:
		if settles {
			return 1
		}
	}
	for i := range entries {
		if d := entries[i].Descriptors; d != nil && d[policy].Applies.Num == 0 {
			continue
		}
		c := entries[i].Cost
		if c.Name == costEstimated {
			c = c.Values.Choice("estimate")
		}
		cost = max(cost, largestOf(c))
	}
	return cost
}

// largestOf returns the largest cost of a distribution, 0 if it is not given.
func largestOf(c catalog.Choice) (cost int64) {
	v := c.Values
	switch c.Name {
	case "constant":
		return v.Int("value")
	case "uniform", "exponential", "lognormal":
		return v.Int("max")
	}
	for _, x := range slices.Concat(v.List("values"), v.List("tokens")) { // of a choice, or of quantiles
		cost = max(cost, x.(int64))
	}
	return cost
}
