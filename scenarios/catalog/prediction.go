package catalog

// Prediction holds what theory predicts of a limiter under steady load: means
// over many windows. A prediction is accurate to 1 % of the limit plus a tenth
// of the excess over it. A value whose Formula is empty has no closed form of
// that accuracy.
type Prediction struct {
	OverLimit Predicted // mean excess of a saturated window, as a share of the limit
	LongRun   Predicted // admitted rate divided by the limit's rate
	Noise     Predicted // standard deviation of a window's admitted cost, as a share of the limit
	Refused   Predicted // requests refused, as a share of all, in front of a backend with a deadline
	Goodput   Predicted // requests answered within the deadline of the backend per second
}

// Predicted is one value of a Prediction.
type Predicted struct {
	Value   float64
	Formula string
	Why     string // where the formula comes from, or why there is none
}

// NoPrediction returns a Prediction without values, for one reason.
func NoPrediction(why string) Prediction {
	none := Predicted{Why: why}
	return Prediction{OverLimit: none, LongRun: none, Noise: none}
}

// Reasons lists conditions under which there is no prediction, and why.
type Reasons []struct {
	Holds bool
	Why   string
}

// First returns the first reason that holds, or "".
func (r Reasons) First() string {
	for _, reason := range r {
		if reason.Holds {
			return reason.Why
		}
	}
	return ""
}
