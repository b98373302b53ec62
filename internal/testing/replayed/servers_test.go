//go:build linux

package replayed

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/foreground"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// serve runs a server in the foreground until stop is called, which sends it a
// signal on which it first completes what it has begun, with its logs. Its output
// goes to a file.
func serve(t *testing.T, softly os.Signal, listens []string, output string, program string, args ...string) (stop func()) {
	t.Helper()
	path := foreground.Need(t, program)
	out, err := os.Create(output)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	c := exec.Command(path, args...)
	c.Env = append(os.Environ(), "TZ=UTC")
	c.Stdout = out
	return foreground.Serve(t, c, softly, listens...)
}

// judged says how a log is replayed: options of its traffic, fields of the policy
// and of the limiter that is simulated, and further fields of the scenario.
type judged struct{ traffic, policy, simulated, scenario string }

// judge replays a log and returns what each row admitted and rejected by key.
func judge(t *testing.T, log string, o judged) map[string]map[string]counts {
	t.Helper()
	f, problems := scenarios.Load("log.yaml", fmt.Appendf(nil, `
version: 1
algorithms: {simulated: {%s}}
scenarios:
  - name: log
    policy: {%s}
    traffic: [{pattern: trace, file: %q, verdict_field: status%s}]
    algorithms: [simulated]
    %s
`, o.simulated, o.policy, log, o.traffic, o.scenario), ".", sim.Catalog())
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	rows := map[string]map[string]counts{}
	_, err := sim.Run(context.Background(), f, sim.Options{Workers: 1, Details: sim.Details{Keys: func(k *sim.Key) error {
		if rows[k.Algorithm] == nil {
			rows[k.Algorithm] = map[string]counts{}
		}
		rows[k.Algorithm][k.Key] = counts{k.Admitted, k.Rejected}
		return nil
	}}})
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// agree checks that the recorded row is exactly what the callers saw. If within
// is not negative, it returns where the simulated limiter rejects another number of
// requests of a key, by more than within. What it admits may still wait at the end.
func agree(t *testing.T, rows map[string]map[string]counts, saw map[string]counts, within int64) (wrong string) {
	t.Helper()
	if len(rows["recorded"]) != len(saw) {
		t.Errorf("%d keys in the recorded row, %d callers", len(rows["recorded"]), len(saw))
	}
	for key, want := range saw {
		got, simulated := rows["recorded"][key], rows["simulated"][key]
		if got != want {
			t.Errorf("%s: recorded %+v, and the caller saw %+v", key, got, want)
		}
		if d := simulated.rejected - want.rejected; within >= 0 && (d > within || d < -within) {
			wrong += fmt.Sprintf("%s: simulated %+v, recorded %+v: further apart than %d\n", key, simulated, want, within)
		}
		t.Logf("%s: caller %+v, recorded %+v, simulated %+v", key, want, got, simulated)
	}
	return wrong
}

// attempted repeats a measurement of a server against a simulation, five times at most,
// until nothing is wrong. It fails if something is three times although the machine was
// in time: a late one proves nothing.
func attempted(t *testing.T, measure func() (wrong string, late bool)) {
	t.Helper()
	inTime := 0
	for range 5 {
		wrong, late := measure()
		if wrong == "" {
			return
		}
		if t.Logf("late: %v: %s", late, wrong); late {
			continue
		}
		if inTime++; inTime == 3 {
			t.Fatal("so three times, and in time")
		}
	}
	t.Log("the machine is too busy to measure the server")
}

// tooLate is the lateness of a request from which on a log may differ from its simulation.
const tooLate = 20 * time.Millisecond
