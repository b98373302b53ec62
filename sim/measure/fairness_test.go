package measure

import (
	"strconv"
	"testing"

	"github.com/limitgauge/limitgauge/sim/results"
)

// A tenant with a limit of its own is compared with what the reference admits to
// it: to stop an abuser is not unfair.
func TestFairnessOfOwnLimits(t *testing.T) {
	const s = int64(1e9)
	for _, c := range []struct {
		name            string
		admitted        [3]int64 // of demands 100, 2 and 3; the reference admits 10, 2 and 3
		jain, low, high float64
	}{
		{"exact", [3]int64{10, 2, 3}, 1, 1, 1},
		{"twice the limit", [3]int64{20, 2, 3}, 16. / 3 / 6, 1, 2},
		{"one starves", [3]int64{10, 0, 3}, 4. / 3 / 2, 0, 1},
	} {
		for _, policies := range []bool{false, true} { // several policies are compared in the same way
			cfg := plain(10, s, 10, s)
			cfg.Keys, cfg.Tenants, cfg.TenantIsKey = 3, 3, true
			rows := []row{}
			for id, reference := range []int64{10, 2, 3} {
				offered := []int64{100, 2, 3}[id]
				rows = append(rows, row{key: int32(id), tenant: int32(id), offered: offered, admitted: c.admitted[id], rejected: offered - c.admitted[id], reference: reference})
			}
			r := NewRecorder(cfg)
			f := flow(rows)
			if policies {
				cfg.TenantIsKey, cfg.Policies = false, []Policy{cfg.Policy, cfg.Policy}
				cfg.Policies[0].To, cfg.Policies[1].From, cfg.Policies[1].To = 2, 2, 3
				r = NewRecorder(cfg)
				f = withKeys(rows, func(r row) []int32 { return []int32{r.key} })
			}
			r.Flow(f)
			r.Close(s)
			v := values(t, r)
			for name, want := range map[string]float64{"run_jain": c.jain, "1s_jain_worst": c.jain, "run_min": c.low, "1s_min_worst": c.low, "run_max": c.high, "1s_max_worst": c.high} {
				if got := v["fairness_tenant_"+name]; got.NoData != "" || got.X != want {
					t.Errorf("%s: %s is %+v, want %v", c.name, name, got, want)
				}
			}
			if fair := r.Shares(strconv.Itoa)[0].Fair; fair != 10 {
				t.Errorf("%s: the fair share of the abuser is %v, want 10", c.name, fair)
			}
		}
	}
}

// Clients that share keys have the sum of their max-min fair shares by key, those
// alone at a key what the reference admits, and those without a fair share are left
// out.
func TestFairnessOfSeveralKeys(t *testing.T) {
	const s = int64(1e9)
	c := plain(10, s, 10, s)
	c.Keys, c.Clients = 4, 4
	r := NewRecorder(c)
	r.Flow(flow([]row{
		// 10 of key 0 are admitted: shares 2, 4 and 4.
		{key: 0, client: 0, offered: 2, admitted: 2, reference: 2},
		{key: 0, client: 1, offered: 20, admitted: 6, rejected: 14, reference: 8},
		{key: 0, client: 2, offered: 9, admitted: 2, rejected: 7},
		// Everything of key 1 is admitted: 5 and 3.
		{key: 1, client: 0, offered: 5, admitted: 5, reference: 5},
		{key: 1, client: 2, offered: 3, admitted: 3, reference: 3},
		// Client 1 is alone at key 2, and client 3 at key 3.
		{key: 2, client: 1, offered: 50, admitted: 4, rejected: 46, reference: 8},
		{key: 3, client: 3, offered: 50, rejected: 50},
	}))
	r.Close(s)
	v := values(t, r)
	for _, span := range []string{"run_", "1s_"} {
		mean := map[string]string{"run_": "", "1s_": "_mean"}[span]
		// x is 7/7, 10/12 and 5/7.
		if got, want := v["fairness_client_"+span+"min"+mean].X, 5./7; got != want {
			t.Errorf("min %v, want %v", got, want)
		}
		if got := v["fairness_client_"+span+"max"+mean].X; got != 1 {
			t.Errorf("max %v, want 1", got)
		}
	}
}

// Shares of clients are in the order of what they are admitted, with their max-min
// fair shares. Of many clients, evenly spaced ranks are kept.
func TestClientShares(t *testing.T) {
	const s = int64(1e9)
	for _, clients := range []int{3, 1000} {
		c := plain(1000, s, 1000, s)
		c.Clients = clients + 1 // the last one has no demand
		var rows []row
		for id := range clients {
			admitted := int64(clients - id)
			rows = append(rows, row{client: int32(id), offered: 2000, admitted: admitted, rejected: 2000 - admitted})
		}
		r := NewRecorder(c)
		r.Flow(flow(rows))
		r.Close(s)
		shares := r.ClientShares()
		n := min(clients, 100)
		if len(shares) != n {
			t.Fatalf("%d shares of %d clients", len(shares), clients)
		}
		first, last, fair := shares[0], shares[n-1], float64(clients+1)/2
		if first != (results.ClientShare{Client: clients - 1, Offered: 2000, Admitted: 1, Rejected: 1999, Fair: fair}) || last != (results.ClientShare{Offered: 2000, Admitted: int64(clients), Rejected: 2000 - int64(clients), Fair: fair}) {
			t.Errorf("%d clients: first %+v, last %+v", clients, first, last)
		}
	}
}
