package cli

import (
	"bytes"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/tempfile"
)

// killed is a sweep of 24 cells that takes a fraction of a second.
const killed = `version: 1
replications: 2
scenarios:
  - name: one
    duration: 20s
    policy: {limit: 500/s}
    topology: {clients: 4, network: {exponential: {p99: 5ms}}}
    traffic: [{pattern: poisson, rate: 900/s}]
    algorithms: [batch-reported]
    vary:
      interval: {of: algorithms.batch-reported.interval, values: [50ms, 100ms, 200ms]}
      demand: {of: "traffic[0].rate", from: 300/s, to: 1000/s, steps: 8}
`

// TestKilledSweep kills sweeps with SIGKILL at random instants and goes on with them. No
// cell that was kept may be lost, the document must be that of a sweep that was not
// killed, and no temporary file may stay. SIGNAL_RUNS sets the number of kills.
func TestKilledSweep(t *testing.T) {
	needSignals(t)
	kills := 6
	if n, err := strconv.Atoi(os.Getenv("SIGNAL_RUNS")); err == nil {
		kills = n
	}
	dir := t.TempDir()
	temporary := filepath.Join(dir, "temporary")
	for _, err := range []error{os.WriteFile(filepath.Join(dir, "s.yaml"), []byte(killed), 0o666), os.Mkdir(temporary, 0o777)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	// sweep ends a sweep after a time, and returns its standard error.
	sweep := func(after time.Duration, args ...string) (ended bool, errs string) {
		c := exec.Command("limitgauge", append([]string{"sweep", "s.yaml", "--no-plots", "-o", "sweep.json"}, args...)...)
		c.Dir, c.Env = dir, append(os.Environ(), "TMPDIR="+temporary)
		var text bytes.Buffer
		c.Stderr = &text
		if err := c.Start(); err != nil {
			t.Fatal(err)
		}
		timer := time.AfterFunc(after, func() { c.Process.Signal(syscall.SIGKILL) })
		err := c.Wait()
		timer.Stop()
		return err == nil, text.String()
	}
	start := time.Now()
	if ended, errs := sweep(time.Hour, "--no-cache"); !ended {
		t.Fatal(errs)
	}
	longest := time.Since(start)
	want, err := os.ReadFile(filepath.Join(dir, "sweep.json"))
	if err != nil {
		t.Fatal(err)
	}
	rounds := 0 // sweeps that went on until their end
	for done := 0; done < kills; rounds++ {
		cache := "cache" + strconv.Itoa(rounds)
		kept := 0
		for {
			os.Remove(filepath.Join(dir, "sweep.json"))
			ended, errs := sweep(rand.N(longest), "--cache", cache)
			whole := 0
			for _, name := range filesBelow(t, filepath.Join(dir, cache)) {
				if strings.HasSuffix(name, ".cell") {
					whole++
				}
			}
			if whole < kept {
				t.Fatalf("%d cells are in the cache after a kill, and %d were before", whole, kept)
			}
			kept = whole
			text, err := os.ReadFile(filepath.Join(dir, "sweep.json"))
			if err == nil && !bytes.Equal(text, want) || ended && err != nil {
				t.Fatalf("killed sweep: the document is %d bytes, want %d or none (%v)\n%s", len(text), len(want), err, errs)
			}
			if ended {
				break
			}
			done++
		}
		if _, errs := sweep(time.Hour, "--cache", cache); !strings.Contains(errs, "24 cells: 24 from the cache, 0 run") {
			t.Errorf("after a sweep that was killed: %s", errs)
		}
		for _, name := range filesBelow(t, filepath.Join(dir, cache)) {
			if tempfile.IsName(filepath.Base(name)) {
				t.Errorf("left in the cache: %s", name)
			}
		}
	}
	if left := filesBelow(t, temporary); len(left) > 0 {
		t.Errorf("left in the folder for temporary files: %v", left)
	}
	t.Logf("%d sweeps, %d kills at least", rounds, kills)
}

// filesBelow returns all files below a folder, which may be absent.
func filesBelow(t *testing.T, dir string) (list []string) {
	t.Helper()
	filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			list = append(list, path)
		}
		return nil
	})
	return list
}
