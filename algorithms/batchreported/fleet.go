package batchreported

import "github.com/limitgauge/limitgauge/algorithms/counter"

// Fleet is Plain clients that expect the same keys, for a caller who has
// requests to several of them at hand. They are as clients are that were told
// what to Expect, but what decisions need of them lies together: the processor
// fetches it for many requests at a time. It is not safe for use by several
// goroutines.
type Fleet struct {
	config  *Config
	each    int         // keys that each client expects
	keys    []clientKey // those of client i from i*each on
	desks   []desk      // by client
	clients []*Client
	seen    clientKey // by touch, which would be left out otherwise
}

// NewFleet returns room for all clients, which expect the keys 0 to keys-1 and
// must not see others; or nil where clients would not be Plain.
func NewFleet(c *Config, keys int32) *Fleet {
	if !NewClient(c, 0).Plain() {
		return nil
	}
	return &Fleet{
		config: c, each: int(keys), keys: make([]clientKey, c.Clients*int(keys)),
		desks: make([]desk, c.Clients), clients: make([]*Client, c.Clients),
	}
}

// Start returns client number id as it is when it starts. One that there was
// before must not be used any more.
func (f *Fleet) Start(id int32) *Client {
	c := NewClient(f.config, id)
	f.clients[id] = c
	f.desks[id] = *c.desk
	c.fleet, c.desk = true, &f.desks[id]
	from, to := int(id)*f.each, int(id+1)*f.each
	c.expect(int32(f.each), f.keys[from:from:to])
	return c
}

// Decide is Client.DecideAt for requests to several clients, but for LatestAnswer,
// which it leaves as it is. The ages tell how
// many ns before its request the answer was computed that a verdict goes by;
// they are NoAge or more where there was none, and known says that there are no
// such.
func (f *Fleet) Decide(times []int64, clients, keys []int32, costs []int64, verdicts []counter.Verdict, ages []int64) (known bool) {
	f.touch(clients, keys)
	all := int64(0) // bits of the ages
	for i := 0; ; i++ {
		n, bits := f.decide(times[i:], clients[i:], keys[i:], costs[i:], verdicts[i:], ages[i:])
		all |= bits
		if i += n; i == len(times) {
			return all&NoAge == 0
		}
		verdicts[i], ages[i] = f.decideApart(clients[i], times[i], keys[i], costs[i])
		all |= ages[i]
	}
}

// decide decides requests up to the first for which a client has to look
// elsewhere: a loop without a call has room for more in registers. It says how
// many, and all bits of their ages.
func (f *Fleet) decide(times []int64, clients, keys []int32, costs []int64, verdicts []counter.Verdict, ages []int64) (n int, all int64) {
	n = len(times)
	clients, keys, costs, verdicts, ages = clients[:n], keys[:n], costs[:n], verdicts[:n], ages[:n]
	desks, table, each := f.desks, f.keys, f.each
	for i, id := range clients {
		d, cost := &desks[id], costs[i]
		k := &table[int(id)*each+int(keys[i])]
		told := *k
		age := times[i] - d.times[told.number()]
		// Without branches, as Client.Judge and Client.Count; a cost that is not
		// positive is found below.
		rejects := (age + d.wall - told.span()) & -told.span() >> 63
		counted := told + clientKey(cost+(cost<<rejectedAt-cost)&rejects)
		if told.isApart() || uint64(cost-1) >= mostCounted || counted&spareBits != 0 {
			return i, all
		}
		*k = counted
		d.touched[d.news] = keys[i]
		d.news += told.untouched()
		verdicts[i], ages[i] = counter.Verdict(1+rejects), age
		all |= age
	}
	return n, all
}

// touch reads what clients know of keys: a loop that does nothing else has the
// most of it on its way.
func (f *Fleet) touch(clients, keys []int32) {
	keys = keys[:len(clients)]
	seen, table, each := clientKey(0), f.keys, f.each
	for i, id := range clients {
		seen |= table[int(id)*each+int(keys[i])]
	}
	f.seen = seen
}

// decideApart decides a request for which the client has to look elsewhere.
func (f *Fleet) decideApart(id int32, now int64, key int32, cost int64) (verdict counter.Verdict, age int64) {
	client := f.clients[id]
	verdict, computedAt := client.Judge(now, key, cost)
	client.Count(key, cost, verdict)
	return verdict, now - computedAt
}
