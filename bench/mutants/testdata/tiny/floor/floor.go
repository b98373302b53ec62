// Package floor has no test of its own.
package floor

// AtLeast returns n, or least if that is more.
func AtLeast(least, n int) int { return max(least, n) }
