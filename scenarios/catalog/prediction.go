package catalog

// Prediction is what theory states about a limiter under steady load: means over
// many windows, to within 1 % of the limit and a tenth of what lies beyond it. A
// figure whose Formula is empty has no closed form that holds that well.
type Prediction struct {
	OverLimit Predicted // mean excess of a saturated window, share of the limit
	LongRun   Predicted // admitted over the limit's rate
	Noise     Predicted // standard deviation of a window's admitted cost, share of the limit
}

// Predicted is one figure of a Prediction.
type Predicted struct {
	Value   float64
	Formula string
	Why     string // where the formula comes from, or why there is none
}

// NoPrediction returns a Prediction without figures, for one reason.
func NoPrediction(why string) Prediction {
	none := Predicted{Why: why}
	return Prediction{none, none, none}
}
