package results

import "fmt"

// ServerLoads holds the calls to each server of a limiter in the first replication,
// by the servers' numbers. Of more than MaxServers it holds those with the most
// calls; Others is the sum of all others.
type ServerLoads struct {
	Scenario  string        `json:"scenario"`
	Algorithm string        `json:"algorithm"`
	Servers   []ServerLoad  `json:"servers"`
	Others    *OtherServers `json:"others,omitempty"`
}

// MaxServers is the largest number of servers of ServerLoads.
const MaxServers = 1_000

// ServerLoad is the load of one server. For a limiter whose clients call each other
// the server is a client.
type ServerLoad struct {
	Server      int   `json:"server"` // its number, from 0
	Calls       int64 `json:"calls"`
	Entries     int64 `json:"entries"`       // keys in these calls
	CallsPeak1s int64 `json:"calls_peak_1s"` // the most calls in one calendar second
}

// OtherServers is the load of several servers together.
type OtherServers struct {
	Servers int   `json:"servers"` // how many they are
	Calls   int64 `json:"calls"`
	Entries int64 `json:"entries"`
}

func (s ServerLoads) key() rowKey { return rowKey{s.Scenario, s.Algorithm, "", false} }

func (s ServerLoads) check() error {
	if len(s.Servers) > MaxServers {
		return fmt.Errorf("%d servers, at most %d are read", len(s.Servers), MaxServers)
	}
	for i, one := range s.Servers {
		if one.Calls < 0 || one.Entries < 0 || one.CallsPeak1s < 0 || one.CallsPeak1s > one.Calls {
			return fmt.Errorf("server %d has %d calls with %d entries, %d calls in one second", one.Server, one.Calls, one.Entries, one.CallsPeak1s)
		}
		if one.Server < 0 || i > 0 && one.Server <= s.Servers[i-1].Server {
			return fmt.Errorf("servers[%d] has the number %d: numbers must rise from 0", i, one.Server)
		}
	}
	if o := s.Others; o != nil && (o.Servers < 1 || o.Calls < 0 || o.Entries < 0) {
		return fmt.Errorf("%d other servers have %d calls with %d entries", o.Servers, o.Calls, o.Entries)
	}
	return nil
}
