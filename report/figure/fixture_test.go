package figure

import "github.com/limitgauge/limitgauge/sim/results"

// summary returns a mean with an interval of mean ± half, and the value of one replication.
func summary(mean, half float64) results.Summary {
	lo, hi := mean-half, mean+half
	return results.Summary{Mean: &mean, Lo: &lo, Hi: &hi, Values: []*float64{&mean}}
}

// document returns a document with data for every figure: one scenario with two
// algorithms and the reference, which comes last.
func document() *results.Document {
	doc := &results.Document{
		SchemaVersion: results.SchemaVersion,
		Scenarios: []results.Scenario{{
			Name: "Fleet", Seed: 7, EndNs: 10e9, Policy: results.Policy{Name: "p", Limit: 100, WindowNs: 1e9, Text: "100/s", RatePerS: 100},
		}},
	}
	for i, name := range []string{"batch", "debt", "exact"} {
		reference := i == 2
		n := float64(2 - i)
		doc.Results = append(doc.Results, results.Result{Scenario: "Fleet", Algorithm: name, Reference: reference, Replications: 3, Metrics: map[string]results.Summary{
			"over_limit_pct": summary(10*n, n), "over_admission_pct": summary(9*n, n), "burst_excess": summary(900*n, 0), "under_admission_pct": summary(3*(2-n), 0.5), "server_calls_per_s": summary(200*n, 0),
		}})
		doc.Series = append(doc.Series, results.Series{
			Scenario: "Fleet", Algorithm: name, StartNs: 1e9, BinNs: 5e8, LimitPerBin: 50,
			Offered: []int64{150, 155, 145, 160}, Admitted: []int64{60, 50, 50, 50}, Inflight: []int64{0, 5, int64(9 + i), 2}, Calls: []int64{100, 50, int64(40 * i), 0}, Overspend: []int64{0, int64(i), 0, 3}, Stranded: []int64{0, 4, int64(i), 4}, Finished: []int64{1, 2, int64(i), 0}, Retried: []int64{0, 9, int64(i), 0},
			LimitChanges: []results.LimitChange{{AtNs: 2e9, LimitPerBin: 25}},
		})
		doc.Shares = append(doc.Shares, results.Shares{Scenario: "Fleet", Algorithm: name, Tenants: []results.Share{
			{Tenant: "loud", Offered: 900, Admitted: 250, Rejected: 650, Fair: 200}, {Tenant: "quiet", Offered: 300, Admitted: 150, Rejected: 150, Fair: 200}, {Tenant: othersName, Offered: 5000},
		}})
		doc.ClientShares = append(doc.ClientShares, results.ClientShares{Scenario: "Fleet", Algorithm: name, Clients: []results.ClientShare{
			{Client: 1, Offered: 400, Admitted: int64(50 * i), Fair: 100}, {Client: 0, Offered: 400, Admitted: 150, Fair: 100},
		}})
		doc.ServerLoads = append(doc.ServerLoads, results.ServerLoads{Scenario: "Fleet", Algorithm: name, Servers: []results.ServerLoad{
			{Server: 0, Calls: 10, Entries: 20, CallsPeak1s: 5}, {Server: 1, Calls: int64(50 - 20*i), Entries: 60, CallsPeak1s: 5},
		}})
		waits := results.Histogram{Scenario: "Fleet", Algorithm: name, Name: "wait", Unit: "ns", Buckets: []results.Bucket{{Lo: 0, Hi: 1, Count: 1000}}}
		if name == "batch" {
			waits.Buckets = []results.Bucket{{Lo: 1e6, Hi: 2e6, Count: 900}, {Lo: 2e6, Hi: 4e6, Count: 90}, {Lo: 8e6, Hi: 9e6, Count: 10}}
		}
		doc.Histograms = append(doc.Histograms, waits)
	}
	return doc
}

// shapesOf returns the shapes of a type in a panel's marks, in order.
func shapesOf[T Shape](p Panel) (list []T) {
	for _, m := range p.Marks {
		for _, s := range m.Shapes {
			if one, ok := s.(T); ok {
				list = append(list, one)
			}
		}
	}
	return list
}
