package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// FaultKinds declares what can go wrong. Every kind begins with from; those that
// last have a to, and every repeats a fault.
func FaultKinds() []catalog.Entry {
	return []catalog.Entry{
		{Name: "report-loss", Summary: "reports and their responses are lost",
			Fields: append(lasting(openEnd), chance("", "of each message to be lost"))},
		{Name: "report-delay", Summary: "reports and their responses are delayed",
			Fields: append(lasting(openEnd), delay("on top of the message's latency"), chance("100%", "of each message to be late"))},
		{Name: "report-duplicate", Summary: "reports and their responses are duplicated",
			Fields: append(lasting(openEnd), chance("", "of each message to arrive twice"))},
		{Name: "report-reorder", Summary: "some reports and responses are overtaken by later ones",
			Fields: append(lasting(openEnd), chance("", "of each message to be held back"), delay("for which it is held back: longer than what it is to be overtaken by takes"))},
		{Name: "network", Summary: "the latency of calls has another distribution", Fields: append(lasting(openEnd),
			catalog.Field{Name: "latency", Kind: catalog.Union, Choices: NetworkKinds(), Bare: "constant", Required: true,
				Doc: "distribution of a call's round trip while the fault is in force"})},
		{Name: "partition", Summary: "some clients lose the connection to servers, store and peers, then recover",
			Fields: append(lasting(givenEnd), whose("100%", "cut off")...)},
		{Name: "clock", Summary: "the clocks of some clients are wrong; a wrong clock steps at from, and back at to", Fields: append(append(lasting(openEnd),
			catalog.Field{Name: "ahead", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1d", Doc: "how far the clock is ahead"},
			catalog.Field{Name: "behind", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1d", Doc: "how far the clock is behind: behind 1s at 20s is a step back of 1s at 20s"},
			catalog.Field{Name: "fast", Kind: catalog.Int, Unit: "ppm", Default: "0", Min: "0", Max: "1000000", Doc: "parts per million that the clock runs fast: 100 gains 6 ms a minute"},
			catalog.Field{Name: "slow", Kind: catalog.Int, Unit: "ppm", Default: "0", Min: "0", Max: "1000000", Doc: "parts per million that the clock runs slow"},
		), whose("100%", "affected")...)},
		{Name: "store-down", Summary: "the store does not respond; then a replica takes over, possibly without the last writes", Fields: append(lasting(givenEnd),
			catalog.Field{Name: "lose", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "writes up to this long before the outage are lost in the failover"})},
		{Name: "server-restart", Summary: "servers stop and restart", Fields: append(sudden(),
			catalog.Field{Name: "servers", Kind: catalog.IntOrEnum, Enum: []string{"all", "rolling"}, Default: "all", Min: "0", Max: "9999",
				Doc: "the number of a server, all of them at once, or rolling: one after the other from 0"},
			catalog.Field{Name: "rolling", Kind: catalog.Duration, Default: "10s", Min: "1ns", Doc: "time between the restarts of two servers, for servers: rolling"},
			catalog.Field{Name: "down_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long a server does not respond"},
			catalog.Field{Name: "state", Kind: catalog.Enum, Enum: []string{"lost", "kept"}, Default: "lost", Doc: "of its memory"})},
		{Name: "server-crash", Summary: "a server crashes and loses its memory; its peers detect it later", Fields: append(sudden(),
			catalog.Field{Name: "server", Kind: catalog.Int, Default: "0", Min: "0", Max: "9999", Doc: "its number"},
			catalog.Field{Name: "noticed_after", Kind: catalog.Duration, Default: "30s", Min: "0s", Doc: "time until the crash is detected and other servers receive its keys"},
			catalog.Field{Name: "down_for", Kind: catalog.Duration, Min: "1ns", Doc: "time until the server is back, with empty memory; when the crash is detected if absent"})},
		{Name: "reshard", Summary: "a share of the keys moves to other servers without their counts", Fields: append(sudden(),
			catalog.Field{Name: "share", Kind: catalog.Share, Default: "10%", Min: "0", Max: "1", Doc: "share of the keys that move; each key is drawn independently"},
			catalog.Field{Name: "two_owners_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long the old owner continues to respond"},
			catalog.Field{Name: "stale_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long clients continue to send requests to the old owner"})},
		{Name: "slow-server", Summary: "servers and store are slower", Fields: append(lasting(givenEnd),
			catalog.Field{Name: "factor", Kind: catalog.Int, Default: "10", Min: "1", Max: "1000000", Doc: "factor on service times that begin while the fault is in force"})},
		{Name: "autoscale", Summary: "the number of clients changes; requests of clients that are not alive go to others", Fields: []catalog.Field{
			{Name: "stages", Kind: catalog.List, Required: true, Doc: "number of clients from each time on; before the first stage it is that of the topology",
				Elem: &catalog.Field{Kind: catalog.Group, Fields: []catalog.Field{
					{Name: "from", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "when the stage begins"},
					{Name: "clients", Kind: catalog.Int, Required: true, Min: "1", Max: "1000000", Doc: "clients that are alive, numbered from 0; at most as many as the topology has"},
				}}},
		}},
		{Name: "policy-change", Summary: "every policy has another limit for a while", Fields: append(lasting(openEnd),
			catalog.Field{Name: "factor", Kind: catalog.Share, Required: true, Min: "0.000001", Max: "1000000", Doc: "factor on the limit and its burst, such as 0.1 or 10; the limit must stay a whole number"})},
	}
}

// faultField is one entry of a scenario's faults.
func faultField() *catalog.Field { return &catalog.Field{Kind: catalog.Union, Choices: FaultKinds()} }

// RetriesFields declares what callers do whose requests are refused.
func RetriesFields() []catalog.Field {
	return []catalog.Field{
		{Name: "attempts", Kind: catalog.Int, Unit: "retries", Required: true, Min: "1", Max: "10",
			Doc: "largest number of retries of a rejected request"},
		{Name: "backoff", Kind: catalog.Union, Default: "immediate", Choices: BackoffKinds(),
			Doc: "how long a caller waits before a retry"},
		{Name: "timed_out", Kind: catalog.Bool, Default: "true",
			Doc: "requests that are rejected because their remote call timed out are retried too"},
	}
}

// BackoffKinds declares how long callers wait before they try again.
func BackoffKinds() []catalog.Entry {
	jitter := catalog.Field{Name: "jitter", Kind: catalog.Enum, Enum: []string{"none", "full"}, Default: "full",
		Doc: "full: wait a random time, uniform between 0 and the backoff; none: wait exactly the backoff"}
	return []catalog.Entry{
		{Name: "immediate", Summary: "not at all"},
		{Name: "constant", Summary: "the same wait before every retry", Fields: []catalog.Field{
			{Name: "time", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "how long"}, withDefault(jitter, "none")}},
		{Name: "exponential", Summary: "the wait doubles with every retry", Fields: []catalog.Field{
			{Name: "base", Kind: catalog.Duration, Default: "100ms", Min: "1ns", Doc: "before the first retry"},
			{Name: "max", Kind: catalog.Duration, Default: "10s", Min: "1ns", Doc: "at most"}, jitter}},
		{Name: "retry-after", Summary: "wait until the limiter says that it would admit the request; retry at once if it does not know", Fields: []catalog.Field{
			{Name: "spread", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "a random time, uniform between 0 and this, is added so that callers do not retry all at once"}}},
	}
}

func withDefault(f catalog.Field, text string) catalog.Field {
	f.Default = text
	return f
}

const (
	openEnd  = false // lasts to the end of the run unless told
	givenEnd = true  // somebody must say when it is over
)

// lasting are the fields of a fault that holds for a while.
func lasting(needsEnd bool) []catalog.Field {
	end := catalog.Field{Name: "to", Kind: catalog.Duration, Min: "1ns", Required: needsEnd, Doc: "when it ends; the scenario's duration if absent"}
	if needsEnd {
		end.Doc = "when it ends"
	}
	return []catalog.Field{beginning, end, repeated}
}

// sudden are the fields of a fault that happens at once.
func sudden() []catalog.Field { return []catalog.Field{beginning, repeated} }

var (
	beginning = catalog.Field{Name: "from", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "when it begins, in simulated time"}
	repeated  = catalog.Field{Name: "every", Kind: catalog.Duration, Min: "1ns", Doc: "time after which it repeats, as long as it begins before the scenario's end; once if absent"}
)

func chance(fallback, doc string) catalog.Field {
	return catalog.Field{Name: "p", Kind: catalog.Share, Default: fallback, Required: fallback == "", Min: "0", Max: "1", Doc: "chance " + doc}
}

func delay(doc string) catalog.Field {
	return catalog.Field{Name: "delay", Kind: catalog.Duration, Required: true, Min: "1ns", Max: "1h", Doc: doc}
}

func whose(share, what string) []catalog.Field {
	return []catalog.Field{
		{Name: "share", Kind: catalog.Share, Default: share, Min: "0", Max: "1", Doc: "share of the clients, rounded to a whole number and drawn anew each time, that are " + what},
		{Name: "clients", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.Int, Min: "0", Max: "999999"}, Doc: "instead of share, the numbers of the clients that are " + what},
	}
}
