package sweep

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
	"github.com/limitgauge/limitgauge/sim/results"
)

const file = `version: 1
replications: 2
duration: 4s
algorithms:
  batch: {preset: batch-reported, interval: 100ms}
scenarios:
  - name: one
    policy: {limit: 100/s}
    topology: {clients: 4, network: {exponential: {p99: 5ms}}}
    traffic: [{pattern: poisson, rate: 300/s}]
    algorithms: [batch, token-bucket]
    vary:
      interval: {of: algorithms.batch.interval, values: [50ms, 200ms]}
      demand: {of: "traffic[0].rate", values: [150/s, 300/s, 600/s]}
`

// prepared returns a sweep of a file over a cache.
func prepared(t *testing.T, source string, o Options) (*Sweep, []scenarios.Problem) {
	t.Helper()
	g, problems, err := scenarios.LoadGrid("s.yaml", []byte(source), ".", sim.Catalog(), nil, scenarios.Overrides{})
	if err != nil || len(problems) > 0 {
		t.Fatal(err, problems)
	}
	o.Stamp = func(f *scenarios.File) results.Stamp { return sim.StampOf(f) }
	s, problems, err := Prepare(context.Background(), g, o)
	if err != nil {
		t.Fatal(err)
	}
	if s != nil {
		t.Cleanup(s.Close)
	}
	return s, problems
}

// swept runs a sweep and returns its document, and how many cells came from the cache.
func swept(t *testing.T, source string, o Options) (string, int64) {
	t.Helper()
	o.Progress = &Progress{}
	s, problems := prepared(t, source, o)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	if err := s.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := s.Write(&out, s.Head(results.Stamp{Tool: "test"})); err != nil {
		t.Fatal(err)
	}
	return out.String(), o.Progress.Cached.Load()
}

