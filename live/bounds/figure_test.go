package bounds

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/random"
	"github.com/limitgauge/limitgauge/live/exchange"
)

// figureRun is a run of some keys against limiters that log their decisions.
type figureRun struct {
	setup
	kind       Kind
	keys       int
	waits      bool  // whether some admitted requests wait
	unseenPct  int   // of the failed requests that were rejected, how many never reached the limiter
	doubtNs    int64 // how much the phase is in doubt
	resolution int64
	within     bool // whether it is stated how late failed requests are decided
	usedBefore int64
}

// check compares the figures of the run with the limiter's log.
func (r figureRun) check() ([]Figure, map[string]float64, error) {
	stream := random.New(r.seed, 1, "figures")
	truth := figureTruth{limit: r.limit, kind: r.kind, usedBefore: r.usedBefore}
	var all []exchange.Exchange
	for key := range r.keys {
		s := r.setup
		s.seed += uint64(key) << 32
		s.phase = 1 + int64(r.seed%uint64(s.limit.Window)) // the same for all keys
		v := s.run()
		for i := range v.exchanges {
			e := &v.exchanges[i]
			e.Key, e.Client = fmt.Sprint("key ", key), int32(stream.Below(3))
			if r.waits && e.Verdict == exchange.Admitted && stream.Below(3) == 0 {
				e.WaitNs = int64(stream.Below(uint64(s.limit.Window / 2)))
			}
		}
		v.decisions = slices.DeleteFunc(v.decisions, func(d decision) bool {
			return v.exchanges[d.of].Verdict == exchange.Failed && !d.admitted && int(stream.Below(100)) < r.unseenPct
		})
		truth.events = append(truth.events, eventsOf(v, v.exchanges)...)
		all = append(all, v.exchanges...)
		truth.phase = v.phase
	}
	settings := NewSettings(r.limit, r.kind)
	settings.ResolutionNs = r.resolution
	if r.within {
		settings.FailedWithinNs = truth.latestFailed(all)
	}
	return truth.check(all, settings, int64(stream.Below(uint64(r.doubtNs+1))), r.doubtNs)
}

// Whatever few requests in short windows are answered, the true figures are within the
// bounds.
func TestTrueFiguresOfFewRequests(t *testing.T) {
	for seed := range uint64(6000) {
		stream := random.New(seed, 0, "few")
		below := func(n int64) int64 { return int64(stream.Below(uint64(n))) }
		truth := figureTruth{
			limit: counting.Limit{Count: 1 + below(4), Window: 3 + below(8), Burst: 1 + below(4)},
			kind:  Kind(below(3)), usedBefore: max(0, below(5)-2),
		}
		truth.phase = below(truth.limit.Window)
		longest, dearest, failing, length := 1+below(1+below(160)), 1+below(3), 1+below(4), 1+below(120)
		var all []exchange.Exchange
		for range 1 + below(14) {
			e := exchange.Exchange{Request: exchange.Request{Key: fmt.Sprint(below(2)), Client: int32(below(2)), Cost: 1 + below(dearest)}}
			e.SentNs = 1 + below(length)
			at := e.SentNs + below(longest)
			e.AnsweredNs = at + below(longest)
			admitted := below(2) == 0
			e.Verdict = exchange.Rejected
			if admitted {
				e.Verdict = exchange.Admitted
			}
			decided := true
			if below(4*failing) == 0 {
				e.Verdict, e.AnsweredNs, decided = exchange.Failed, e.SentNs+below(longest), admitted || below(2) == 0
			}
			all = append(all, e)
			truth.events = append(truth.events, event{e.SentNs, at, at, e.Cost, e.Key, e.Client, decided, admitted})
		}
		settings := NewSettings(truth.limit, truth.kind)
		settings.ResolutionNs = max(0, below(4)-2)
		if below(2) == 0 {
			settings.FailedWithinNs = truth.latestFailed(all)
		}
		doubt := below(2) * below(truth.limit.Window)
		if _, _, err := truth.check(all, settings, below(doubt+1), doubt); err != nil {
			t.Fatalf("seed %d, %+v: %v", seed, truth, err)
		}
	}
}

