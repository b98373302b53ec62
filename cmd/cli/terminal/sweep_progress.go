package terminal

import (
	"fmt"
	"time"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/search/sweep"
)

// ShowSweep reports the progress of a sweep until stop is called.
func (h *Host) ShowSweep(p *sweep.Progress, quiet bool) (stop func()) {
	if quiet {
		return func() {}
	}
	var began time.Duration // of the first cell that runs
	return h.Show(10*time.Second, func(taken time.Duration) Moment {
		toRun, ran, cached := p.ToRun.Load(), p.Ran.Load(), p.Cached.Load()
		if toRun == 0 && cached == 0 {
			return Moment{Share: -1, Text: fmt.Sprintf("%d cells checked", p.Checked.Load())}
		}
		m := Moment{Share: float64(ran) / float64(max(1, toRun)), Text: fmt.Sprintf("%d of %d cells", ran, toRun)}
		if cached > 0 {
			m.Text += fmt.Sprintf(", %d from the cache", cached)
		}
		if ran == 0 {
			began = taken
		} else {
			left := time.Duration(float64(taken-began) / float64(ran) * float64(toRun-ran))
			m.Text += fmt.Sprintf(", about %s left", left.Round(time.Second))
		}
		if workers := p.Workers.Load(); workers > 0 {
			m.Text += ", " + format.Count(int(workers), "worker")
		}
		return m
	})
}
