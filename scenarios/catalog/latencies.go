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
