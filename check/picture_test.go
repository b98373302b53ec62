package check_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/limitgauge/limitgauge/check"
	"github.com/limitgauge/limitgauge/report/figure"
)

// shapes returns the shapes of a kind in a panel.
func shapes[T figure.Shape](p figure.Panel) (list []T) {
	for _, m := range p.Marks {
		for _, s := range m.Shapes {
			if one, ok := s.(T); ok {
				list = append(list, one)
			}
		}
	}
	return list
}

// drawn decides a log by two configurations and draws it.
func drawn(t *testing.T, old, new string, lines []string) (*check.Document, *figure.Figure) {
	t.Helper()
	a, b := configured(t, old), configured(t, new)
	r, fields := recorded(t, lines, nil, a, b)
	d := &check.Document{}
	var err error
	if d.Log, d.Difference, err = a.Instead(t.Context(), b, r, fields, alone); err != nil {
		t.Fatal(err)
	}
	return d, d.Figure()
}

// TestPicture draws logs of any length: as many requests as there are, in at most 200
// steps; as many that pass as the answer says, when they pass; and the clients that change.
func TestPicture(t *testing.T) {
	draw := rand.New(rand.NewPCG(8, 3))
	for _, apart := range []int{1, 30, 700, 50_000, 40_000_000} { // ms, at most
		var lines []string
		now := 0
		for range 300 {
			now += draw.IntN(apart)
			lines = append(lines, at(now, fmt.Sprint("c", draw.IntN(30)), "/", ""))
		}
		lines = append(lines, at(now+200_000, "last", "/", "")) // later than all waits
		d, f := drawn(t, zone("$binary_remote_addr", "1r/s", "burst=2 nodelay", ""), zone("$uri", "10r/s", "burst=100", ""), lines)
		over := f.Panels[0]
		area := shapes[figure.Steps](over)[0]
		sum := 0.0
		for _, h := range area.Heights {
			sum += h
		}
		if sum != 301 || len(area.Heights) > 200 {
			t.Errorf("apart %d: %v requests in %d bins", apart, sum, len(area.Heights))
		}
		for i, l := range []*check.Log{d.Log, d.Difference.Log} {
			line, passed := shapes[figure.Line](over)[i], 0.0
			for k := 0; k < len(line.Points); k += 2 {
				passed += line.Points[k].Y
			}
			if int64(passed) != l.Passed+l.Delayed || l.Refused == 0 && apart < 700 {
				t.Errorf("apart %d, configuration %d: %v pass, the answer says %d and %d delayed, %d refused", apart, i, passed, l.Passed, l.Delayed, l.Refused)
			}
		}
		var change int64
		if changes := len(d.Difference.Gained) + len(d.Difference.Lost); changes > 0 {
			bars := shapes[figure.Bar](f.Panels[1])
			for i, k := range slices.Concat(d.Difference.Gained, d.Difference.Lost) {
				if change = k.New - k.Old; bars[i].To != float64(change) || f.Panels[1].Y.Rows[i] != k.Key {
					t.Errorf("apart %d: bar %+v of %s, want %d", apart, bars[i], k.Key, change)
				}
			}
		}
	}
}

// TestPictureOfDelays draws a delayed request when it passes, and not after the end.
func TestPictureOfDelays(t *testing.T) {
	old, new := zone("$binary_remote_addr", "1r/s", "burst=9 nodelay", ""), zone("$binary_remote_addr", "1r/s", "burst=9", "")
	lines := []string{at(0, "x", "/", ""), at(0, "x", "/", ""), at(0, "x", "/", ""), at(1999, "y", "/", "")}
	_, f := drawn(t, old, new, lines)
	heights := func(i int) map[float64]float64 { // by the second at which a step starts
		steps := map[float64]float64{}
		line := shapes[figure.Line](f.Panels[0])[i].Points
		for k := 0; k < len(line); k += 2 {
			if line[k].Y > 0 {
				steps[line[k].X] = line[k].Y
			}
		}
		return steps
	}
	if got := fmt.Sprint(heights(0), heights(1)); got != "map[0:3 1.99:1] map[0:1 1:1 1.99:1]" {
		t.Errorf("steps %s", got)
	}
}
