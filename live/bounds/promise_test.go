package bounds

import (
	"testing"

	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/sim/results"
)

// refusal returns a refusal at a time in ms that promises a wait in ms.
func refusal(key string, client int32, at, wait, unit int64) exchange.Exchange {
	e := burst(key, 1, at*ms, 0, exchange.Rejected)[0]
	e.Client, e.RetryAfterNs, e.RetryUnitNs = client, wait*ms, unit*ms
	return e
}

func TestPromises(t *testing.T) {
	limit := counting.Limit{Count: 100, Window: 1000 * ms}
	admitted := func(key string, at int64) exchange.Exchange { return burst(key, 1, at*ms, 0, exchange.Admitted)[0] }
	for _, c := range []struct {
		name      string
		exchanges []exchange.Exchange
		want      results.LivePromises
	}{
		{
			"held, and 200 ms longer than needed",
			[]exchange.Exchange{refusal("a", 0, 0, 500, 1), admitted("a", 300), admitted("a", 505)},
			results.LivePromises{Made: 1, Held: 1, EarlyMedianNs: 200 * ms, EarlyMostNs: 200 * ms, Clients: 1, AtOnce: 1},
		},
		{
			"broken in both clients at once",
			[]exchange.Exchange{refusal("a", 0, 0, 500, 1), refusal("a", 1, 1, 499, 1), burst("a", 1, 505*ms, 0, exchange.Rejected)[0]},
			results.LivePromises{Made: 2, Broken: 2, Clients: 2, AtOnce: 2},
		},
		{
			"rejected within the second to which the promise was rounded",
			[]exchange.Exchange{refusal("a", 0, 100, 0, 1000), burst("a", 1, 150*ms, 0, exchange.Rejected)[0], admitted("a", 1000)},
			results.LivePromises{Made: 1, TooEarly: 1, EarlyMedianNs: -900 * ms, EarlyMostNs: -900 * ms, Clients: 1, AtOnce: 1},
		},
		{
			"rejected within the second and after it",
			[]exchange.Exchange{refusal("a", 0, 100, 0, 1000), burst("a", 1, 150*ms, 0, exchange.Rejected)[0], burst("a", 1, 1100*ms, 0, exchange.Rejected)[0]},
			results.LivePromises{Made: 1, Broken: 1, Clients: 1, AtOnce: 1},
		},
		{
			"rejected after the second, in which another one was admitted",
			[]exchange.Exchange{refusal("a", 0, 100, 0, 1000), burst("a", 1, 150*ms, 0, exchange.Rejected)[0], admitted("a", 700), burst("a", 1, 1100*ms, 0, exchange.Rejected)[0]},
			results.LivePromises{Made: 1, TooEarly: 1, EarlyMedianNs: -600 * ms, EarlyMostNs: -600 * ms, Clients: 1, AtOnce: 1},
		},
		{
			"taken by another request just before",
			[]exchange.Exchange{refusal("a", 0, 0, 500, 1), refusal("a", 0, 10, 490, 1), admitted("a", 499), burst("a", 1, 505*ms, 0, exchange.Rejected)[0], refusal("a", 0, 506, 100, 1), burst("a", 1, 610*ms, 0, exchange.Rejected)[0]},
			results.LivePromises{Made: 3, Broken: 1, Taken: 2, EarlyMedianNs: 1 * ms, EarlyMostNs: 1 * ms, Clients: 1, AtOnce: 1},
		},
		{
			"a herd of three, of which the first is admitted",
			[]exchange.Exchange{refusal("a", 0, 0, 500, 1), refusal("a", 1, 0, 500, 1), refusal("a", 2, 0, 500, 1), admitted("a", 501), burst("a", 1, 502*ms, 0, exchange.Rejected)[0], burst("a", 1, 503*ms, 0, exchange.Rejected)[0]},
			results.LivePromises{Made: 3, Held: 1, Taken: 2, EarlyMedianNs: -ms, EarlyMostNs: -ms, Clients: 3, AtOnce: 3},
		},
		{
			"a herd of three in whole seconds",
			[]exchange.Exchange{refusal("a", 0, 0, 1000, 1000), refusal("a", 1, 1, 1000, 1000), refusal("a", 2, 2, 1000, 1000), admitted("a", 1001), burst("a", 1, 1002*ms, 0, exchange.Rejected)[0], burst("a", 1, 1003*ms, 0, exchange.Rejected)[0]},
			results.LivePromises{Made: 3, Held: 1, Taken: 2, EarlyMedianNs: 0, EarlyMostNs: ms, Clients: 3, AtOnce: 3},
		},
		{
			"tested by nothing of the same key",
			[]exchange.Exchange{refusal("a", 0, 0, 500, 1), admitted("b", 505), admitted("a", 600)},
			results.LivePromises{Made: 1, EarlyMedianNs: -100 * ms, EarlyMostNs: -100 * ms, Clients: 1, AtOnce: 1},
		},
		{
			"three clients that are due apart",
			[]exchange.Exchange{refusal("a", 0, 0, 100, 1), refusal("a", 1, 0, 200, 1), refusal("a", 2, 0, 205, 1)},
			results.LivePromises{Made: 3, Clients: 3, AtOnce: 2},
		},
	} {
		rep, err := Judge(c.exchanges, NewSettings(limit, Sliding))
		if err != nil {
			t.Fatal(err)
		}
		if *rep.Promises != c.want {
			t.Errorf("%s:\n%+v, want\n%+v", c.name, *rep.Promises, c.want)
		}
	}
}
