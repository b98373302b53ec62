package scenarios

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// object returns the schema of a mapping of these fields and no others.
func object(fields []catalog.Field) schema {
	properties := schema{}
	var required []string
	for i := range fields {
		f := &fields[i]
		properties[f.Name] = described(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	s := schema{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// described returns the schema of a field's value with the documentation and
// the default for editors.
func described(f *catalog.Field) schema {
	s := value(f)
	text := f.Text()
	if takes := f.Takes(); takes != "" && f.Kind != catalog.Union {
		text += " (" + takes + ")"
	}
	if f.Default != "" {
		text += " (default " + f.Default + ")"
		s["default"] = fallbackJSON(f)
	}
	if text = strings.TrimSpace(text); text != "" {
		s["description"] = text
	}
	return s
}

// fallbackJSON returns a field's default as a JSON value.
func fallbackJSON(f *catalog.Field) any {
	switch v := fallback(f, f.Default).(type) {
	case int64:
		if f.Kind == catalog.Int || f.Kind == catalog.IntOrEnum {
			return v
		}
	case uint64, bool, float64:
		return v
	case catalog.Choice:
		return plain(readYAML([]byte(f.Default), nil))
	}
	return f.Default
}

// plain returns the YAML of a default as a JSON value with all scalars as
// texts.
func plain(n *node) any {
	switch n.kind {
	case mapping:
		fields := schema{}
		for _, p := range n.pairs {
			fields[p.key] = plain(p.value)
		}
		return fields
	case sequence:
		return mapped(n.items, plain)
	}
	return n.text
}

// writtenKinds names the text, one of texts, that a value of a kind is written as.
var writtenKinds = map[catalog.Kind]string{catalog.Duration: "duration", catalog.Rate: "rate", catalog.Limit: "limit", catalog.Size: "size"}

// value returns the schema of the values that a field accepts.
func value(f *catalog.Field) schema {
	if text, ok := writtenKinds[f.Kind]; ok {
		return written(text)
	}
	switch f.Kind {
	case catalog.Int, catalog.Uint:
		return whole(f)
	case catalog.Decimal:
		return ranged(f, "decimal", "number")
	case catalog.Share:
		return ranged(f, "share", "number")
	case catalog.Bool:
		return schema{"enum": []any{true, false, "on", "off"}}
	case catalog.Enum:
		return oneOf(f.Enum)
	case catalog.IntOrEnum:
		return schema{"anyOf": []any{oneOf(f.Enum), whole(f)}}
	case catalog.Group:
		if f.Definition != "" {
			return ref(f.Definition)
		}
		return object(f.Fields)
	case catalog.List:
		list := schema{"type": "array", "minItems": 1, "items": described(f.Elem)}
		if f.Single {
			return schema{"anyOf": []any{value(f.Elem), list}}
		}
		return list
	case catalog.Union:
		if f.Definition != "" {
			return ref(f.Definition)
		}
		return union(f)
	case catalog.Time:
		return schema{"type": "string", "format": "date-time", "examples": []string{"2026-01-31T12:00:00Z"}}
	case catalog.String:
		return schema{"type": []string{"string", "number", "boolean"}, "minLength": 1}
	}
	return schema{} // Dependent: any value
}

// whole returns the schema of a whole number in its range. The number may have
// a suffix or quotes.
func whole(f *catalog.Field) schema {
	s := ranged(f, "count", "integer")
	if f.Kind == catalog.Uint {
		s["minimum"] = 0
	}
	return s
}

// ranged returns the schema of a number in its range, or of its text. Only the
// loader checks the range of a text.
func ranged(f *catalog.Field, text, number string) schema {
	s := texts[text].schema()
	s["type"], s["errorMessage"] = []string{number, "string"}, texts[text].wanted
	delete(s, "examples")
	for limit, text := range map[string]string{"minimum": f.Min, "maximum": f.Max} {
		if text != "" {
			s[limit] = numeric(bound(f, text))
		}
	}
	return s
}

func numeric(v any) any {
	if share, ok := v.(units.Fraction); ok {
		return share.Float()
	}
	return v
}

// oneOf returns the schema of an enum. Tools that read YAML 1.1 parse off and
// no as false. The schema accepts false for these names, but editors do not
// propose it.
func oneOf(names []string) schema {
	s := schema{"enum": names}
	if slices.Contains(names, "off") || slices.Contains(names, "no") {
		return schema{"anyOf": []any{s, schema{"not": schema{"not": schema{"enum": []bool{false}}}}}}
	}
	return s
}

// words returns the schema of the names of entries with their summaries.
func words(entries []catalog.Entry) schema {
	s := oneOf(catalog.Names(entries))
	summaries := mapped(entries, func(e catalog.Entry) string { return e.Summary })
	list := s
	if options, ok := s["anyOf"].([]any); ok {
		list = options[0].(schema)
	}
	list["enumDescriptions"], list["markdownEnumDescriptions"] = summaries, summaries
	return s
}

// union returns the schema of a union: one of its kinds, or the fields of a
// kind if no other kind has all of them.
func union(f *catalog.Field) schema {
	return schema{"anyOf": append(kinds(f), unnamedSchemas(f)...)}
}

// firstSuffices reports whether a kind needs no field besides its first one.
func firstSuffices(kind *catalog.Entry) bool {
	return len(kind.Fields) > 0 && !slices.ContainsFunc(kind.Fields[1:], func(f catalog.Field) bool { return f.Required })
}

// kinds returns the schemas of a union's kinds: a name, {kind: {its fields}},
// {kind: its first field} if the kind needs no other field, and a plain value
// if the union has a kind for it.
func kinds(f *catalog.Field) []any {
	var alone []catalog.Entry // kinds that need no fields
	byName := schema{}
	options := []any{nil, schema{"type": "object", "minProperties": 1, "maxProperties": 1, "properties": byName, "additionalProperties": false}}
	for _, c := range f.Choices {
		fields := object(c.Fields)
		if fields["required"] == nil {
			alone = append(alone, c)
		}
		byName[c.Name] = with(fields, schema{"description": c.Summary})
		if firstSuffices(&c) {
			byName[c.Name] = schema{"description": c.Summary, "anyOf": []any{object(c.Fields), value(&c.Fields[0])}}
			if c.Name == f.Bare {
				options = append(options, value(&c.Fields[0]))
			}
		}
	}
	options[0] = words(alone)
	if len(alone) == 0 {
		options = options[1:]
	}
	return options
}
