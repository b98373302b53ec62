package search

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/internal/random"
	_ "github.com/limitgauge/limitgauge/internal/testing/samedraws"
)

// surface is a problem whose means are known. Figures of a trial are their means plus
// noise, of which half the variance is common to all candidates.
type surface struct {
	costs, errors []float64 // by candidate
	promise       Promise
	noise         float64 // standard deviation of a replication, as a part of 1 + the error
	costNoise     float64 // the same of the cost, as a part of it
	replications  int
	salt          uint64
}

func (s *surface) Promises(int) []Promise { return []Promise{s.promise} }

func (s *surface) Try(_ context.Context, trials []Trial) ([]Outcome, error) {
	list := make([]Outcome, len(trials))
	for i, t := range trials {
		first, last := t.Replication, t.Replication
		if t.Replication == Whole {
			first, last = 0, s.replications-1
		}
		sum, costs, n := 0.0, 0.0, float64(last-first+1)
		for r := first; r <= last; r++ {
			common := random.New(s.salt+uint64(t.Seed), r, "common")
			own := random.New(s.salt+uint64(t.Seed), r, fmt.Sprint(t.Candidate))
			sum += (normal(&common) + normal(&own)) / math.Sqrt2
			costs += (normal(&common) + normal(&own)) / math.Sqrt2
		}
		e := s.errors[t.Candidate]
		list[i] = Outcome{Cost: s.costs[t.Candidate] * (1 + s.costNoise*costs/n), Figures: []float64{e + s.sd(t.Candidate)*sum/n}}
	}
	return list, nil
}

func (s *surface) sd(candidate int) float64 { return s.noise * (1 + s.errors[candidate]) }

func normal(r *random.Stream) float64 { return float64(r.Normal()) / (1 << random.NormalBits) }

// keeps returns the probability that a seed keeps the promise.
func (s *surface) keeps(candidate int) float64 {
	z := s.promise.Margin(s.errors[candidate]) * math.Sqrt(float64(s.replications)) / s.sd(candidate)
	return math.Erfc(-z/math.Sqrt2) / 2
}

// cheapest returns the least cost of the candidates that keep the promise on a share of
// seeds, infinite without any.
func (s *surface) cheapest(share float64) float64 {
	least := math.Inf(1)
	for i, cost := range s.costs {
		if s.keeps(i) >= share {
			least = min(least, cost)
		}
	}
	return least
}

// drawSurface draws a grid of up to 800 candidates, and its surface. On rough ones, costs
// and errors of candidates do not fit to those of the candidates beside them; the search looks at
// each candidate of these.
func drawSurface(t *rapid.T) (*surface, Options) {
	o := Options{Families: rapid.IntRange(1, 2).Draw(t, "families"), Replications: rapid.SampledFrom([]int{1, 3, 5, 10, 20}).Draw(t, "replications")}
	axes := rapid.IntRange(1, 3).Draw(t, "axes")
	for range axes {
		o.Axes = append(o.Axes, rapid.IntRange(3, []int{0, 200, 20, 7}[axes]).Draw(t, "values"))
	}
	s := &surface{
		promise: Promise{Metric: "error", Op: "<=", Threshold: 5}, replications: o.Replications,
		noise:     rapid.SampledFrom([]float64{0.001, 0.02, 0.1, 0.3}).Draw(t, "noise"),
		costNoise: rapid.SampledFrom([]float64{0, 0, 0.05, 0.2}).Draw(t, "cost noise"), salt: rapid.Uint64Range(1, 1<<40).Draw(t, "salt"),
	}
	s.salt <<= 8
	rough := rapid.SampledFrom([]float64{0, 0.1, 1}).Draw(t, "roughness")
	if rough == 0 {
		o.Look = rapid.SampledFrom([]int{0, 20, 60}).Draw(t, "look")
	}
	slope := rapid.Float64Range(1, 4).Draw(t, "slope")
	r := random.New(s.salt, 0, "surface")
	for i := range o.size() {
		at, rest := 0.0, i
		for _, values := range slices.Backward(o.Axes) {
			at += float64(rest%values) / float64(values-1)
			rest /= values
		}
		x := at / float64(axes) // 0..1
		s.costs = append(s.costs, 1000*math.Exp(-slope*x+rough*normal(&r)/3))
		s.errors = append(s.errors, 0.2*math.Exp(slope*1.5*x+rough*normal(&r)/3))
	}
	return s, o
}

// TestAnswer checks the answer against the known best of random surfaces: it keeps the
// promise on about 95 of 100 seeds or more, and costs at most 5 % more than the cheapest
// candidate that does so beyond doubt, for at most the promised share of the work.
func TestAnswer(t *testing.T) {
	tried, wrong := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s, o := drawSurface(t)
		for range 20 {
			s.salt += 1 << 8 // other noise on all seeds
			tried++
			if err := checkAnswer(s, o); errors.Is(err, errChance) {
				wrong++
			} else if err != nil {
				t.Fatal(err)
			}
		}
	})
	t.Logf("%d wrong of %d", wrong, tried)
	if wrong*300 > tried {
		t.Errorf("%d of %d answers are wrong, want at most 1 of 300", wrong, tried)
	}
}

// errChance reports an answer that is wrong, as noise can make it.
var errChance = errors.New("the answer is wrong")

