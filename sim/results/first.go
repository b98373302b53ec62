package results

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"math/bits"
	"slices"
)

// checkFirst compares the figures of the first replication with what the document holds of
// it beside them.
func (w *wholeRow) checkFirst() error {
	if w.seconds() <= 0 {
		return nil
	}
	return cmp.Or(w.checkSeries(), w.checkShares(), w.checkClients(), w.checkKeys(), w.checkLoads(), w.checkHistograms())
}

func (w *wholeRow) checkSeries() error {
	s, span := &w.series, w.scenario
	if len(s.Offered) == 0 {
		return nil
	}
	if s.StartNs != span.StartNs || s.EndNs() < span.EndNs || s.EndNs()-s.BinNs >= span.EndNs {
		return fmt.Errorf("series: %d bins of %d ns from %d do not cover the span from %d to %d", len(s.Offered), s.BinNs, s.StartNs, span.StartNs, span.EndNs)
	}
	const from = "its series"
	unit := "cost"
	if len(span.Policies) == 1 && span.Policy.Counts != "" {
		unit = "requests"
	}
	var err error
	if unit == "cost" || s.LimitPerBin > 0 { // otherwise a request counts once for each of its keys
		err = cmp.Or(w.gives(from, "offered_"+unit, 0, sumBins(s.Offered)), w.gives(from, "dispatched_"+unit, 0, sumBins(s.Admitted)))
	}
	if len(s.Calls) > 0 {
		err = cmp.Or(err, w.gives(from, "server_calls_per_s", 0, sumBins(s.Calls)/w.seconds()))
	}
	if len(s.Overspend) > 0 {
		err = cmp.Or(err, w.gives(from, "overspend_cost", 0, sumBins(s.Overspend)))
	}
	if want := w.limitOf(s, w.rejections.Seen); want > 0 && !near(want, s.LimitPerBin) {
		err = cmp.Or(err, fmt.Errorf("series: limit_per_bin is %v, but the policy gives %v", s.LimitPerBin, want))
	}
	return err
}

// limitOf returns the limit per bin of a number of keys at the start, or 0 if it is not that
// of one policy as it is written.
func (w *wholeRow) limitOf(s *Series, keys int) float64 {
	if len(w.scenario.Policies) > 0 || slices.ContainsFunc(w.scenario.Faults, func(f Fault) bool { return f.Kind == "policy-change" }) {
		return 0
	}
	return w.scenario.Policy.RatePerS * float64(keys) * s.BinSeconds()
}

func sumBins(bins []int64) (sum float64) {
	for _, n := range bins {
		sum += float64(n)
	}
	return sum
}

// tally is what tenants, clients or keys add up to, and how fair the shares are.
type tally struct {
	offered, admitted, rejected, fair float64
	least, most, jain                 float64 // of admitted over fair, where there is a fair share
	shares                            int
}

func tallyOf[T any](list []T, of func(T) Share) (t tally) {
	sum, squares := 0.0, 0.0
	t.least = math.Inf(1)
	for _, x := range list {
		s := of(x)
		t.offered, t.admitted, t.rejected, t.fair = t.offered+float64(s.Offered), t.admitted+float64(s.Admitted), t.rejected+float64(s.Rejected), t.fair+s.Fair
		if s.Fair > 0 {
			ratio := float64(s.Admitted) / s.Fair
			t.least, t.most, t.shares = min(t.least, ratio), max(t.most, ratio), t.shares+1
			sum, squares = sum+ratio, squares+ratio*ratio
		}
	}
	if t.jain = 1; squares > 0 {
		t.jain = sum * sum / squares / float64(t.shares)
	}
	return t
}

// costs compares cost with the figures.
func (w *wholeRow) costs(from string, t tally) error {
	return cmp.Or(w.gives(from, "offered_cost", 0, t.offered), w.gives(from, "dispatched_cost", 0, t.admitted))
}

// fairness compares shares of tenants or clients with the figures.
func (w *wholeRow) fairness(from, of string, t tally) error {
	if t.shares == 0 {
		return nil
	}
	return cmp.Or(w.gives(from, of+"_min", 0, t.least), w.gives(from, of+"_max", 0, t.most), w.gives(from, of+"_jain", 0, t.jain))
}

