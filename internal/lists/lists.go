// Package lists makes lists from other lists.
package lists

// Map returns what of makes of each item, in order; nil if there are no items.
func Map[T, R any](items []T, of func(T) R) []R {
	if len(items) == 0 {
		return nil
	}
	made := make([]R, len(items))
	for i, item := range items {
		made[i] = of(item)
	}
	return made
}

// Where returns the items for which holds reports true, in order; nil if there are none.
func Where[T any](items []T, holds func(T) bool) (kept []T) {
	for _, item := range items {
		if holds(item) {
			kept = append(kept, item)
		}
	}
	return kept
}

// Distinct returns each item once, in the order of their first places; nil if there
// are none.
func Distinct[T comparable](items []T) (once []T) {
	seen := map[T]bool{}
	for _, item := range items {
		if !seen[item] {
			seen[item], once = true, append(once, item)
		}
	}
	return once
}
