package check

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs"
)

// client is the field that is the key of the log.
const client = "client"

// columnNames are the names of fields in logs, in order of priority.
var columnNames = map[string][]string{
	"target": {"target", "request_uri", "uri", "request_path", "path", "url", "request"},
	"method": {"method", "request_method", "http_method", "verb", "request"},
	"host":   {"host", "vhost", "http_host", "authority", "server_name", "domain"},
	"user":   {"remote_user", "user"},
}

// namesOf returns the names that a field may have in a log.
func namesOf(field string) []string {
	kind, name, _ := strings.Cut(field, ":")
	word := strings.ReplaceAll(name, "-", "_")
	switch kind {
	case "header":
		return []string{"http_" + word, word, name}
	case "cookie":
		return []string{"cookie_" + name}
	case "variable":
		return []string{name}
	}
	return columnNames[field]
}

// Fields are the fields of requests that configurations need of a log.
type Fields struct {
	needed []string
	names  []string // of the columns after the client
	given  []string // those of names that --key names, first
	client []string // those that --key says are the client
}

// Has reports whether a configuration needs a field.
func (f *Fields) Has(name string) bool { return slices.Contains(f.needed, name) }

// String lists the fields that configurations need.
func (f *Fields) String() string { return strings.Join(f.needed, ", ") }

// Misfit is the error of a log that lacks what rules depend on.
type Misfit struct{ text string }

func (m *Misfit) Error() string { return m.text }

func misfitf(format string, args ...any) error { return &Misfit{fmt.Sprintf(format, args...)} }

// Ask adds the fields that configurations need to what is asked of a log. given names the
// columns of some of them.
func Ask(o *logs.Options, given map[string]string, configs ...*Config) *Fields {
	f := &Fields{}
	needed := []string{}
	for _, c := range configs {
		needed = append(needed, c.Fields...)
		for _, r := range c.Rules {
			needed = slices.Concat(needed, r.Of.Fields, r.Adds.Fields, r.If.Fields)
		}
	}
	needed = lists.Where(lists.Distinct(needed), func(name string) bool { return name != "server" })
	for _, name := range needed {
		if column := given[name]; column == client {
			f.client = append(f.client, name)
		} else if column != "" {
			f.given, o.Fields = append(f.given, name), append(o.Fields, column)
		}
	}
	f.needed, f.names = needed, slices.Clone(f.given)
	for _, name := range needed {
		if given[name] == "" && name != client && !slices.Contains(f.client, name) {
			f.names, o.Optional = append(f.names, name), append(o.Optional, namesOf(name))
		}
	}
	o.Shared = o.Shared || !slices.Contains(needed, client) && f.client == nil || given[client] != "" && given[client] != client
	o.Lines = true
	return f
}

// requests plays the requests of a log.
type requests struct {
	log     *logs.Recording
	fields  []string // by column; the first is the client
	absent  []bool   // no request has the column
	client  []string // fields that are the client
	costs   []int64  // of a block; empty if each request is one
	columns []logs.Names
	codes   [][]int32 // of a block
}

func (f *Fields) requests(r *logs.Recording) *requests {
	q := &requests{log: r, fields: append([]string{client}, f.names...), client: f.client}
	q.columns = append(q.columns, r.Keys())
	for i := range f.names {
		q.columns = append(q.columns, r.Field(i))
	}
	for i, names := range q.columns {
		q.absent = append(q.absent, len(names.Of) == 1 && names.Of[0] == logs.NoKey || i == 0 && slices.Contains(f.given, client))
	}
	q.codes = make([][]int32, len(q.columns))
	return q
}

// column returns the column of a field, -1 if the log lacks it.
func (q *requests) column(field string) int {
	if slices.Contains(q.client, field) {
		field = client
	}
	i := slices.Index(q.fields, field)
	if i == 0 && q.absent[0] { // another field is the client
		i = 1 + slices.Index(q.fields[1:], field)
	}
	if i < 0 || q.absent[i] {
		return -1
	}
	return i
}

// value returns what a request has in a column.
func (q *requests) value(column int, code int32) string {
	text := q.columns[column].Of[code]
	switch field := q.fields[column]; {
	case text == logs.NoKey:
		return ""
	case field == "target" && !strings.HasPrefix(text, "/"):
		if words := strings.Fields(text); len(words) > 1 { // GET /path HTTP/1.1
			return words[1]
		}
	case field == "method":
		word, _, _ := strings.Cut(text, " ")
		return word
	}
	return text
}

// each calls visit for every request in order, with its number, its time in ns, its place
// in the block and the cursor.
func (q *requests) each(ctx context.Context, visit func(n, now int64, at int, c *logs.Cursor)) error {
	times := make([]int64, 1024)
	c := q.log.Play(0, 1<<63-1)
	for n := int64(0); ; {
		filled := c.Fill(times)
		if err := cmp.Or(ctx.Err(), c.Err()); err != nil || filled == 0 {
			return err
		}
		q.codes[0], q.costs = c.Keys(), c.Costs()
		for i := 1; i < len(q.codes); i++ {
			q.codes[i] = c.Field(i - 1)
		}
		for at := range filled {
			visit(n, times[at], at, c)
			n++
		}
	}
}

// cost returns the cost of a request of the block.
func (q *requests) cost(at int) int64 {
	if len(q.costs) == 0 {
		return 1
	}
	return q.costs[at]
}

// known computes something of some columns of a request once for each combination of
// their codes.
type known struct {
	columns []int
	dense   []int32 // by the code of the only column; 0 is not computed
	sparse  map[[maxColumns]int32]int32
	of      func() int32 // reads the current request
}

// maxColumns bounds the fields of a key.
const maxColumns = 5

// know returns what computes a value of some columns, and of the place if it depends on it.
func (q *requests) know(columns []int, places bool, of func() int32) *known {
	k := &known{columns: columns, of: of}
	if len(columns) == 1 && !places {
		k.dense = make([]int32, len(q.columns[columns[0]].Of))
	} else {
		k.sparse = map[[maxColumns]int32]int32{}
	}
	return k
}

// get returns the value for a request of the block, in a place.
func (k *known) get(q *requests, at int, place int32) int32 {
	if k.dense != nil {
		code := q.codes[k.columns[0]][at]
		if k.dense[code] == 0 {
			k.dense[code] = k.of() + 2
		}
		return k.dense[code] - 2
	}
	id := [maxColumns]int32{place}
	for i, c := range k.columns {
		id[1+i] = q.codes[c][at]
	}
	value, ok := k.sparse[id]
	if !ok {
		value = k.of()
		k.sparse[id] = value
	}
	return value
}
