package scenarios

import (
	"encoding/json"
	"strings"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Schema is a JSON Schema (draft 7, which editors' YAML servers know best) of
// the scenario language with the words of a catalog. It is for completion and
// first checks while typing; `validate` knows more, such as which names a file
// defines.
func Schema(cat catalog.Catalog) []byte {
	s := schema{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"$id":         "https://github.com/limitgauge/limitgauge/scenario.schema.json",
		"title":       "limitgauge scenario file",
		"definitions": definitionsOf(cat),
	}
	for name, value := range object(FileFields()) {
		s[name] = value
	}
	properties := s["properties"].(schema)
	for field, definition := range map[string]string{"policies": "policy", "topologies": "topology", "algorithms": "algorithm"} {
		properties[field] = schema{
			"type": "object", "additionalProperties": ref(definition),
			"description": properties[field].(schema)["description"],
		}
	}
	properties["scenarios"] = schema{"type": "array", "minItems": 1, "items": ref("scenario"),
		"description": properties["scenarios"].(schema)["description"]}
	out, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		panic(err) // maps of strings and numbers always marshal
	}
	return append(out, '\n')
}

// schema is one JSON Schema object; encoding/json sorts its keys.
type schema map[string]any

func ref(definition string) schema { return schema{"$ref": "#/definitions/" + definition} }

func definitionsOf(cat catalog.Catalog) schema {
	scenario := object(ScenarioFields())
	fields := scenario["properties"].(schema)
	named := schema{"type": "string", "description": "the name of a definition in this file"}
	fields["policy"] = schema{"anyOf": []any{named, ref("policy")}}
	fields["topology"] = schema{"anyOf": []any{named, ref("topology")}}
	fields["traffic"] = schema{"type": "array", "minItems": 1, "items": ref("traffic")}
	var presets []string
	for _, p := range cat.Presets {
		presets = append(presets, p.Name)
	}
	fields["algorithms"] = schema{"type": "array", "minItems": 1, "items": schema{
		"anyOf": []any{schema{"enum": presets}, schema{"type": "string"}}}}
	fields["expect"] = expectations(cat)
	threshold := schema{"type": "string", "pattern": `^\s*(<=|<|>=|>|==)\s*[-+0-9.eE]+\s*%?\s*$`}
	definitions := schema{
		"policy":     object(PolicyFields()),
		"topology":   object(TopologyFields()),
		"algorithm":  algorithm(cat, presets),
		"traffic":    traffic(cat),
		"scenario":   scenario,
		"thresholds": schema{"anyOf": []any{threshold, schema{"type": "array", "items": threshold}}},
	}
	for _, f := range TrafficFields() {
		definitions["traffic_"+f.Name] = described(&f)
	}
	return definitions
}

// algorithm takes a preset or an enforcement and a counter, and the options of
// any of them.
func algorithm(cat catalog.Catalog, presets []string) schema {
	fields := AlgorithmFields()
	for _, entries := range [][]catalog.Entry{cat.Enforcements, cat.Counters} {
		for _, e := range entries {
			for _, f := range e.Fields {
				if find(fields, f.Name) == nil {
					f.Required = false
					fields = append(fields, f)
				}
			}
		}
	}
	s := object(fields)
	properties := s["properties"].(schema)
	properties["preset"] = schema{"enum": presets}
	properties["enforcement"] = schema{"enum": entryNames(cat.Enforcements)}
	properties["counter"] = schema{"enum": entryNames(cat.Counters)}
	s["oneOf"] = []any{schema{"required": []string{"preset"}}, schema{"required": []string{"enforcement", "counter"}}}
	return s
}

// traffic is an entry with the fields of its pattern beside the common ones.
func traffic(cat catalog.Catalog) schema {
	var kinds []any
	for _, p := range cat.Patterns {
		s := object(p.Fields)
		properties := s["properties"].(schema)
		for _, f := range TrafficFields() {
			if find(p.Fields, f.Name) == nil {
				properties[f.Name] = ref("traffic_" + f.Name)
			}
		}
		properties["pattern"] = schema{"const": p.Name, "description": p.Summary}
		s["required"] = append(s["required"].([]string), "pattern")
		kinds = append(kinds, s)
	}
	return schema{"oneOf": kinds}
}

func expectations(cat catalog.Catalog) schema {
	metrics := schema{}
	for _, m := range cat.Metrics {
		metrics[m.Name] = schema{"description": m.Doc, "allOf": []any{ref("thresholds")}}
	}
	return schema{"type": "object", "additionalProperties": schema{
		"type": "object", "properties": metrics, "additionalProperties": false}}
}

// object is a mapping of fields, and of no others.
func object(fields []catalog.Field) schema {
	properties := schema{}
	required := []string{}
	for i := range fields {
		f := &fields[i]
		properties[f.Name] = described(f)
		if f.Required {
			required = append(required, f.Name)
		}
	}
	return schema{"type": "object", "properties": properties, "required": required, "additionalProperties": false}
}

// described is a field's value with its documentation.
func described(f *catalog.Field) schema {
	s := value(f)
	text := f.Doc
	if f.Default != "" {
		text += " (default " + f.Default + ")"
	}
	if text != "" {
		s["description"] = strings.TrimSpace(text)
	}
	return s
}

const (
	countPattern    = `^[0-9]+[kM]?$`
	durationPattern = `^([0-9]+(\.[0-9]+)?(ns|us|µs|ms|s|min|m|h|d))+$`
	ratePattern     = `^[0-9]+(\.[0-9]+)?[kM]?/([0-9]+(\.[0-9]+)?)?(ns|us|µs|ms|s|min|m|h|d)$`
	sharePattern    = `^[0-9]+(\.[0-9]+)?([eE][-+]?[0-9]+)?%?$|^[0-9]+/[0-9]+$`
	sizePattern     = `^[0-9]+(KiB|MiB|GiB)$`
)

// value is what a field's kind may be written as.
func value(f *catalog.Field) schema {
	text := func(pattern string) schema { return schema{"type": "string", "pattern": pattern} }
	either := func(options ...schema) schema { return schema{"anyOf": options} }
	switch f.Kind {
	case catalog.Int, catalog.Uint:
		return either(schema{"type": "integer", "minimum": 0}, text(countPattern))
	case catalog.Decimal:
		return schema{"type": "number"}
	case catalog.Share:
		return either(schema{"type": "number"}, text(sharePattern))
	case catalog.Bool:
		return schema{"type": "boolean"}
	case catalog.Enum:
		return schema{"enum": f.Enum}
	case catalog.Duration:
		return text(durationPattern)
	case catalog.Rate, catalog.Limit:
		return text(ratePattern)
	case catalog.Size:
		return text(sizePattern)
	case catalog.IntOrEnum:
		return either(schema{"type": "integer", "minimum": 0}, text(countPattern), schema{"enum": f.Enum})
	case catalog.Group:
		return object(f.Fields)
	case catalog.List:
		return schema{"type": "array", "items": described(f.Elem)}
	case catalog.Union:
		return union(f)
	case catalog.String, catalog.Time:
		return schema{"type": []string{"string", "number", "boolean"}}
	}
	return schema{} // Dependent: its place in the document says what it holds
}

// union is a kind's name, {kind: {its fields}} or, in short, {kind: its first
// field}; and a bare value where one kind may go without its name.
func union(f *catalog.Field) schema {
	options := []any{schema{"enum": entryNames(f.Choices)}}
	for i := range f.Choices {
		c := &f.Choices[i]
		inside := []any{object(c.Fields)}
		if len(c.Fields) > 0 {
			inside = append(inside, value(&c.Fields[0]))
		}
		options = append(options, schema{
			"type": "object", "additionalProperties": false, "required": []string{c.Name},
			"properties": schema{c.Name: schema{"description": c.Summary, "anyOf": inside}},
		})
		if c.Name == f.Bare && len(c.Fields) > 0 {
			options = append(options, value(&c.Fields[0]))
		}
	}
	return schema{"anyOf": options}
}
