package batchreported

// Ticks returns the time of each client's first report, 0 to Interval-1. Each
// client then reports every Interval.
func (c *Config) Ticks(coin Coin) []int64 {
	if c.Offsets == nil {
		return c.Phase.First(c.Clients, c.Interval, coin)
	}
	first := make([]int64, c.Clients)
	for i := range first {
		first[i] = c.Offsets[i%len(c.Offsets)]
	}
	return first
}
