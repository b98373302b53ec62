package explore

import (
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Knob is a setting of a scenario that the page lets a reader change.
type Knob struct {
	Path    string   `json:"path"`
	Group   string   `json:"group"`
	Label   string   `json:"label"`
	Doc     string   `json:"doc"`
	Kind    string   `json:"kind"` // slider, menu, switch or text
	Value   string   `json:"value"`
	File    string   `json:"file"` // the value of the file, "" if the file has no such setting
	Main    bool     `json:"main,omitempty"`
	Notches []string `json:"notches,omitempty"`
	Options []Option `json:"options,omitempty"` // of a menu
}

// Option is an entry of a menu.
type Option struct {
	Value string `json:"value"`
	Label string `json:"label"`
	Doc   string `json:"doc,omitempty"`
}

// Group is a part of the knobs of a page.
type Group struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	Doc   string `json:"doc,omitempty"`
}

// knobs makes the knobs of a scenario from the declarations of the catalog.
type knobs struct {
	catalog catalog.Catalog
	file    map[string]any // values of the file by path; nil for the file itself
	values  map[string]any // of the knobs, by path
	groups  []Group
	list    []Knob
}

// knobsOf returns the knobs of a scenario, by group. file has the values of the file by
// path; those of other settings are their present ones.
func knobsOf(s *scenarios.Scenario, cat catalog.Catalog, file map[string]any) *knobs {
	k := &knobs{catalog: cat, file: file, values: map[string]any{}}
	k.traffic(s)
	k.policies(s)
	k.topology(s)
	for i := range s.Algorithms {
		a := &s.Algorithms[i]
		fields := scenarios.OptionFields(cat, a)
		about := ""
		if p := catalog.Find(cat.Presets, a.Name); p != nil {
			about = p.Summary
		} else if e := catalog.Find(cat.Enforcements, a.Enforcement); e != nil {
			about = e.Summary
		}
		id := k.group("limiter:"+a.Name, a.Name, about)
		k.fields(fields, a.Options, "algorithms."+a.Name, "", id, firstNumbers(fields, 3))
	}
	if s.Guard != nil {
		id := k.group("guard", "Backend behind the limiter", "")
		k.fields(scenarios.GuardFields(), s.Guard.Values, "guard", "", id, nil)
	}
	if r := s.RetriesOf(nil); r != nil {
		path := "retries"
		if s.Callers.Values != nil {
			path = "callers.retry"
		}
		id := k.group("retries", "Retries of callers", "")
		k.fields(scenarios.RetriesFields(), r.Values, path, "", id, nil)
	}
	for i, f := range s.Faults {
		entry := catalog.Find(scenarios.FaultKinds(), f.Kind)
		id := k.group(fmt.Sprintf("fault:%d", i), f.Kind, entry.Summary)
		k.fields(entry.Fields, f.Values, fmt.Sprintf("faults[%d].%s", i, f.Kind), "", id, firstNumbers(entry.Fields, 4))
	}
	k.run(s)
	k.few()
	return k
}

// mostMain is how many knobs of the traffic, the limits and the fleet a page shows at first.
// Other groups are closed then.
const mostMain = 10

// few leaves that many of them, those of the first groups.
func (k *knobs) few() {
	shown := 0
	for i := range k.list {
		knob := &k.list[i]
		open := knob.Group == "fleet" || strings.HasPrefix(knob.Group, "traffic:") || strings.HasPrefix(knob.Group, "policy")
		if knob.Main && open {
			shown++
			knob.Main = shown <= mostMain
		}
	}
}

func (k *knobs) group(id, title, doc string) string {
	k.groups = append(k.groups, Group{id, title, doc})
	return id
}

// traffic adds the knobs of each entry of the traffic.
func (k *knobs) traffic(s *scenarios.Scenario) {
	for i := range s.Traffic {
		t := &s.Traffic[i]
		pattern := catalog.Find(k.catalog.Patterns, t.Pattern)
		title := "Traffic"
		if len(s.Traffic) > 1 {
			title += ": " + t.Name
		}
		id := k.group(fmt.Sprintf("traffic:%d", i), title, t.Pattern+": "+pattern.Summary)
		main := func(f *catalog.Field) bool { return f.Kind == catalog.Rate || f.Kind == catalog.Int && f.Required }
		at := fmt.Sprintf("traffic[%d]", i)
		k.fields(pattern.Fields, t.Options, at, "", id, main)
		common := catalog.Values{}
		for name, c := range map[string]catalog.Choice{"keys": t.Keys, "tenants": t.Tenants, "spread": t.Spread, "cost": t.Cost} {
			if c.Name != "" && catalog.Find(pattern.Fields, name) == nil {
				common[name] = catalog.Value{V: c}
			}
		}
		k.fields(scenarios.TrafficFields(), common, at, "", id, nil)
	}
}

// policies adds the knobs of the limits.
func (k *knobs) policies(s *scenarios.Scenario) {
	list := s.Policies()
	for i, p := range list {
		id, at := "policy", "policy"
		title := "Limit"
		if len(list) > 1 {
			id, at = fmt.Sprintf("policy:%d", i), fmt.Sprintf("policies[%d]", i)
			title += ": " + p.Name
		}
		k.group(id, title, "what the limiters should keep")
		values := catalog.Values{"limit": {V: p.Limit}, "burst": {V: p.Burst}, "reference": p.Values["reference"]}
		k.fields(scenarios.PolicyFields(), values, at, "", id, func(f *catalog.Field) bool { return f.Kind != catalog.Union })
	}
}

