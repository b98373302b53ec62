package trial

import (
	"cmp"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/live/bounds"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/report/table"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/measure"
	"github.com/limitgauge/limitgauge/sim/results"
)

// windowed returns a run against a fixed window of 100 a second, in virtual time, whose
// windows begin at a phase in ns. Each answer takes 0.2 ms.
func windowed(t *testing.T, trial *Trial, phase int64) *send.Result {
	t.Helper()
	return answered(t, trial, phase, counting.NewFixedWindow(counting.Limit{Count: 100, Window: 1e9}, counting.WindowOptions{}))
}

// answered returns a run against a limiter in virtual time.
func answered(t *testing.T, trial *Trial, phase int64, w interface {
	Take(now, cost int64) counting.Verdict
}) *send.Result {
	t.Helper()
	planned, err := trial.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for i := range planned {
		x := &planned[i]
		x.SentNs, x.AnsweredNs, x.Verdict = x.IntendedNs, x.IntendedNs+200e3, exchange.Rejected
		if w.Take(x.SentNs+100e3+1e9-phase, 1).Admitted() {
			x.Verdict, x.Admit = exchange.Admitted, true
		}
	}
	n := int64(len(planned))
	return &send.Result{Exchanges: planned, Sender: results.LiveSender{Planned: n, Sent: n}}
}

