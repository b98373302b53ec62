package results

import "fmt"

// Missed returns the faults that touched nothing in any replication of a row
// although they can affect its limiter. The row's figures are then those of a
// run without the fault. Faults that are expected to touch nothing are left out.
func (s *Scenario) Missed(r Result) (missed []Fault) {
	for i, t := range r.Touched {
		if t.Affects && t.Max == 0 && !s.Faults[i].ExpectNoEffect {
			missed = append(missed, s.Faults[i])
		}
	}
	return missed
}

// checkTouched returns an error if the rows of a document do not list what the
// faults of their scenario touched.
func (d *Document) checkTouched() error {
	faults := map[string]int{}
	for _, s := range d.Scenarios {
		faults[s.Name] = len(s.Faults)
	}
	for i, r := range d.Results {
		if n := len(r.Touched); n != 0 && n != faults[r.Scenario] {
			return fmt.Errorf("results[%d] (%s, %s): touched has %d entries for %d faults", i, r.Scenario, r.Algorithm, n, faults[r.Scenario])
		}
		for _, t := range r.Touched {
			if t.Min < 0 || t.Max < t.Min || !drawable(t.Mean) || t.Missed < 0 || t.Missed > r.Replications {
				return fmt.Errorf("results[%d] (%s, %s): touched is %+v", i, r.Scenario, r.Algorithm, t)
			}
		}
	}
	return nil
}

func (s Scenario) checkFaults() error {
	for i, f := range s.Faults {
		for _, span := range append([]Span{{f.FromNs, f.ToNs}}, f.Spans...) {
			if span.FromNs < 0 || span.ToNs < span.FromNs || span.ToNs > maxNs {
				return fmt.Errorf("faults[%d]: from %d to %d ns", i, span.FromNs, span.ToNs)
			}
		}
	}
	return nil
}
