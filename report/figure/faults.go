package figure

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/internal/format"

	"github.com/limitgauge/limitgauge/sim/results"
)

const (
	namedFaults = 4    // in a legend
	leastBand   = 2.0  // width of a band in pixels, so that an instant is visible
	headroom    = 0.15 // of the Y axis above the data, for the names of faults
)

// Band is a span of X over the whole height, with a name at its upper end.
type Band struct {
	From, To float64
	Words    string // "" for no name
}

func (b Band) draw(f *frame) {
	from, to := f.x(b.From), f.x(b.To)
	to = min(max(to, from+leastBand), f.box.Right)
	f.Fill(Fault, Box{from, f.box.Top, to, f.box.Bottom}.Corners())
	if b.Words != "" {
		f.bands = append(f.bands, labelled{x: from, y: f.box.Top, label: b.Words})
	}
}

// bandNames writes the names of bands in front of the data. A name that would touch the
// previous one is below it. One that would touch two is left out, as the legend has it.
func (f *frame) bandNames() {
	ends := [2]float64{f.box.Left, f.box.Left}
	slices.SortStableFunc(f.bands, func(a, b labelled) int { return cmp.Compare(a.x, b.x) })
	for _, b := range f.bands {
		at, end := b.x+3, b.x+9+f.Width(SmallText, b.label)
		if i := slices.IndexFunc(ends[:], func(e float64) bool { return at >= e }); b.label != "" && i >= 0 && end-6 <= f.box.Right {
			f.Write(Text{Font: SmallText, Words: b.label, At: Point{at, f.box.Top + 11 + 13*float64(i)}})
			ends[i] = end
		}
	}
}

// faultEntries returns the legend of faults.
func faultEntries(faults []results.Fault) (list []Entry) {
	for i, f := range faults {
		if i == namedFaults {
			return append(list, Entry{fmt.Sprintf("and %d more %s", len(faults)-i, format.Plural(len(faults)-i, "fault")), Fault, Area})
		}
		list = append(list, Entry{f.Text, Fault, Area})
	}
	return list
}

// faultMarks returns the bands of faults in a panel that begins at start and
// shows a time in seconds. Occurrences closer than a pixel are one band. Its name
// says if the fault touched nothing in the panel's row.
func faultMarks(faults []results.Fault, touched []results.Touched, start int64, seconds float64) (marks []Mark) {
	for k, fault := range faults {
		var bands []Band
		for _, span := range fault.Spans {
			from, to := float64(span.FromNs-start)/1e9, float64(span.ToNs-start)/1e9
			if from >= seconds || to < 0 {
				continue
			}
			from, to = max(from, 0), min(to, seconds)
			if n := len(bands); n > 0 && from-bands[n-1].To < seconds/300 {
				bands[n-1].To = max(bands[n-1].To, to)
				continue
			}
			bands = append(bands, Band{From: from, To: to})
		}
		for i := range bands {
			if i == 0 {
				bands[i].Words = fault.Kind
				if k < len(touched) && (!touched[k].Affects || touched[k].Max == 0) {
					bands[i].Words += ": touches nothing here"
				}
			}
			marks = append(marks, Mark{Shapes: []Shape{bands[i]}})
		}
	}
	return marks
}
