package lists

// Count returns for how many items holds is true.
func Count[T any](items []T, holds func(T) bool) (n int) {
	for _, item := range items {
		if holds(item) {
			n++
		}
	}
	return n
}
