package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// SchemaURL is where editors find the schema of the scenario language. Within a
// version of the language fields are only added, so the newest schema is also
// valid for older files.
const SchemaURL = "https://raw.githubusercontent.com/limitgauge/limitgauge/main/docs/scenario.schema.json"

// Schema returns a JSON Schema of the scenario language with the names of a
// catalog. It is draft 7, which YAML servers of editors support best. It
// accepts every file that `validate` accepts, as long as true and false have no
// quotes. It rejects errors that are visible in one place. `validate` finds
// more, such as names that the file does not define.
func Schema(cat catalog.Catalog) []byte {
	s := schema{
		"$schema":     "http://json-schema.org/draft-07/schema#",
		"$id":         SchemaURL,
		"title":       "limitgauge scenario file",
		"definitions": definitionsOf(cat),
	}
	maps.Copy(s, object(FileFields()))
	fields := s["properties"].(schema)
	fields["policies"] = mappingOf(fields["policies"], "policy")
	fields["topologies"] = mappingOf(fields["topologies"], "topology")
	fields["algorithms"] = mappingOf(fields["algorithms"], "algorithm")
	fields["algorithms"].(schema)["propertyNames"].(schema)["not"] = schema{"enum": []string{reference, BestFixed}}
	fields["traffic"] = blocksOf(fields["traffic"], "traffic")
	fields["faults"] = blocksOf(fields["faults"], "fault")
	fields["expect"] = mappingOf(fields["expect"], "expect")
	fields["columns"] = with(fields["columns"], columnsSchema())
	fields["curves"] = with(fields["curves"], schema{"type": "array", "minItems": 1, "items": curve()})
	fields["scenarios"] = with(fields["scenarios"], schema{"type": "array", "minItems": 1, "maxItems": maxScenarios, "items": ref("scenario")})
	var out bytes.Buffer
	e := json.NewEncoder(&out)
	e.SetEscapeHTML(false)
	e.SetIndent("", " ")
	if err := e.Encode(s); err != nil {
		panic(err) // maps of strings and numbers always marshal
	}
	return out.Bytes()
}

// schema is one JSON Schema object. encoding/json sorts its keys.
type schema map[string]any

func ref(definition string) schema { return schema{"$ref": "#/definitions/" + definition} }

// with adds the description of a field to the schema of its values.
func with(described any, holds schema) schema {
	s := described.(schema)
	maps.Copy(s, holds)
	return s
}

// mappingOf returns the schema of a mapping from names of the file to definitions.
func mappingOf(described any, definition string) schema {
	return with(described, schema{
		"type": "object", "propertyNames": schema{"minLength": 1, "maxLength": maxName}, "additionalProperties": ref(definition),
	})
}

// blocksOf returns the schema of a mapping from names of the file to an entry or a
// list of entries.
func blocksOf(described any, definition string) schema {
	list := schema{"type": "array", "minItems": 1, "items": ref(definition)}
	return with(mappingOf(described, definition), schema{"additionalProperties": schema{"anyOf": []any{ref(definition), list}}})
}

func definitionsOf(cat catalog.Catalog) schema {
	definitions := schema{
		"policy":   policy(),
		"topology": object(TopologyFields()),
		"preset":   words(mapped(cat.Presets, func(p catalog.Preset) catalog.Entry { return *p.Entry() })),
		"metric":   oneOf(catalog.Names(cat.Metrics)),
		"traffic":  traffic(cat),
		"expect":   expectSchema(cat),
		"fault":    union(faultField()),
		"scenario": scenario(),
	}
	definitions[distribution] = union(&catalog.Field{Name: distribution, Choices: distributions(), Bare: "constant"})
	definitions["callers"], definitions["retries"] = object(CallersFields()), object(RetriesFields())
	definitions["backoff"], definitions["jitter"] = union(&catalog.Field{Choices: backoffs()}), union(&catalog.Field{Choices: JitterKinds()})
	offset := catalog.Offset()
	definitions[offset.Definition] = union(&offset)
	definitions["algorithm"] = algorithm(cat, definitions)
	for name, text := range texts {
		definitions[name] = text.schema()
	}
	definitions[catalog.NotWorse] = notWorseSchema()
	for _, name := range []string{"threshold", "percentage"} {
		bound := schema{"anyOf": []any{written(name), ref(catalog.NotWorse)}}
		definitions[name+"s"] = schema{"anyOf": []any{written(name), ref(catalog.NotWorse), schema{"type": "array", "minItems": 1, "items": bound}}}
	}
	for _, f := range TrafficFields() {
		definitions["traffic_"+f.Name] = described(&f)
	}
	definitions["traffic_descriptors"] = with(definitions["traffic_descriptors"], descriptorsSchema(definitions))
	return definitions
}

func policy() schema {
	s := object(PolicyFields())
	s["if"] = schema{"required": []string{"shared"}, "properties": schema{"shared": schema{"enum": []bool{true}}}}
	s["then"] = schema{"properties": schema{"per": false}} // all traffic has one key
	return s
}

