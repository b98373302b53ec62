package cli

import (
	"fmt"
	"slices"
	"sync/atomic"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/limitgauge/limitgauge/search/advice"
)

// optionSearch is the progress of explain's search for changes of one option that keep
// a promise. The search goes through the options in order.
type optionSearch struct {
	options [][]advice.Change
	now     atomic.Int64 // number of the option that is being tried, from 0
	tried   atomic.Int64 // changes
}

// enter states that a change of an option is about to be simulated.
func (s *optionSearch) enter(option string) {
	if i := slices.IndexFunc(s.options, func(list []advice.Change) bool { return len(list) > 0 && list[0].Option == option }); i >= 0 {
		s.now.Store(int64(i))
	}
	s.tried.Add(1)
}

// moment describes the search.
func (s *optionSearch) moment(time.Duration) moment {
	i := int(s.now.Load())
	m := moment{share: float64(i) / float64(max(len(s.options), 1))}
	if i < len(s.options) && len(s.options[i]) > 0 {
		m.text = fmt.Sprintf("option %d of %d (%s), %s simulated", i+1, len(s.options), s.options[i][0].Option, format.Count(int(s.tried.Load()), "change"))
	}
	return m
}
