package scenarios

import (
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// checkColumns reports the columns of a file or a scenario that name no metric or
// a metric a second time.
func (l *loader) checkColumns(n *node) {
	var seen []string
	for _, item := range n.list("columns") {
		if item.kind != scalar || l.metric(item.text, item.place) == nil {
			continue
		}
		if slices.Contains(seen, item.text) {
			l.report(item.place, "metric %s is listed twice", Clip(item.text))
		}
		seen = append(seen, item.text)
	}
}

// columns sets the columns of a scenario: its own, otherwise those of the file. A
// metric of the full set makes the scenario measure that set.
func (l *loader) columns(v catalog.Values, s *Scenario) {
	for _, item := range v.List("columns") {
		name := item.(string)
		s.Columns = append(s.Columns, name)
		if metric := catalog.Find(l.catalog.Metrics, name); metric != nil {
			s.Full = s.Full || metric.Full
		}
	}
}
