package patterns

import (
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

var workers = kind{
	Entry: catalog.Entry{
		Name:    scenarios.PatternWorkers,
		Summary: "workers that take a job, wait for its answer, and then take the next one",
		Idea: "A worker sends the call of its job, waits for the answer, thinks, and takes the next job; a refused call is repeated as callers says. " +
			"So what arrives depends on what was decided, and each row has calls of its own for the same jobs.",
		Bound: "n workers make at most n/(answer + think) calls per time that are admitted",
		Fields: []catalog.Field{
			{Name: "count", Kind: catalog.Int, Required: true, Min: "1", Max: "1000000", Unit: "workers", Doc: "Number of workers; each has at most one job at a time."},
			{Name: "jobs", Kind: catalog.Int, Min: "1", Max: "1000000000", Unit: "jobs", Doc: "Stock of jobs that the workers of the entry share; without a number it has no end."},
			{Name: "think", Kind: catalog.Union, Choices: scenarios.ServiceTimeKinds(), Bare: "constant", Default: "0s", Doc: "Time from the end of a job to the next one."},
			{Name: "start", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "Time in which the workers begin, one after another at equal distances; at 0s all begin at once."},
		},
	},
	build: func(v *options, span Span) (Pattern, error) {
		return &Jobs{Span: span, Workers: v.Int("count"), Stock: v.Int("jobs"), Start: v.duration("start"), Think: v.Choice("think")}, nil
	},
}

// Jobs is the stock of jobs of an entry with the pattern workers. It has no arrivals of
// its own: as a Pattern it is one instant at which every job waits to be taken.
type Jobs struct {
	Span
	Workers int64
	Stock   int64          // number of jobs; 0 without an end
	Start   int64          // ns in which the workers begin
	Think   catalog.Choice // constant or exponential
}

// Random reports false: all jobs wait from the start.
func (j *Jobs) Random() bool { return false }

// ThinkDraws reports whether think times are drawn.
func (j *Jobs) ThinkDraws() bool { return j.Think.Name == "exponential" }

// Open returns the jobs that wait.
func (j *Jobs) Open(random.Stream) Clock {
	return &jobsClock{at: j.From, left: j.Stock, endless: j.Stock == 0}
}

// jobsClock returns the begin of the entry for each job.
type jobsClock struct {
	at, left int64
	endless  bool
}

func (c *jobsClock) Fill(times []int64) int {
	n := len(times)
	if !c.endless {
		n = int(min(c.left, int64(n)))
		c.left -= int64(n)
	}
	for i := range times[:n] {
		times[i] = c.at
	}
	return n
}
