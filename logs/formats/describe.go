package formats

import (
	"slices"
	"strings"
)

// KeyText names the fields of the key.
func (l *Layout) KeyText() string {
	var parts []string
	for _, sources := range l.Keys {
		var fields []int
		for _, s := range sources {
			fields = append(fields, s.Field)
		}
		parts = append(parts, l.Join(fields, ", else "))
	}
	return strings.Join(parts, " and ")
}

// Forwarded reports whether the key comes from X-Forwarded-For.
func (l *Layout) Forwarded() bool {
	return slices.ContainsFunc(slices.Concat(l.Keys...), func(s Source) bool { return s.Kind == forwarded })
}

// Join names fields.
func (l *Layout) Join(fields []int, by string) string {
	var names []string
	for _, i := range fields {
		names = append(names, l.Names[i])
	}
	return strings.Join(names, by)
}

// Addressed reports whether the key comes from fields of addresses alone.
func (l *Layout) Addressed() bool {
	return len(l.Keys) > 0 && !slices.ContainsFunc(slices.Concat(l.Keys...), func(s Source) bool { return s.Kind == plain })
}
