package scenarios

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"pgregory.net/rapid"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// For any union, the loader and the schema accept the same mappings without a
// kind's name. The loader binds such a mapping to the only kind that has all of
// its fields.
func TestKindsWithoutTheirNames(t *testing.T) {
	messages := []string{"a", "b", "c", "d"}
	rapid.Check(t, func(t *rapid.T) {
		f := &catalog.Field{Name: "u", Kind: catalog.Union}
		for i := range rapid.IntRange(1, 4).Draw(t, "kinds") {
			kind := catalog.Entry{Name: fmt.Sprintf("k%d", i)}
			if i == 0 && rapid.Bool().Draw(t, "named like a field") {
				kind.Name = "a"
			}
			for _, name := range messages {
				if rapid.Bool().Draw(t, "has "+name) {
					kind.Fields = append(kind.Fields, catalog.Field{Name: name, Kind: catalog.Int, Required: rapid.Bool().Draw(t, "required")})
				}
			}
			f.Choices = append(f.Choices, kind)
		}
		var given []string
		for _, name := range messages {
			if rapid.Bool().Draw(t, "given "+name) {
				given = append(given, name)
			}
		}
		mapping := map[string]int{}
		for _, name := range given {
			mapping[name] = 1
		}
		source, err := json.Marshal(mapping) // which is YAML too
		if err != nil {
			t.Fatal(err)
		}

		p := problems{path: "f.yaml"}
		b := binder{report: p.report}
		v, ok := b.value(readYAML(source, p.report), f)
		ok = ok && len(p.list) == 0
		if matches := matchesSchema(t, value(f), source); matches != ok {
			t.Fatalf("%s of %+v: the schema lets it through: %v, the loader: %v %v", source, f.Choices, matches, ok, p.list)
		}
		if !ok || len(given) < 2 {
			return
		}
		chosen := v.(catalog.Choice)
		for _, kind := range f.Choices {
			has := true
			for _, name := range given {
				has = has && slices.Contains(catalog.Names(kind.Fields), name)
			}
			if has != (kind.Name == chosen.Name) {
				t.Fatalf("%s of %+v is %s", source, f.Choices, chosen.Name)
			}
		}
		for _, name := range given {
			if chosen.Values.Int(name) != 1 {
				t.Fatalf("%s: %s is not set", source, name)
			}
		}
	})
}

func matchesSchema(t *rapid.T, s schema, instance []byte) bool {
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	document, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource("u.json", document); err != nil {
		t.Fatal(err)
	}
	compiled, err := c.Compile("u.json")
	if err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(instance))
	if err != nil {
		t.Fatalf("%v: %s", err, instance)
	}
	return compiled.Validate(v) == nil
}