func cacheIn(t *testing.T, dir string) Cache {
	t.Helper()
	c, err := OpenCache(dir, 1<<30)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestCellsAreRuns checks that the document of each cell is byte for byte that of a run
// of the cell's file, and that the file has the values of the cell.
func TestCellsAreRuns(t *testing.T) {
	document, _ := swept(t, file, Options{Cache: cacheIn(t, t.TempDir())})
	r, err := results.NewSweepReader(strings.NewReader(document))
	if err != nil {
		t.Fatal(err)
	}
	cells := 0
	for {
		number, text, err := r.Next()
		if err != nil {
			break
		}
		c, err := r.Head.Cell(number, text)
		if err != nil {
			t.Fatal(err)
		}
		// The file of the cell is the swept one with the values in their places.
		edited := strings.NewReplacer("interval: 100ms", "interval: "+c.At[0], "rate: 300/s", "rate: "+c.At[1]).Replace(file[:strings.Index(file, "    vary:")])
		f, problems := scenarios.Load("-", []byte(edited), ".", sim.Catalog())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		if string(f.Effective()) != c.Document.Stamp.Scenario {
			t.Errorf("cell %d: its file is\n%s\nwant\n%s", number, c.Document.Stamp.Scenario, f.Effective())
		}
		f, problems = scenarios.Load("-", f.Effective(), ".", sim.Catalog())
		if len(problems) > 0 {
			t.Fatal(problems)
		}
		d, err := sim.Run(context.Background(), f, sim.Options{WorstKey: true, Stamp: sim.StampOf(f)})
		if err != nil {
			t.Fatal(err)
		}
		var want bytes.Buffer
		if err := results.Encode(&want, d); err != nil {
			t.Fatal(err)
		}
		if want.String() != string(text)+"\n" {
			t.Errorf("cell %d is not the document of its run", number)
		}
		cells++
	}
	if cells != 6 {
		t.Errorf("%d cells", cells)
	}
}

// TestCache checks what comes from the cache: the cells of an equal sweep, those of a
// narrower one, and none that was damaged, of another program or of another log.
func TestCache(t *testing.T) {
	dir := t.TempDir()
	cache := cacheIn(t, filepath.Join(dir, "cache"))
	log := filepath.Join(dir, "log.csv")
	write := func(text string) {
		if err := os.WriteFile(log, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	write("time_s,ip\n1,a\n2,b\n9,a\n")
	ofLog := fmt.Sprintf("version: 1\nscenarios: [{name: one, policy: {limit: 1/min}, traffic: [{pattern: trace, file: %q}], algorithms: [gcra], vary: {b: {of: policy.burst, values: [1, 2]}}}]\n", log)
	wider := strings.Replace(file, "50ms, 200ms", "50ms, 70ms, 200ms", 1)
	for _, c := range []struct {
		name, source, program string
		before                func()
		want                  int64
	}{
		{"first", file, "a", nil, 0},
		{"again", file, "a", nil, 6},
		{"wider", wider, "a", nil, 6},
		{"another seed", file + "seed: 2\n", "a", nil, 0},
		{"another program", file, "b", nil, 0},
		{"damaged", file, "a", func() {
			names, _ := filepath.Glob(filepath.Join(dir, "cache", "*", "*"))
			for _, name := range names {
				if info, err := os.Stat(name); err == nil {
					os.Truncate(name, info.Size()/2)
				}
			}
		}, 0},
		{"repaired", file, "a", nil, 6},
		{"log", ofLog, "a", nil, 0},
		{"same log", ofLog, "a", nil, 2},
		{"another log", ofLog, "a", func() { write("time_s,ip\n1,a\n2,b\n8,a\n") }, 0},
	} {
		if c.before != nil {
			c.before()
		}
		got, cached := swept(t, c.source, Options{Cache: cache, Program: c.program})
		if cached != c.want {
			t.Errorf("%s: %d cells from the cache, want %d", c.name, cached, c.want)
		}
		fresh, _ := swept(t, c.source, Options{Cache: cacheIn(t, t.TempDir()), Program: c.program, Workers: 1})
		if got != fresh {
			t.Errorf("%s: the document differs from that of a sweep without cache", c.name)
		}
	}
}

// TestStopped stops a sweep and goes on with it.
func TestStopped(t *testing.T) {
	cache := cacheIn(t, t.TempDir())
	ctx, cancel := context.WithCancel(context.Background())
	s, _ := prepared(t, file, Options{Cache: cache, Workers: 1, Keep: func(int, *results.Document) { cancel() }})
	if err := s.Run(ctx); err != context.Canceled {
		t.Fatalf("a stopped sweep ends with %v", err)
	}
	var out bytes.Buffer
	if err := s.Write(&out, s.Head(results.Stamp{})); err != nil || !strings.Contains(out.String(), `"partial": true`) {
		t.Errorf("%v: not marked partial", err)
	}
	if err := s.Each(func(int, []byte) error { return os.ErrClosed }); err != os.ErrClosed {
		t.Errorf("a visit that fails ends with %v", err)
	}
	if _, cached := swept(t, file, Options{Cache: cache}); cached != 1 {
		t.Errorf("%d cells from the cache after a stop", cached)
	}
}

// TestLargeCells checks that cells which do not fit beside others run alone, and that
// those which do not fit at all are refused before anything runs.
func TestLargeCells(t *testing.T) {
	source := strings.Replace(file, "rate: 300/s}", "rate: 300/s, keys: {uniform: {count: 10}}}", 1)
	source = source[:strings.Index(source, "      interval:")] + "      keys: {of: \"traffic[0].keys.uniform.count\", values: [10, 20, 80000, 40]}\n"
	want, _ := swept(t, source, Options{Cache: cacheIn(t, t.TempDir())})
	const memory = 16 << 20 // the large cell takes more than a quarter of it
	got, _ := swept(t, source, Options{Cache: cacheIn(t, t.TempDir()), Workers: 4, Run: sim.Options{Memory: memory}})
	if got != want {
		t.Error("a limit of memory changes the document")
	}
	_, problems := prepared(t, source, Options{Cache: cacheIn(t, t.TempDir()), Run: sim.Options{Memory: memory / 4}})
	if len(problems) != 1 || !strings.HasPrefix(problems[0].String(), "s.yaml:7:5: scenarios[0]: needs about ") || !strings.HasSuffix(problems[0].Message, "(with keys=80000)") {
		t.Errorf("a cell without enough memory: %v", problems)
	}
}

// TestProblems checks that the problems of all cells come in one pass, each once.
func TestProblems(t *testing.T) {
	source := strings.NewReplacer("[50ms, 200ms]", "[50ms, 0s, 50000us]", "300/s, 600/s]", "300/s, fast]").Replace(file)
	source = strings.Replace(source, "    vary:\n", "    vary:\n      clients: {of: topology.clients, values: [4, 3]}\n", 1)
	_, problems := prepared(t, source, Options{Cache: cacheIn(t, t.TempDir())})
	var got []string
	for _, p := range problems {
		got = append(got, p.String())
	}
	want := []string{
		`s.yaml:14:64: scenarios[0].vary.interval.values[1]: must be at least 1us`,
		`s.yaml:15:62: scenarios[0].vary.demand.values[2]: "fast" is not a rate, such as 500/s, 30/min or 7/3s`,
	}
	if strings.Join(got, "\n") != strings.Join(want, "\n") {
		t.Errorf("problems\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	_, problems = prepared(t, strings.Replace(file, "50ms, 200ms", "50ms, 50000us", 1), Options{Cache: cacheIn(t, t.TempDir())})
	if len(problems) != 1 || !strings.Contains(problems[0].String(), "s.yaml:13:64: scenarios[0].vary.interval.values[1]: interval changes nothing in one: 50ms and 50000us are the same scenario") {
		t.Errorf("equal cells: %v", problems)
	}
	// reject_til_as has an effect with reject_til alone, and counts where one cell has it.
	without := strings.Replace(file, "interval: 100ms}", "reject_til: false, rejection_rate: true}", 1)
	idle := "      as: {of: algorithms.batch.reject_til_as, values: [absolute, duration]}\n"
	for _, c := range []struct{ axes, want string }{
		{idle, "[s.yaml:15:67: scenarios[0].vary.as.values[1]: as changes nothing in one: it has an effect only with reject_til: true]"},
		{idle + "      til: {of: algorithms.batch.reject_til, values: [true, false]}\n", "[]"},
	} {
		if _, problems := prepared(t, without+c.axes, Options{Cache: cacheIn(t, t.TempDir())}); fmt.Sprint(problems) != c.want {
			t.Errorf("%v, want %s", problems, c.want)
		}
	}
}
