package scenarios

import (
	"slices"
	"strings"
	"unicode"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Load reads, binds and validates a scenario file. path is the file's name in
// problems, and paths in the file are relative to dir. Load returns either a
// File, or all problems that one pass finds, in the order of the file.
func Load(path string, source []byte, dir string, cat catalog.Catalog) (*File, []Problem) {
	file, list := LoadSound(path, source, dir, cat, Overrides{})
	if len(list) > 0 {
		return nil, list
	}
	return file, nil
}

// LoadSound is Load for a caller that looks for further problems: with problems, the
// File holds the scenarios that have none, so that other checks can be made on them in
// the same round. It holds no scenario if there may be more problems than were found. Of
// o it applies the settings; Override applies the rest.
func LoadSound(path string, source []byte, dir string, cat catalog.Catalog, o Overrides) (*File, []Problem) {
	found := &problems{path: path}
	file := &File{Path: path, Dir: dir, Source: source, catalog: cat}
	root := readYAML(source, found.report)
	if root == nil {
		return file, found.sorted()
	}
	l := loader{catalog: cat, file: file, root: root, reports: len(found.list)}
	l.report = func(at place, format string, args ...any) {
		l.reports++ // also of what is reported once only
		found.report(at, format, args...)
	}
	if len(o.Sets) > 0 && len(found.list) == 0 {
		root = l.withSets(root, o)
		l.root, l.changed = root, true
	}
	file.root = root
	l.load(root)
	if len(found.list) == 0 {
		l.effects()
		return file, nil
	}
	file.Scenarios = slices.DeleteFunc(file.Scenarios, func(s Scenario) bool { return !l.sound[s.Index] })
	return file, found.sorted()
}

// loader binds one file.
type loader struct {
	binder
	catalog    catalog.Catalog
	file       *File
	root       *node
	run        catalog.Values // RunFields of the file
	policies   definitions[Policy]
	topologies definitions[Topology]
	algorithms definitions[Algorithm]
	traffic    *blocks
	outages    *blocks    // of faults
	thresholds *blocks    // of expect
	entries    [][]entry  // by scenario
	faultPaths [][]string // by scenario
	reports    int
	sound      map[int]bool // scenarios without a problem, by index
	changed    bool         // a command line changed settings: blocks may have no user left
	alone      bool         // the file is a cell of a sweep: one scenario, with definitions that it may not use
	unsound    bool         // the current scenario names a definition with a problem
}

// definitions holds the named definitions of a file.
type definitions[T any] struct {
	names  []string
	values map[string]*T // nil where the definition has a problem
}

func (l *loader) load(root *node) {
	l.run, l.sound = l.group(root, FileFields()), map[int]bool{}
	wrong := l.reports > 0 // every scenario may depend on it
	if root.kind != mapping {
		return
	}
	l.file.Seed = l.run.Uint("seed")
	l.checkColumns(root)
	l.policies = define(l, root, "policies", l.policy)
	l.algorithms = define(l, root, "algorithms", l.algorithm)
	l.rollOut(root)
	l.topologies = define(l, root, "topologies", l.topology) // may name algorithms
	l.traffic = l.blocks(root, "traffic", nil)
	l.outages = l.blocks(root, "faults", FaultKinds())
	l.thresholds = l.blocks(root, "expect", nil)
	l.scenarios(root)
	if l.alone {
		return
	}
	if wrong {
		clear(l.sound)
	}
	if !l.changed {
		l.unused(root, l.traffic)
		l.unused(root, l.outages)
		l.unused(root, l.thresholds)
	}
	l.curves(root)
}

// define binds the mapping of definitions in a field. Its keys are the names.
func define[T any](l *loader, root *node, field string, bind func(name string, n *node) (T, bool)) definitions[T] {
	d := definitions[T]{values: map[string]*T{}}
	n := root.get(field)
	if n == nil || !l.is(n, mapping) {
		return d
	}
	for _, p := range n.pairs {
		l.name(p.key, p.place)
		d.names = append(d.names, p.key)
		d.values[p.key] = nil
		if v, ok := bind(p.key, p.value); ok {
			d.values[p.key] = &v
		}
	}
	return d
}

// maxName limits names in bytes, so that they fit into a line of a table and a
// key in YAML.
const maxName = 100

// name checks a name that the file defines.
func (l *loader) name(name string, at place) {
	unprintable := func(r rune) bool { return !unicode.IsPrint(r) }
	switch {
	case name == "" || strings.TrimSpace(name) != name || strings.ContainsFunc(name, unprintable):
		l.report(at, "a name must be printable text on one line, without a space at its ends")
	case len(name) > maxName:
		l.report(at, "a name must be at most %d bytes long", maxName)
	}
}

// policy binds a policy's mapping.
func (l *loader) policy(name string, n *node) (Policy, bool) {
	v := l.group(n, PolicyFields())
	if n.kind != mapping {
		return Policy{}, false
	}
	p := Policy{
		Name: name, Limit: v.Rate("limit"), Burst: v.Int("burst"), Per: v.String("per"),
		Shared: v.Bool("shared"), Requests: v.String("counts") == countsRequests, Values: v, Pos: n.pos,
	}
	if p.Shared && v.Set("per") {
		l.report(n.at("per"), "cannot be combined with shared: true, which means one key for all traffic")
	}
	if !v.Set("limit") {
		return Policy{}, false
	}
	if name == "" {
		p.Name = p.Limit.String()
	}
	at := n.at("limit")
	if n.get("burst") == nil {
		p.Burst = p.Limit.Count
		v["burst"] = catalog.Value{V: p.Burst}
	} else if at = n.at("burst"); !v.Set("burst") {
		return Policy{}, false // the burst could not be read, so it is not 0
	}
	p.Reference = p.reference(v.Choice("reference"))
	return p, l.depthFits(p.Burst, p.Limit, at) && (!p.Reference.Own || l.depthFits(p.Reference.Burst, p.Reference.Limit, n.at("reference")))
}

// reference returns the exact limiter of a policy. What it does not state is the policy's.
func (p *Policy) reference(c catalog.Choice) Reference {
	r := Reference{Kind: c.Name, Limit: p.Limit, Burst: p.Burst}
	if c.Values.Set("limit") {
		r.Limit, r.Own = c.Values.Rate("limit"), true
		r.Burst = r.Limit.Count
	}
	if c.Values.Set("burst") {
		r.Burst, r.Own = c.Values.Int("burst"), true
	}
	return r
}

// topology binds a topology's mapping.
func (l *loader) topology(name string, n *node) (Topology, bool) {
	v := l.group(n, TopologyFields())
	if n.kind != mapping {
		return Topology{}, false
	}
	t := Topology{Name: name, Clients: int(v.Int("clients")), Servers: int(v.Int("servers")), Network: v.Choice("network"), Values: v}
	ok := l.percentiles(t.Network, n.at("network")) && v.Set("clients") && v.Set("servers") && v.Set("network")
	rollout, bound := l.rollout(n, v)
	if t.Rollout = rollout; rollout != nil && bound {
		rollout.OfTopology, rollout.To = true, l.target(n)
		bound = rollout.To != nil
	}
	return t, ok && bound
}

// percentiles checks that a distribution's median does not exceed its 99th
// percentile.
func (l *loader) percentiles(c catalog.Choice, at place) bool {
	if c.Name != "lognormal" || c.Values.Duration("p50") <= c.Values.Duration("p99") {
		return true
	}
	l.report(place{c.Pos, at.field("lognormal").path}, "p50 is above p99")
	return false
}

// orFile returns the values of the scenario if they set the field, otherwise
// those of the file.
func (l *loader) orFile(scenario catalog.Values, name string) catalog.Values {
	if scenario[name].Given {
		return scenario
	}
	return l.run
}

// references returns the algorithms that a scenario names, and those of the catalog that
// are added.
func (l *loader) references(n *node) []Algorithm {
	var list []Algorithm
	first := map[string]bool{}
	items := l.items(n)
	for _, name := range l.catalog.Added {
		if n != nil && !slices.ContainsFunc(items, func(item *node) bool { return item.text == name }) {
			items = append(slices.Clip(items), &node{kind: scalar, text: name, place: n.place})
		}
	}
	for _, item := range items {
		if item.kind == mapping || item.kind == sequence {
			l.report(item.place, "is %s, but should be the name of an algorithm: define it under algorithms: at the top of the file", kindNames[item.kind])
			continue
		}
		if !l.is(item, scalar) {
			continue
		}
		if first[item.text] {
			l.report(item.place, "algorithm %s is listed twice", Clip(item.text))
			continue
		}
		first[item.text] = true
		if a := l.resolve(item); a != nil {
			a.Pos = item.pos
			list = append(list, *a)
		}
	}
	return list
}
