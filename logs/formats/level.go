package formats

import "slices"

// Level is a sample without some of the wrappers around its lines.
type Level struct {
	Around []*wrapper
	Sample *sample
}

// maxWrappers limits how many wrappers are taken off a line.
const maxWrappers = 4

// Levels returns the sample as it is, and without one wrapper after the other.
func Levels(whole *sample) []Level {
	list := []Level{{nil, whole}}
	tried := wrappers
	if w := columnWrapper(whole); w != nil {
		tried = slices.Concat([]*wrapper{w}, wrappers)
	}
	for depth := 0; depth < maxWrappers; depth++ {
		last := list[len(list)-1]
		for _, w := range tried {
			if whole.Document && depth == 0 && w.record == "" {
				continue
			}
			if inner, ok := w.sample(last.Sample); ok {
				list = append(list, Level{append(last.Around[:depth:depth], w), inner})
				break
			}
		}
		if len(list) == depth+1 {
			break
		}
		tried = wrappers
	}
	return list
}

// Allows reports whether a format may stand inside the wrappers of a level.
func (l Level) Allows(f *Format) bool {
	n := len(l.Around)
	return n == 0 || !f.bare && (l.Around[n-1].only == nil || slices.Contains(l.Around[n-1].only, f))
}

// Firm reports whether the lines are never records with their wrappers on.
func (l Level) Firm() bool {
	n := len(l.Around)
	return n > 0 && l.Around[n-1].firm
}
