package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// FaultKinds declares the faults. Every kind has the fields from and
// expect_no_effect. Faults that last have to. The field every repeats a fault.
func FaultKinds() []catalog.Entry {
	kinds := faultKinds()
	for i := range kinds {
		kinds[i].Fields = append(kinds[i].Fields, catalog.Field{Name: "expect_no_effect", Kind: catalog.Bool, Default: "false",
			Doc: "the fault is expected to touch nothing: no warning if so, and expectations are evaluated"})
	}
	return kinds
}

// FaultUnit returns the unit of what faults of a kind touch.
func FaultUnit(kind string) string { return catalog.Find(faultKinds(), kind).Unit }

func faultKinds() []catalog.Entry {
	return []catalog.Entry{
		{Name: "report-loss", Summary: "background messages (reports and their responses) are lost", Unit: "messages", Touches: "messages that it loses",
			Fields: append(lasting(openEnd), chance("", "that a message is lost"))},
		{Name: "report-delay", Summary: "background messages arrive late", Unit: "messages", Touches: "messages that it delays",
			Fields: append(lasting(openEnd), delay("added to the message's latency"), chance("100%", "that a message is late"))},
		{Name: "report-duplicate", Summary: "background messages arrive twice", Unit: "messages", Touches: "messages that it duplicates",
			Fields: append(lasting(openEnd), chance("", "that a message arrives twice"))},
		{Name: "report-reorder", Summary: "some background messages arrive after later ones", Unit: "messages", Touches: "messages that it holds back",
			Fields: append(lasting(openEnd), chance("", "that a message is held back"), delay("for which it is held back; to be overtaken it must exceed the latency of the later message"))},
		{Name: "network", Summary: "the latency of calls has another distribution", Unit: "calls", Touches: "calls and messages whose latency it draws from another distribution", Fields: append(lasting(openEnd),
			catalog.Field{Name: "latency", Kind: catalog.Union, Choices: NetworkKinds(), Bare: "constant", Required: true,
				Doc: "distribution of the round-trip latency while the fault lasts"})},
		{Name: "partition", Summary: "some clients cannot reach servers, store or peers; then connectivity returns", Unit: "messages", Touches: "calls, responses and messages that it loses",
			Fields: append(lasting(givenEnd), whose("100%", "cut off")...)},
		{Name: "clock", Summary: "the clocks of some clients are wrong; a clock that is ahead or behind jumps at from and back at to", Unit: "clients", Touches: "clients that decide or send while their clock is wrong", Fields: append(append(lasting(openEnd),
			catalog.Field{Name: "ahead", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1d", Doc: "how far the clock is ahead"},
			catalog.Field{Name: "behind", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1d", Doc: "how far the clock is behind; behind: 1s with from: 20s is a jump back of 1s at 20s"},
			catalog.Field{Name: "fast", Kind: catalog.Int, Unit: "ppm", Default: "0", Min: "0", Max: "1000000", Doc: "how much too fast the clock runs from then on; 100 gains 6 ms per minute"},
			catalog.Field{Name: "slow", Kind: catalog.Int, Unit: "ppm", Default: "0", Min: "0", Max: "1000000", Doc: "how much too slow the clock runs"},
		), whose("100%", "affected")...)},
		{Name: "store-down", Summary: "the store does not respond; then a replica takes over, possibly without the last writes", Unit: "calls", Touches: "calls to the store that fail, or whose writes the failover loses", Fields: append(lasting(givenEnd),
			catalog.Field{Name: "lose", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "writes of this long before the failure are lost in the failover"})},
		{Name: "server-restart", Summary: "servers stop and start again", Unit: "calls and keys", Touches: "calls that fail, and keys of which a server loses its state or whose counts begin with its restart", Fields: append(sudden(),
			catalog.Field{Name: "servers", Kind: catalog.IntOrEnum, Enum: []string{"all", "rolling", "owner"}, Default: "all", Min: "0", Max: "9999",
				Doc: "the number of a server, all for all servers at once, rolling for one after the other, starting with server 0, or owner for the server that owns a key when the fault begins"},
			ownedKey("servers"),
			catalog.Field{Name: "rolling", Kind: catalog.Duration, Default: "10s", Min: "1ns", Doc: "time between the restarts of two servers, for servers: rolling"},
			catalog.Field{Name: "down_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long a server does not respond"},
			catalog.Field{Name: "state", Kind: catalog.Enum, Enum: []string{"lost", "kept"}, Default: "lost", Doc: "whether the state in memory is lost or kept"})},
		{Name: "server-crash", Summary: "a server fails and loses its memory; the failure is detected later", Unit: "calls and keys", Touches: "calls that fail or go to another server, keys of which a server loses its state or whose counts begin with its restart, and keys that move to another server", Fields: append(sudden(),
			catalog.Field{Name: "server", Kind: catalog.IntOrEnum, Enum: []string{"owner", "each"}, Default: "0", Min: "0", Max: "9999",
				Doc: "the number of a server, owner for the server that owns a key when the fault begins, or each for all servers at once"},
			ownedKey("server"),
			catalog.Field{Name: "noticed_after", Kind: catalog.Duration, Default: "30s", Min: "0s", Doc: "time until the failure is detected and the keys are assigned to other servers"},
			catalog.Field{Name: "down_for", Kind: catalog.Duration, Min: "1ns", Doc: "time until the server is back with empty memory; by default when the failure is detected"})},
		{Name: "reshard", Summary: "a share of the keys moves to other servers; their counters start empty", Unit: "keys", Touches: "keys that move and of which a server is asked afterwards, once for each move", Fields: append(sudden(),
			catalog.Field{Name: "share", Kind: catalog.Share, Default: "10%", Min: "0", Max: "1", Doc: "share of the keys that move; each key is drawn independently"},
			catalog.Field{Name: "two_owners_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long the old owner continues to respond"},
			catalog.Field{Name: "stale_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long clients continue to send requests to the old owner"},
			staleShare(), staleClients())},
		{Name: "server-added", Summary: "a server joins, with the next number; keys move to it as the limiter assigns keys to servers", Unit: "calls and keys", Touches: "keys that move to another server and of which a server is asked afterwards; where servers own no keys, calls to the added server", Fields: []catalog.Field{beginning,
			staleFor(), staleShare(), staleClients()}},
		{Name: "server-removed", Summary: "a server leaves for good, as planned: its keys get other owners at once", Unit: "calls and keys", Touches: "keys that move to another server and of which a server is asked afterwards, calls that go to another server where servers own no keys, and calls that fail", Fields: []catalog.Field{beginning,
			{Name: "server", Kind: catalog.Int, Required: true, Min: "0", Max: "9999", Doc: "the number of the server"},
			{Name: "two_owners_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long the removed server continues to respond"},
			staleFor(), staleShare(), staleClients()}},
		{Name: "slow-server", Summary: "servers and store take longer to serve", Unit: "services", Touches: "services that take longer: of a call at a server, or of an operation at the store", Fields: append(lasting(givenEnd),
			catalog.Field{Name: "factor", Kind: catalog.Int, Default: "10", Min: "1", Max: "1000000", Doc: "factor on the time of services that start during the fault"})},
		{Name: "store-latency", Summary: "the store answers later, although it is not busier", Unit: "calls", Touches: "calls to the store that take longer", Fields: lateAnswers("store")},
		{Name: "server-latency", Summary: "the servers of the limiter answer later, although they are not busier", Unit: "calls", Touches: "calls to servers that take longer", Fields: lateAnswers("servers")},
		{Name: "autoscale", Summary: "the number of clients changes; requests for absent clients go to the others", Unit: "clients", Touches: "clients that stop or start", Fields: []catalog.Field{
			{Name: "stages", Kind: catalog.List, Required: true, Doc: "number of clients from each instant on; before the first stage all clients of the topology",
				Elem: &catalog.Field{Kind: catalog.Group, Fields: []catalog.Field{
					{Name: "from", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "when the stage begins"},
					{Name: "clients", Kind: catalog.Int, Required: true, Min: "1", Max: "1000000", Doc: "number of clients, counted from client 0; at most those of the topology"},
				}}},
		}},
		{Name: "policy-change", Summary: "the limit of every policy changes for a while", Unit: "keys", Touches: "keys that requests carry after the limit has changed", Fields: append(lasting(openEnd),
			catalog.Field{Name: "factor", Kind: catalog.Share, Required: true, Min: "0.000001", Max: "1000000", Doc: "factor on the limit and its burst, such as 0.1 or 10; the limit must stay a whole number"})},
	}
}

// faultField declares one entry of a scenario's faults.
func faultField() *catalog.Field { return &catalog.Field{Kind: catalog.Union, Choices: FaultKinds()} }

const (
	openEnd  = false // lasts to the end of the run by default
	givenEnd = true  // the scenario must give the end
)

// lasting returns the fields of a fault that lasts.
func lasting(needsEnd bool) []catalog.Field {
	end := catalog.Field{Name: "to", Kind: catalog.Duration, Min: "1ns", Required: needsEnd, Doc: "when it ends; by default at the end of the scenario"}
	if needsEnd {
		end.Doc = "when it ends"
	}
	return []catalog.Field{beginning, end, repeated}
}

// sudden returns the fields of a fault that happens at an instant.
func sudden() []catalog.Field { return []catalog.Field{beginning, repeated} }

var (
	beginning = catalog.Field{Name: "from", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "when it begins, in simulated time"}
	repeated  = catalog.Field{Name: "every", Needs: catalog.Needs{catalog.Repeats + ": true"}, Kind: catalog.Duration, Min: "1ns", Doc: "interval at which the fault repeats until the scenario ends; by default it occurs once"}
)

func chance(fallback, doc string) catalog.Field {
	return catalog.Field{Name: "p", Kind: catalog.Share, Default: fallback, Required: fallback == "", Min: "0", Max: "1", Doc: "probability " + doc}
}

func delay(doc string) catalog.Field {
	return catalog.Field{Name: "delay", Kind: catalog.Duration, Required: true, Min: "1ns", Max: "1h", Doc: doc}
}

// lateAnswers returns the fields of a fault that makes calls take longer.
func lateAnswers(who string) []catalog.Field {
	return append(lasting(givenEnd),
		catalog.Field{Name: "add", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1h", Doc: "added to the round trip of each call to the " + who + " that is sent during the fault, half on each way"},
		catalog.Field{Name: "factor", Kind: catalog.Int, Default: "1", Min: "1", Max: "1000000", Doc: "factor on the network latency of these calls, before add"})
}

// ownedKey names the key whose owner fails.
func ownedKey(field string) catalog.Field {
	return catalog.Field{Name: "key", Kind: catalog.String, Doc: "name of the key, for " + field + ": owner; required if there are several keys"}
}

func whose(share, what string) []catalog.Field {
	return []catalog.Field{
		{Name: "share", Kind: catalog.Share, Default: share, Min: "0", Max: "1", Doc: "share of the clients that is " + what + ", drawn anew at each occurrence and rounded to whole clients"},
		{Name: "clients", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.Int, Min: "0", Max: "999999"}, Doc: "numbers of the clients that are " + what + ", instead of share"},
	}
}

// staleFor declares how long clients use an assignment of keys that is not in force
// any more.
func staleFor() catalog.Field {
	return catalog.Field{Name: "stale_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long stale clients use the assignment of keys from before; the others learn of the new one when it has propagated"}
}

func staleShare() catalog.Field {
	return catalog.Field{Name: "stale_share", Needs: catalog.Needs{"stale_for: above 0"}, Kind: catalog.Share, Default: "100%", Min: "0", Max: "1", Doc: "share of the clients that is stale, drawn at random and rounded to whole clients; the others ask the new owner of a key, so two servers count it"}
}

func staleClients() catalog.Field {
	return catalog.Field{Name: "stale_clients", Needs: catalog.Needs{"stale_for: above 0"}, Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.Int, Min: "0", Max: "999999"}, Doc: "numbers of the clients that are stale, instead of stale_share"}
}
