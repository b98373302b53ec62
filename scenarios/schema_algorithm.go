package scenarios

import "github.com/limitgauge/limitgauge/scenarios/catalog"

// algorithm returns the schema of an algorithm: a preset, or an enforcement and
// a counter, with their options. It adds one condition to definitions for each
// enforcement and each counter: the algorithm has it, directly or through a
// preset. These conditions select the allowed options and their values.
func algorithm(cat catalog.Catalog, definitions schema) schema {
	s := object(AlgorithmFields())
	fields := s["properties"].(schema)
	fields["preset"] = with(fields["preset"], schema{"allOf": []any{ref("preset")}})
	delete(fields["preset"].(schema), "type")
	var conditions []any
	owners := map[string][]any{} // the conditions under which an option is allowed
	complete := []any{schema{"required": []string{"preset"}}, schema{"required": []string{"enforcement", "counter"}}}
	add := func(what string, e *catalog.Entry) {
		var presets []string
		for _, p := range cat.Presets {
			if what == "enforcement" && p.Enforcement == e.Name || what == "counter" && p.Counter == e.Name {
				presets = append(presets, p.Name)
			}
		}
		chosen := []any{has(what, e.Name)}
		if len(presets) > 0 {
			chosen = append(chosen, has("preset", presets...))
		}
		if e.ImpliedBy != "" {
			chosen = append(chosen, schema{"required": []string{e.ImpliedBy}})
			complete = append(complete, schema{"required": []string{e.ImpliedBy}})
		}
		if e.Counterless {
			complete = append(complete, has("enforcement", e.Name))
		}
		if with := e.CounterlessWith; with[0] != "" {
			complete = append(complete, schema{"allOf": []any{has("enforcement", e.Name), has(with[0], with[1])}})
		}
		condition := what + "_" + e.Name
		definitions[condition] = schema{"anyOf": chosen}
		options := object(e.Fields)
		delete(options, "additionalProperties") // options of the other part are allowed too
		own := options["properties"].(schema)
		for name := range own {
			fields[name] = true
			owners[name] = append(owners[name], ref(condition))
		}
		if e.Over != nil {
			own["counter"] = schema{"enum": e.Over}
		}
		if e.Counterless {
			own["counter"] = false
		}
		if len(own) > 0 {
			conditions = append(conditions, schema{"if": ref(condition), "then": options})
		}
	}
	for _, part := range []struct {
		what    string
		entries []catalog.Entry
	}{{"enforcement", cat.Enforcements}, {"counter", cat.Counters}} {
		fields[part.what] = with(words(part.entries), schema{"description": catalog.Find(AlgorithmFields(), part.what).Doc})
		for i := range part.entries {
			add(part.what, &part.entries[i])
		}
	}
	// A preset sets the enforcement and the counter.
	dependencies := schema{"preset": schema{"properties": schema{"enforcement": false, "counter": false}}}
	for option, conditions := range owners {
		dependencies[option] = schema{"anyOf": conditions}
	}
	s["dependencies"] = dependencies
	s["allOf"] = conditions
	s["anyOf"] = complete
	return s
}
