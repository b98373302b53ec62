package tune

// Rows returns a row for each setting that the search saw and each metric with a promise.
func (d *Document) Rows() [][]any {
	head := []any{"algorithm"}
	for _, a := range d.Axes {
		head = append(head, a.Name)
	}
	rows := [][]any{append(head, d.Least.Name, "metric", "mean", "replications", "front", "answer", "verdict", "fresh_seeds", "kept_seeds", "scenario")}
	for _, s := range d.Settings {
		var seeds, kept *int
		if s.Fresh != nil {
			seeds, kept = &s.Fresh.Seeds, &s.Fresh.Kept
		}
		for _, f := range s.Figures {
			row := []any{s.Algorithm}
			for _, text := range s.At {
				row = append(row, text)
			}
			rows = append(rows, append(row, s.Cost, f.Metric, f.Mean, s.Replications, s.Front, d.isAnswer(s), s.Verdict, seeds, kept, f.Scenario))
		}
	}
	return rows
}
