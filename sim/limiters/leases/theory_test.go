package leases_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestLeasesServerAway checks that Doorman's clients use their leases while the
// server is down, and then the safe capacity or the configured mode. Ten clients
// want two and a half times the limit; leases last 10 s; the server is down from 20
// s to 60 s and restarts without state.
func TestLeasesServerAway(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 100s
algorithms:
  safe:        {preset: doorman-fair, lease: 10s, refresh: 1s, retry_at_most: 1s}
  pessimistic: {preset: doorman-fair, lease: 10s, refresh: 1s, retry_at_most: 1s, without_lease: pessimistic}
  optimistic:  {preset: doorman-fair, lease: 10s, refresh: 1s, retry_at_most: 1s, without_lease: optimistic}
  long:        {preset: doorman-fair, lease: 300s, refresh: 1s, retry_at_most: 1s}
  unlearned:   {preset: doorman-fair, lease: 10s, refresh: 1s, retry_at_most: 1s, without_lease: pessimistic, learning: 0s}
scenarios:
  - name: away
    warmup: 10s
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: 10, network: 10ms}
    traffic: [{pattern: constant, rate: 2500/s}]
    algorithms: [safe, pessimistic, optimistic, long, unlearned]
    faults: [{server-crash: {from: 20s, down_for: 40s}}]
`)
	simtest.About(t, d, "away", "long", "admitted_over_limit", 1, 0.01)
	simtest.About(t, d, "away", "safe", "admitted_over_limit", 80./90, 0.02)        // and 10 s of learning mode, in which no client has a lease
	simtest.About(t, d, "away", "pessimistic", "admitted_over_limit", 50./90, 0.03) // 30 s without leases, 10 s of learning mode
	simtest.About(t, d, "away", "unlearned", "admitted_over_limit", 60./90, 0.03)   // and none of learning
	simtest.About(t, d, "away", "optimistic", "admitted_over_limit", (50+30*2.5)/90, 0.03)
}

// TestLearningMode checks a server that restarts. In learning mode it grants what
// clients already have, so nothing changes. Without it, the first clients get all
// that they want while the others still hold their leases.
func TestLearningMode(t *testing.T) {
	text := `
version: 1
duration: 60s
algorithms:
  learns:     {preset: doorman-proportional, lease: 10s, refresh: 1s}
  unlearned:  {preset: doorman-proportional, lease: 10s, refresh: 1s, learning: 0s}
scenarios:
  - name: restart
    warmup: 20s
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: 5, network: 10ms}
    algorithms: [learns, unlearned]
    faults: [{server-restart: {from: 30s}}]
    traffic:
`
	// The clients start a fifth of a second apart, so they request capacity one
	// after the other.
	for i := range 5 {
		shares := strings.Repeat("0, ", i) + "1"
		text += fmt.Sprintf("      - {pattern: constant, rate: 1000/s, from: %dms, spread: {skewed: {shares: [%s]}}}\n", 200*i, shares)
	}
	d := simtest.Run(t, text)
	simtest.Between(t, d, "restart", "learns", "burst_excess", 0, 5)
	// The first client gets 1000/s instead of 200/s. The others keep their
	// leases for 0.2, 0.4, 0.6 and 0.8 s. This admits 400 requests too many, of
	// which the policy's burst allows 100.
	simtest.Between(t, d, "restart", "unlearned", "burst_excess", 295, 325)
}

// TestHalfCutOff checks a partition of half of the clients for 60 s, with leases of 20
// s. The server gives the parts of the cut half to the others when their leases have
// expired, 20 s after the last refresh. Until 60 s the cut half uses the safe capacity
// beside that, an even part each.
func TestHalfCutOff(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 140s
algorithms:
  safe:        {preset: doorman-fair, lease: 20s, refresh: 1s, retry_at_most: 1s}
  pessimistic: {preset: doorman-fair, lease: 20s, refresh: 1s, retry_at_most: 1s, without_lease: pessimistic}
scenarios:
  - name: half
    warmup: 20s
    policy: {limit: 1000/s, burst: 100}
    topology: {clients: 10, network: 10ms}
    traffic: [{pattern: constant, rate: 3000/s}]
    algorithms: [safe, pessimistic]
    faults: [{partition: {from: 30s, to: 90s, clients: [0, 1, 2, 3, 4]}}]
`)
	simtest.About(t, d, "half", "safe", "admitted_over_limit", 1+0.5*(60-20)/120., 0.01)
	simtest.About(t, d, "half", "pessimistic", "admitted_over_limit", 1, 0.01)
	simtest.Between(t, d, "half", "pessimistic", "burst_excess", 0, 5)
}

// TestClientComesBack checks a client that gives its only lease back because it is idle. When
// it asks again, it refreshes its lease as before: it never stands without one.
func TestClientComesBack(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 120s
algorithms:
  idles: {preset: doorman-fair, lease: 4s, refresh: 1s, idle: 5s, learning: 0s, wants: {fixed: {rates: [200/s]}}, without_lease: pessimistic}
scenarios:
  - name: back
    policy: {limit: 1000/s, burst: 100}
    topology: {network: 10ms}
    traffic:
      - {pattern: constant, rate: 100/s, to: 10s}
      - {pattern: constant, rate: 100/s, from: 40s, to: 60s}
      - {pattern: constant, rate: 100/s, from: 90s}
    algorithms: [idles]
`)
	// Each time, only the requests of the 10 ms until its first lease may be refused.
	simtest.Between(t, d, "back", "idles", "admitted_requests", 6000-3*2, 6000)
}
