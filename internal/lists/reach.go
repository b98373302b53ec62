package lists

// Reach returns the items with zero values after them, as many as item number last needs.
func Reach[T any, N int | int32](items []T, last N) []T {
	if missing := int(last) + 1 - len(items); missing > 0 {
		return append(items, make([]T, missing)...)
	}
	return items
}
