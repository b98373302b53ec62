//go:build unix

package calibrate

import (
	"context"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/pgtest"
	"github.com/limitgauge/limitgauge/live/database/hotrow"
	"github.com/limitgauge/limitgauge/live/database/postgres"
)

// Tolerances between the server and the calibrated model, for medians of five
// measurements.
const (
	points = 5.0  // of the share of first tries
	rate   = 0.15 // of commits per second
)

// TestPostgresCalibration calibrates a model on a real server and compares both at 1,
// 2, 8 and 32 callers of one row. It runs if CALIBRATION is 1 or the DSN of a server. A
// server that it starts keeps its data in memory and waits for a fixed time at each
// flush, because the stalls of a shared disk would hide what is compared. Other work
// on the machine also changes the server's figures. So the server is measured before
// and after its calibration, the model may be between both, and a load that differs is
// compared again with a new calibration, in five attempts.
func TestPostgresCalibration(t *testing.T) {
	dsn := os.Getenv("CALIBRATION")
	switch dsn {
	case "":
		t.Skip("only with CALIBRATION=1, or the DSN of a server: takes minutes")
	case "1":
		memory := ""
		if _, err := os.Stat("/dev/shm"); err == nil {
			memory = "/dev/shm"
		}
		dsn = pgtest.StartIn(t, memory, "commit_delay=60", "commit_siblings=0", "max_connections=100").DSN()
	}
	server, err := postgres.Parse(dsn, false)
	if err != nil {
		t.Fatal(err)
	}
	var loads []Load
	for _, isolation := range []string{"serializable", "read committed"} {
		for _, callers := range []int{1, 2, 8, 32} {
			loads = append(loads, Load{callers, isolation})
		}
	}
	const attempts = 5
	for attempt := 1; len(loads) > 0; attempt++ {
		if attempt > attempts {
			t.Fatalf("%v differ by more than %v points or %v %% in each of %d attempts", loads, points, 100*rate, attempts)
		}
		loads = differing(t, server, loads)
	}
}

// differing calibrates, measures and simulates loads, and returns those that differ.
func differing(t *testing.T, server *postgres.Server, loads []Load) (wrong []Load) {
	o := Options{Processors: runtime.GOMAXPROCS(0), Rounds: 5, Each: 200 * time.Millisecond, Progress: func(string) {}}
	before := measure(t, server, loads, o)
	r, err := Run(t.Context(), server, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("%+v %v", r.Model, r.Warnings())
	after := measure(t, server, loads, o)
	simulated, err := r.Model.Simulate(t.Context(), after)
	if err != nil {
		t.Fatal(err)
	}
	for i, m := range after {
		s, differs := simulated[i], ""
		firstTry := outside(s.FirstTryPct, before[i].FirstTryPct, m.FirstTryPct)
		commits := outside(s.CommitsPerSecond, before[i].CommitsPerSecond, m.CommitsPerSecond)
		if firstTry > points || commits > rate*m.CommitsPerSecond {
			differs = " DIFFERS"
			wrong = append(wrong, m.Load)
		}
		t.Logf("%-14s %2d callers: first try %5.1f and %5.1f %%, model %5.1f; %5.2f retries a success, model %5.2f; %5.0f and %5.0f commits/s, model %5.0f%s", m.Isolation, m.Callers,
			before[i].FirstTryPct, m.FirstTryPct, s.FirstTryPct, m.RetriesPerSuccess, s.RetriesPerSuccess, before[i].CommitsPerSecond, m.CommitsPerSecond, s.CommitsPerSecond, differs)
	}
	return wrong
}

// outside returns how far x is from the interval between a and b, or 0 within it.
func outside(x, a, b float64) float64 {
	return max(0, min(a, b)-x, x-max(a, b))
}

// measure returns how a server serves loads.
func measure(t *testing.T, server *postgres.Server, loads []Load, o Options) (measured []Point) {
	scratch, err := server.NewScratch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer scratch.Drop()
	if err := install(context.Background(), scratch); err != nil {
		t.Fatal(err)
	}
	sessions := hotrow.NewSessions(scratch)
	defer sessions.Close()
	all, err := pointsOf(t.Context(), sessions, loads, o)
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		measured = append(measured, p.Point)
	}
	return measured
}
