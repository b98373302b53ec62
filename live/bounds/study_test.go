package bounds

import (
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counter"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/random"
)

const (
	clients    = 3
	sideBySide = 4 // runs on a machine that is kept busy
)

// studied is a run in real time. Its seed states everything but what the machine does.
type studied struct {
	setup
	phase   int64 // of calendar windows
	planned []exchange.Exchange
	lost    []bool // by request: its answer is lost
	stream  random.Stream
}

// faults are those of each algorithm in the study. Half of the limiters have one.
var faults = map[string][]string{
	"fixed-window":     {"5% over", "forgets", "two copies", "counts rejected", "10% under"},
	"first-hit-window": {"5% over", "forgets", "two copies"},
	"sliding-log":      {"5% over", "forgets", "two copies", "counts rejected", "10% under"},
	"token-bucket":     {"5% over", "forgets", "two copies", "10% under"},
	"gcra":             {"5% over", "forgets", "two copies", "10% under"},
}

var studiedAlgorithms = []string{"fixed-window", "first-hit-window", "sliding-log", "token-bucket", "gcra"}

// newStudied draws the run of a seed: 200 requests in each window of 100. The windows
// have 250 ms, so that a run takes 2.5 s; longer ones would only make the bounds closer.
func newStudied(seed uint64, windows int64, quiet bool) *studied {
	stream := random.New(seed, 0, "study")
	s := &studied{setup: setup{
		limit: counter.Limit{Count: 100, Window: 250e6, Burst: 20}, ratePct: 200, windows: windows, maxCost: 1, seed: seed,
		algorithm: studiedAlgorithms[seed/2%uint64(len(studiedAlgorithms))], fault: "none", lostPct: 1, stalls: 2,
	}}
	if quiet {
		s.lostPct, s.stalls = 0, 0
	}
	if of := faults[s.algorithm]; seed%2 == 1 {
		s.fault = of[stream.Below(uint64(len(of)))]
	}
	width := s.limit.Window
	s.phase = int64(stream.Below(uint64(width)))
	switch stream.Below(3) {
	case 0:
		s.even = true
	case 1:
		s.pairs = true
		if stream.Below(2) == 0 {
			s.phase = width/2 + width/100 // between the bursts of a pair, if the run starts at once
		}
	}
	for i, at := range s.arrivals(&stream) {
		e := exchange.Exchange{Answer: exchange.Plain(false), SentNs: exchange.Unstated, AnsweredNs: exchange.Unstated}
		e.Request = exchange.Request{Number: int64(i), IntendedNs: at, Client: int32(i % clients), Cost: 1}
		s.planned = append(s.planned, e)
		s.lost = append(s.lost, stream.Below(100) < s.lostPct)
	}
	s.stream = stream
	return s
}

// limiter returns the limiter of the run.
func (s *studied) limiter(now func() int64) *logging {
	l := &logging{now: now, take: s.setup.limiter(&s.stream, s.phase)}
	for range s.stalls / 2 {
		l.before = append(l.before, int64(s.stream.Below(uint64(len(s.planned)))))
		l.then = append(l.then, int64(s.stream.Below(uint64(len(s.planned)))))
	}
	return l
}

func (s *studied) String() string {
	shape := map[[2]bool]string{{true, false}: "constant", {false, true}: "pairs of bursts", {false, false}: "Poisson"}[[2]bool{s.even, s.pairs}]
	return fmt.Sprintf("seed %d (%s, %s, %s)", s.seed, s.algorithm, s.fault, shape)
}

// judgeAll judges a run in each way that its limiter can be asked about. The first is
// the promise of its algorithm. It returns an error if a bound or a verdict contradicts
// the log, or if a limiter without calendar windows has a phase.
func (s *studied) judgeAll(v virtual) (*Report, error) {
	type judged struct {
		kind  Kind
		phase *Phase
	}
	ways := []judged{{kindOf[s.algorithm], nil}, {Sliding, nil}} // first-hit windows promise no more than Sliding
	if s.algorithm == "fixed-window" {
		ways = append(ways, judged{Calendar, &Phase{}})
	}
	var first *Report
	var errs []error
	for _, w := range ways {
		rep, err := s.checkLog(v, w.kind, w.phase)
		if err == nil && s.algorithm != "fixed-window" && rep.Phase.Phase != nil {
			err = fmt.Errorf("phase: %+v, but there are no calendar windows", rep.Phase)
		}
		if err != nil {
			errs = append(errs, fmt.Errorf("%v, judged as %d: %w", s, w.kind, err))
		}
		if first == nil {
			first = rep
		}
	}
	return first, errors.Join(errs...)
}

// TestTruthOfRealLimiters judges limiters behind sockets that log their decisions, on
// a machine that is kept busy: every figure of the logs is within its bounds, and no
// verdict contradicts it. STUDY_RUNS is the number of runs; seeds are from 1. With
// STUDY_QUIET=1 nothing else is done, no answer is lost, no limiter stands still, and
// the share of unknown verdicts is held.
func TestTruthOfRealLimiters(t *testing.T) {
	runs, windows, atOnce := 2, int64(4), sideBySide
	if text := os.Getenv("STUDY_RUNS"); text != "" {
		var err error
		if runs, err = strconv.Atoi(text); err != nil || runs < 1 {
			t.Fatalf("STUDY_RUNS is %q, want a number of runs", text)
		}
		windows = 10
	}
	quiet := os.Getenv("STUDY_QUIET") == "1"
	if quiet {
		atOnce = 1
	}
	results := tally{lines: map[[2]string]*counted{}}
	for from := 1; from <= runs; from += atOnce {
		group := min(atOnce, runs-from+1)
		reports, errs, all := make([]*Report, group), make([]error, group), make([]*studied, group)
		release := func() {}
		if !quiet {
			release = keepBusy(t, from/atOnce%2 == 0)
		}
		var running sync.WaitGroup
		for i := range group {
			all[i] = newStudied(uint64(from+i), windows, quiet)
			running.Go(func() {
				v, err := overHTTP(t.Context(), all[i])
				if err != nil {
					errs[i] = fmt.Errorf("%v: %w", all[i], err)
					return
				}
				reports[i], errs[i] = all[i].judgeAll(v)
				results.add(all[i], v, reports[i])
			})
		}
		running.Wait()
		release()
		if err := errors.Join(errs...); err != nil {
			t.Error(err)
		}
	}
	t.Logf("%d runs:\n%s", runs, results.String())
	if quiet {
		results.hold(t)
	}
}