// trialOf returns a trial of a scenario of one second windows with a reference, for a duration.
func trialOf(t *testing.T, reference, duration, algorithm, promise string) *Trial {
	t.Helper()
	text := `{"version": 1, "duration": "` + duration + `", "metrics": "full", "scenarios": [{"name": "s", "policy": {"limit": "100/s", "reference": "` + reference + `"},
		"traffic": [{"pattern": "poisson", "rate": "200/s"}], "algorithms": ["` + algorithm + `"]}]}`
	f, problems := scenarios.Load("s", []byte(text), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	trial := &Trial{File: f, Target: "go", Promise: promise, Simulation: sim.Options{Stamp: sim.StampOf(f)}}
	if err := trial.Check(); err != nil {
		t.Fatal(err)
	}
	return trial
}

// What is measured is compared with a prediction in the same windows, whatever the limiter
// is judged by, and against the same reference. If the windows are not known, it is compared
// only if they do not matter.
func TestPredictionsAreOfTheSameWindows(t *testing.T) {
	for _, c := range []struct{ reference, duration, algorithm, promise, want string }{
		{"sliding-log", "10s", "fixed-window", "sliding", "go measured minus fixed-window predicted: no certain difference in "},
		{"token-bucket", "10s", "fixed-window", "bucket", "go measured minus fixed-window predicted: no certain difference in "},
		{"fixed-window", "10s", "fixed-window", "calendar", "go measured minus fixed-window predicted: no certain difference in "},
		{"token-bucket", "10s", "fixed-window", "sliding", "go measured minus fixed-window predicted: no certain difference in "},
		{"token-bucket", "10s", "fixed-window", "calendar", "go measured minus fixed-window predicted: no certain difference in "},
		{"fixed-window", "10s", "fixed-window", "bucket", "go measured minus fixed-window predicted: no certain difference in "},
		{"sliding-log", "1500ms", "fixed-window", "sliding", "go measured minus fixed-window predicted: not compared, because the prediction depends on when windows begin; when calendar windows begin is not established: send "},
		{"sliding-log", "1500ms", "sliding-window-log", "sliding", "go measured minus sliding-window-log predicted: "},
	} {
		for _, phase := range []int64{1, 130e6, 430e6, 871e6} {
			trial := trialOf(t, c.reference, c.duration, c.algorithm, c.promise)
			notes := notesOf(t, trial, windowed(t, trial, phase), trial.settings())
			if !strings.Contains(notes, c.want) || c.algorithm != "fixed-window" && strings.Contains(notes, "not compared") {
				t.Errorf("%+v, phase %d: %q is missing in:\n%s", c, phase, c.want, notes)
			}
		}
	}
}

// A limiter decides between the sending of a request and its answer, and a prediction may
// not be off by what that changes, also if it changes within the run.
func TestPredictionsDecideUntilTheAnswer(t *testing.T) {
	const took = 200e6
	for _, algorithm := range []string{"token-bucket", "fixed-window"} {
		for seed := range uint64(5) {
			draws := random.New(seed, 0, "times of decision")
			for name, after := range map[string]func(sent int64) int64{
				"any time":         func(int64) int64 { return int64(draws.Below(took)) },
				"early, then late": func(sent int64) int64 { return sent / 4e9 % 2 * took },
				"late, then early": func(sent int64) int64 { return (1 - sent/6e9%2) * took },
				"in turn":          func(sent int64) int64 { return sent / 15e8 % 2 * took },
			} {
				trial := trialOf(t, "token-bucket", "10s", algorithm, "bucket")
				trial.File.Seed = seed
				settings := trial.settings()
				settings.Phase = &bounds.Phase{}
				run := decidedLater(t, trial, algorithm, took, after)
				if notes := notesOf(t, trial, run, settings); !strings.Contains(notes, "no certain difference") {
					t.Errorf("%s, seed %d, %s:\n%s", algorithm, seed, name, notes)
				}
			}
		}
	}
}

// decidedLater returns a run against an algorithm that decides some time after each request is
// sent. All answers take the same time.
func decidedLater(t *testing.T, trial *Trial, algorithm string, took int64, after func(sent int64) int64) *send.Result {
	t.Helper()
	w, err := counting.New(algorithm, counting.Limit{Count: 100, Window: 1e9, Burst: 100}, nil, 1)
	if err != nil {
		t.Fatal(err)
	}
	planned, err := trial.Plan(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	decided := map[int64]int64{}
	var order []*exchange.Exchange
	for i := range planned {
		x := &planned[i]
		x.SentNs, x.AnsweredNs, x.Verdict = x.IntendedNs, x.IntendedNs+took, exchange.Rejected
		decided[x.Number] = x.SentNs + after(x.SentNs)
		order = append(order, x)
	}
	slices.SortStableFunc(order, func(a, b *exchange.Exchange) int { return cmp.Compare(decided[a.Number], decided[b.Number]) })
	for _, x := range order {
		if w.Take(0, decided[x.Number], 1).Admitted() {
			x.Verdict, x.Admit = exchange.Admitted, true
		}
	}
	n := int64(len(planned))
	return &send.Result{Exchanges: planned, Sender: results.LiveSender{Planned: n, Sent: n}}
}

func notesOf(t *testing.T, trial *Trial, run *send.Result, settings bounds.Settings) string {
	t.Helper()
	d, err := trial.document(t.Context(), run, settings)
	if err != nil {
		t.Fatal(err)
	}
	shown := table.Comparison(d, nil, measure.Metrics(), table.Verdicts{})
	return strings.Join(slices.Concat(shown.Notes, shown.More), "\n")
}

// A target whose clock cannot be asked for goes by that of this machine, unless its
// refusals contradict that.
func TestClockOfThisMachine(t *testing.T) {
	clocked := &Trial{Clock: true}
	readings, err := clocked.readClock(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range readings {
		if r.unixNs < r.from.UnixNano() || r.unixNs > r.to.UnixNano() {
			t.Errorf("read %d from %v to %v", r.unixNs, r.from, r.to)
		}
	}
	for phase, want := range map[int64]string{200e6: "(--clock; ", 500e6: "windows begin "} {
		trial := trialOf(t, "fixed-window", "10s", "fixed-window", "calendar")
		settings := trial.settings()
		settings.Phase = &bounds.Phase{EarliestNs: 200e6, LatestNs: 200e6}
		notes := notesOf(t, trial, windowed(t, trial, phase), settings)
		if !strings.Contains(notes, want) || strings.Contains(notes, "--clock") != (phase == 200e6) {
			t.Errorf("phase %d: %q is missing in:\n%s", phase, want, notes)
		}
	}
	// The phase matters for predictions and other judges, whatever the target is judged by.
	for _, promise := range Promises {
		trial := trialOf(t, "token-bucket", "1500ms", "fixed-window", promise)
		trial.Clock = true
		if err := trial.Check(); err != nil {
			t.Fatal(err)
		}
		settings := trial.settings()
		settings.Phase = &bounds.Phase{EarliestNs: 200e6, LatestNs: 200e6}
		if notes := notesOf(t, trial, windowed(t, trial, 200e6), settings); !strings.Contains(notes, "no certain difference") {
			t.Errorf("%s:\n%s", promise, notes)
		}
	}
	// A sliding log has no windows of any clock: nothing advises the option that is not used.
	trial := trialOf(t, "fixed-window", "10s", "fixed-window", "calendar")
	settings := trial.settings()
	settings.Phase = &bounds.Phase{EarliestNs: 200e6, LatestNs: 200e6}
	log := counting.NewSlidingLog(counting.Limit{Count: 102, Window: 1e9}, counting.WindowOptions{})
	notes := notesOf(t, trial, answered(t, trial, 0, log), settings)
	if strings.Count(notes, "--clock") != 1 || !strings.Contains(notes, "so --clock is not used") {
		t.Errorf("a sliding log:\n%s", notes)
	}
}
