// Package calibrate measures a PostgreSQL server and finds the options of the
// enforcement sql that make the simulation behave like it.
//
// The package makes no promise: it can change at any time.
package calibrate

import (
	"context"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// Model holds values of the enforcement's options. Times are in us.
type Model struct {
	Processors int
	Overhead   float64
	Varies     bool // the overhead is exponential, or else constant
	Statement  float64
	Service    float64 // mean of an exponential distribution
	Response   float64
	Recheck    float64
	Abort      float64
	Wakeup     float64
	HeadStart  float64 // from 0 to 1
}

// options returns the model's options as they are in YAML, in one line each.
func (m Model) options() []string {
	us := func(name string, t float64) string { return fmt.Sprintf("%s: %dus", name, int(math.Round(t))) }
	random := func(name string, t float64) string {
		return fmt.Sprintf("%s: {exponential: {mean: %dus}}", name, max(1, int(math.Round(t))))
	}
	overhead := us("overhead", m.Overhead)
	if m.Varies {
		overhead = random("overhead", m.Overhead)
	}
	return []string{
		fmt.Sprintf("processors: %d", m.Processors), overhead, us("statement", m.Statement), random("service_time", m.Service),
		us("response", m.Response), us("recheck", m.Recheck), us("abort", m.Abort), us("wakeup", m.Wakeup),
		fmt.Sprintf("head_start: %d%%", int(math.Round(100*m.HeadStart))),
	}
}

// Load is a number of callers that call for one row without pause and repeat calls
// that conflict.
type Load struct {
	Callers   int
	Isolation string // serializable or read committed
}

// Point is how a load is served.
type Point struct {
	Load
	FirstTryPct       float64 // calls whose first try succeeds
	RetriesPerSuccess float64
	CommitsPerSecond  float64
}

// enough is the number of commits that a simulation of a load runs for.
const enough = 3000

// Simulate returns how the model serves loads. about are commits per second of the
// same loads that need not be accurate: they determine how long is simulated.
func (m Model) Simulate(ctx context.Context, about []Point) ([]Point, error) {
	f, problems := scenarios.Load("calibrate.yaml", []byte(m.scenarios(about)), ".", sim.Catalog())
	if len(problems) > 0 {
		return nil, &sim.Invalid{Problems: problems}
	}
	d, err := sim.Run(ctx, f, sim.Options{})
	if err != nil {
		return nil, err
	}
	points := lists.Map(about, func(p Point) Point { return Point{Load: p.Load, FirstTryPct: 100} })
	for _, r := range d.Results {
		var i int
		if _, err := fmt.Sscanf(r.Scenario, "load %d", &i); err != nil || r.Reference {
			continue
		}
		first, tries, all := r.Metrics["first_try_pct"].Mean, r.Metrics["tries_per_call"].Mean, r.Metrics["server_calls_per_s"].Mean
		if first == nil || tries == nil || all == nil {
			return nil, errors.New("the simulation of " + r.Scenario + " has no commits")
		}
		// Each call succeeds at last, so its tries but one fail.
		points[i].FirstTryPct, points[i].RetriesPerSuccess, points[i].CommitsPerSecond = *first, *tries-1, *all / *tries
	}
	return points, nil
}

// span returns how long a load is simulated.
func span(p Point) time.Duration {
	ms := math.Ceil(1000 * enough / max(p.CommitsPerSecond, 10))
	return time.Duration(ms) * time.Millisecond
}

// scenarios returns a scenario file with a scenario per load.
func (m Model) scenarios(about []Point) string {
	var b strings.Builder
	options := strings.Join(m.options(), ", ")
	fmt.Fprintf(&b, "version: 1\nreplications: 1\nalgorithms:\n")
	for _, name := range []string{"serializable", "read-committed"} {
		fmt.Fprintf(&b, "  %s: {preset: sql-%s, retries: 1000000, %s}\n", name, name, options)
	}
	fmt.Fprintf(&b, "scenarios:\n")
	for i, p := range about {
		warmup := span(p) / 10
		// Four times the commits keep every caller busy to the end.
		rate := int(math.Ceil(4*p.CommitsPerSecond/float64(p.Callers)+100)) * p.Callers
		fmt.Fprintf(&b, "  - {name: load %d, duration: %dus, warmup: %dus, policy: {limit: 10k/1ms, burst: 10M}, topology: {clients: %d}, traffic: [{pattern: constant, rate: %d/s}], algorithms: [%s]}\n",
			i, (span(p) + warmup).Microseconds(), warmup.Microseconds(), p.Callers, rate, strings.ReplaceAll(p.Isolation, " ", "-"))
	}
	return b.String()
}
