package trial

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/live/send"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/results"
)

// TestCourseCountsEachRequestOnce checks what plots show of a target against sums over
// all requests: by bin, by tenant and by client. Requests that were not sent count
// nowhere, and those without a verdict as offered alone.
func TestCourseCountsEachRequestOnce(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		tenants := []string{"a", "b", "c", "d"}
		var all []exchange.Exchange
		for i := range rapid.IntRange(4, 30).Draw(t, "requests") {
			x := exchange.Exchange{
				Answer:  exchange.Plain(false),
				SentNs:  rapid.Int64Range(3, 60).Draw(t, "sent"),
				Verdict: rapid.SampledFrom([]exchange.Verdict{exchange.Admitted, exchange.Rejected, exchange.Failed, exchange.NotSent}).Draw(t, "verdict"),
			}
			x.Tenant, x.Client, x.Cost = rapid.SampledFrom(tenants).Draw(t, "tenant"), rapid.Int32Range(0, 2).Draw(t, "client"), rapid.Int64Range(1, 9).Draw(t, "cost")
			if i < len(tenants) {
				x.Tenant, x.Verdict = tenants[i], exchange.Rejected // each of them is known
			}
			x.AnsweredNs, x.WaitNs = x.SentNs+rapid.Int64Range(0, 9).Draw(t, "took"), rapid.Int64Range(0, 9).Draw(t, "wait")
			all = append(all, x)
		}
		m := &measurement{Trial: &Trial{Target: "go", File: &scenarios.File{Scenarios: []scenarios.Scenario{{Name: "s"}}}}, run: &send.Result{Exchanges: all}}
		m.shiftNs = rapid.Int64Range(0, 9).Draw(t, "shift")
		m.times()
		listed := rapid.IntRange(0, len(tenants)).Draw(t, "listed")
		like := results.Shares{Scenario: "s"}
		for _, tenant := range slices.Concat(tenants[:listed], []string{"others"}) {
			like.Tenants = append(like.Tenants, results.Share{Tenant: tenant})
		}
		d := &results.Document{
			Series:       []results.Series{{Scenario: "s", StartNs: 3, BinNs: 7, LimitPerBin: 2, Offered: make([]int64, 6)}},
			Shares:       []results.Shares{like},
			ClientShares: []results.ClientShares{{Scenario: "s", Clients: []results.ClientShare{{Client: 2}, {Client: 0}}}},
		}
		m.addCourse(d)

		sum := func(verdict exchange.Verdict, of func(x exchange.Exchange) bool) (cost int64) {
			for _, x := range all {
				if x.Verdict != exchange.NotSent && (verdict == exchange.NotSent || x.Verdict == verdict) && of(x) {
					cost += x.Cost
				}
			}
			return cost
		}
		same := func(what string, got, want any) {
			if fmt.Sprint(got) != fmt.Sprint(want) {
				t.Fatalf("%s: %v, want %v", what, got, want)
			}
		}
		const offered = exchange.NotSent // of any verdict
		same("series", []any{d.Series[1].Scenario, d.Series[1].Algorithm, d.Series[1].StartNs, d.Series[1].BinNs, d.Series[1].LimitPerBin}, "[s go 3 7 2]")
		for i := range int64(6) {
			in := func(at int64) bool { at += m.shiftNs - 3; return at >= 7*i && at < 7*i+7 }
			same("offered", d.Series[1].Offered[i], sum(offered, func(x exchange.Exchange) bool { return in(x.SentNs) }))
			same("admitted", d.Series[1].Admitted[i], sum(exchange.Admitted, func(x exchange.Exchange) bool { return in(x.AnsweredNs + x.WaitNs) }))
		}
		for i, share := range d.Shares[1].Tenants {
			of := func(x exchange.Exchange) bool {
				return x.Tenant == share.Tenant || i == listed && !slices.Contains(tenants[:listed], x.Tenant)
			}
			same(share.Tenant, share, results.Share{Tenant: like.Tenants[i].Tenant, Offered: sum(offered, of), Admitted: sum(exchange.Admitted, of), Rejected: sum(exchange.Rejected, of)})
		}
		for i, share := range d.ClientShares[1].Clients {
			of := func(x exchange.Exchange) bool { return x.Client == int32(share.Client) }
			same("client", share, results.ClientShare{Client: []int{2, 0}[i], Offered: sum(offered, of), Admitted: sum(exchange.Admitted, of), Rejected: sum(exchange.Rejected, of)})
		}
		answered := int64(0)
		for _, b := range d.Histograms[0].Buckets {
			answered += b.Count
		}
		same("answers", answered, len(m.took))
		for i, x := range m.took {
			if i > 0 && x < m.took[i-1] {
				t.Fatalf("%v is not sorted", m.took)
			}
		}
	})
}
