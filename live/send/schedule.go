package send

import (
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/internal/format"
	"github.com/limitgauge/limitgauge/live/exchange"
	"github.com/limitgauge/limitgauge/logs"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim/traffic"
)

// Schedule returns the requests of one replication of a scenario in the order of
// time, none of them sent. Time 0 is the start of the scenario; if it replays logs and
// states no duration, the start of the window of the first recorded request.
// recordings are those of its traffic entries with pattern trace, by index.
//
// It returns an error if the requests exceed the caps on their number or on their
// rate, if they fall under several policies, or if their costs become known only
// with the answer. The result takes 184 bytes per request.
func Schedule(s *scenarios.Scenario, recordings map[int]*logs.Recording, replication int, c Caps) ([]exchange.Exchange, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if len(s.Policies()) > 1 {
		return nil, errors.New("requests that fall under several policies cannot be sent: use a scenario with one policy")
	}
	p, err := traffic.Prepare(traffic.Config{
		Entries: s.Traffic, Clients: s.Topology.Clients, End: s.Duration, Shared: s.Policy.Shared, Recordings: recordings,
	})
	switch {
	case err != nil:
		return nil, err
	case len(p.Crews()) > 0:
		return nil, errors.New("workers send as they are answered, which cannot be planned: simulate them with limitgauge run, or send with another pattern")
	case s.Callers != nil && s.Callers.Budget.Name != "":
		return nil, errors.New("retries are sent without a budget: remove callers.budget, or simulate it with limitgauge run")
	case p.Settles():
		return nil, errors.New("requests whose cost becomes known with the answer cannot be sent: state cost as a number")
	}
	var originNs int64
	if s.Duration == 0 {
		originNs = p.First() / s.LongestWindow() * s.LongestWindow()
	}
	var all []exchange.Exchange
	stream, b := p.Open(s.Seed, replication), traffic.NewBlock()
	keys, tenants := newNames(p.Keys(), p.KeyWritten), newNames(p.Tenants(), p.TenantName)
	for stream.Fill(b); b.N > 0; stream.Fill(b) {
		if int64(len(all)+b.N) > c.Requests {
			return nil, fmt.Errorf("the traffic has more than %s, the cap: shorten duration, or raise --max-requests (live.Caps in Go)", format.Count(c.Requests, "request"))
		}
		for i := range b.N {
			e := exchange.Exchange{Answer: exchange.Plain(false), SentNs: exchange.Unstated, AnsweredNs: exchange.Unstated}
			e.Request = exchange.Request{
				Number: int64(len(all)), IntendedNs: b.Time[i] - originNs, Cost: b.Cost[i], Client: b.Client[i],
				Key: keys.of(b.Key[i]), Tenant: tenants.of(b.Tenant[i]),
			}
			all = append(all, e)
		}
	}
	if err := stream.Err(); err != nil {
		return nil, err
	}
	return all, c.checkRate(all)
}

// names holds the names of keys or tenants that were used, so that each is made once.
type names struct {
	known []string
	make  func(id int) string
}

func newNames(n int, name func(id int) string) names { return names{make([]string, n), name} }

func (n names) of(id int32) string {
	if n.known[id] == "" {
		n.known[id] = n.make(int(id))
	}
	return n.known[id]
}
