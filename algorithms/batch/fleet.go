package batch

import "github.com/limitgauge/limitgauge/algorithms/counters"

// Fleet is Plain clients that expect the same keys, for a caller who has
// requests to several of them at hand. They are as clients are that were told
// what to Expect, but what they know is in one table: its rows are found without
// a look at the client, so that the processor fetches more of them at a time. It
// is not safe for use by several goroutines.
type Fleet struct {
	config  *Config
	each    int         // keys that each client expects
	keys    []clientKey // those of client i from i*each on
	clients []*Client
	walls   []int64 // by client, as they have them
	touched int64   // so that touching is not left out
}

// NewFleet returns room for so many clients, which expect the keys 0 to keys-1
// and must not see others; or nil where clients would not be Plain.
func NewFleet(c *Config, clients int, keys int32) *Fleet {
	if !NewClient(c, 0).Plain() {
		return nil
	}
	return &Fleet{
		config: c, each: int(keys), keys: make([]clientKey, clients*int(keys)),
		clients: make([]*Client, clients), walls: make([]int64, clients),
	}
}

// Start returns client number id as it is when it starts. One that there was
// before must not be used any more.
func (f *Fleet) Start(id int32) *Client {
	c := NewClient(f.config, id)
	from, to := int(id)*f.each, int(id+1)*f.each
	c.fleetWall = &f.walls[id]
	*c.fleetWall = c.wall
	c.expect(int32(f.each), f.keys[from:from:to])
	f.clients[id] = c
	return c
}

// Judge is Client.Judge for requests to several clients.
func (f *Fleet) Judge(times []int64, clients, keys []int32, costs []int64, verdicts []counters.Verdict, answered []int64) {
	n := len(times)
	clients, keys, costs, verdicts, answered = clients[:n], keys[:n], costs[:n], verdicts[:n], answered[:n]
	table, walls, each := f.keys, f.walls, f.each
	touched := int64(0) // a loop that does nothing else has the most rows on their way
	for i, id := range clients {
		touched |= table[int(id)*each+int(keys[i])].computedAt
	}
	f.touched = touched
	for i, now := range times {
		id := clients[i]
		k := &table[int(id)*each+int(keys[i])]
		until := k.until()
		if k.isFar() {
			until = f.clients[id].far[keys[i]]
		}
		rejects := (now + walls[id] - until) & -costs[i] & k.rejects() >> 63
		verdicts[i], answered[i] = counters.Verdict(1+rejects), k.computedAt
	}
}

// Count is Client.Count for requests to several clients.
func (f *Fleet) Count(clients, keys []int32, costs []int64, verdicts []counters.Verdict) {
	n := len(clients)
	keys, costs, verdicts = keys[:n], costs[:n], verdicts[:n]
	for i, id := range clients {
		f.clients[id].Count(keys[i], costs[i], verdicts[i])
	}
}
