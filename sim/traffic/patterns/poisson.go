package patterns

import "github.com/limitgauge/limitgauge/scenarios/catalog"

var poisson = kind{
	Entry: catalog.Entry{
		Name:    "poisson",
		Summary: "independent random arrivals at a constant mean rate",
		Idea: "Gaps between arrivals are exponential. The sum of many independent Poisson sources is one Poisson process in which " +
			"each arrival belongs to a random source, so many equal sources are one entry with uniform tenants or keys.",
		Bound: "the number of arrivals in a time t has mean and variance rate*t",
		Fields: []catalog.Field{
			{Name: "rate", Kind: catalog.Rate, Required: true, Doc: "Mean arrivals per time."},
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		r := v.rate("rate")
		return steady(span, r, atRandom, offset{}), nil
	},
}
