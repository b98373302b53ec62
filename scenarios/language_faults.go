package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// FaultKinds declares what can go wrong. Every kind begins with from; those that
// last have a to, and every repeats a fault.
func FaultKinds() []catalog.Entry {
	return []catalog.Entry{
		{Name: "report-loss", Summary: "reports and answers of the background get lost",
			Fields: append(lasting(openEnd), chance("", "of each message to be lost"))},
		{Name: "report-delay", Summary: "reports and answers of the background arrive late",
			Fields: append(lasting(openEnd), delay("on top of the message's latency"), chance("100%", "of each message to be late"))},
		{Name: "report-duplicate", Summary: "reports and answers of the background arrive twice",
			Fields: append(lasting(openEnd), chance("", "of each message to arrive twice"))},
		{Name: "report-reorder", Summary: "some reports and answers of the background are overtaken by later ones",
			Fields: append(lasting(openEnd), chance("", "of each message to be held back"), delay("for which it is held back: longer than what it is to be overtaken by takes"))},
		{Name: "network", Summary: "calls take as long as another law says", Fields: append(lasting(openEnd),
			catalog.Field{Name: "latency", Kind: catalog.Union, Choices: NetworkKinds(), Bare: "constant", Required: true,
				Doc: "law of a call's latency while the fault is in force, there and back"})},
		{Name: "partition", Summary: "some clients are cut off from servers, store and neighbours; then it heals",
			Fields: append(lasting(givenEnd), whose("100%", "cut off")...)},
		{Name: "clock", Summary: "the clocks of some clients are off; one that goes wrong at from steps there, and steps again at to", Fields: append(append(lasting(openEnd),
			catalog.Field{Name: "ahead", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1d", Doc: "how far the clock is ahead"},
			catalog.Field{Name: "behind", Kind: catalog.Duration, Default: "0s", Min: "0s", Max: "1d", Doc: "how far it is behind: behind 1s from 20s on is a step back of 1s at 20s"},
			catalog.Field{Name: "fast", Kind: catalog.Int, Unit: "ppm", Default: "0", Min: "0", Max: "1000000", Doc: "how much too fast it runs from then on: 100 gains 6 ms a minute"},
			catalog.Field{Name: "slow", Kind: catalog.Int, Unit: "ppm", Default: "0", Min: "0", Max: "1000000", Doc: "how much too slow it runs"},
		), whose("100%", "concerned")...)},
		{Name: "store-down", Summary: "the store does not answer; then another takes over, perhaps without the last writes", Fields: append(lasting(givenEnd),
			catalog.Field{Name: "lose", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "what was written that long before it went down is lost in the failover"})},
		{Name: "server-restart", Summary: "servers stop and start again", Fields: append(sudden(),
			catalog.Field{Name: "servers", Kind: catalog.IntOrEnum, Enum: []string{"all", "rolling"}, Default: "all", Min: "0", Max: "9999",
				Doc: "a server's number, all of them at once, or one after the other from 0 on"},
			catalog.Field{Name: "rolling", Kind: catalog.Duration, Default: "10s", Min: "1ns", Doc: "between one server's restart and the next one's, for servers: rolling"},
			catalog.Field{Name: "down_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long a server does not answer"},
			catalog.Field{Name: "state", Kind: catalog.Enum, Enum: []string{"lost", "kept"}, Default: "lost", Doc: "of what it had in memory"})},
		{Name: "server-crash", Summary: "a server is gone, with its memory, before anybody knows", Fields: append(sudden(),
			catalog.Field{Name: "server", Kind: catalog.Int, Default: "0", Min: "0", Max: "9999", Doc: "its number"},
			catalog.Field{Name: "noticed_after", Kind: catalog.Duration, Default: "30s", Min: "0s", Doc: "when whoever assigns keys gives its keys to others"},
			catalog.Field{Name: "down_for", Kind: catalog.Duration, Min: "1ns", Doc: "when it is back, empty; as soon as it is noticed unless given"})},
		{Name: "reshard", Summary: "a share of the keys moves to other servers, without their counts", Fields: append(sudden(),
			catalog.Field{Name: "share", Kind: catalog.Share, Default: "10%", Min: "0", Max: "1", Doc: "of the keys that move, each by a draw of its own"},
			catalog.Field{Name: "two_owners_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long the old owner goes on to answer"},
			catalog.Field{Name: "stale_for", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "how long clients go on to ask the old owner"})},
		{Name: "slow-server", Summary: "servers and store serve slower", Fields: append(lasting(givenEnd),
			catalog.Field{Name: "factor", Kind: catalog.Int, Default: "10", Min: "1", Max: "1000000", Doc: "times as long a service takes that starts meanwhile"})},
		{Name: "autoscale", Summary: "the number of clients changes; requests for one that is not there reach those that are", Fields: []catalog.Field{
			{Name: "stages", Kind: catalog.List, Required: true, Doc: "how many clients there are from when on; before the first stage as many as the topology has",
				Elem: &catalog.Field{Kind: catalog.Group, Fields: []catalog.Field{
					{Name: "from", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "when the stage begins"},
					{Name: "clients", Kind: catalog.Int, Required: true, Min: "1", Max: "1000000", Doc: "alive, numbers 0 and up; at most as many as the topology has"},
				}}},
		}},
		{Name: "policy-change", Summary: "the limit of every policy is another one for a while", Fields: append(lasting(openEnd),
			catalog.Field{Name: "factor", Kind: catalog.Share, Required: true, Min: "0.000001", Max: "1000000", Doc: "by which the limit and its burst are multiplied, such as 0.1 or 10; the limit must stay a whole number"})},
	}
}

// faultField is one entry of a scenario's faults.
func faultField() *catalog.Field { return &catalog.Field{Kind: catalog.Union, Choices: FaultKinds()} }

// RetriesFields declares what callers do whose requests are refused.
func RetriesFields() []catalog.Field {
	return []catalog.Field{
		{Name: "attempts", Kind: catalog.Int, Unit: "retries", Required: true, Min: "1", Max: "10",
			Doc: "how often a refused request is tried again, at most"},
		{Name: "backoff", Kind: catalog.Union, Default: "immediate", Choices: BackoffKinds(),
			Doc: "how long a caller waits before it tries again"},
		{Name: "timed_out", Kind: catalog.Bool, Default: "true",
			Doc: "a request that was refused because its remote call timed out is tried again too"},
	}
}

// BackoffKinds declares how long callers wait before they try again.
func BackoffKinds() []catalog.Entry {
	jitter := catalog.Field{Name: "jitter", Kind: catalog.Enum, Enum: []string{"none", "full"}, Default: "full",
		Doc: "full: wait for a time drawn evenly between 0 and what it would be; none: exactly that"}
	return []catalog.Entry{
		{Name: "immediate", Summary: "not at all"},
		{Name: "constant", Summary: "the same time each time", Fields: []catalog.Field{
			{Name: "time", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "how long"}, withDefault(jitter, "none")}},
		{Name: "exponential", Summary: "twice as long each time", Fields: []catalog.Field{
			{Name: "base", Kind: catalog.Duration, Default: "100ms", Min: "1ns", Doc: "before the first retry"},
			{Name: "max", Kind: catalog.Duration, Default: "10s", Min: "1ns", Doc: "at most"}, jitter}},
		{Name: "retry-after", Summary: "until the limiter says that the request would pass; at once where it does not know", Fields: []catalog.Field{
			{Name: "spread", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "a time drawn evenly between 0 and this is added, so that not all come back at once"}}},
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
	end := catalog.Field{Name: "to", Kind: catalog.Duration, Min: "1ns", Required: needsEnd, Doc: "when it ends; the scenario's duration unless given"}
	if needsEnd {
		end.Doc = "when it ends"
	}
	return []catalog.Field{beginning, end, repeated}
}

// sudden are the fields of a fault that happens at once.
func sudden() []catalog.Field { return []catalog.Field{beginning, repeated} }

var (
	beginning = catalog.Field{Name: "from", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "when it begins, in simulated time"}
	repeated  = catalog.Field{Name: "every", Kind: catalog.Duration, Min: "1ns", Doc: "it happens again each time this has passed, as long as it begins before the scenario's end; once unless given"}
)

func chance(fallback, doc string) catalog.Field {
	return catalog.Field{Name: "p", Kind: catalog.Share, Default: fallback, Required: fallback == "", Min: "0", Max: "1", Doc: "chance " + doc}
}

func delay(doc string) catalog.Field {
	return catalog.Field{Name: "delay", Kind: catalog.Duration, Required: true, Min: "1ns", Max: "1h", Doc: doc}
}

func whose(share, what string) []catalog.Field {
	return []catalog.Field{
		{Name: "share", Kind: catalog.Share, Default: share, Min: "0", Max: "1", Doc: "of the clients, drawn anew each time, rounded to a whole number of them, that is " + what},
		{Name: "clients", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.Int, Min: "0", Max: "999999"}, Doc: "instead of share, the numbers of those that are " + what},
	}
}