// Whatever the limiter, the traffic and the network are, the true figures are within
// the bounds.
func TestTrueFiguresAreWithinTheBounds(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		algorithm := rapid.SampledFrom([]string{"fixed-window", "first-hit-window", "sliding-log", "token-bucket", "gcra"}).Draw(t, "algorithm")
		window := rapid.SampledFrom([]int64{20e6, 100e6, 1e9}).Draw(t, "window")
		r := figureRun{
			setup: setup{
				algorithm: algorithm,
				fault:     rapid.SampledFrom([]string{"none", "none", "5% over", "double", "forgets", "10% under"}).Draw(t, "fault"),
				limit: counting.Limit{
					Count:  rapid.SampledFrom([]int64{3, 20, 100}).Draw(t, "limit"),
					Window: window,
					Burst:  rapid.SampledFrom([]int64{3, 20, 50}).Draw(t, "burst"),
				},
				ratePct:  rapid.SampledFrom([]int64{20, 90, 120, 200, 400}).Draw(t, "rate"),
				windows:  rapid.Int64Range(1, 8).Draw(t, "windows"),
				even:     rapid.Bool().Draw(t, "even"),
				maxCost:  rapid.SampledFrom([]int64{1, 1, 5}).Draw(t, "cost"),
				oneWayNs: rapid.SampledFrom([]int64{50e3, 1e6, 20e6}).Draw(t, "latency"),
				lostPct:  rapid.SampledFrom([]uint64{0, 0, 1, 10}).Draw(t, "lost"),
				stalls:   rapid.IntRange(0, 2).Draw(t, "stalls"),
				giveUpNs: rapid.SampledFrom([]int64{50e6, 1e9}).Draw(t, "give up"),
				seed:     rapid.Uint64().Draw(t, "seed"),
			},
			kind:       rapid.SampledFrom([]Kind{Sliding, Calendar, Bucket}).Draw(t, "kind"),
			keys:       rapid.SampledFrom([]int{1, 3}).Draw(t, "keys"),
			waits:      rapid.IntRange(0, 4).Draw(t, "waits") == 0,
			unseenPct:  rapid.SampledFrom([]int{0, 50}).Draw(t, "unseen"),
			doubtNs:    rapid.SampledFrom([]int64{0, 0, 1e3, 5e6, window - 1}).Draw(t, "doubt"),
			resolution: rapid.SampledFrom([]int64{0, 0, 1e6, 10e6}).Draw(t, "resolution"),
			within:     rapid.Bool().Draw(t, "within"),
			usedBefore: rapid.SampledFrom([]int64{0, 0, 2, 20}).Draw(t, "used before"),
		}
		for range 10 {
			r.seed++
			if _, _, err := r.check(); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// If requests of cost 1 are answered at once, every figure is what it truly is.
func TestImmediateAnswersLeaveNoDoubt(t *testing.T) {
	seed := uint64(0)
	for kind := range Bucket + 1 {
		for _, algorithm := range []string{"fixed-window", "sliding-log", "gcra"} {
			for _, fault := range []string{"none", "double", "10% under", "forgets"} {
				seed++
				r := figureRun{setup: setup{
					algorithm: algorithm, fault: fault, limit: counting.Limit{Count: 20, Window: 100e6, Burst: 5},
					ratePct: 200, windows: 6, maxCost: 1, giveUpNs: 1e9, seed: seed,
				}, kind: kind, keys: 2}
				figures, truth, err := r.check()
				if err != nil {
					t.Fatal(err)
				}
				known := 0
				for _, f := range figures {
					if f.None != "" {
						continue
					}
					known++
					if _, ok := truth[f.Name]; f.Lo != f.Hi || !ok && !strings.HasPrefix(f.Name, "failed") && !strings.HasPrefix(f.Name, "decision_latency") {
						t.Errorf("kind %d, %s, %s: %s is from %v to %v", kind, algorithm, fault, f.Name, f.Lo, f.Hi)
					}
				}
				if want := len(figures) - 1; kind == Bucket && known != want+1 || kind != Bucket && known != want {
					t.Errorf("kind %d: %d of %d figures are known", kind, known, len(figures))
				}
			}
		}
	}
}

// If nobody knows how full a bucket was at the start, that is a doubt of one burst, not of
// one in each window.
func TestUnknownStartIsOneBurst(t *testing.T) {
	r := figureRun{setup: setup{
		algorithm: "token-bucket", fault: "none", limit: counting.Limit{Count: 100, Window: 1e9, Burst: 100},
		ratePct: 200, windows: 10, maxCost: 1, oneWayNs: 100e3, giveUpNs: 1e9, seed: 1,
	}, kind: Bucket, keys: 1, usedBefore: 1}
	figures, truth, err := r.check()
	if err != nil {
		t.Fatal(err)
	}
	for name, most := range map[string]float64{"over_admission_pct": 13, "under_admission_pct": 3} {
		i := slices.IndexFunc(figures, func(f Figure) bool { return f.Name == name })
		if f := figures[i]; f.Hi > most {
			t.Errorf("%s is from %v to %v, truly %v; want at most %v", name, f.Lo, f.Hi, truth[name], most)
		}
	}
}

// However many requests fail, the exact limiter of calendar windows admits at most its
// limit in each window. It can admit that in every window, also in those of a gap in which
// nothing begins or ends.
func TestCalendarReferenceAdmitsTheLimitOfEachWindow(t *testing.T) {
	const windows = 6
	settings := NewSettings(counting.Limit{Count: 1, Window: 10}, Calendar)
	most := func(last, others exchange.Exchange) int64 {
		all := []exchange.Exchange{last}
		for range 2 * windows {
			all = append(all, others)
		}
		records, err := soundRecords(all, &settings)
		if err != nil {
			t.Fatal(err)
		}
		return newScope(records, &settings, &Phase{}).admissionOf(flowOf(records[0])).reference.most
	}
	sent := func(ns, answered int64, v exchange.Verdict) exchange.Exchange {
		return exchange.Exchange{Request: exchange.Request{Cost: 1}, SentNs: ns, AnsweredNs: answered, Verdict: v}
	}
	if got := most(sent(5, 5, exchange.Admitted), sent(5, 6, exchange.Failed)); got != 1 {
		t.Errorf("in one window it admits at most %d, want 1", got)
	}
	const end = 10*windows - 5 // in the last window
	if got := most(sent(end, end, exchange.Admitted), sent(5, end, exchange.Admitted)); got < windows {
		t.Errorf("in %d windows it admits at most %d", windows, got)
	}
}
