package scenarios

import (
	"sync"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// The functions of this file declare every mapping of the language that is not
// declared by a pattern or an algorithm. The loader, the schema and
// docs/scenarios.md use these declarations. Those of a file, a scenario and a traffic
// entry are made once, and are those of all callers, who must not change them.

// FileFields declares the top level of a scenario file.
var FileFields = sync.OnceValue(func() []catalog.Field {
	return append([]catalog.Field{
		{Name: "version", Kind: catalog.Int, Required: true, Min: "1", Max: "1",
			Doc: "version of the scenario language: 1"},
		{Name: "policies", Kind: catalog.Dependent, Fields: PolicyFields(),
			Doc: "limits by name, for scenarios to refer to"},
		{Name: "topologies", Kind: catalog.Dependent, Fields: TopologyFields(),
			Doc: "fleets by name, for scenarios to refer to"},
		{Name: "algorithms", Kind: catalog.Dependent, Fields: AlgorithmFields(),
			Doc: "limiters by name: a preset or an enforcement and a counter, with the options that differ from their defaults; presets need no entry"},
		{Name: "traffic", Kind: catalog.Dependent, Fields: TrafficFields(),
			Doc: "traffic by name, an entry or a list of them, for the lists of scenarios to name"},
		{Name: "faults", Kind: catalog.Dependent,
			Doc: "faults by name, one or a list of them, for the lists of scenarios to name"},
		{Name: "expect", Kind: catalog.Dependent,
			Doc: "thresholds by name, each as a scenario's expect, for scenarios to name"},
		{Name: "scenarios", Kind: catalog.Dependent, Required: true, Fields: ScenarioFields(),
			Doc: "the comparisons, 1 to 1000"},
		{Name: "curves", Kind: catalog.Dependent, Fields: CurveFields(),
			Doc: "a list of figures that grow from scenario to scenario, with a line for each algorithm"},
	}, RunFields()...)
})

// commonStreams is the value of streams with which all rows of a scenario have the same
// random streams.
const commonStreams = "common"

// RunFields declares the fields of a run that a file and each of its
// scenarios may set. The scenario overrides the file.
func RunFields() []catalog.Field {
	return []catalog.Field{
		{Name: "seed", Kind: catalog.Uint, Default: "1",
			Doc: "seed of every random stream"},
		{Name: "replications", Kind: catalog.Int, Default: "10", Min: "1", Max: "10000",
			Doc: "number of runs of the scenario, each with its own random numbers"},
		{Name: "duration", Kind: catalog.Duration, Min: "1ns",
			Doc: "simulated time; required unless a recorded trace decides it"},
		{Name: "warmup", Kind: catalog.Duration, Default: "0s", Min: "0s",
			Doc: "simulated time excluded from the metrics, rounded up to whole windows of the policy"},
		{Name: "streams", Kind: catalog.Enum, Enum: []string{"own", commonStreams}, Default: "own",
			Doc: "random streams of algorithms: own, each name has its own; common, all rows of a scenario have the same, so that equal options give equal figures"},
		{Name: "metrics", Kind: catalog.Enum, Enum: []string{"basic", "full"}, Default: "basic",
			Doc: "metric set: basic or full; an expectation or a column of a metric of the full set selects full"},
		{Name: "columns", Kind: catalog.List, Elem: &catalog.Field{Kind: catalog.String, Doc: "name of a metric"},
			Doc: "metrics that tables show after the headline ones, before those that expect names; by default the others of limitgauge help metrics"},
		{Name: "measure_memory", Kind: catalog.Size, Default: "256MiB", Min: "1MiB", Max: "1024GiB",
			Doc: "memory per trial for metrics whose memory grows with the number of requests"},
	}
}

// PolicyFields declares a policy.
func PolicyFields() []catalog.Field {
	return []catalog.Field{
		{Name: "limit", Kind: catalog.Limit, Required: true,
			Doc: "requests per window, such as 1000/s or 7/3s; the period is the window"},
		{Name: "burst", Needs: catalog.Needs{"reference: token-bucket or algorithms: with a burst or local_limit: share or metrics: full"}, Kind: catalog.Int, Unit: "requests", Min: "0",
			Doc: "depth of a bucket; by default the limit's count; 0 only for algorithms with debt"},
		{Name: "counts", Kind: catalog.Enum, Enum: []string{"cost", countsRequests},
			Doc: "what the limit counts: the cost of requests (the default), or the requests, each as 1 whatever it costs, so that a limit of requests stands beside one of tokens"},
		{Name: "per", Kind: catalog.String,
			Doc: "what a key identifies, such as workspace or remote_addr"},
		{Name: "shared", Kind: catalog.Bool, Default: "false",
			Doc: "one key for all traffic"},
		{Name: "reference", Kind: catalog.Union, Choices: References(), Default: "token-bucket",
			Doc: "the exact limiter that figures are measured against; a limit of its own, such as in {sliding-log: 60/min}, stands beside the one that limiters enforce"},
	}
}

// countsRequests is the value of counts of a policy that counts requests.
const countsRequests = "requests"

// References declares the exact limiters.
func References() []catalog.Entry {
	limit := catalog.Field{Name: "limit", Kind: catalog.Limit, Doc: "requests per window that figures are measured against; by default the policy's limit"}
	burst := catalog.Field{Name: "burst", Kind: catalog.Int, Unit: "requests", Min: "0", Doc: "depth of the bucket; by default the count of a limit of its own, else the policy's burst"}
	return []catalog.Entry{
		{Name: "token-bucket", Summary: "a bucket that refills at the rate of the limit", Fields: []catalog.Field{limit, burst}},
		{Name: "sliding-log", Summary: "the limit in any window, wherever it begins", Fields: []catalog.Field{limit}},
		{Name: "fixed-window", Summary: "the limit in each window of the clock", Fields: []catalog.Field{limit}},
	}
}

// TopologyFields declares a topology.
func TopologyFields() []catalog.Field {
	return []catalog.Field{
		{Name: "clients", Kind: catalog.Int, Default: "1", Min: "1", Max: "1000000",
			Doc: "gateways or processes that use the limiter"},
		{Name: "servers", Needs: catalog.Needs{"algorithms: with servers or tablets: hashed"}, Kind: catalog.Int, Default: "1", Min: "1", Max: "10000",
			Doc: "replicas of the limiter's server"},
		{Name: "network", Needs: catalog.Needs{"algorithms: with a network"}, Kind: catalog.Union, Choices: NetworkKinds(), Bare: "constant", Default: "constant",
			Doc: "round-trip latency between client and server: one draw per call, half for each direction"},
		rolloutField("a fleet that is being converted: each algorithm of the scenario decides on some clients, the algorithm of the rollout on the others"),
	}
}

// NetworkKinds declares the distributions of a call's round-trip latency.
func NetworkKinds() []catalog.Entry { return catalog.Latencies() }

// AlgorithmFields declares the fields that every algorithm accepts in addition
// to the options of its enforcement and its counter.
func AlgorithmFields() []catalog.Field {
	return []catalog.Field{
		{Name: "preset", Kind: catalog.String,
			Doc: "the shipped algorithm to start from, instead of enforcement and counter"},
		{Name: "enforcement", Kind: catalog.String,
			Doc: "where counters are kept and how clients use them"},
		{Name: "counter", Kind: catalog.String,
			Doc: "the arithmetic for one key"},
		rolloutField("a fleet that is being converted from this algorithm to another; replaces the rollout of the topology"),
		callersField("the callers of this row; replaces those of the scenario"),
	}
}

// ScenarioFields declares a scenario.
var ScenarioFields = sync.OnceValue(func() []catalog.Field {
	return append([]catalog.Field{
		{Name: "name", Kind: catalog.String, Required: true,
			Doc: "unique in the file"},
		{Name: "about", Kind: catalog.String,
			Doc: "what to look for in the result"},
		{Name: "policy", Kind: catalog.Dependent, Fields: PolicyFields(),
			Doc: "a policy's name, or a policy written in place"},
		{Name: "policies", Kind: catalog.Dependent, Fields: PolicyFields(),
			Doc: "instead of policy, a list of policies by name or in place; a request is admitted only if every policy that applies to it admits it"},
		{Name: "topology", Kind: catalog.Dependent, Fields: TopologyFields(),
			Doc: "a topology's name, or a topology written in place; by default one client and one server without delay"},
		{Name: "traffic", Kind: catalog.Dependent, Required: true, Fields: TrafficFields(),
			Doc: "a list of patterns whose requests are combined; each has the fields of its pattern and these"},
		{Name: "guard", Kind: catalog.Group, Fields: GuardFields(),
			Doc: "the backend that the limiter protects"},
		{Name: "retries", Kind: catalog.Group, Definition: "retries", Fields: RetriesFields(),
			Doc: "how callers retry rejected requests; short for callers: {retry: …}"},
		callersField("what the clients of a limit do: how they retry, and how workers pace their calls"),
		{Name: "faults", Kind: catalog.Dependent,
			Doc: "faults to inject: a list of {kind: {its fields}}"},
		{Name: "algorithms", Kind: catalog.Dependent, Required: true,
			Doc: "a list of names: algorithms of this file or presets"},
		{Name: "expect", Kind: catalog.Dependent,
			Doc: `bounds as {algorithm: {metric: "<= 10"}}, or a list of them; a bound is a threshold or, against a baseline, {not_worse: 5%}; the algorithm may be reference, or a name with * for all that match; or the name of such a block of the file, or a list of names and blocks`},
		{Name: "vary", Kind: catalog.Dependent, Fields: AxisFields(),
			Doc: "axes of limitgauge sweep by name, each a setting and its values; a run ignores them"},
	}, RunFields()...)
})

// TrafficFields declares the fields that every pattern accepts in addition to
// its own.
var TrafficFields = sync.OnceValue(func() []catalog.Field {
	return []catalog.Field{
		{Name: "pattern", Kind: catalog.String, Required: true,
			Doc: "how requests arrive"},
		{Name: "name", Kind: catalog.String,
			Doc: "name of the entry and of its random streams; by default traffic[0], traffic[1] and so on"},
		{Name: "from", Kind: catalog.Duration, Default: "0s", Min: "0s",
			Doc: "when the entry starts"},
		{Name: "to", Kind: catalog.Duration, Min: "1ns",
			Doc: "when it ends; by default at the end of the scenario"},
		{Name: "keys", Kind: catalog.Union, Choices: KeyKinds(), Default: "one",
			Doc: "how the key of a request is chosen; by default a trace or a list has its own"},
		{Name: "key", Kind: catalog.String,
			Doc: "short for keys: {one: {name: …}}"},
		{Name: "descriptors", Kind: catalog.Dependent, Fields: DescriptorFields(),
			Doc: "keys by policy, as {policy: none | keys | {applies, keys, count}}; policies not named apply to every request, with a single key"},
		{Name: "tenants", Kind: catalog.Union, Choices: TenantKinds(),
			Doc: "how the tenant of a request is chosen; by default the tenant is the key"},
		{Name: "tenant", Kind: catalog.String,
			Doc: "short for tenants: {one: {name: …}}"},
		{Name: "spread", Needs: catalog.Needs{"clients: above 1"}, Kind: catalog.Union, Choices: SpreadKinds(), Default: "even",
			Doc: "how the client that receives a request is chosen; a trace or a list may name clients itself"},
		{Name: "cost", Kind: catalog.Union, Choices: CostKinds(), Bare: "constant", Default: "constant",
			Doc: "how many tokens a request costs; by default a trace or a list has its own"},
		answerField(),
	}
})

// KeyKinds declares how the keys of requests are selected.
func KeyKinds() []catalog.Entry { return population("key") }

// TenantKinds declares how the tenants of requests are selected.
func TenantKinds() []catalog.Entry { return population("tenant") }

func population(what string) []catalog.Entry {
	count := catalog.Field{Name: "count", Kind: catalog.Int, Unit: what + "s", Required: true, Min: "1", Max: "100000000",
		Doc: "how many " + what + "s"}
	ranked := count
	ranked.Max = "10000000" // each needs a place in a table
	return []catalog.Entry{
		{Name: "one", Summary: "a single " + what, Fields: []catalog.Field{
			{Name: "name", Kind: catalog.String, Default: what + "-0", Doc: "its name"},
		}},
		{Name: "uniform", Summary: "every " + what + " with equal probability", Fields: []catalog.Field{count}},
		{Name: "zipf", Summary: "the " + what + " of rank i in proportion to 1/i^s", Fields: []catalog.Field{
			ranked,
			{Name: "s", Needs: catalog.Needs{"count: above 1"}, Kind: catalog.Decimal, Default: "1.1", Min: "0", Max: "10", Doc: "exponent; 0 is uniform"},
		}},
		{Name: "hot", Summary: "one " + what + " with a share of all requests, the others with equal probability", Fields: []catalog.Field{
			count,
			{Name: "share", Needs: catalog.Needs{"count: above 1"}, Kind: catalog.Share, Required: true, Min: "0", Max: "1", Doc: "share of all requests for the hot " + what + ", which is number 0"},
		}},
	}
}

// SpreadKinds declares how the clients of requests are selected.
func SpreadKinds() []catalog.Entry {
	return []catalog.Entry{
		{Name: "even", Summary: "clients in turn"},
		{Name: "random", Summary: "each request to a random client"},
		{Name: "hash", Summary: "all requests of a key to the same client"},
		{Name: "sticky", Summary: "all requests of a tenant to the same client, as with a persistent connection"},
		{Name: "skewed", Summary: "each request to a random client, with given shares", Fields: []catalog.Field{
			{Name: "shares", Kind: catalog.List, Required: true,
				Elem: &catalog.Field{Kind: catalog.Share, Min: "0", Max: "1", Doc: "share of one client"},
				Doc:  "shares of client 0, 1 and so on; they add up to 1, and further clients receive no requests"},
		}},
	}
}

// GuardFields declares a guarded backend.
func GuardFields() []catalog.Field {
	return []catalog.Field{
		{Name: "concurrency", Needs: catalog.Needs{"service_time: above 0"}, Kind: catalog.Int, Required: true, Min: "1", Max: "1000000",
			Doc: "maximum number of requests in service; the others queue"},
		{Name: "service_time", Kind: catalog.Union, Choices: ServiceTimeKinds(), Bare: "constant", Required: true,
			Doc: "how long one request is served"},
		{Name: "deadline", Kind: catalog.Duration, Min: "1ns",
			Doc: "an answer later than this after the arrival is worthless; adds the figures of goodput"},
		{Name: "queue", Needs: catalog.Needs{"service_time: above 0"}, Kind: catalog.Int, Min: "0", Max: "1000000000",
			Doc: "places behind the servers; a request that finds none is answered at once with an error; by default there is always one"},
		{Name: "sharing", Needs: catalog.Needs{"service_time: above 0"}, Kind: catalog.Bool, Default: "false",
			Doc: "nobody queues: the servers are cores that all requests in the backend share evenly, each at the speed of one core at most"},
		{Name: "load", Needs: catalog.Needs{"service_time: above 0"}, Kind: catalog.List,
			Doc: "points of the slowness of the backend by the requests in service, in rising order: linear between them, constant outside; without `sharing` it multiplies the service time of a request that starts, with it the work of all at every instant",
			Elem: &catalog.Field{Kind: catalog.Group, Fields: []catalog.Field{
				{Name: "at", Kind: catalog.Int, Unit: "requests", Required: true, Min: "1", Max: "1000000", Doc: "requests in service, the one that starts included"},
				{Name: "factor", Kind: catalog.Share, Required: true, Min: "1", Max: "1000", Doc: "factor on the service time"},
			}}},
		{Name: "slow", Needs: catalog.Needs{"service_time: above 0"}, Kind: catalog.List, Doc: "periods in which services that start take longer, in time order without overlap",
			Elem: &catalog.Field{Kind: catalog.Group, Fields: []catalog.Field{
				{Name: "from", Kind: catalog.Duration, Default: "0s", Min: "0s", Doc: "when it starts"},
				{Name: "to", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "when it ends"},
				{Name: "factor", Needs: catalog.Needs{"factor: above 1"}, Kind: catalog.Int, Required: true, Min: "1", Max: "1000000", Doc: "factor on the service time"},
			}}},
	}
}

// ServiceTimeKinds declares the distributions of a service time.
func ServiceTimeKinds() []catalog.Entry {
	return []catalog.Entry{
		{Name: "constant", Summary: "every request the same", Fields: []catalog.Field{
			{Name: "time", Kind: catalog.Duration, Required: true, Min: "0s", Doc: "service time"},
		}},
		{Name: "exponential", Summary: "exponential service time", Fields: []catalog.Field{
			{Name: "mean", Kind: catalog.Duration, Required: true, Min: "1ns", Doc: "mean service time"},
		}},
	}
}
