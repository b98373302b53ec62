package figure

import (
	"fmt"

	"github.com/limitgauge/limitgauge/sim/results"
)

// timelinesOfKeys returns builders for the timelines of single keys.
func timelinesOfKeys(part *results.Document, m Medium) (list []Builder) {
	keys := part.PerKey()
	slugs := Slugs(keys, func(k results.KeyPart) string { return k.Key })
	for i, k := range keys {
		name, why := "timeline", ""
		switch k.Why {
		case results.KeyRefused:
			continue // they are in one figure
		case results.KeyWorst:
			why = fmt.Sprintf("the worst key of %s", k.WorstOf)
		case results.KeyBusiest:
			why = "the key with the most requests; no key is over its limit"
		default:
			name = "key-" + slugs[i] + "-timeline"
		}
		list = append(list, func() *Figure {
			f := named(timeline(k.Document, m), name, part.Scenarios[0])
			if f == nil {
				return nil
			}
			f.Title += ", key " + k.Key
			if why != "" {
				f.Subtitle = why + " · " + f.Subtitle
			}
			return f
		})
	}
	return list
}

// sumTimeline returns the timeline of all keys of a part together, under a name
// and an addition to the title. With several keys its title says that it is their sum.
func sumTimeline(part *results.Document, m Medium, name, of string) *Figure {
	s := part.Scenarios[0]
	f := timeline(part, m)
	if f == nil {
		return nil
	}
	f.Title += of
	switch {
	case len(s.Policies) > 1:
		f.Title += ", all requests"
		name = "sum-" + name
	case s.Keys > 1:
		f.Title += fmt.Sprintf(", sum of %d keys", s.Keys)
		name = "sum-" + name
	}
	return named(f, name, s)
}
