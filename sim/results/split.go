package results

// PerScenario splits the document into one document for each scenario, in
// order. Readers that go through a document by scenario should use the parts:
// searching all rows again for each scenario takes minutes in large documents.
// The parts share the rows' contents with the document.
func (d *Document) PerScenario() []*Document {
	byName := make(map[string]*Document, len(d.Scenarios))
	part := func(name string) *Document {
		p := byName[name]
		if p == nil {
			p = &Document{SchemaVersion: d.SchemaVersion, Stamp: d.Stamp, Partial: d.Partial}
			byName[name] = p
		}
		return p
	}
	distribute(d.Input, func(in Input) *[]Input { return &part(in.Scenario).Input })
	distribute(d.Results, func(r Result) *[]Result { return &part(r.Scenario).Results })
	distribute(d.Series, func(s Series) *[]Series { return &part(s.Scenario).Series })
	distribute(d.Shares, func(s Shares) *[]Shares { return &part(s.Scenario).Shares })
	distribute(d.ClientShares, func(s ClientShares) *[]ClientShares { return &part(s.Scenario).ClientShares })
	distribute(d.ServerLoads, func(s ServerLoads) *[]ServerLoads { return &part(s.Scenario).ServerLoads })
	distribute(d.Histograms, func(h Histogram) *[]Histogram { return &part(h.Scenario).Histograms })
	distribute(d.Rejections, func(r Rejections) *[]Rejections { return &part(r.Scenario).Rejections })
	distribute(d.ByPolicy, func(r Result) *[]Result { return &part(r.Scenario).ByPolicy })
	distribute(d.PolicySeries, func(s PolicySeries) *[]PolicySeries { return &part(s.Scenario).PolicySeries })
	distribute(d.KeySeries, func(s KeySeries) *[]KeySeries { return &part(s.Scenario).KeySeries })
	parts := make([]*Document, len(d.Scenarios))
	for i, s := range d.Scenarios {
		p := *part(s.Name)
		p.Scenarios = []Scenario{s}
		parts[i] = &p
	}
	return parts
}

// distribute appends each row to the list that it belongs to.
func distribute[T any](rows []T, list func(T) *[]T) {
	for _, row := range rows {
		to := list(row)
		*to = append(*to, row)
	}
}
