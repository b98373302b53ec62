package measure

import (
	"cmp"
	"math"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/sim/results"
)

var clientShareMetrics = []catalog.Metric{
	{Name: "client_share_max_over_min", Unit: "ratio", Better: -1, Formula: "max A_g / min A_g over clients g with demand",
		Doc: "Cost admitted for the client with the most over that for the client with the least; 1 is even. No data if a client with demand gets nothing, or if fewer than two clients have demand."},
	{Name: "client_share_min_pct", Unit: "%", Most: 100, Better: +1, Formula: "100 * min A_g / A over clients g with demand",
		Doc: "Share of the admitted cost of the client that gets the least."},
	{Name: "client_share_max_pct", Unit: "%", Most: 100, Better: -1, Formula: "100 * max A_g / A over clients g with demand",
		Doc: "Share of the admitted cost of the client that gets the most."},
}

// clientShareMeter compares the cost admitted per client, whatever the clients
// offered. It reads the costs of the fairness over clients.
type clientShareMeter struct{ costs *fairnessMeter }

func newClientShares(r *Recorder) Reporter { return &clientShareMeter{r.clients} }

func (m *clientShareMeter) Figures(emit Emit) string {
	if reason := m.costs.incomparable(); reason != "" {
		return reason
	}
	least, most, total := int64(math.MaxInt64), int64(0), m.costs.divide().total
	for id := range m.costs.size() {
		if t := m.costs.totals(id); t.demand() > 0 {
			least, most = min(least, t.admitted), max(most, t.admitted)
		}
	}
	emit.ratio("client_share_min_pct", 100, least, total)
	emit.ratio("client_share_max_pct", 100, most, total)
	if least > 0 {
		emit("client_share_max_over_min", Number(ratio(1, most, least)))
	}
	return "a client with demand got nothing"
}

// ClientShares returns the clients with demand by the cost admitted for them, least
// first, equal ones by id. If there are more than results.MaxClients, it returns as many
// of evenly spaced ranks, the first and the last among them. It returns nothing if fewer
// than two clients have demand.
func (r *Recorder) ClientShares() (shares []results.ClientShare) {
	m := r.clients
	d := m.divide()
	if d.flows < 2 {
		return nil
	}
	for id := range m.size() {
		if t := m.totals(id); t.demand() > 0 {
			shares = append(shares, results.ClientShare{
				Client: id, Offered: t.offered, Admitted: t.admitted, Rejected: t.rejected, Fair: d.share(id, t.demand(), m.reference(id)),
			})
		}
	}
	slices.SortStableFunc(shares, func(a, b results.ClientShare) int { return cmp.Compare(a.Admitted, b.Admitted) })
	n, most := len(shares), results.MaxClients
	for i := 0; i < most && n > most; i++ {
		shares[i] = shares[i*(n-1)/(most-1)]
	}
	return shares[:min(n, most)]
}
