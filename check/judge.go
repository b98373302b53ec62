package check

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"

	"github.com/limitgauge/limitgauge/internal/lists"
)

// judge decides the requests of a log as a configuration does.
type judge struct {
	*Config
	q        *requests
	place    *known
	keys     []*known // by rule; nil if the log does not show the key
	adds     []*known // by rule: the keys under which it counts; nil if those are keys
	ifs      []*known // by rule; nil if it refuses all that it counts
	why      []string // by rule: why it is not judged
	counter  []*counter
	replicas int
	spread   string
	draw     *rand.Rand

	at      int   // the current request, in the block
	current int32 // its place
	held    []hold
	would   []hold // what rules of a server with steps that count only would refuse
}

// counter holds the counts that rules share.
type counter struct {
	numbers map[string]int32 // of keys
	names   []string
	tables  []*limiter // by replica
	under   []int      // by replica: the rule whose limit the table has
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
		return nil, misfitf("a log does not show which of these rules apply to a request: check the files of one system, and a file with one section of HAProxy that has rules, or one policy of Envoy or Traefik, at a time")
	}
	j := &judge{Config: c, q: q, replicas: replicas, spread: spread, draw: rand.New(rand.NewPCG(1, 2)), why: make([]string, len(c.Rules)), keys: make([]*known, len(c.Rules)), adds: make([]*known, len(c.Rules)), ifs: make([]*known, len(c.Rules)), counter: make([]*counter, len(c.Rules))}
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
		added, unseen := q.columnsOf(r.Adds.Fields)
		switch columns, missing := q.columnsOf(r.Of.Fields); {
		case r.Of.Value == nil:
			j.why[i] = r.Of.Why
		case r.Divided && replicas > 1:
			j.why[i] = "the replicas divide its bucket among them"
		case r.Limit.Window == 0:
			j.why[i] = "its rate is not given"
		case cmp.Or(missing, unknown, unseen) != "":
			missing = cmp.Or(missing, unknown, unseen)
			j.why[i] = fmt.Sprintf("the log has no %s: give --key %s=FIELD", missing, missing)
		case len(columns) >= maxColumns || len(refuses) >= maxColumns || len(added) >= maxColumns:
			j.why[i] = "its key depends on too many fields"
		default:
			n := shared[r.Counter]
			if n == nil {
				tables, err := lists.Try(make([]int, replicas), func(int) (*limiter, error) { return newLimiter(r) })
				if err != nil {
					j.why[i] = err.Error()
					continue
				}
				n = &counter{numbers: map[string]int32{}, tables: tables, under: slices.Repeat([]int{i}, replicas)}
				shared[r.Counter] = n
			}
			j.counter[i] = n
			if j.ifs[i] = j.which(r.If, refuses); r.Adds.Value != nil {
				j.adds[i] = q.know(added, false, func() int32 { return n.number(r.Adds.Value(j.field)) })
			}
			j.keys[i] = q.know(columns, slices.Contains(r.Of.Fields, "server"), func() int32 { return n.number(r.Of.Value(j.field)) })
		}
	}
	return j, nil
}

// which returns what computes whether a request has a key, nil if all have.
func (j *judge) which(key Key, columns []int) *known {
	if key.Value == nil {
		return nil
	}
	return j.q.know(columns, false, func() int32 { return one01[int32](key.Value(j.field) != "") })
}

// has reports whether the current request is one of those that k computes.
func (j *judge) has(k *known) bool { return k == nil || k.get(j.q, j.at, j.current) != 0 }

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
	j.at, j.held, j.would = at, j.held[:0], j.would[:0]
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
		if h.key >= 0 && j.table(i, replica, h.key).level(h.key, now) <= 0 {
			return decision{refused: true, rule: i, key: h.key}
		}
		if p.Ordered && h.key >= 0 {
			d.wait(h, j.table(i, replica, h.key).charge(h.key, now, 1))
		}
	}
	if p.Ordered {
		return d
	}
	for _, h := range slices.Backward(j.held) {
		if h.key < 0 {
			continue
		}
		d.wait(h, j.table(h.rule, replica, h.key).charge(h.key, now, 1))
	}
	return d
}

// step decides a request of a server that counts what it refuses.
func (j *judge) step(p *Place, replica int, now int64) decision {
	quotas, spent := 0, 0 // of the request, and those that are over
	var used hold
	for _, s := range p.Steps {
		if j.keys[s.Rule] == nil {
			continue
		}
		h := hold{s.Rule, j.keys[s.Rule].get(j.q, j.at, j.current)}
		switch {
		case s.Count:
			if adds := j.adds[s.Rule]; adds != nil {
				h.key = adds.get(j.q, j.at, j.current)
			}
			if h.key >= 0 {
				j.table(s.Rule, replica, h.key).charge(h.key, now, j.q.cost(j.at))
			}
		case j.has(j.ifs[s.Rule]):
			j.held = append(j.held, h)
			over := h.key >= 0 && j.table(s.Rule, replica, h.key).count(h.key, now) > j.Rules[s.Rule].most()
			switch {
			case j.Rules[s.Rule].Only:
				if over {
					j.would = append(j.would, h)
				}
			case s.Quota && h.key >= 0:
				if quotas++; over {
					spent, used = spent+1, h
				}
			case over:
				return decision{refused: true, rule: s.Rule, key: h.key}
			}
		}
	}
	if quotas > 0 && spent == quotas {
		return decision{refused: true, rule: used.rule, key: used.key}
	}
	return decision{rule: -1}
}

// most returns up to which count a rule refuses nothing.
func (r *Rule) most() int64 {
	if r.Before {
		return r.Limit.Count - 1
	}
	return r.Limit.Count
}

// wait notes how long a rule lets a request wait.
func (d *decision) wait(h hold, ms int64) {
	if ms > d.waitMs {
		d.waitMs, d.rule, d.key = ms, h.rule, h.key
	}
}

// table returns the table of a rule in a replica, under the rule's limit.
func (j *judge) table(rule, replica int, key int32) *limiter {
	n := j.counter[rule]
	t := n.tables[replica]
	t.reach(key)
	if n.under[replica] != rule && t.under != nil {
		t.under(&j.Rules[rule])
		n.under[replica] = rule
	}
	return t
}
