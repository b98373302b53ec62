package settlement

// Largest returns the most tokens that a request takes on arrival if estimates are at
// most estimate. It is 0 if a request takes nothing, or what earlier answers cost.
func (c Config) Largest(estimate int64) int64 {
	switch c.Way {
	case None, Estimate:
		return estimate
	case ReserveMaximum:
		return c.Maximum
	}
	return 0
}
