package sim_test

import (
	"testing"

	"github.com/limitgauge/limitgauge/sim/simtest"
)

// TestStoppingAnAbuserIsFair checks a tenant that sends 300 requests at once, at a limit of
// its own of 10, beside tenants a little above theirs. An exact limiter gives each what the
// reference admits, so its fairness is 1 for tenants, over the run and in each second.
func TestStoppingAnAbuserIsFair(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 10s
metrics: full
scenarios:
  - name: abuser
    policy: {limit: 10/s, burst: 10}
    topology: {clients: 3}
    traffic:
      - {pattern: herd, count: 300, every: 5s, key: abuser}
      - {pattern: poisson, rate: 96/s, keys: {uniform: 8}}
    algorithms: [token-bucket, local-full]
`)
	for _, m := range []string{"run_jain", "run_min", "run_max", "1s_jain_worst", "1s_min_worst", "1s_max_worst"} {
		simtest.Exactly(t, d, "abuser", "token-bucket", "fairness_tenant_"+m, 1)
	}
	// Three clients that each grant the whole limit favour the abuser.
	simtest.Between(t, d, "abuser", "local-full", "fairness_tenant_run_max", 2.5, 3.5)
	for _, s := range d.Shares {
		if s.Yardstick != "reference" || s.Unshared != 0 {
			t.Errorf("%s: yardstick %q, %d tenants without a share", s.Algorithm, s.Yardstick, s.Unshared)
		}
	}
}

// TestFairnessOfCountedRequests checks a policy that counts requests whose costs differ:
// what is admitted and the fair share are both cost.
func TestFairnessOfCountedRequests(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 10s
metrics: full
scenarios:
  - name: counted
    policy: {limit: 20/s, counts: requests}
    traffic:
      - {pattern: poisson, rate: 60/s, tenant: small, keys: {uniform: {count: 2}}, cost: 1}
      - {pattern: poisson, rate: 60/s, tenant: large, keys: {uniform: {count: 2}}, cost: 9}
    algorithms: [token-bucket]
`)
	for _, m := range []string{"run_min", "run_max", "1s_min_worst", "1s_max_worst"} {
		simtest.Exactly(t, d, "counted", "token-bucket", "fairness_tenant_"+m, 1)
	}
}

// TestSharedLimitsAreDividedEvenly checks a shared limit, under which a small tenant
// gets as little of its demand as a large one, as before. A tenant whose token
// was used before the span has no fair share in it, is left out and named.
func TestSharedLimitsAreDividedEvenly(t *testing.T) {
	d := simtest.Run(t, `
version: 1
duration: 10s
scenarios:
  - name: shared
    policy: {limit: 100/s, shared: true}
    traffic:
      - {pattern: poisson, rate: 300/s, tenant: large}
      - {pattern: poisson, rate: 100/s, tenant: small}
    algorithms: [global-random-drop]
  - name: closed
    policy: {limit: 1/10s, burst: 1}
    warmup: 10s
    duration: 20s
    traffic:
      - {pattern: list, events: [{at: 9s, key: early}, {at: 12s, key: early, count: 5}, {at: 12s, key: late}, {at: 12s, key: third}]}
    algorithms: [token-bucket]
`)
	simtest.About(t, d, "shared", "reference", "fairness_tenant_run_min", 0.5, 0.1)
	simtest.About(t, d, "shared", "reference", "fairness_tenant_run_max", 1.5, 0.1)
	simtest.Exactly(t, d, "closed", "token-bucket", "fairness_tenant_run_min", 1)
	for _, s := range d.Shares {
		if s.Scenario == "closed" && (s.Unshared != 1 || s.UnsharedTenants[0] != "early") {
			t.Errorf("%s: %d tenants without a share, %v", s.Algorithm, s.Unshared, s.UnsharedTenants)
		}
	}
}
