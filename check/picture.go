package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/report/figure"
)

// course counts the requests of a log in bins of time.
type course struct {
	startNs, binNs    int64
	offered, admitted []int64
}

// newCourse returns a course from the first to the last request of a log, in at most 200
// bins of a round length, none shorter than the resolution of the stamps.
func newCourse(firstNs, lastNs, resolutionNs int64) course {
	const day = 86400e9
	least := max((lastNs-firstNs)/200+1, resolutionNs)
	c := course{startNs: firstNs}
	for _, ms := range []int64{1, 2, 5, 10, 20, 50, 100, 200, 500, 1e3, 2e3, 5e3, 10e3, 15e3, 30e3, 60e3, 120e3, 300e3, 600e3, 900e3, 1800e3, 3600e3, 7200e3} {
		if c.binNs = ms * 1e6; c.binNs >= least {
			break
		}
	}
	if c.binNs < least {
		c.binNs = (least + day - 1) / day * day
	}
	n := (lastNs-firstNs)/c.binNs + 1
	c.offered, c.admitted = make([]int64, n), make([]int64, n)
	return c
}

// add counts a request when it arrives, and when it passes, unless that is after the end.
func (c *course) add(now int64, d decision) {
	sinceNs, endNs := now-c.startNs, int64(len(c.offered))*c.binNs
	c.offered[sinceNs/c.binNs]++
	if !d.refused && d.waitMs <= (endNs-sinceNs-1)/1e6 {
		c.admitted[(sinceNs+d.waitMs*1e6)/c.binNs]++
	}
}

// Figure draws what the rules do to a log over time; with another configuration, also
// what that does, and the clients with more and fewer refusals.
func (d *Document) Figure() *figure.Figure {
	l := d.Log
	drawn := figure.Decided{
		Title:   "What limits do to " + strings.Join(l.Files, ", "),
		Setting: "limits of " + strings.Join(d.Files, ", "),
		StartNs: l.course.startNs, BinNs: l.course.binNs, Offered: l.course.offered,
		Courses: []figure.Course{l.named("pass")},
	}
	if d.Replicas > 1 {
		drawn.Setting += fmt.Sprintf(", %d replicas", d.Replicas)
	}
	if by := d.Difference; by != nil {
		drawn.Setting += "; instead those of " + strings.Join(by.Files, ", ")
		drawn.Courses = []figure.Course{l.named("old"), by.Log.named("new")}
		drawn.Changes = lists.Map(slices.Concat(by.Gained, by.Lost), func(k KeyChange) figure.Change { return figure.Change(k) })
		drawn.ChangesTitle = fmt.Sprintf("Clients with more refusals: %d, with fewer: %d", by.GainedAll, by.LostAll)
		if len(by.Gained)+len(by.Lost) < by.GainedAll+by.LostAll {
			drawn.ChangesTitle += "; at most ten of each"
		}
	}
	return drawn.Figure()
}

// named returns the course of what passes, with totals in its name.
func (l *Log) named(name string) figure.Course {
	return figure.Course{Name: fmt.Sprintf("%s: %d refused, %d delayed", name, l.Refused, l.Delayed), Admitted: l.course.admitted}
}