func scenario() schema {
	list := slices.Clone(ScenarioFields())
	for _, shared := range RunFields() {
		f := catalog.Find(list, shared.Name)
		f.Default, f.Doc = "", f.Doc+"; by default as in the file"
	}
	s := object(list)
	fields := s["properties"].(schema)
	name := schema{"type": []string{"string", "number", "boolean"}, "description": "the name of a definition in this file"}
	for _, field := range []string{"policy", "topology"} {
		fields[field] = with(fields[field], schema{"anyOf": []any{name, ref(field)}})
	}
	fields["policies"] = with(fields["policies"], schema{
		"type": "array", "minItems": 1, "maxItems": MaxPolicies, "items": schema{"anyOf": []any{name, ref("policy")}},
	})
	s["oneOf"] = []any{schema{"required": []string{"policy"}}, schema{"required": []string{"policies"}}}
	fields["name"] = with(fields["name"], schema{"maxLength": maxName})
	fields["traffic"] = with(fields["traffic"], schema{"type": "array", "minItems": 1, "items": schema{"anyOf": []any{name, ref("traffic")}}})
	fields["algorithms"] = with(fields["algorithms"], schema{
		"type": "array", "minItems": 1, "uniqueItems": true, "items": schema{"anyOf": []any{ref("preset"), name}},
	})
	block := schema{"type": name["type"], "not": oneOf(catalog.Names(FaultKinds())), "description": name["description"]}
	fields["faults"] = with(fields["faults"], schema{"type": "array", "minItems": 1, "items": schema{"anyOf": []any{block, ref("fault")}}})
	fields["columns"] = with(fields["columns"], columnsSchema())
	fields["vary"] = with(fields["vary"], schema{
		"type": "object", "minProperties": 1, "maxProperties": maxAxes, "propertyNames": schema{"minLength": 1, "maxLength": maxName}, "additionalProperties": axis(),
	})
	fields["expect"] = with(fields["expect"], schema{"anyOf": []any{name, ref("expect"), schema{"type": "array", "minItems": 1, "items": schema{"anyOf": []any{name, ref("expect")}}}}})
	return s
}

// notWorseSchema returns the schema of {not_worse: margin}.
func notWorseSchema() schema {
	margin := texts["margin"].schema()
	margin["type"], margin["exclusiveMinimum"], margin["errorMessage"] = []string{"number", "string"}, 0, texts["margin"].wanted
	margin["description"] = "by how much the figure may be worse than the baseline's: a share of that (5%), or an amount in the metric's unit (0.5)"
	return schema{
		"type": "object", "properties": schema{catalog.NotWorse: margin}, "required": []string{catalog.NotWorse}, "additionalProperties": false,
	}
}

// expectSchema returns the schema of thresholds and margins by algorithm and metric.
func expectSchema(cat catalog.Catalog) schema {
	metrics := schema{}
	for _, m := range cat.Metrics {
		thresholds := ref("thresholds")
		if m.Unit == "%" {
			thresholds = ref("percentages")
		}
		metrics[m.Name] = schema{
			"type": []string{"string", "array", "object"}, "allOf": []any{thresholds}, "description": fmt.Sprintf("%s; %s, in %s", m.Doc, m.Formula, m.Unit),
		}
	}
	return schema{
		"type": "object", "additionalProperties": schema{"type": "object", "properties": metrics, "additionalProperties": false},
	}
}

// columnsSchema returns the schema of a list of metrics.
func columnsSchema() schema { return schema{"items": ref("metric"), "uniqueItems": true} }

// axis returns the schema of an axis: values, or from, to and steps.
func axis() schema {
	s := object(AxisFields())
	s["properties"].(schema)["values"].(schema)["maxItems"] = maxAxisValues
	s["oneOf"] = []any{schema{"required": []string{"values"}}, schema{"required": []string{"from", "to", "steps"}}}
	return s
}

func curve() schema {
	s := object(CurveFields())
	fields := s["properties"].(schema)
	fields["name"] = with(fields["name"], schema{"maxLength": maxName})
	delete(fields["x"].(schema), "type")
	fields["x"] = with(fields["x"], schema{"anyOf": []any{oneOf(CurveSettings()), ref("metric")}})
	fields["y"] = with(fields["y"], schema{"allOf": []any{ref("metric")}})
	fields["scenarios"] = with(fields["scenarios"], schema{"minItems": 2, "uniqueItems": true})
	return s
}

// traffic returns the schema of a traffic entry: the common fields and those of
// its pattern. It selects the fields by the pattern instead of trying
// alternatives, so that an editor can report the wrong field.
func traffic(cat catalog.Catalog) schema {
	var kinds []any
	for _, p := range cat.Patterns {
		s := object(p.Fields)
		fields := s["properties"].(schema)
		for _, f := range TrafficFields() {
			if catalog.Find(p.Fields, f.Name) == nil {
				fields[f.Name] = ref("traffic_" + f.Name)
			}
		}
		fields["pattern"] = true
		s["dependencies"] = schema{
			"key":    schema{"not": schema{"required": []string{"keys"}}}, // the short form of keys
			"tenant": schema{"not": schema{"required": []string{"tenants"}}},
		}
		kinds = append(kinds, schema{"if": has("pattern", p.Name), "then": s})
	}
	pattern := catalog.Find(TrafficFields(), "pattern")
	return schema{
		"type": "object", "required": []string{"pattern"},
		"properties": schema{"pattern": with(words(cat.Patterns), schema{"description": pattern.Doc})},
		"allOf":      kinds,
	}
}

// has returns a schema of mappings in which a field has one of these values.
func has(field string, values ...string) schema {
	return schema{"required": []string{field}, "properties": schema{field: schema{"enum": values}}}
}
