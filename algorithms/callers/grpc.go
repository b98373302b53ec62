package callers

// GRPC is the retry throttle of gRPC: a count that is full at first. A refusal takes 1 from
// it, but not below 0, and a retry needs more than half of the maximum afterwards. An
// admitted call gives a ratio back, up to the maximum. Source: grpc/proposal A6, "Throttling
// Retry Attempts and Hedged RPCs", and retryThrottler of grpc-go v1.85, which counts in
// floats.
type GRPC struct {
	idle
	one, most, ratio, count int64 // in parts of a token
}

// NewGRPC returns a full throttle of 1 to 1000 tokens. The ratio is num/den, above 0 and
// at most 1000, with a den of up to 4e9.
func NewGRPC(most, num, den int64) *GRPC {
	checkShare(num, den)
	if most < 1 || most > 1000 || num == 0 {
		panic("callers: the tokens or the ratio of a throttle are outside their range")
	}
	return &GRPC{one: den, most: most * den, ratio: num, count: most * den}
}

// Admitted implements Budget.
func (g *GRPC) Admitted() { g.count = min(g.count+g.ratio, g.most) }

// Refused implements Budget.
func (g *GRPC) Refused() { g.count = max(g.count-g.one, 0) }

// Retry implements Budget.
func (g *GRPC) Retry(_, _ int64) bool { return 2*g.count > g.most }
