package catalog

// Latencies declares the laws of a call's latency.
func Latencies() []Entry {
	return []Entry{
		{Name: "constant", Summary: "every call takes the same time", Fields: []Field{
			{Name: "time", Kind: Duration, Default: "0s", Min: "0s", Doc: "there and back"},
		}},
		{Name: "exponential", Summary: "exponential latency", Fields: []Field{
			{Name: "p99", Kind: Duration, Required: true, Min: "1ns", Doc: "99th percentile, there and back"},
		}},
		{Name: "lognormal", Summary: "log-normal latency", Fields: []Field{
			{Name: "p50", Kind: Duration, Required: true, Min: "1ns", Doc: "median, there and back"},
			{Name: "p99", Kind: Duration, Required: true, Min: "1ns", Doc: "99th percentile, there and back; at least p50"},
		}},
	}
}
