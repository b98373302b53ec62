package cli

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/search/size"
)

// twoHours returns two hours of four clients that come in bursts, and of one that asks for
// far more in the last half hour.
func twoHours() (list []asked) {
	draw := rand.New(rand.NewPCG(37, 6))
	const half = 1_800_000
	for ms := int64(0); ms < 4*half; ms += draw.Int64N(20_000) {
		list = append(list, atOnce(ms, fmt.Sprint("client", draw.IntN(4)), 1+draw.IntN(9))...)
		if ms > 3*half {
			list = append(list, atOnce(ms, "newcomer", 12)...)
		}
	}
	return list
}

// origin is when the logs of these tests begin, in ms since 1970.
const origin = 1_700_006_400_000

// sized returns what size finds in requests.
func sized(t *testing.T, rows []asked, args ...string) (d size.Document) {
	t.Helper()
	var text strings.Builder
	text.WriteString("time,who\n")
	for _, r := range rows {
		fmt.Fprintf(&text, "%d,%s\n", origin+r.ms, r.key)
	}
	name := filepath.Join(t.TempDir(), "log.csv")
	if err := os.WriteFile(name, []byte(text.String()), 0o666); err != nil {
		t.Fatal(err)
	}
	args = append([]string{"size", name, "-q", "--per", "who", "--time-format", "epoch-ms", "--format", "json"}, args...)
	if err := json.Unmarshal(ran(t, args...), &d); err != nil {
		t.Fatal(err)
	}
	return d
}

// TestOtherDays checks that size says what a test of parts shorter than a day cannot show.
func TestOtherDays(t *testing.T) {
	for hours, want := range map[int64]bool{8: true, 95: false} {
		var rows []asked
		for minute := range hours * 60 {
			rows = append(rows, atOnce(minute*60_000, fmt.Sprint("client", minute%3), 2)...)
		}
		d := sized(t, rows, "--windows", "1min")
		said := slices.ContainsFunc(d.Unknown, func(text string) bool { return strings.HasPrefix(text, "other days: ") })
		if len(d.Backtest.Parts) != 4 || said != want {
			t.Errorf("%d hours: %q", hours, d.Unknown)
		}
	}
}

// TestBacktest checks for each part of a log that its setting is that of a log of the other
// parts, and its refusals are those of the counter that decides the log up to its end.
func TestBacktest(t *testing.T) {
	rows := twoHours()
	for _, c := range [][]string{{"--windows", "1min"}, {"--windows", "1min", "--of", "keys", "--refuse-at-most", "0%"}, {"--algorithm", "sliding-window-log", "--windows", "1min", "--parts", "3"}} {
		d := sized(t, rows, c...)
		b := d.Backtest
		if b.NotTested != "" || len(b.Parts) < 3 {
			t.Fatalf("%v: %+v", c, b)
		}
		for _, p := range b.Parts {
			others := slices.DeleteFunc(slices.Clone(rows), func(r asked) bool { return p.FromNs <= (origin+r.ms)*1e6 && (origin+r.ms)*1e6 < p.ToNs })
			alone := sized(t, others, c...)
			best := alone.Best()
			if p.String() != best.String() {
				t.Errorf("%v, part %d: %s, and the others need %s", c, p.Part, &p, best)
			}
			limit := counting.Limit{Count: best.Count, Window: best.WindowNs}
			if best.Burst != nil {
				limit.Burst = *best.Burst
			}
			if refused := refusedIn(t, d.Algorithm, limit, rows, p.FromNs-origin*1e6, p.ToNs-origin*1e6); refused != p.RefusedRequests {
				t.Errorf("%v, part %d: %d requests refused, want %d", c, p.Part, p.RefusedRequests, refused)
			}
		}
		last := b.Parts[len(b.Parts)-1]
		if last.Most == nil || last.Most.Key != "newcomer" || !last.New || b.Parts[0].New {
			t.Errorf("%v: the newcomer must be refused most in the last part: %+v", c, b)
		}
		if !slices.Contains(c, "keys") && (last.RefusedPct != *b.WorstPct || *b.MedianPct >= *b.WorstPct) {
			t.Errorf("%v: the last part must be the worst: %+v", c, b)
		}
	}
}

// refusedIn decides requests in the order of time and counts those refused from one time to
// before another.
func refusedIn(t *testing.T, algorithm string, limit counting.Limit, rows []asked, from, to int64) (n int64) {
	t.Helper()
	keys := map[string]int32{}
	table, err := counting.New(algorithm, limit, nil, 10)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if _, known := keys[r.key]; !known {
			keys[r.key] = int32(len(keys))
		}
		now := r.ms * 1e6
		if table.Take(keys[r.key], now, 1) == counting.Rejected && from <= now && now < to {
			n++
		}
	}
	return n
}
