package logs

import "strings"

// keyText names the fields of the key.
func (l *layout) keyText() string {
	var parts []string
	for _, sources := range l.keys {
		var fields []int
		for _, s := range sources {
			fields = append(fields, s.field)
		}
		parts = append(parts, l.join(fields, ", else "))
	}
	return strings.Join(parts, " and ")
}

// forwarded reports whether the key comes from X-Forwarded-For.
func (l *layout) forwarded() bool {
	for _, sources := range l.keys {
		for _, s := range sources {
			if s.kind == forwarded {
				return true
			}
		}
	}
	return false
}

// join names fields.
func (l *layout) join(fields []int, by string) string {
	var names []string
	for _, i := range fields {
		names = append(names, l.names[i])
	}
	return strings.Join(names, by)
}

// addressed reports whether the key comes from fields of addresses alone.
func (l *layout) addressed() bool {
	for _, sources := range l.keys {
		for _, s := range sources {
			if s.kind == plain {
				return false
			}
		}
	}
	return len(l.keys) > 0
}
