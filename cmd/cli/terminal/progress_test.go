package terminal

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/sim"
)

// If a quarter of the work took 30 s, the estimate is 90 s, for any number of
// decisions.
func TestProgressMoment(t *testing.T) {
	p := &sim.Progress{}
	p.ReadBytes.Store(5e6)
	if m := look(p, time.Second); m.Share >= 0 || m.Text != "reading, 5 MB" {
		t.Errorf("reading a pipe: %+v", m)
	}
	p.TotalBytes.Store(20e6)
	if m := look(p, time.Second); m.Share != 0.25 {
		t.Errorf("reading 20 MB: %+v", m)
	}
	p.Total.Store(1000)
	if m := look(p, time.Second); m.Share != 0 || m.Text != "0 decisions/s" {
		t.Errorf("before the first block: %+v", m)
	}
	p.Done.Store(250)
	p.Decisions.Store(3e9)
	if m := look(p, 30*time.Second); m.Share != 0.25 || m.Text != "100.0 million decisions/s, about 1m30s left" {
		t.Errorf("a quarter: %+v", m)
	}
	p.Total.Store(1 << 62)
	if m := look(p, time.Hour); !strings.Contains(m.Text, "left") {
		t.Errorf("next to nothing: %+v", m)
	}
}

// A terminal gets one line that is redrawn and cleared. Other outputs get whole
// lines. With --quiet there is no output.
func TestProgressStreams(t *testing.T) {
	p := &sim.Progress{}
	p.Total.Store(1000)
	p.Done.Store(250)
	var drawn, printed bytes.Buffer
	draw, end := ShowBar(&drawn)
	for _, show := range []func(Moment){draw, ShowLines(&printed)} {
		show(look(p, time.Second))
		show(look(p, time.Second))
	}
	end()
	bar, lines := drawn.String(), printed.String()
	if strings.Contains(bar, "\n") || strings.Contains(bar, "\x1b") || !strings.Contains(bar, " 25 % |") {
		t.Errorf("the bar is %q", bar)
	}
	last := bar[strings.LastIndex(strings.TrimRight(bar, "\r"), "\r")+1:]
	if strings.TrimSpace(last) != "" {
		t.Errorf("the bar leaves %q behind", last)
	}
	if !strings.HasPrefix(lines, "25.0 %, ") || strings.Count(lines, "\n") != 2 || strings.Contains(lines, "\r") {
		t.Errorf("the lines are %q", lines)
	}
	var w bytes.Buffer
	h := &Host{Err: &w, Lookup: func(string) (string, bool) { return "", false }}
	h.ShowRun(p, true)()
	if w.Len() > 0 {
		t.Errorf("quiet, but %q", &w)
	}
}
