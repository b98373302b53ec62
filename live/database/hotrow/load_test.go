//go:build unix

package hotrow

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/pgtest"
	"github.com/limitgauge/limitgauge/live/database/postgres"
)

// TestPostgresFiguresOfLoads compares the figures with those that follow from the calls: some
// succeed at once, some never, and some at their second try.
func TestPostgresFiguresOfLoads(t *testing.T) {
	server, err := postgres.Parse(pgtest.Start(t, "fsync=off").DSN(), false)
	if err != nil {
		t.Fatal(err)
	}
	scratch, err := server.NewScratch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer scratch.Drop()
	if err := scratch.Exec(t.Context(), `
create sequence tries;
create function conflicts(sometimes bool) returns bigint language plpgsql as $$
begin
  if sometimes and nextval('tries') % 2 = 0 then return 1; end if;
  raise exception 'could not serialize access' using errcode = '40001';
end $$;`); err != nil {
		t.Fatal(err)
	}
	sessions := NewSessions(scratch)
	defer sessions.Close()
	const callers, retries = 3, 2
	for _, c := range []struct {
		call          string
		callers       int
		tries, commit int64 // of a call
	}{
		{"select 1", callers, 1, 1}, {"select conflicts(false)", callers, retries + 1, 0}, {"select conflicts(true)", 1, 2, 1},
	} {
		l := Load{Call: func(int) string { return c.call }, Callers: c.callers, Isolation: "serializable", Retries: retries, Warmup: 10 * time.Millisecond, For: 50 * time.Millisecond}
		var f Figures
		for f.Calls <= 4*callers { // the machine may be busy with something else
			if f, err = l.Measure(t.Context(), sessions); err != nil {
				t.Fatal(err)
			}
			if f.Seconds < l.For.Seconds() {
				t.Errorf("%s: %v s instead of %v", c.call, f.Seconds, l.For)
			}
			l.For *= 2
		}
		first := int64(0)
		if c.tries == 1 {
			first = f.Calls
		}
		// At both ends a call of each caller is counted in part.
		edge := int64(c.callers) * c.tries
		if failed := (c.tries - c.commit) * f.Calls; f.FirstTry != first || max(f.Committed, c.commit*f.Calls)-min(f.Committed, c.commit*f.Calls) > int64(c.callers)*c.commit ||
			f.Failed < failed-edge || f.Failed > failed+edge {
			t.Errorf("%s: %+v", c.call, f)
		}
		for got, want := range map[float64]float64{
			f.FirstTryPct(): 100 * float64(first) / float64(f.Calls), f.CommitsPerSecond() * f.Seconds: float64(f.Committed), f.RetriesPerSuccess() * float64(max(f.Committed, 1)): float64(f.Failed),
		} {
			if got < want-1e-6 || got > want+1e-6 {
				t.Errorf("%s: %v instead of %v, of %+v", c.call, got, want, f)
			}
		}
	}
	l := Load{Call: func(i int) string { return fmt.Sprintf("select %d/0", i) }, Callers: 1, Isolation: "read committed", For: 10 * time.Millisecond}
	for err = nil; err == nil; l.For *= 2 { // a busy machine may not make a call in time
		_, err = l.Measure(t.Context(), sessions)
	}
	if err == nil || !strings.Contains(err.Error(), "select 0/0") {
		t.Errorf("a call that fails: %v", err)
	}
}
