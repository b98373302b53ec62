package logs

import "slices"

// level is a sample without some of the wrappers around its lines.
type level struct {
	around []*wrapper
	sample *sample
}

// maxWrappers limits how many wrappers are taken off a line.
const maxWrappers = 4

// levels returns the sample as it is, and without one wrapper after the other.
func levels(whole *sample) []level {
	list := []level{{nil, whole}}
	for depth := 0; depth < maxWrappers && !whole.document; depth++ {
		last := list[len(list)-1]
		for _, w := range wrappers {
			if inner, ok := w.sample(last.sample); ok {
				list = append(list, level{append(last.around[:depth:depth], w), inner})
				break
			}
		}
		if len(list) == depth+1 {
			break
		}
	}
	return list
}

// allows reports whether a format may stand inside the wrappers of a level.
func (l level) allows(f *format) bool {
	n := len(l.around)
	return n == 0 || !f.bare && (l.around[n-1].only == nil || slices.Contains(l.around[n-1].only, f))
}

// firm reports whether the lines are never records with their wrappers on.
func (l level) firm() bool {
	n := len(l.around)
	return n > 0 && l.around[n-1].firm
}
