// Package groups collects values by key and keeps the order of the keys.
package groups

// Groups holds values by key. The zero value is empty.
type Groups[K comparable, V any] struct {
	Keys []K // in the order of their first values
	Of   map[K][]V
}

// Add adds a value to the group of a key.
func (g *Groups[K, V]) Add(key K, value V) {
	if g.Of == nil {
		g.Of = map[K][]V{}
	}
	if _, known := g.Of[key]; !known {
		g.Keys = append(g.Keys, key)
	}
	g.Of[key] = append(g.Of[key], value)
}