func (w *wholeRow) tenants() tally {
	return tallyOf(w.shares.Tenants, func(s Share) Share { return s })
}

func (w *wholeRow) checkShares() error {
	list := w.shares.Tenants
	if len(list) == 0 {
		return nil
	}
	all := w.tenants()
	err := w.costs("the sum of its shares", all)
	if list[len(list)-1].Tenant != Others {
		err = cmp.Or(err, w.fairness("its shares", "fairness_tenant_run", all))
	}
	switch {
	case w.shares.Yardstick == "max-min" && !near(all.fair, all.admitted):
		err = cmp.Or(err, fmt.Errorf("shares: fair shares of %v of %v admitted", all.fair, all.admitted))
	case w.shares.Yardstick == "reference":
		err = cmp.Or(err, w.byReference("fair of shares", all, all.fair))
	}
	return err
}

// byReference compares what the reference admits of the same attempts with how far the row
// is from it. Under several policies a request counts for several keys.
func (w *wholeRow) byReference(from string, all tally, reference float64) error {
	x, ok := w.value("long_run_error_pct", 0)
	if ratio := all.admitted / reference; ok && len(w.scenario.Policies) == 0 && reference > 0 && !near(1+x/100, ratio) {
		return fmt.Errorf("long_run_error_pct is %v in replication 1, but %s gives %v", x, from, 100*(ratio-1))
	}
	return nil
}

func (w *wholeRow) checkClients() error {
	const from = "the shares of its clients"
	n := len(w.clients)
	if n == 0 {
		return nil
	}
	if !slices.IsSortedFunc(w.clients, func(a, b ClientShare) int { return cmp.Compare(a.Admitted, b.Admitted) }) {
		return errors.New("client_shares: a client is before one with less admitted")
	}
	all := w.tenants()
	err := error(nil)
	if n < MaxClients {
		t := tallyOf(w.clients, func(c ClientShare) Share {
			return Share{Offered: c.Offered, Admitted: c.Admitted, Rejected: c.Rejected, Fair: c.Fair}
		})
		err = cmp.Or(w.costs(from, t), w.fairness(from, "fairness_client_run", t))
		if err == nil && len(w.shares.Tenants) > 0 && t.rejected != all.rejected {
			err = fmt.Errorf("client_shares: %v rejected, but %v in shares", t.rejected, all.rejected)
		}
	}
	if all.admitted > 0 {
		err = cmp.Or(err,
			w.gives(from, "client_share_min_pct", 0, 100*float64(w.clients[0].Admitted)/all.admitted),
			w.gives(from, "client_share_max_pct", 0, 100*float64(w.clients[n-1].Admitted)/all.admitted))
	}
	return err
}

func (w *wholeRow) checkKeys() error {
	r := &w.rejections
	if r.Scenario == "" {
		return nil
	}
	if len(r.Keys) != min(MaxKeys, r.Refused) || r.Refused > r.Seen || int64(r.Seen) > w.scenario.Keys {
		return fmt.Errorf("rejections: %d keys are listed of %d that are refused and %d that are seen of %d", len(r.Keys), r.Refused, r.Seen, w.scenario.Keys)
	}
	if !slices.IsSortedFunc(r.Keys, func(a, b KeyTotals) int { return cmp.Compare(b.Rejected, a.Rejected) }) {
		return errors.New("rejections: a key is before one with more rejected")
	}
	t := tallyOf(r.Keys, func(k KeyTotals) Share { return Share{Offered: k.Offered, Admitted: k.Admitted, Rejected: k.Rejected} })
	if len(w.scenario.Policies) == 0 { // a request counts for one key
		if all := w.tenants(); len(r.Keys) == r.Refused && len(w.shares.Tenants) > 0 && t.rejected != all.rejected {
			return fmt.Errorf("rejections: %v rejected, but %v in shares", t.rejected, all.rejected)
		}
		if len(r.Keys) == r.Seen && r.Seen > 0 {
			reference := 0.0
			for _, k := range r.Keys {
				reference += float64(k.Reference)
			}
			if err := cmp.Or(w.costs("the sum of its keys", t), w.byReference("reference of its keys", t, reference)); err != nil {
				return err
			}
		}
	}
	for _, k := range r.Keys {
		for _, s := range w.keys {
			if offered, admitted := sumBins(s.Offered), sumBins(s.Admitted); s.Key == k.Key && (offered != float64(k.Offered) || admitted != float64(k.Admitted)) {
				return fmt.Errorf("key_series: %v offered and %v admitted of key %q, but %d and %d in rejections", offered, admitted, k.Key, k.Offered, k.Admitted)
			}
		}
	}
	for _, s := range w.keys {
		if want := w.limitOf(&s.Series, 1); want > 0 && !near(want, s.LimitPerBin) {
			return fmt.Errorf("key_series: limit_per_bin of key %q is %v, but the policy gives %v", s.Key, s.LimitPerBin, want)
		}
	}
	return nil
}

