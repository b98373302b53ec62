package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counting"

// Fleet holds Plain clients that expect the same keys, and decides requests to
// several of them in one call. Its clients behave like clients after Expect, but
// the state that decisions need lies in one table, so that the processor fetches
// it for many requests at a time. It is not safe for concurrent use.
type Fleet struct {
	config  *Config
	each    int         // keys that each client expects
	keys    []clientKey // those of client i begin at i*each
	hot     []hotState  // by client
	clients []*Client
	seen    clientKey // result of touch; without it the compiler would remove the reads
}

// NewFleet returns a fleet of c.Clients clients that expect the keys 0 to keys-1
// and must not see others. It returns nil if the clients would not be Plain.
func NewFleet(c *Config, keys int32) *Fleet {
	if !NewClient(c, 0).Plain() {
		return nil
	}
	return &Fleet{
		config: c, each: int(keys), keys: make([]clientKey, c.Clients*int(keys)),
		hot: make([]hotState, c.Clients), clients: make([]*Client, c.Clients),
	}
}

// Start returns a new client number id. An earlier client of that number must
// not be used any more.
func (f *Fleet) Start(id int32) *Client {
	c := NewClient(f.config, id)
	f.clients[id] = c
	f.hot[id] = *c.hotState
	c.fleet, c.hotState = true, &f.hot[id]
	from, to := int(id)*f.each, int(id+1)*f.each
	c.expect(int32(f.each), f.keys[from:from:to])
	return c
}

// Decide is Client.DecideAt for requests to several clients, except that it does
// not set LatestAnswer. ages[i] is set to the ns between the computation of the
// answer behind the verdict and the request, or to NoAge or more if there was no
// answer. known reports whether all requests had an answer.
func (f *Fleet) Decide(times []int64, clients, keys []int32, costs []int64, verdicts []counting.Verdict, ages []int64) (known bool) {
	f.touch(clients, keys)
	all := int64(0) // bits of the ages
	for i := 0; ; i++ {
		n, bits := f.decide(times[i:], clients[i:], keys[i:], costs[i:], verdicts[i:], ages[i:])
		all |= bits
		if i += n; i == len(times) {
			return all&NoAge == 0
		}
		client := f.clients[clients[i]]
		verdict, computedAt := client.Judge(times[i], keys[i], costs[i])
		client.Count(keys[i], costs[i], verdict)
		verdicts[i], ages[i] = verdict, times[i]-computedAt
		all |= ages[i]
	}
}

// decide decides requests up to the first one whose client has to read other
// state. A loop without calls can keep more in registers. It returns the number
// of requests and the union of the bits of their ages.
func (f *Fleet) decide(times []int64, clients, keys []int32, costs []int64, verdicts []counting.Verdict, ages []int64) (n int, all int64) {
	n = len(times)
	clients, keys, costs, verdicts, ages = clients[:n], keys[:n], costs[:n], verdicts[:n], ages[:n]
	hot, table, each := f.hot, f.keys, f.each
	for i, id := range clients {
		d, cost := &hot[id], costs[i]
		k := &table[int(id)*each+int(keys[i])]
		told := *k
		age := times[i] - d.times[told.number()]
		// There is no branch, as in Client.Judge and Client.Count. A cost that is
		// not positive is found below.
		rejects := (age + d.clockOffset - told.span()) & -told.span() >> 63
		counted := told + clientKey(cost+(cost<<rejectedAt-cost)&rejects)
		if told.isApart() || uint64(cost-1) >= mostCounted || counted&spareBits != 0 {
			return i, all
		}
		*k = counted
		d.touched[d.touchedCount] = keys[i]
		d.touchedCount += told.untouched()
		verdicts[i], ages[i] = counting.Verdict(1+rejects), age
		all |= age
	}
	return n, all
}

// touch reads the keys of all requests before they are decided. A loop that does
// nothing else has the most reads in flight.
func (f *Fleet) touch(clients, keys []int32) {
	keys = keys[:len(clients)]
	seen, table, each := clientKey(0), f.keys, f.each
	for i, id := range clients {
		seen |= table[int(id)*each+int(keys[i])]
	}
	f.seen = seen
}
