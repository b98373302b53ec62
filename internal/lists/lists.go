// Package lists makes lists of lists.
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
