//go:build unix

package functions_test

import (
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/limitgauge/limitgauge/internal/testing/pgtest"
	"github.com/limitgauge/limitgauge/live/database/functions"
)

// A first call of a key that finds no row has no lock. If another call inserts the row
// then, the first one must not take a token from it: twenty calls that wait between both
// steps, and one that does not, may not admit more than the row counts.
func TestPostgresFirstCallsAreCounted(t *testing.T) {
	server := pgtest.Start(t, "fsync=off")
	script, err := functions.Install{Variant: "exact"}.Script()
	if err != nil {
		t.Fatal(err)
	}
	server.Do(t, script)
	_, slow, _ := strings.Cut(script, "create function take_token")
	const readsClock = "clock := clock_timestamp();"
	if strings.Count(slow, readsClock) != 1 {
		t.Fatal("the function does not read the clock where this test has it wait")
	}
	server.Do(t, "create function take_slowly"+strings.Replace(slow, readsClock, "clock := (select clock_timestamp() from pg_sleep(2));", 1))
	var all sync.WaitGroup
	var mu sync.Mutex
	admitted, begin := 0, time.Now()
	call := func(query string) {
		out, err := server.Try(query)
		if err != nil {
			if !strings.Contains(err.Error(), "duplicate key") {
				t.Error(err)
			}
			return
		}
		if left, err := strconv.ParseFloat(out[len(out)-1], 64); err != nil {
			t.Error(err)
		} else if left >= 0 {
			mu.Lock()
			admitted++
			mu.Unlock()
		}
	}
	for range 20 {
		all.Go(func() { call("select take_slowly('a', 1, 1000)") })
	}
	all.Go(func() { call("select pg_sleep(1); select take_token('a', 1, 1000)") })
	all.Wait()
	left, err := strconv.ParseFloat(server.Do(t, "select tokens from rate_limits where key = 'a'")[0], 64)
	if refill := time.Since(begin).Seconds(); err != nil || left > float64(1000-admitted)+refill {
		t.Errorf("%d calls were admitted, and %v of 1000 tokens are left, %v", admitted, left, err)
	}
}
