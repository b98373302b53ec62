package terminal

import (
	"fmt"
	"io"
	"math"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/limitgauge/limitgauge/sim"
)

// ShowRun reports progress until the returned function is called, as a bar
// on a terminal, otherwise as a line every ten seconds.
func (h *Host) ShowRun(p *sim.Progress, quiet bool) (stop func()) {
	if quiet {
		return func() {}
	}
	return h.Show(10*time.Second, func(taken time.Duration) Moment { return look(p, taken) })
}

// Show shows what look returns after a time until the returned function is
// called, as a bar on a terminal, otherwise as a line in every interval.
func (h *Host) Show(every time.Duration, look func(taken time.Duration) Moment) (stop func()) {
	if h.Still {
		return func() {}
	}
	show, end := ShowLines(h.Err), func() {}
	if h.IsTerminal(h.Err) {
		show, end = ShowBar(h.Err)
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

// ShowLines returns a function that prints a moment on a line.
func ShowLines(w io.Writer) func(Moment) {
	return func(now Moment) {
		if now.Share >= 0 {
			fmt.Fprintf(w, "%.1f %%, ", 100*now.Share)
		}
		fmt.Fprintln(w, now.Text)
	}
}

// ShowBar returns a function that redraws one line, and one that erases it.
func ShowBar(w io.Writer) (show func(Moment), end func()) {
	const cells = 30
	width := 0 // columns of the line that is shown
	redraw := func(line string) {
		fmt.Fprintf(w, "\r%-*s\r%s", width, "", line)
		width = utf8.RuneCountInString(line)
	}
	return func(now Moment) {
		share := min(1, max(0, now.Share))
		full := int(share * cells)
		redraw(fmt.Sprintf("%3d %% |%s%s| %s", int(100*share), strings.Repeat("█", full), strings.Repeat(" ", cells-full), now.Text))
	}, func() { redraw("") }
}

// Moment describes the progress of a run.
type Moment struct {
	Share float64 // of the work, 0..1; -1 if unknown
	Text  string
}

// look reads the progress of a run after the given time.
func look(p *sim.Progress, taken time.Duration) Moment {
	total := p.Total.Load()
	if total == 0 {
		m := Moment{Share: -1, Text: fmt.Sprintf("reading, %.0f MB", float64(p.ReadBytes.Load())/1e6)}
		if all := p.TotalBytes.Load(); all > 0 {
			m.Share = float64(p.ReadBytes.Load()) / float64(all)
			m.Text = fmt.Sprintf("reading, %.0f of %.0f MB", float64(p.ReadBytes.Load())/1e6, float64(all)/1e6)
		}
		return m
	}
	m := Moment{Share: float64(p.Done.Load()) / float64(total)}
	m.Text = Count(float64(p.Decisions.Load())/taken.Seconds()) + " decisions/s"
	if m.Share > 0 {
		left := time.Duration(math.Min(float64(taken)*(1/m.Share-1), 1e18))
		m.Text += fmt.Sprintf(", about %s left", left.Round(time.Second))
	}
	return m
}

// Count formats a number of decisions.
func Count(n float64) string {
	if n < 1e5 {
		return fmt.Sprintf("%.0f", n)
	}
	return fmt.Sprintf("%.1f million", n/1e6)
}
