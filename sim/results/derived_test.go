package results

import (
	"bytes"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// TestFiguresFollowFromValues changes one digit of a figure after the other: every such
// document must be refused, and the message must say what the values give.
func TestFiguresFollowFromValues(t *testing.T) {
	values := []float64{10, 11.5, 9, 10.25, 30, 10.2, 9.8, 10.1, 9.9, 10.7}
	pointers := func() (list []*float64) {
		for _, x := range values {
			list = append(list, &x)
		}
		return list
	}
	equal := Summarize([]float64{2, 2, 2, 2, 2, 2, 2, 2, 2, 2})
	equal.MayDifferPct = MayDiffer(10)
	for name, s := range map[string]Summary{
		"mean":     Summarize(values),
		"equal":    equal,
		"ratio":    SummarizeRatio(pointers(), values, []float64{1, 1, 1, 1, 1, 1, 1, 1, 1, 1}),
		"quantile": SummarizeQuantile(pointers(), 11.5, []float64{11.5, 10.7, 11.5, 11.5, 10.7, 11.5, 11.5, 11.5, 11.5, 11.5}),
		"largest":  SummarizeLargest(pointers(), 30),
	} {
		for _, change := range []func(d *Document){
			func(d *Document) { d.Results[0].Metrics["m"] = s },
			func(d *Document) { d.Results[0].Halves = map[string][2]Summary{"m": {s, s}} },
			func(d *Document) { d.ByPolicy[1].Replications, d.ByPolicy[1].Metrics["m"] = 10, s },
		} {
			d := example()
			d.Series, d.Shares, d.Histograms, d.Rejections, d.PolicySeries = nil, nil, nil, nil, nil
			d.Results[0].Replications = 10
			d.Results[0].Metrics = map[string]Summary{}
			change(d)
			text := string(encoded(t, d))
			if _, err := Decode(strings.NewReader(text)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
			tried := 0
			for _, at := range regexp.MustCompile(`"(mean|lo|hi|may_differ_pct|replications_needed)": [0-9.]+`).FindAllStringIndex(text, -1) {
				field := text[at[0]:at[1]]
				for i := strings.Index(field, ": ") + 2; i < len(field); i++ {
					if field[i] == '.' || name == "quantile" && i > strings.Index(field, ": ")+12 {
						continue // what rounding leaves open
					}
					digit, _ := strconv.Atoi(field[i : i+1])
					other := field[:i] + strconv.Itoa((digit+1)%10) + field[i+1:]
					if numberOf(other) == numberOf(field) {
						continue // digits that say nothing
					}
					if _, err := Decode(strings.NewReader(text[:at[0]] + other + text[at[1]:])); err == nil {
						t.Errorf("%s: %s instead of %s is read", name, other, field)
					}
					tried++
				}
			}
			if tried < 6 {
				t.Errorf("%s: only %d digits were changed", name, tried)
			}
		}
	}
	for want, change := range map[string]func(s *Summary){
		"mean is 1, but its values give 12.145":           func(s *Summary) { *s.Mean = 1; *s.Lo = 0 },
		"lo is null, but its values give":                 func(s *Summary) { s.Lo, s.Hi = nil, nil },
		"replications_needed is 0, but its values give":   func(s *Summary) { s.ReplicationsNeeded = 0 },
		"a figure without the values of its replications": func(s *Summary) { s.Values[3] = nil },
		"bounds of a figure that was simulated":           func(s *Summary) { s.Bounds = true },
		"may_differ_pct is 3, but its values give 0":      func(s *Summary) { s.MayDifferPct = 3 },
	} {
		d, s := example(), Summarize(values)
		change(&s)
		d.Results[0].Replications, d.Results[0].Metrics = 10, map[string]Summary{"m": s}
		if _, err := Decode(bytes.NewReader(encoded(t, d))); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}

// numberOf returns the number of a JSON field.
func numberOf(field string) float64 {
	_, text, _ := strings.Cut(field, ": ")
	x, _ := strconv.ParseFloat(text, 64)
	return x
}
