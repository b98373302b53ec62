package check

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
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
			needed = append(append(needed, r.Of.Fields...), r.If.Fields...)
		}
	}
	needed = lists.Where(lists.Distinct(needed), func(name string) bool { return name != "server" })
	for _, name := range needed {
		if column := given[name]; column != "" {
			f.given, o.Fields = append(f.given, name), append(o.Fields, column)
		}
	}
	f.needed, f.names = needed, slices.Clone(f.given)
	for _, name := range needed {
		if given[name] == "" && name != client {
			f.names, o.Optional = append(f.names, name), append(o.Optional, namesOf(name))
		}
	}
	o.Shared = o.Shared || !slices.Contains(needed, client) || given[client] != ""
	o.Lines = true
	return f
}

// requests plays the requests of a log.
type requests struct {
	log     *logs.Recording
	fields  []string // by column; the first is the client
	absent  []bool   // no request has the column
	columns []logs.Names
	codes   [][]int32 // of a block
}

func (f *Fields) requests(r *logs.Recording) *requests {
	q := &requests{log: r, fields: append([]string{client}, f.names...)}
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
		q.codes[0] = c.Keys()
		for i := 1; i < len(q.codes); i++ {
			q.codes[i] = c.Field(i - 1)
		}
		for at := range filled {
			visit(n, times[at], at, c)
			n++
		}
	}
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

// judge decides the requests of a log as a configuration does.
type judge struct {
	*Config
	q        *requests
	place    *known
	keys     []*known // by rule; nil if the log does not show the key
	ifs      []*known // by rule; nil if it refuses all that it counts
	why      []string // by rule: why it is not judged
	counter  []*counter
	replicas int
	spread   string
	draw     *rand.Rand

	at      int   // the current request, in the block
	current int32 // its place
	held    []hold
}

// counter holds the counts that rules share.
type counter struct {
	numbers map[string]int32 // of keys
	names   []string
	tables  []limiter // by replica
	under   []int     // by replica: the rule whose limit the table has
}

// hold is a rule that a request must pass, and its key.
type hold struct {
	rule int
	key  int32
}

// decision is what happens to a request.
type decision struct {
	refused bool
	waitMs  int64
	rule    int // that refuses or delays it, -1 for none
	key     int32
}

// newJudge returns a judge of a log, or why the log does not show which rules apply.
func (c *Config) newJudge(q *requests, replicas int, spread string) (*judge, error) {
	if c.Choose == nil {
		return nil, misfitf("a log does not show which of these rules apply to a request: check the files of one system, and of Envoy and Traefik one policy, at a time")
	}
	j := &judge{Config: c, q: q, replicas: replicas, spread: spread, draw: rand.New(rand.NewPCG(1, 2)), why: make([]string, len(c.Rules)), keys: make([]*known, len(c.Rules)), ifs: make([]*known, len(c.Rules)), counter: make([]*counter, len(c.Rules))}
	columns, missing := q.columnsOf(c.Fields)
	if missing == "host" && c.WithoutHost != "" {
		missing = ""
	}
	if missing != "" && c.differs() {
		return nil, misfitf("the log has no %s, on which the rules that apply depend: name the field with --key %s=FIELD", missing, missing)
	}
	j.place = q.know(columns, false, func() int32 {
		if target := q.column("target"); target >= 0 && j.field("target") == "" {
			return -1 // no request that a server can read
		}
		return int32(c.Choose(j.field))
	})
	shared := map[string]*counter{}
	for i := range c.Rules {
		r := &c.Rules[i]
		refuses, unknown := q.columnsOf(r.If.Fields)
		switch columns, missing := q.columnsOf(r.Of.Fields); {
		case r.Of.Value == nil:
			j.why[i] = r.Of.Why
		case r.Limit.Window == 0:
			j.why[i] = "its rate is not given"
		case missing != "":
			j.why[i] = fmt.Sprintf("the log has no %s: give --key %s=FIELD", missing, missing)
		case unknown != "":
			j.why[i] = fmt.Sprintf("the log has no %s: give --key %s=FIELD", unknown, unknown)
		case len(columns) >= maxColumns || len(refuses) >= maxColumns:
			j.why[i] = "its key depends on too many fields"
		default:
			n := shared[r.Counter]
			if n == nil {
				n = &counter{numbers: map[string]int32{}, under: make([]int, replicas)}
				for range replicas {
					t, err := newLimiter(r)
					if err != nil {
						j.why[i] = err.Error()
						break
					}
					n.tables = append(n.tables, t)
				}
				if j.why[i] != "" {
					continue
				}
				shared[r.Counter] = n
				for k := range n.under {
					n.under[k] = i
				}
			}
			j.counter[i] = n
			if r.If.Value != nil {
				j.ifs[i] = q.know(refuses, false, func() int32 { return one01[int32](r.If.Value(j.field) != "") })
			}
			j.keys[i] = q.know(columns, slices.Contains(r.Of.Fields, "server"), func() int32 { return n.number(r.Of.Value(j.field)) })
		}
	}
	return j, nil
}

