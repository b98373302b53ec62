package times

// Formats and Units list how times and durations may be written.
var (
	Formats = []string{"auto", "rfc3339", "clf", "epoch-s", "epoch-ms", "epoch-us", "epoch-ns", "relative-s", "relative-ms", "relative-us", "relative-ns", "s", "ms", "us", "ns"}
	Units   = []string{"s", "ms", "us", "ns"}
)
