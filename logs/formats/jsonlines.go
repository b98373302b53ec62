package formats

import (
	"bytes"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/jsontext"
	"github.com/limitgauge/limitgauge/logs/text"
)

// JSON is the format of JSON records that no other format declares.
var JSON = Format{
	Name:   "json",
	By:     "anything that writes JSON objects, one on each line or in an array",
	Shows:  "objects with a field named like a time",
	Time:   "a member named time, timestamp, ts ..., also in _source or result",
	Key:    "a member named client, client_ip, ip, remote_addr, user, tenant ...",
	open:   openJSON,
	shaped: func(s *sample) int { return len(s.objects()) },

	general: true,
}

// IsJSON reports whether the records of a format are JSON objects.
func (f *Format) IsJSON() bool { return f.needs != nil || f == &JSON }

// jsonSplitter reads JSON objects, one on each line or as the elements of an
// array.
type jsonSplitter struct {
	laid
	needs  []int // the fields without which a record is malformed
	kind   int   // the field that tells records of another kind, -1 if there is none
	kindIs []byte
	texts  int // the fields before this index must be text
}

// openJSON returns the splitter of a file with JSON objects. The records of the
// sample decide which members hold the time and the key.
func openJSON(in *Input) (Splitter, error) {
	records := in.Sample.objects()
	members := knownMembers(records)
	d := defaults{keys: in.Format.keys}
	if in.Format.needs != nil {
		has := func(r []byte, path string) bool { return jsontext.At(r, path) != nil }
		whole := lists.Where(records, func(r []byte) bool {
			return !slices.ContainsFunc(in.Format.needs, func(path string) bool { return !has(r, path) })
		})
		d.arrivals = arrivalsIn(in.Format, whole, has)
		d.others = members.lists()
	} else {
		d = members.defaults(in.Asked)
	}
	if d.wrapper = in.Sample.stamped(); in.Format.needs == nil && len(d.arrivals) == 0 && !d.wrapper {
		d.arrivals = members.onlyDate(in.Asked)
	}
	holds := func(name string) bool {
		return slices.ContainsFunc(records, func(r []byte) bool { v := jsontext.At(r, name); return len(v) > 0 && v[0] != '{' })
	}
	// A member, also one inside of others, goes before an alias with its name.
	columnOf := func(name string) (c column, held bool) {
		c, declared := in.Format.column(name)
		if declared && (c.name == name || !holds(name)) {
			return c, holds(c.name)
		}
		if own, ok := members.find(name); ok && !holds(name) {
			name = own
		}
		return members.column(name), holds(name)
	}
	d.has = func(name string) (string, bool) { c, held := columnOf(name); return c.name, held }
	d.values = members.values
	d.part = func(names []string) string {
		if c, ok := in.Format.column(names[0]); ok && c.name == names[0] {
			return c.name // which the sample lacks
		}
		return members.part(names)
	}
	o := *in.Asked
	if in.Format.needs == nil {
		o.Where = append(slices.Clone(o.Where), members.twice(o.Where)...)
	}
	if len(records) == 0 {
		d.arrivals, o.Shared = []arrival{{stamp: timeNames[0]}}, true // each record is malformed
	}
	s := &jsonSplitter{kind: -1, kindIs: []byte(`"` + in.Format.kindIs)}
	var missing string
	s.lay, missing = o.fit(func(name string) (column, bool) {
		c, held := columnOf(name)
		if own, _ := d.field(name); own != "" && !held && partKind(name) != plain {
			c = column{name: own}
		}
		return c, true // records may lack it; a key that all lack is an error
	}, d)
	if missing != "" {
		var have []string
		if len(records) > 0 {
			have = examples(records[0])
		}
		return nil, in.misfit(missing, "fields of the first record", have)
	}
	s.texts = len(s.lay.Names)
	status, ok := in.Format.column("status")
	if !ok {
		status.name = members.status()
	}
	if status.name != "" {
		s.lay.Status = s.lay.add(status.name)
	}
	needs := in.Format.needs
	if needs == nil && len(d.keys) > 0 && len(o.KeyFields()) == 0 && !o.PerFile && addressed(members.values(d.keys[0])) {
		needs = d.keys // other records are messages of the program
	}
	s.needs = lists.Map(needs, s.lay.add)
	if in.Format.kindOf != "" {
		s.kind = s.lay.add(in.Format.kindOf)
	}
	s.fields = make([][]byte, len(s.lay.Names))
	return s, nil
}

// halves lists the members that tell two records of one request apart, such as those of
// Vault's and of Kubernetes' audit logs, with the value of the one that counts.
var halves = []struct{ member, counts, other string }{
	{"type", "request", "response"},
	{"stage", "ResponseComplete", "RequestReceived"},
}

