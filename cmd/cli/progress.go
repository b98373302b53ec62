package cli

import (
	"fmt"
	"io"
	"math"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/limitgauge/limitgauge/sim"
)

// showProgress reports progress until the returned function is called, as a bar
// on a terminal, otherwise as a line every ten seconds.
func (h *Host) showProgress(p *sim.Progress, quiet bool) (stop func()) {
	if quiet {
		return func() {}
	}
	return h.showMoments(10*time.Second, func(taken time.Duration) moment { return look(p, taken) })
}

// showMoments shows what look returns after a time until the returned function is
// called, as a bar on a terminal, otherwise as a line in every interval.
func (h *Host) showMoments(every time.Duration, look func(taken time.Duration) moment) (stop func()) {
	if h.Still {
		return func() {}
	}
	show, end := showLines(h.Err), func() {}
	if h.terminal(h.Err) {
		show, end = showBar(h.Err)
		every = 200 * time.Millisecond
	}
	done, gone := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(gone)
		start, ticker := time.Now(), time.NewTicker(every)
		defer ticker.Stop()
		for {
			select {
			case <-done:
				end()
				return
			case <-ticker.C:
				show(look(time.Since(start)))
			}
		}
	}()
	return func() { close(done); <-gone }
}

// showLines returns a function that prints a moment on a line.
func showLines(w io.Writer) func(moment) {
	return func(now moment) {
		if now.share >= 0 {
			fmt.Fprintf(w, "%.1f %%, ", 100*now.share)
		}
		fmt.Fprintln(w, now.text)
	}
}

// showBar returns a function that redraws one line, and one that erases it.
func showBar(w io.Writer) (show func(moment), end func()) {
	const steps = 1000
	bar := progressbar.NewOptions(steps, progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30),
		progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(false),
		progressbar.OptionClearOnFinish(), progressbar.OptionShowDescriptionAtLineEnd())
	return func(now moment) {
		bar.Set(int(min(steps-1, steps*max(0, now.share)))) // the library would end the bar at the last step
		bar.Describe(now.text)
	}, func() { bar.Clear() }
}

// moment describes the progress of a run.
type moment struct {
	share float64 // of the work, 0..1; -1 if unknown
	text  string
}

// look reads the progress of a run after the given time.
func look(p *sim.Progress, taken time.Duration) moment {
	total := p.Total.Load()
	if total == 0 {
		m := moment{share: -1, text: fmt.Sprintf("reading, %.0f MB", float64(p.ReadBytes.Load())/1e6)}
		if all := p.TotalBytes.Load(); all > 0 {
			m.share = float64(p.ReadBytes.Load()) / float64(all)
			m.text = fmt.Sprintf("reading, %.0f of %.0f MB", float64(p.ReadBytes.Load())/1e6, float64(all)/1e6)
		}
		return m
	}
	m := moment{share: float64(p.Done.Load()) / float64(total)}
	m.text = count(float64(p.Decisions.Load())/taken.Seconds()) + " decisions/s"
	if m.share > 0 {
		left := time.Duration(math.Min(float64(taken)*(1/m.share-1), 1e18))
		m.text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	return m
}

// count formats a number of decisions.
func count(n float64) string {
	if n < 1e5 {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.1f million", n/1e6)
}
