package terminal

import (
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/sim"
)

// fast is a clock that runs a second at each look, so that a test needs no time.
func fast() Clock {
	at := time.Unix(0, 0)
	return Clock{func() time.Time { at = at.Add(time.Second); return at }, time.Millisecond}
}

// TestEstimate checks estimates from a part of the work, and how they are said.
func TestEstimate(t *testing.T) {
	for _, c := range []struct {
		e          Estimating
		done, work int64
		want       string
		minutes    float64
	}{
		{Estimating{}, 1, 29, "", 0.97},
		{Estimating{}, 1, 210, "about 7 min", 7},
		{Estimating{More: true}, 1, 9000, "at least 5 h", 300},
		{Estimating{}, 1, 1 << 62, "years", 0},
	} {
		p := &sim.Progress{}
		p.Total.Store(c.work)
		p.Done.Store(c.done)
		half := fast()
		half.Now = func() func() time.Time {
			at := 0
			return func() time.Time { at++; return time.Unix(int64(2*at), 0) }
		}()
		got := c.e.total(p, half, nil)
		if c.minutes > 0 && (got.Minutes() < c.minutes*0.99 || got.Minutes() > c.minutes*1.01) {
			t.Errorf("%d of %d in 2 s: %s, want %g min", c.done, c.work, got, c.minutes)
		}
		if text := c.e.roughly(got); c.want != "" && !strings.Contains(text, c.want) {
			t.Errorf("%s is %q, want %q", got, text, c.want)
		}
	}
	if done := make(chan struct{}); true {
		close(done)
		if got := (Estimating{}).total(&sim.Progress{}, fast(), done); got != 0 {
			t.Errorf("a run that has ended takes %s", got)
		}
	}
}

// notes is a writer that passes on what is written.
type notes chan string

func (n notes) Write(text []byte) (int, error) {
	n <- string(text)
	return len(text), nil
}

// TestMostWithoutYes checks that a run of a little less than a day goes on, and one of a
// little more does not without --yes.
func TestMostWithoutYes(t *testing.T) {
	const day = 12 * 3600 // work of a day, of which 1 takes 2 s
	for _, c := range []struct {
		work    int64
		yes     bool
		refused bool
	}{{day - 100, false, false}, {day + 100, false, true}, {day + 100, true, false}} {
		p := &sim.Progress{}
		p.Total.Store(c.work)
		p.Done.Store(1)
		noted := make(notes, 1)
		h := &Host{Err: noted, Clock: fast()}
		watched, stop := h.Watch(t.Context(), p, Estimating{Yes: c.yes})
		select {
		case <-watched.Done():
		case <-noted:
		}
		if err := stop(); (err != nil) != c.refused {
			t.Errorf("a run of %d s, --yes %v: %v, want an error: %v", 2*c.work, c.yes, err, c.refused)
		}
	}
}
