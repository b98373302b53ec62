package formats

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// KeyText names the fields of the key.
func (l *Layout) KeyText() string {
	return strings.Join(lists.Map(l.Keys, func(sources []Source) string {
		return strings.Join(lists.Map(sources, func(s Source) string { return s.Kind.inField(l.Names[s.Field]) }), ", else ")
	}), " and ")
}

// Forwarded reports whether the key comes from X-Forwarded-For.
func (l *Layout) Forwarded() bool {
	return slices.ContainsFunc(slices.Concat(l.Keys...), func(s Source) bool { return s.Kind == forwarded })
}

// Join names fields.
func (l *Layout) Join(fields []int, by string) string {
	return strings.Join(lists.Map(fields, func(i int) string { return l.Names[i] }), by)
}

// Addressed reports whether the key comes from fields of addresses alone.
func (l *Layout) Addressed() bool {
	return len(l.Keys) > 0 && !slices.ContainsFunc(slices.Concat(l.Keys...), func(s Source) bool { return !s.Kind.isAddress() })
}