// checkAnswer runs a search of a surface.
func checkAnswer(s *surface, o Options) error {
	found, err := Run(context.Background(), s, o)
	if err != nil {
		return err
	}
	w := found.Work
	if limit := max(0.2*float64(w.Full), leastSeeds*float64(o.Replications)); float64(w.Used()) > limit {
		return fmt.Errorf("%d replications, want at most %v", w.Used(), limit)
	}
	if b := found.Below; b != nil && b.Verdict == Rejected && (s.costNoise == 0 && b.Cost() >= found.Answer.Cost() || len(b.Fresh) < 6) {
		return fmt.Errorf("the next cheaper of %v costs %v, on %d seeds", found.Answer.Cost(), b.Cost(), len(b.Fresh))
	}
	best := s.cheapest(0.99)
	switch {
	case found.Answer == nil && math.IsInf(best, 1):
	case found.Answer == nil:
		return fmt.Errorf("%w: none, but one of cost %v keeps the promise", errChance, best)
	case s.keeps(found.Answer.Number) < 0.92 || s.costs[found.Answer.Number] > 1.05*best:
		return fmt.Errorf("%w: it keeps on %.3f of seeds and costs %v; %v is the cheapest beyond doubt", errChance, s.keeps(found.Answer.Number), s.costs[found.Answer.Number], best)
	}
	return nil
}

// TestLargeGrid checks that of a large grid only a part is seen, and the best one is found.
func TestLargeGrid(t *testing.T) {
	s := &surface{promise: Promise{Metric: "error", Op: "<=", Threshold: 5}, noise: 0.05, replications: 10, salt: 1}
	o := Options{Families: 1, Axes: []int{100, 100}, Replications: 10, Look: 60}
	for i := range o.size() {
		x, y := float64(i/100)/99, float64(i%100)/99
		s.costs = append(s.costs, 100*math.Exp(-2*x-y))
		s.errors = append(s.errors, math.Exp(3*x+0.7*y))
	}
	found, err := Run(context.Background(), s, o)
	if err != nil {
		t.Fatal(err)
	}
	if best := s.cheapest(0.99); found.Answer == nil || found.Answer.Cost() > 1.05*best {
		t.Errorf("no answer within 5 %% of the cost %v", best)
	}
	if w := found.Work; len(found.Seen) > o.size()/4 || w.Used() > w.Sweep/5 {
		t.Errorf("%d of %d seen, %d replications; one of a sweep has %d", len(found.Seen), o.size(), w.Used(), w.Sweep)
	}
}

// TestFreshSeedsDecide plants a candidate that keeps the promise on the search's seed
// alone. The next dearer one is the answer.
func TestFreshSeedsDecide(t *testing.T) {
	s := &planted{surface{costs: []float64{10, 8, 7}, errors: []float64{1, 1, 9}, promise: Promise{Metric: "error", Op: "<", Threshold: 5}, replications: 4}}
	found, err := Run(context.Background(), s, Options{Families: 1, Axes: []int{3}, Replications: 4})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := found.Answer, found.Below; a == nil || a.Number != 0 || b == nil || b.Number != 1 || b.Verdict != Rejected || len(b.Fresh) != 6 {
		t.Errorf("answer %+v, next cheaper %+v", a, b)
	}
}

// planted is a surface whose candidate 1 breaks the promise on fresh seeds.
type planted struct{ surface }

func (s *planted) Try(ctx context.Context, trials []Trial) ([]Outcome, error) {
	list, err := s.surface.Try(ctx, trials)
	for i, t := range trials {
		if t.Candidate == 1 && t.Seed > 0 {
			list[i].Figures[0] = 9
		}
	}
	return list, err
}

// TestJudge checks the verdicts after fresh seeds.
func TestJudge(t *testing.T) {
	for _, c := range []struct {
		seeds, broken int
		want          Verdict
	}{
		{6, 6, Rejected}, {6, 5, Open}, {20, 0, Open}, {60, 0, Kept}, {60, 1, Open}, {100, 2, Kept}, {100, 4, Open}, {100, 5, Open}, {100, 6, Rejected}, {100, 27, Rejected},
		{120, 8, Open}, {140, 11, Rejected}, {200, 10, Kept}, {200, 11, Rejected},
	} {
		if got := judge(c.seeds, c.broken); got != c.want {
			t.Errorf("%d broken of %d: got %v, want %v", c.broken, c.seeds, got, c.want)
		}
	}
}

// TestNothingToFind checks searches without an answer.
func TestNothingToFind(t *testing.T) {
	s := &surface{costs: []float64{3, 2, 1}, errors: []float64{6, 7, 8}, promise: Promise{Metric: "error", Op: "<=", Threshold: 5}, noise: 0.01, replications: 3}
	found, err := Run(context.Background(), s, Options{Families: 1, Axes: []int{3}, Replications: 3})
	if err != nil || found.Answer != nil || found.UsedUp || found.Nearest == nil || found.Nearest.Number != 0 || found.Nearest.Verdict != Rejected {
		t.Errorf("%v, %+v", err, found)
	}
	s.errors[0] = 1
	found, err = Run(context.Background(), s, Options{Families: 1, Axes: []int{3}, Replications: 3, Budget: 50})
	if err != nil || found.Answer != nil || !found.UsedUp || found.Work.Used() > 50 {
		t.Errorf("%v, %+v", err, found)
	}
}
