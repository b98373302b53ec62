package settlement

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// Load describes steady traffic to one key of a fixed window. Its times are in seconds.
// Costs and the times of their answers are independent.
type Load struct {
	Requests       float64 // per second
	Estimate, Cost float64 // mean tokens of a request
	Refunds        bool    // some requests cost less than their estimates
	Answer, Tail   float64 // mean time to the answer, and a time within which almost all arrive
	Limit, Window  float64 // tokens, and for how long
}

// Predict returns the mean excess of a window, as a share of the limit.
//
// The window is spent when so many tokens have been charged as the limit has. What its
// requests in flight will be charged beyond that is over the limit. Their number is
// the rate times the mean time to the answer: the answers that have arrived say nothing
// about those that have not (M. Brown and S. Ross, Some results for infinite server
// Poisson queues, Journal of Applied Probability 6(3), 1969). What is settled after its
// window reduces the next one, so that the forms hold if almost all answers arrive
// before their window ends.
func (c Config) Predict(l Load) catalog.Prediction {
	p := catalog.NoPrediction("there is no closed form with costs that become known with the answer")
	p.OverLimit = c.overLimit(l)
	return p
}

func (c Config) overLimit(l Load) catalog.Predicted {
	uncovered, formula := l.Cost, "k*a/w" // tokens of a request that are charged with the answer
	switch c.Way {
	case None:
		return withoutSettlement(l)
	case ReserveMaximum:
		if c.Expires > 0 {
			return catalog.Predicted{Why: "given for reservations that do not expire"}
		}
		return catalog.Predicted{Formula: "0", Why: "no request costs more than it reserves"}
	case ReserveQuantile:
		return catalog.Predicted{Why: "what is reserved depends on the answers before"}
	case Estimate:
		uncovered, formula = l.Cost-l.Estimate, "k*a/w*(c-e)/c"
	}
	// The budget is spent when the charges on arrival and with the answers reach the limit.
	spent := (l.Limit + l.Requests*uncovered*l.Answer) / (l.Requests * l.Cost)
	why := catalog.Reasons{
		{c.Loss.Num > 0 || c.Expires > 0 || !c.Debt, "given for settlements that arrive and are charged in full"},
		{c.Way == Estimate && l.Refunds, "given for requests that cost at least their estimate"},
		{spent+l.Tail > l.Window, "given for answers that arrive before their window ends"},
		{spent < l.Tail, "given for answers that are much faster than the budget is spent"},
	}.First()
	if why != "" {
		return catalog.Predicted{Why: why}
	}
	return catalog.Predicted{Value: l.Requests * uncovered * l.Answer / l.Limit, Formula: formula,
		Why: "a = mean time to the answer, c = mean cost, e = mean estimate: what is in flight when the budget is spent"}
}

// withoutSettlement predicts a limiter that charges estimates alone.
func withoutSettlement(l Load) catalog.Predicted {
	offered, charged := l.Requests*l.Window*l.Cost/l.Limit, l.Requests*l.Window*l.Estimate/l.Limit
	p := catalog.Predicted{Value: max(offered-1, 0), Formula: "k-1", Why: "c = mean cost, e = mean estimate: what is charged is within the limit"}
	switch {
	case charged > 0.9 && charged < 1.1 || offered < 1.1:
		return catalog.Predicted{Why: "given for traffic that is well above the limit, or charged well below or above it"}
	case charged > 1:
		p.Value, p.Formula = l.Cost/l.Estimate-1, "c/e-1"
		if p.Value < 0.1 {
			return catalog.Predicted{Why: "given for costs well above the estimates"}
		}
	}
	return p
}
