package results

// PerScenario splits the document into one for each scenario, in order, with
// the rows that belong to it. Whoever goes through a document scenario by
// scenario goes through these: looking for a scenario's rows among all rows,
// again for each scenario, takes minutes where there are many of both. The
// parts share the rows' contents with the document.
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
	for _, in := range d.Input {
		p := part(in.Scenario)
		p.Input = append(p.Input, in)
	}
	for _, r := range d.Results {
		p := part(r.Scenario)
		p.Results = append(p.Results, r)
	}
	for _, s := range d.Series {
		p := part(s.Scenario)
		p.Series = append(p.Series, s)
	}
	for _, s := range d.Shares {
		p := part(s.Scenario)
		p.Shares = append(p.Shares, s)
	}
	for _, h := range d.Histograms {
		p := part(h.Scenario)
		p.Histograms = append(p.Histograms, h)
	}
	for _, r := range d.Rejections {
		p := part(r.Scenario)
		p.Rejections = append(p.Rejections, r)
	}
	for _, r := range d.ByPolicy {
		p := part(r.Scenario)
		p.ByPolicy = append(p.ByPolicy, r)
	}
	for _, s := range d.PolicySeries {
		p := part(s.Scenario)
		p.PolicySeries = append(p.PolicySeries, s)
	}
	parts := make([]*Document, len(d.Scenarios))
	for i, s := range d.Scenarios {
		p := *part(s.Name)
		p.Scenarios = []Scenario{s}
		parts[i] = &p
	}
	return parts
}
