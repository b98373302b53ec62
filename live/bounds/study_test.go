package bounds

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/live/exchange"
)

const (
	clients    = 3
	underLoad  = 8 // runs, one after another, while the machine is kept busy in one way
	sideBySide = 4 // runs on a machine that is kept busy
)

// studied is a run in real time. Its seed states everything but what the machine does.
type studied struct {
	setup
	begins  int64 // the phase of calendar windows
	offset  int64 // before the run
	over    func(context.Context, *studied) (virtual, error)
	planned []exchange.Exchange
	quiet   bool
	program bool   // the limiter is a program, and not an HTTP server
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
// have 250 ms, so that a run takes 2.5 s and has 800 requests per second: two busy
// processors still serve four such runs, and longer windows would only make the bounds
// closer. Quiet runs have windows of 500 ms, so that what else the machine does matters
// less.
func newStudied(seed uint64, windows int64, quiet bool) *studied {
	stream := random.New(seed, 0, "study")
	width := int64(250e6)
	if quiet {
		width = 500e6
	}
	s := &studied{quiet: quiet, begins: int64(stream.Below(uint64(width))), setup: setup{
		limit: counting.Limit{Count: 100, Window: width, Burst: 20}, ratePct: 200, windows: windows, maxCost: 1, seed: seed,
		algorithm: studiedAlgorithms[seed/2%uint64(len(studiedAlgorithms))], fault: "none",
	}}
	if of := faults[s.algorithm]; seed%2 == 1 {
		s.fault = of[stream.Below(uint64(len(of)))]
	}
	if stream.Below(3) > 0 && !quiet {
		s.lostPct, s.stalls = 1, 2
	}
	switch stream.Below(3) {
	case 0:
		s.even = true
	case 1:
		s.sparse = true
		if stream.Below(2) == 0 {
			s.begins = width/2 + width*18/100 + 21e6 // between the bursts of a pair, if the run starts after some 22 ms
		}
	}
	s.over = overHTTP
	if stream.Below(10) == 0 && overExec != nil {
		s.over, s.program = overExec, true
	}
	s.offset = int64(stream.Below(uint64(width)))
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
	l := &logging{now: now, take: s.setup.limiter(&s.stream, s.begins)}
	for range s.stalls / 2 {
		l.before = append(l.before, int64(s.stream.Below(uint64(len(s.planned)))))
		l.then = append(l.then, int64(s.stream.Below(uint64(len(s.planned)))))
	}
	return l
}

func (s *studied) String() string {
	shape := map[[2]bool]string{{true, false}: "constant", {false, true}: "pairs of bursts", {false, false}: "Poisson"}[[2]bool{s.even, s.sparse}]
	target := map[bool]string{false: "http", true: "exec"}[s.program]
	return fmt.Sprintf("seed %d (%s, %s, %s, %s)", s.seed, target, s.algorithm, s.fault, shape)
}

// judgeAll judges a run in each way that its limiter can be asked about. The first is
// the promise of its algorithm. It returns an error if a bound or a verdict contradicts
// the log, or if a limiter without calendar windows has a phase.
func (s *studied) judgeAll(v virtual) (*Report, error) {
	type judged struct {
		kind  Kind
		phase *Phase
	}
	ways := []judged{{kindOf[s.algorithm], nil}} // first-hit windows promise no more than Sliding
	if ways[0].kind != Sliding {
		ways = append(ways, judged{Sliding, nil})
	}
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

// study runs and judges. It returns an error if anything contradicts the log.
func (c *tally) study(ctx context.Context, s *studied) error {
	time.Sleep(time.Duration(s.offset)) // so that the bursts of runs side by side do not coincide
	v, err := s.over(ctx, s)
	if err != nil {
		return fmt.Errorf("%v: %w", s, err)
	}
	rep, err := s.judgeAll(v)
	c.add(s, v, rep)
	return err
}

// variable returns a number of the environment.
func variable(t *testing.T, name string, standard int) int {
	text := os.Getenv(name)
	if text == "" {
		return standard
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 1 {
		t.Fatalf("%s is %q, want a number from 1", name, text)
	}
	return n
}

// TestTruthOfRealLimiters judges limiters behind sockets that log their decisions, on
// a machine that is kept busy: every figure of the logs is within its bounds, and no
// verdict contradicts it. STUDY_RUNS is the number of runs, and STUDY_SEED the seed of
// the first one, 1 by default. With STUDY_QUIET=1 nothing spins, no answer is
// lost, no limiter stands still, and the share of unknown verdicts is held.
func TestTruthOfRealLimiters(t *testing.T) {
	runs, windows, atOnce := variable(t, "STUDY_RUNS", 2), int64(10), sideBySide
	seed := variable(t, "STUDY_SEED", 1)
	if os.Getenv("STUDY_RUNS") == "" {
		windows = 4 // about a second
	}
	quiet := os.Getenv("STUDY_QUIET") == "1"
	if quiet {
		atOnce = 2
	}
	results := tally{lines: map[[2]string]*counted{}}
	for from := 0; from < runs; from += underLoad {
		release := func() {}
		if !quiet {
			release = keepBusy(t, (seed+from)/underLoad%4 == 1)
		}
		errs := make([]error, min(underLoad, runs-from))
		var running sync.WaitGroup
		for first := range min(atOnce, len(errs)) {
			running.Go(func() {
				for i := first; i < len(errs); i += atOnce {
					errs[i] = results.study(t.Context(), newStudied(uint64(seed+from+i), windows, quiet))
				}
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
