package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"

	"github.com/limitgauge/limitgauge/sim"
)

// showProgress tells how far a run is until the returned function is called:
// a bar on a terminal, otherwise a line every ten seconds.
func (a *app) showProgress(p *sim.Progress, quiet bool) (stop func()) {
	if quiet {
		return func() {}
	}
	done, gone := make(chan struct{}), make(chan struct{})
	watch := watchLines
	every := 10 * time.Second
	if a.terminal(a.err) {
		watch, every = watchBar, 100*time.Millisecond
	}
	go func() {
		defer close(gone)
		ticker := time.NewTicker(every)
		defer ticker.Stop()
		watch(a.err, p, ticker.C, done)
	}()
	return func() { close(done); <-gone }
}

func watchLines(w io.Writer, p *sim.Progress, tick <-chan time.Time, done <-chan struct{}) {
	for {
		select {
		case <-done:
			return
		case <-tick:
			if total := p.Total.Load(); total > 0 {
				fmt.Fprintf(w, "simulated %d %%, %.1f million decisions\n", 100*p.Done.Load()/total, float64(p.Decisions.Load())/1e6)
			} else {
				fmt.Fprintf(w, "read %.0f MB\n", float64(p.ReadBytes.Load())/1e6)
			}
		}
	}
}

func watchBar(w io.Writer, p *sim.Progress, tick <-chan time.Time, done <-chan struct{}) {
	bar := progressbar.NewOptions64(1000,
		progressbar.OptionSetWriter(w), progressbar.OptionSetWidth(30), progressbar.OptionClearOnFinish(),
		progressbar.OptionSetElapsedTime(false), progressbar.OptionSetPredictTime(true), progressbar.OptionShowDescriptionAtLineEnd())
	start := time.Now()
	for {
		select {
		case <-done:
			bar.Clear()
			return
		case <-tick:
			total := p.Total.Load()
			if total == 0 {
				bar.Describe(fmt.Sprintf("reading, %.0f MB", float64(p.ReadBytes.Load())/1e6))
				continue
			}
			rate := float64(p.Decisions.Load()) / time.Since(start).Seconds() / 1e6
			bar.Describe(fmt.Sprintf("%.1f M decisions/s", rate))
			bar.Set64(1000 * p.Done.Load() / total)
		}
	}
}