func (w *wholeRow) checkLoads() error {
	const from = "the load of its servers"
	servers := w.loads.Servers
	if len(servers) == 0 {
		return nil
	}
	n, calls, entries := float64(len(servers)), 0.0, 0.0
	most, peak := 0.0, 0.0
	for _, s := range servers {
		calls, entries = calls+float64(s.Calls), entries+float64(s.Entries)
		most, peak = max(most, float64(s.Calls)), max(peak, float64(s.CallsPeak1s))
	}
	if o := w.loads.Others; o != nil {
		n, calls, entries = n+float64(o.Servers), calls+float64(o.Calls), entries+float64(o.Entries)
	}
	err := cmp.Or(
		w.gives(from, "server_calls_per_s", 0, calls/w.seconds()), w.gives(from, "server_entries_per_s", 0, entries/w.seconds()),
		w.gives(from, "server_calls_max_peak_1s", 0, peak))
	if calls > 0 && len(w.scenario.Faults) == 0 { // servers that faults add are not there all the time
		err = cmp.Or(err, w.gives(from, "server_load_max_over_mean", 0, most*n/calls))
	}
	return err
}

// quantiles are the figures of a distribution that are quantiles, with their shares of the
// values in thousandths.
var quantiles = []struct {
	figure   string
	permille int64
}{{"_p50_ms", 500}, {"_p90_ms", 900}, {"_p99_ms", 990}, {"_p999_ms", 999}, {"_max_ms", 1000}}

// checkHistograms compares the number and the sum of values with those of their mean, and
// quantiles with the buckets that they are in.
func (w *wholeRow) checkHistograms() error {
	for _, h := range w.histograms {
		n, least, most := h.Total(), 0.0, 0.0
		for i, b := range h.Buckets {
			if width := int64(1) << max(0, bits.Len64(uint64(b.Lo))-8); b.Hi-b.Lo != width || b.Lo%width != 0 {
				return fmt.Errorf("histogram %s: bucket %d is [%d, %d), which is none of 128 for a power of two", h.Name, i, b.Lo, b.Hi)
			}
			least, most = least+float64(b.Count)*float64(b.Lo)/1e6, most+float64(b.Count)*float64(b.Hi)/1e6
		}
		if m := w.result.Metrics[h.Name+"_mean_ms"]; m.Pooled == PooledRatio && len(m.Numerators) > 0 {
			if float64(n) != m.Denominators[0] {
				return fmt.Errorf("histogram %s: %d values, but the mean is that of %v", h.Name, n, m.Denominators[0])
			}
			if sum := m.Numerators[0]; sum > most || sum < least && !near(sum, least) {
				return fmt.Errorf("histogram %s: its values add up to %v to %v ms, but those of the mean to %v", h.Name, least, most, sum)
			}
		}
		for _, q := range quantiles {
			x, ok := w.value(h.Name+q.figure, 0)
			left := n/1000*q.permille + (n%1000*q.permille+999)/1000 // the rank
			for _, b := range h.Buckets {
				if left -= b.Count; left <= 0 {
					if ns := x * 1e6; ok && (ns < float64(b.Lo)-0.5 || ns > float64(b.Hi)) {
						return fmt.Errorf("%s is %v in replication 1, but it is in bucket [%d, %d) ns of its histogram", h.Name+q.figure, x, b.Lo, b.Hi)
					}
					break
				}
			}
		}
	}
	return nil
}
