package cli

import (
	"context"
	"errors"
	"testing"

	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/search/size/least"
)

// TestSizeStops checks that a question whose log cannot be played any more ends with that
// error, at each pass over it.
func TestSizeStops(t *testing.T) {
	name := weightedLog(t)
	r, err := logs.Read(context.Background(), logs.Options{Files: []string{name}, Asked: logs.Asked{Key: "who", Cost: []string{"tokens"}, TimeFormat: "epoch-ms"}})
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var s sizeFlags
	s.of, s.atMost, s.algorithm, s.windows, s.reserve, s.parts = "requests", "5%", least.Algorithms()[0], []string{"1s"}, "1", 2
	for passes := range 100 {
		q, err := s.question()
		if err != nil {
			t.Fatal(err)
		}
		d, err := q.Answer(&passing{Context: context.Background(), left: passes}, r)
		if err == nil {
			if passes < 15 || d.Best() == nil || len(d.Backtest.Parts) != 2 {
				t.Errorf("an answer after %d passes: %+v", passes, d)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatalf("after %d passes: %v", passes, err)
		}
	}
	t.Error("no answer")
}

// passing is a context that ends after it has been asked for some times.
type passing struct {
	context.Context
	left int
}

func (p *passing) Err() error {
	if p.left--; p.left < 0 {
		return context.Canceled
	}
	return nil
}
