package terminal

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/sim"
)

// The estimate of how long a run takes is made from its own speed in its first
// seconds.
const (
	estimateAfter = 2 * time.Second
	lengthy       = time.Minute    // the estimate of a longer run is printed
	excessive     = 24 * time.Hour // a longer run needs --yes
)

// YesUsage describes the flag --yes.
const YesUsage = "run even if that takes more than a day"

// Clock is the time that estimates see.
type Clock struct {
	Now   func() time.Time
	Every time.Duration // between two looks at a run
}

// orWall returns the clock of the machine in place of the zero value.
func (c Clock) orWall() Clock {
	if c.Now == nil {
		return Clock{time.Now, 200 * time.Millisecond}
	}
	return c
}

// Estimating says how to estimate the time of a run.
type Estimating struct {
	Yes   bool // run however long it takes
	Quiet bool // print no estimate
	More  bool // the run may add replications
}

// Watch estimates how long the run of p takes, until stop is called. If that is
// more than a minute, it prints the estimate. If it is more than a day, without --yes,
// it ends the context that it returns, and stop returns the error.
func (h *Host) Watch(ctx context.Context, p *sim.Progress, e Estimating) (watched context.Context, stop func() error) {
	watched, cancel := context.WithCancelCause(ctx)
	done, gone := make(chan struct{}), make(chan struct{})
	var refused error
	go func() {
		defer close(gone)
		total := e.total(p, h.Clock.orWall(), done)
		switch {
		case total < lengthy:
		case total < excessive || e.Yes:
			if !e.Quiet && !h.Still {
				h.Note("this run will take %s", e.roughly(total))
			}
		default:
			refused = usage.Errorf("this run would take %s: give it less to simulate, or --yes to run it", e.roughly(total))
			cancel(refused)
		}
	}()
	return watched, func() error {
		close(done)
		cancel(nil)
		<-gone
		return refused
	}
}

// total returns the estimate of the whole time, once the run has simulated for
// estimateAfter or is done. It is 0 if the run was the only one and is done.
func (e Estimating) total(p *sim.Progress, c Clock, done <-chan struct{}) time.Duration {
	ticker := time.NewTicker(c.Every)
	defer ticker.Stop()
	var began time.Time // when the work was known; before that, logs are read
	for {
		select {
		case <-done:
			return 0
		case <-ticker.C:
		}
		switch work, finished := p.Total.Load(), p.Done.Load(); {
		case work == 0:
		case began.IsZero():
			began = c.Now()
		default:
			if taken := c.Now().Sub(began); taken >= estimateAfter && finished > 0 {
				return extrapolate(taken, finished, work)
			}
		}
	}
}

// extrapolate returns the time of the whole of a run of which a part took a time.
func extrapolate(taken time.Duration, part, whole int64) time.Duration {
	return time.Duration(min(float64(taken)*float64(whole)/float64(part), math.MaxInt64/2))
}

// roughly writes an estimate in its largest unit: about 7 min.
func (e Estimating) roughly(d time.Duration) string {
	text := "about "
	if e.More {
		text = "at least "
	}
	switch minutes := d.Minutes(); {
	case minutes < 100:
		return text + fmt.Sprintf("%.0f min", minutes)
	case minutes < 48*60:
		return text + fmt.Sprintf("%.0f h", minutes/60)
	case minutes < 3*365*24*60:
		return text + fmt.Sprintf("%.0f days", minutes/(24*60))
	default:
		return text + format.Number(minutes/(365*24*60)) + " years"
	}
}

// Note prints a line on stderr, in place of a bar that may be there.
func (h *Host) Note(text string, args ...any) {
	if h.IsTerminal(h.Err) {
		fmt.Fprint(h.Err, "\r\x1b[K")
	}
	fmt.Fprintf(h.Err, text+"\n", args...)
}