// topology adds the knobs of the fleet and its network.
func (k *knobs) topology(s *scenarios.Scenario) {
	id := k.group("fleet", "Fleet and network", "clients are the gateways or processes that use a limiter")
	values := catalog.Values{"clients": {V: int64(s.Topology.Clients)}, "servers": {V: int64(s.Topology.Servers)}, "network": {V: s.Topology.Network}}
	k.fields(scenarios.TopologyFields(), values, "topology", "", id, func(*catalog.Field) bool { return true })
}

// run adds the knobs of the run itself.
func (k *knobs) run(s *scenarios.Scenario) {
	id := k.group("run", "Run", "how long and how often it is simulated")
	values := catalog.Values{
		"replications": {V: int64(s.Replications)}, "seed": {V: s.Seed}, "metrics": {V: catalog.MetricSet(s.Full)},
	}
	if s.Duration > 0 {
		values["duration"], values["warmup"] = catalog.Value{V: s.Duration}, catalog.Value{V: s.Warmup}
	}
	streams := "own"
	if s.CommonStreams {
		streams = "common"
	}
	values["streams"] = catalog.Value{V: streams}
	fields := slices.DeleteFunc(scenarios.RunFields(), func(f catalog.Field) bool { return f.Name == "measure_memory" })
	k.fields(fields, values, "", "", id, func(f *catalog.Field) bool { return f.Name == "replications" || f.Name == "duration" })
}

// fields adds a knob for each field with a value that a knob can have. prefix begins the
// labels. main selects the knobs that are shown at first.
func (k *knobs) fields(fields []catalog.Field, values catalog.Values, at, prefix, group string, main func(*catalog.Field) bool) {
	if main == nil {
		main = func(*catalog.Field) bool { return false }
	}
	for i := range fields {
		f := &fields[i]
		path, label := strings.TrimPrefix(at+"."+f.Name, "."), prefix+strings.ReplaceAll(f.Name, "_", " ")
		v := values[f.Name].V
		if v == nil {
			continue
		}
		switch f.Kind {
		case catalog.Union:
			c := v.(catalog.Choice)
			k.menu(f, c, path, label, group, main(f))
			kind := catalog.Find(f.Choices, c.Name)
			if kind == nil {
				continue
			}
			k.fields(kind.Fields, c.Values, path+"."+c.Name, label+" ", group, func(*catalog.Field) bool { return main(f) })
		case catalog.Group:
			k.fields(f.Fields, v.(catalog.Values), path, label+" ", group, nil)
		default:
			k.one(f, v, path, label, group, main(f))
		}
	}
}

// one adds the knob of a field that has a single value.
func (k *knobs) one(f *catalog.Field, v any, path, label, group string, main bool) {
	knob := Knob{Path: path, Group: group, Label: label, Doc: docOf(f, main), Value: scenarios.ValueText(f, v), Main: main}
	k.values[path] = v
	file, known := k.file[path]
	if known {
		knob.File = scenarios.ValueText(f, file)
	} else {
		file = v
	}
	switch f.Kind {
	case catalog.Int, catalog.Decimal, catalog.Share, catalog.Duration, catalog.Rate, catalog.Limit:
		knob.Kind = "slider"
		knob.Notches = notches(f, file)
	case catalog.Bool:
		knob.Kind = "switch"
	case catalog.Enum:
		knob.Kind = "menu"
		knob.Options = lists.Map(f.Enum, func(word string) Option { return Option{Value: word, Label: word} })
	case catalog.IntOrEnum, catalog.Uint, catalog.Size:
		knob.Kind = "text"
	default:
		return
	}
	k.list = append(k.list, knob)
}

// menu adds the menu of the kinds of a union.
func (k *knobs) menu(f *catalog.Field, c catalog.Choice, path, label, group string, main bool) {
	knob := Knob{Path: path, Group: group, Label: label, Doc: docOf(f, main), Kind: "menu", Value: c.Name, Main: main}
	k.values[path] = c
	if file, ok := k.file[path].(catalog.Choice); ok {
		knob.File = file.Name
	}
	for i := range f.Choices {
		kind := &f.Choices[i]
		if text, ok := example(kind, 0); ok {
			knob.Options = append(knob.Options, Option{Value: text, Label: kind.Name, Doc: kind.Summary})
		} else if kind.Name == c.Name {
			knob.Options = append(knob.Options, Option{Value: kind.Name, Label: kind.Name, Doc: kind.Summary})
		}
	}
	if len(knob.Options) > 1 {
		k.list = append(k.list, knob)
	}
}

// docOf returns what the page says about a field. The conditions under which it has an
// effect are said only of those that are rarely moved.
func docOf(f *catalog.Field, main bool) string {
	if main {
		return f.Doc
	}
	return f.Text()
}

// firstNumbers selects the first fields with numbers.
func firstNumbers(fields []catalog.Field, n int) func(*catalog.Field) bool {
	names := catalog.Names(lists.Where(fields, func(f catalog.Field) bool {
		return slices.Contains([]catalog.Kind{catalog.Int, catalog.Share, catalog.Duration, catalog.Rate, catalog.Limit}, f.Kind)
	}))
	return func(f *catalog.Field) bool { return slices.Contains(names[:min(n, len(names))], f.Name) }
}
