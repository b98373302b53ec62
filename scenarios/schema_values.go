package scenarios

import (
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// object is a mapping of fields, and of no others.
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

// described is a field's value with what editors show of the field: its
// documentation, and the default that they fill in.
func described(f *catalog.Field) schema {
	s := value(f)
	text := f.Doc
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

// fallbackJSON is a field's default as JSON writes it.
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

// plain is a default's YAML as JSON writes it, its single values as texts.
func plain(n *node) any {
	switch n.kind {
	case mapping:
		fields := schema{}
		for _, p := range n.pairs {
			fields[p.key] = plain(p.value)
		}
		return fields
	case sequence:
		items := []any{}
		for _, item := range n.items {
			items = append(items, plain(item))
		}
		return items
	}
	return n.text
}

// value is what a field's kind may be written as.
func value(f *catalog.Field) schema {
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
	case catalog.Duration:
		return written("duration")
	case catalog.Rate:
		return written("rate")
	case catalog.Limit:
		return written("limit")
	case catalog.Size:
		return written("size")
	case catalog.IntOrEnum:
		return schema{"anyOf": []any{oneOf(f.Enum), whole(f)}}
	case catalog.Group:
		return object(f.Fields)
	case catalog.List:
		return schema{"type": "array", "minItems": 1, "items": described(f.Elem)}
	case catalog.Union:
		return union(f)
	case catalog.Time:
		return schema{"type": "string", "format": "date-time", "examples": []string{"2026-01-31T12:00:00Z"}}
	case catalog.String:
		return schema{"type": []string{"string", "number", "boolean"}, "minLength": 1}
	}
	return schema{} // Dependent: its place in the document says what it holds
}

// whole is a whole number in its range, or one with a suffix or in quotes.
func whole(f *catalog.Field) schema {
	s := ranged(f, "count", "integer")
	if f.Kind == catalog.Uint {
		s["minimum"] = 0
	}
	return s
}

// ranged is a number in its range, or the text of one. The range of a text is
// left to the loader.
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

// oneOf is one of a few words. YAML 1.1, which some tools read, takes off and
// no for false: that is let through, without being proposed to who types.
func oneOf(names []string) schema {
	s := schema{"enum": names}
	if slices.Contains(names, "off") || slices.Contains(names, "no") {
		return schema{"anyOf": []any{s, schema{"not": schema{"not": schema{"enum": []bool{false}}}}}}
	}
	return s
}

// words is one of the names of entries, with what each is.
func words(entries []catalog.Entry) schema {
	s := oneOf(entryNames(entries))
	var summaries []string
	for _, e := range entries {
		summaries = append(summaries, e.Summary)
	}
	list := s
	if options, ok := s["anyOf"].([]any); ok {
		list = options[0].(schema)
	}
	list["enumDescriptions"], list["markdownEnumDescriptions"] = summaries, summaries
	return s
}

// union is a choice of kinds, or the fields of one alone where no other has
// them.
func union(f *catalog.Field) schema {
	return schema{"anyOf": append(kinds(f), unnamedSchemas(f)...)}
}

// firstSuffices reports whether a kind's first field may stand for all.
func firstSuffices(kind *catalog.Entry) bool {
	return len(kind.Fields) > 0 && !slices.ContainsFunc(kind.Fields[1:], func(f catalog.Field) bool { return f.Required })
}

// kinds are a kind's name, {kind: {its fields}} or, in short, {kind: its first
// field} where it needs no other; and a bare value where one kind may go without
// its name.
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