// twice returns the conditions under which each request counts once where the sample has
// two records of it, unless a condition is given for the member that tells them apart.
func (k known) twice(given []string) (conditions []string) {
	for _, h := range halves {
		own, ok := k.find(h.member)
		has := func(value string) bool {
			return slices.ContainsFunc(k.values(own), func(v []byte) bool { return string(v) == value })
		}
		asked := slices.ContainsFunc(given, func(where string) bool { return strings.HasPrefix(where, own+"=") })
		if ok && !asked && has(h.counts) && has(h.other) {
			conditions = append(conditions, own+"="+h.counts)
		}
	}
	return conditions
}

// objects returns the lines that are JSON objects.
func (s *sample) objects() (records [][]byte) {
	for _, line := range s.Lines {
		if r := jsontext.TrimSpace(line.Text); len(r) > 0 && r[0] == '{' && jsontext.Valid(r) {
			records = append(records, r)
		}
	}
	return records
}

// maxExamples limits the fields that a message lists.
const maxExamples = 40

// examples lists the fields of a record, also those inside others, with their
// values.
func examples(record []byte) (list []string) {
	visitPaths(record, func(path string, value []byte) {
		if len(list) == maxExamples {
			return
		}
		raw := string(value)
		if len(raw) > text.Shown {
			raw = strings.ToValidUTF8(raw[:text.Shown], "") + "..."
		}
		list = append(list, path+"="+raw)
	})
	return list
}

// visitPaths visits the fields of a record with their paths, also those inside
// others.
func visitPaths(record []byte, leaf func(path string, value []byte)) {
	var visit func(path string, value []byte)
	visit = func(path string, value []byte) {
		if len(value) > 0 && value[0] == '{' && strings.Count(path, ".") < 4 {
			jsontext.Walk(value, func(key, member []byte) bool {
				inner := string(jsontext.Unquote(key))
				if path != "" {
					inner = path + "." + inner
				}
				visit(inner, member)
				return true
			})
			return
		}
		leaf(path, value)
	}
	visit("", record)
}

func (s *jsonSplitter) Split(line []byte) ([][]byte, text.Flaw) {
	record := jsontext.TrimSpace(line)
	switch {
	case !jsontext.Valid(record):
		return nil, text.Flaw{Why: "not JSON", Text: line}
	case record[0] != '{':
		return nil, text.Flaw{Why: "not a JSON object", Text: line}
	}
	clear(s.fields)
	jsontext.Walk(record, func(key, member []byte) bool {
		name := jsontext.Unquote(key)
		for i, path := range s.lay.Names {
			if v := jsontext.ThroughMember(name, member, path); v != nil {
				s.fields[i] = v
			}
		}
		return true
	})
	for _, i := range s.needs {
		if s.fields[i] == nil {
			return nil, text.Flaw{Why: "no field " + s.lay.Names[i], Text: record}
		}
	}
	if s.kind >= 0 && s.fields[s.kind] != nil && !bytes.HasPrefix(s.fields[s.kind], s.kindIs) {
		return nil, text.Flaw{Why: "no request: field " + s.lay.Names[s.kind] + " is another", Text: s.fields[s.kind]}
	}
	for i, name := range s.lay.Names[:s.texts] {
		raw, ok := scalar(s.fields[i])
		if !ok {
			return nil, text.Flaw{Why: "field " + name + " is no string or number", Text: record}
		}
		s.fields[i] = raw
	}
	return s.fields, text.Flaw{}
}

// scalar returns the text of a value. Of an array that begins with a string, such as a
// header of Caddy, it is that string.
func scalar(value []byte) (text []byte, ok bool) {
	if len(value) > 0 && value[0] == '[' {
		if first := jsontext.At(value, "0"); len(first) > 0 && first[0] == '"' {
			value = first
		}
	}
	return jsontext.Scalar(value)
}

// knownMembers finds members of records by well-known names.
func knownMembers(records [][]byte) known {
	seen := map[string][][]byte{}
	return known{names: paths(records), values: func(own string) [][]byte {
		if _, ok := seen[own]; !ok {
			seen[own] = lists.Map(records, func(r []byte) []byte {
				text, _ := scalar(jsontext.At(r, own))
				return text
			})
		}
		return seen[own]
	}}
}

// paths lists the paths of the members of records that hold text.
func paths(records [][]byte) (list []string) {
	listed := map[string]bool{}
	for _, r := range records {
		visitPaths(r, func(path string, value []byte) {
			if _, ok := scalar(value); ok && !listed[path] {
				listed[path], list = true, append(list, path)
			}
		})
	}
	return list
}
