package cli

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/search/size"
)

// asked is a request of a log whose best setting is known.
type asked struct {
	ms  int64
	key string
}

// atOnce returns n requests of a key at one instant.
func atOnce(ms int64, key string, n int) (list []asked) {
	for range n {
		list = append(list, asked{ms, key})
	}
	return list
}

// pages returns an hour of readers, each with pages of 1 to 60 requests as often as 300
// a minute with a burst of 60 admits them, one of whom goes on at that rate for most of
// it. It also has a scraper with 20 requests a second.
func pages() (list []asked) {
	for reader := range 20 {
		for ms, n := int64(reader*1000), 1; ms < 3_600_000; n = n * 7 % 61 {
			list = append(list, atOnce(ms, fmt.Sprint("reader", reader), n)...)
			ms += int64(n)*200 + int64(reader)*5000
		}
	}
	list = append(list, atOnce(0, "keen", 60)...)
	for ms := int64(200); ms < 3_000_000; ms += 200 {
		list = append(list, asked{ms, "keen"})
	}
	for ms := int64(600_000); ms < 1_800_000; ms += 50 {
		list = append(list, asked{ms, "scraper"})
	}
	return list
}

// cronJobs returns two hours of jobs that each send 40 requests at once in each minute.
func cronJobs() (list []asked) {
	for minute := range int64(120) {
		for job := range 5 {
			list = append(list, atOnce(minute*60_000, fmt.Sprint("job", job), 40)...)
		}
	}
	return list
}

// TestSizeSaysWhatNoLimitStops sizes a log of abusers that ask for no more than customers do,
// but for one request of one of them: nearly all is not all.
func TestSizeSaysWhatNoLimitStops(t *testing.T) {
	var text, abusers strings.Builder
	text.WriteString("time,who\n")
	for i := range 300 {
		for ms := range 7 {
			fmt.Fprintf(&text, "%d,abuser%d\n", i*10_000+ms*600_000, i)
		}
		fmt.Fprintf(&abusers, "abuser%d\n", i)
	}
	for _, r := range append(atOnce(900_000, "abuser0", 11), atOnce(1_800_000, "customer", 10)...) {
		fmt.Fprintf(&text, "%d,%s\n", r.ms, r.key)
	}
	abusers.WriteString("nobody\nnobody\n")
	log, names := filepath.Join(t.TempDir(), "log.csv"), filepath.Join(t.TempDir(), "abusers")
	if err := errors.Join(os.WriteFile(log, []byte(text.String()), 0o666), os.WriteFile(names, []byte(abusers.String()), 0o666)); err != nil {
		t.Fatal(err)
	}
	args := []string{"size", log, "-q", "--per", "who", "--time-format", "relative-ms", "--rates", "1/min", "--abusers", names}
	got := strings.Join(strings.Fields(string(ran(t, args...))), " ")
	for _, want := range []string{
		"no limit per key stops these abusers: of their 2111 requests by 300 keys, these settings refuse at most 1 (99.95 % pass)",
		"and 1 of the 2111 requests of abusers (99.95 % pass)", " 99.95 ", "1 of 301 abusers in " + names + ": the log has no request of nobody",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if hashed := string(ran(t, append(args, "--hash-keys", "--format", "json")...)); strings.Contains(hashed, "nobody") || !strings.Contains(hashed, `"abusers_absent": [`) {
		t.Errorf("an absent abuser with hashed names: %s", hashed)
	}
}

// TestSizeFindsKnownSettings sizes logs whose best settings follow from how they are
// made. Their lines are not in the order of time.
func TestSizeFindsKnownSettings(t *testing.T) {
	dir := t.TempDir()
	write := func(name string, list []asked) string {
		slices.SortStableFunc(list, func(x, y asked) int { return cmp.Compare(x.ms*7919%9973, y.ms*7919%9973) })
		var text strings.Builder
		text.WriteString("time,who\n")
		for _, r := range list {
			fmt.Fprintf(&text, "%d,%s\n", 1_700_006_400_000+r.ms, r.key)
		}
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text.String()), 0o666); err != nil {
			t.Fatal(err)
		}
		return path
	}
	read, cron, abusers := write("pages.csv", pages()), write("jobs.csv", cronJobs()), filepath.Join(dir, "abusers")
	if err := os.WriteFile(abusers, []byte("scraper\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	first := false // a setting was recommended that is the first one
	for i, c := range []struct {
		args     string
		want     string
		standOut string
	}{
		{read + " --abusers " + abusers, "300/min, burst 59", ""}, // less than 0.1 % come 60 at once,
		{read + " --abusers " + abusers + " --refuse-at-most 0%", "300/min, burst 60", ""},
		{read + " --abusers " + abusers + " --refuse-at-most 0% --algorithm gcra", "300/min, burst 60", ""},
		{read + " --abusers " + abusers + " --refuse-at-most 0% --algorithm sliding-window-log --windows 1min", "359/min", ""},
		{read + " --refuse-at-most 0%", "20/s, burst 60", "scraper"},
		{cron, "40/min, burst 40", ""},
		{cron + " --algorithm fixed-window --windows 1min", "40/min", ""},
		{cron + " --algorithm fixed-window --windows 5min", "200/5min", ""},
		{cron + " --algorithm sliding-window-log --windows 1min", "40/min", ""},
	} {
		args := append([]string{"size", "-q", "--per", "who", "--time-format", "epoch-ms"}, strings.Fields(c.args)...)
		var d size.Document
		if err := json.Unmarshal(ran(t, append(args, "--format", "json")...), &d); err != nil {
			t.Fatal(err)
		}
		if best := d.Best(); best == nil || best.String() != c.want || strings.Join(d.StandOut, " ") != c.standOut {
			t.Errorf("%s: %v, and %q stand out, want %s and %q", c.args, best, d.StandOut, c.want, c.standOut)
		}
		first = first || *d.Recommended == 0
		for _, k := range d.Heaviest { // none of which asks for more than every limit in the long run
			if k.Need == nil {
				t.Errorf("%s: nothing says what %s needs", c.args, k.Key)
			}
		}
		if i > 0 {
			continue
		}
		if text := string(ran(t, args...)); !strings.Contains(text, "\n  "+d.Replay+"\n") {
			t.Errorf("%s: the text has no line %s", c.args, d.Replay)
		}
	}
	if !first {
		t.Error("the first setting was never recommended")
	}
}