// differs reports whether rules depend on where a request is handled.
func (c *Config) differs() bool {
	return slices.ContainsFunc(c.Places[min(1, len(c.Places)-1):], func(p Place) bool { // the first is all else
		return !slices.Equal(p.Rules, c.Places[len(c.Places)-1].Rules) || p.Only != c.Places[len(c.Places)-1].Only
	})
}

// columnsOf returns the columns of fields, and the first field that the log lacks.
func (q *requests) columnsOf(fields []string) (columns []int, missing string) {
	for _, name := range fields {
		if name == "server" {
			continue
		}
		i := q.column(name)
		if i < 0 {
			missing = cmp.Or(missing, name)
			continue
		}
		columns = append(columns, i)
	}
	return columns, missing
}

// number returns the number of a key, -1 for none.
func (n *counter) number(key string) int32 {
	if key == "" {
		return -1
	}
	i, ok := n.numbers[key]
	if !ok {
		i = int32(len(n.names))
		n.numbers[key] = i
		n.names = append(n.names, key)
	}
	return i
}

// field returns a field of the current request.
func (j *judge) field(name string) string {
	if name == "server" {
		return j.Places[j.current].Server
	}
	i := j.q.column(name)
	if i < 0 {
		return ""
	}
	return j.q.value(i, j.q.codes[i][j.at])
}

// replica returns the replica that the n-th request reaches.
func (j *judge) replica(n int64) int {
	switch {
	case j.replicas == 1:
		return 0
	case j.spread == "random":
		return j.draw.IntN(j.replicas)
	case j.spread == "even":
		return int(n % int64(j.replicas))
	}
	return int(j.q.codes[0][j.at]) % j.replicas
}

// decide decides a request. j.held then holds the rules that it was held against, and
// their keys.
func (j *judge) decide(n, now int64, at int) decision {
	j.at = at
	return j.decideAt(j.replica(n), now, at)
}

// decideAt decides a request that reaches a replica.
func (j *judge) decideAt(replica int, now int64, at int) decision {
	j.at, j.held = at, j.held[:0]
	d := decision{rule: -1}
	if j.current = j.place.get(j.q, at, 0); j.current < 0 {
		return d
	}
	p := &j.Places[j.current]
	if p.Steps != nil {
		return j.step(p, replica, now)
	}
	for _, i := range p.Rules {
		if j.keys[i] == nil {
			continue
		}
		h := hold{i, j.keys[i].get(j.q, at, j.current)}
		j.held = append(j.held, h)
		if h.key >= 0 && j.table(i, replica, h.key).Level(h.key, now) <= 0 {
			return decision{refused: true, rule: i, key: h.key}
		}
		if p.Ordered && h.key >= 0 {
			d.wait(h, j.table(i, replica, h.key).charge(h.key, now))
		}
	}
	if p.Ordered {
		return d
	}
	for _, h := range slices.Backward(j.held) {
		if h.key < 0 {
			continue
		}
		d.wait(h, j.table(h.rule, replica, h.key).charge(h.key, now))
	}
	return d
}

// step decides a request of a server that counts what it refuses.
func (j *judge) step(p *Place, replica int, now int64) decision {
	for _, s := range p.Steps {
		if j.keys[s.Rule] == nil {
			continue
		}
		h := hold{s.Rule, j.keys[s.Rule].get(j.q, j.at, j.current)}
		switch {
		case s.Count && h.key >= 0:
			j.table(s.Rule, replica, h.key).charge(h.key, now)
		case s.Count || j.ifs[s.Rule] != nil && j.ifs[s.Rule].get(j.q, j.at, j.current) == 0:
		default:
			j.held = append(j.held, h)
			if h.key >= 0 && j.table(s.Rule, replica, h.key).(counts).count(h.key, now) > j.Rules[s.Rule].Limit.Count {
				return decision{refused: true, rule: s.Rule, key: h.key}
			}
		}
	}
	return decision{rule: -1}
}

// wait notes how long a rule lets a request wait.
func (d *decision) wait(h hold, ms int64) {
	if ms > d.waitMs {
		d.waitMs, d.rule, d.key = ms, h.rule, h.key
	}
}

// table returns the table of a rule in a replica, under the rule's limit.
func (j *judge) table(rule, replica int, key int32) limiter {
	n := j.counter[rule]
	t := n.tables[replica]
	t.Reach(key)
	if n.under[replica] != rule {
		t.under(&j.Rules[rule])
		n.under[replica] = rule
	}
	return t
}
