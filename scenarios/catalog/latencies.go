package catalog

// Latencies declares the distributions of a call's round-trip latency.
func Latencies() []Entry {
	return []Entry{
		{Name: "constant", Summary: "every call takes the same time", Fields: []Field{
			{Name: "time", Kind: Duration, Default: "0s", Min: "0s", Doc: "round trip"},
		}},
		{Name: "exponential", Summary: "exponential latency", Fields: []Field{
			{Name: "p99", Kind: Duration, Required: true, Min: "1ns", Doc: "99th percentile of the round trip"},
		}},
		{Name: "lognormal", Summary: "log-normal latency", Fields: []Field{
			{Name: "p50", Kind: Duration, Required: true, Min: "1ns", Doc: "median of the round trip"},
			{Name: "p99", Kind: Duration, Required: true, Min: "1ns", Doc: "99th percentile of the round trip; at least p50"},
		}},
	}
}

// Times declares a time that is constant or random: what lists call each of them, and
// what the time is.
func Times(constant, exponential, what string) []Entry {
	return []Entry{
		{Name: "constant", Summary: constant, Fields: []Field{
			{Name: "time", Kind: Duration, Default: "0s", Min: "0s", Doc: what},
		}},
		{Name: "exponential", Summary: exponential, Fields: []Field{
			{Name: "mean", Kind: Duration, Required: true, Min: "1ns", Doc: "mean " + what},
		}},
	}
}

// Sidecar declares the option for a sidecar between a gateway and its limiter.
func Sidecar() Field {
	return Field{
		Name: "sidecar", Met: true, Kind: Union, Default: "none", Bare: "constant", Doc: "round-trip latency of a local hop from the gateway to a sidecar",
		Choices: append([]Entry{{Name: "none", Summary: "the gateway itself runs the limiter"}}, Latencies()...),
	}
}
