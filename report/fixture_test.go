package report

import "github.com/limitgauge/limitgauge/sim/results"

func point(x float64) results.Summary {
	return results.Summary{Mean: &x, Lo: &x, Hi: &x, Values: []*float64{&x}}
}

func interval(mean, lo, hi float64, n int) results.Summary {
	s := results.Summary{Mean: &mean, Lo: &lo, Hi: &hi}
	for range n {
		s.Values = append(s.Values, &mean)
	}
	return s
}

func without(reason string, n int) results.Summary {
	return results.Summary{Values: make([]*float64, n), Reason: reason}
}
