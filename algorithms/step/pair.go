package step

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/algorithms/counting"
	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// An enforcement whose halves exchange messages is stepped half by half. The caller
// delivers the messages: each reply shows the messages that a half sends, and a call gives
// one to another half, by its id or in full. Batch-reported is the only one so far.

// unstepped are the options of batch-reported without an effect on its halves.
var unstepped = []string{"phase", "report_loss", "sharding", "moved_state", "server_time", "store", "sidecar", "charge", "refusal"}

// Enforcements returns the names of the enforcements that can be stepped.
func Enforcements() []string { return []string{batchreported.Entry().Name} }

// Fields returns the options of an enforcement over a counter, as NewPair takes
// them. If stepped is true, it leaves out the options that have no effect on the
// halves, such as those of the network between them.
func Fields(enforcement, counterName string, stepped bool) (fields []catalog.Field) {
	entry := batchreported.Entry()
	if enforcement != entry.Name {
		return nil
	}
	fields = lists.Where(entry.Fields, func(f catalog.Field) bool { return !stepped || !slices.Contains(unstepped, f.Name) })
	if c := catalog.Find(counting.Entries(), counterName); c != nil {
		fields = append(fields, c.Fields...)
	}
	return append(fields, clientsField, serversField)
}

// clientsField and serversField are options that a topology has in a scenario.
var (
	clientsField = catalog.Field{Name: "clients", Kind: catalog.Int, Unit: "clients", Default: "1", Min: "1", Max: "1000",
		Doc: "number of clients, which calls name by client: 0, 1 and so on"}
	serversField = catalog.Field{Name: "servers", Kind: catalog.Int, Unit: "servers", Default: "1", Min: "1", Max: "1000",
		Doc: "number of servers, among which keys are divided by hash"}
)

// NewPair starts a session with an enforcement over a counter. options are the
// bound Fields of both. It returns an error if the enforcement cannot be stepped
// or the options do not fit the limit.
func NewPair(enforcement string, limit counting.Limit, options catalog.Values) (*Session, error) {
	if !slices.Contains(Enforcements(), enforcement) {
		return nil, fmt.Errorf("enforcement %q cannot be stepped", enforcement)
	}
	s := &Session{counter: enforcement}
	if err := s.stepBatchReported(limit, options); err != nil {
		return nil, err
	}
	return s, nil
}

// begin checks the call and its time. The calls of all halves share one time.
func (r *reporting) begin(c *call) error {
	if err := c.done(); err != nil {
		return err
	}
	switch {
	case c.at < 0 || c.at > 1<<61:
		return fmt.Errorf("at_ns is %d: want 0 to 2^61", c.at)
	case c.at < r.last:
		return fmt.Errorf("at_ns is %d, before the %d of an earlier call", c.at, r.last)
	}
	r.last = c.at
	return nil
}

// node reads the number of a half, 0 by default, and repeats it.
func (o *object) node(name string, nodes int) int32 {
	if !o.given(name) {
		o.set(name, 0)
		return 0
	}
	n := int32(required(o, name, fmt.Sprintf("a number from 0 to %d", nodes-1), unsigned(31)))
	if int(n) >= nodes {
		o.fail(fmt.Errorf("%s is %d: the session has %d, numbered from 0", name, n, nodes))
	}
	return n
}

// keyOf returns the number of a key that an object names.
func (r *reporting) keyOf(o *object, name string) int32 {
	id, err := r.number(name)
	if err != nil {
		o.fail(err)
	}
	return id
}

// boundedCost reads the argument cost of a half, 1 by default.
func (c *call) boundedCost() int64 {
	cost := c.cost()
	if cost > most {
		c.fail(fmt.Errorf("cost is %d: want at most 2^40", cost))
		return 0
	}
	return cost
}

// statesOf returns the writer of the state of one half: which it is, and an object
// for each of the keys.
func (r *reporting) statesOf(half string, number int32, keys []int32, write func(out *reply, key int32)) func(*reply) {
	return func(state *reply) {
		state.set(half, number)
		list, seen := []json.RawMessage{}, map[int32]bool{}
		for _, key := range keys {
			if seen[key] {
				continue
			}
			seen[key] = true
			var row reply
			row.set("key", r.names[key])
			write(&row, key)
			list = append(list, row.line())
		}
		state.set("keys", list)
	}
}

// box holds the messages of one kind that a session has seen. Their ids count from 1.
type box[M any] struct {
	name  string
	read  func(o *object, m *M)
	write func(out *reply, m *M)
	seen  []*M
}

// add gives a message an id and returns it as JSON.
func (b *box[M]) add(m *M) json.RawMessage {
	b.seen = append(b.seen, m)
	var out reply
	out.set("id", len(b.seen))
	b.write(&out, m)
	return out.line()
}

// argument reads a required message: the id of an earlier one, or a message in
// full, which is read over the given defaults. keep gives it an id once the call is
// valid.
func (b *box[M]) argument(c *call, defaults M) (m *M, keep func()) {
	m = &defaults
	if !c.given(b.name) {
		c.fail(fmt.Errorf("%s is missing: want its id or the message", b.name))
		return m, nil
	}
	if text, ok := c.fields[b.name].(json.RawMessage); ok {
		o, err := newObject(text)
		if err == nil {
			o.given("id") // of a message that is passed on; it gets a new one
			b.read(o, m)
			err = o.done(1)
		}
		if err != nil {
			c.fail(fmt.Errorf("%s: %w", b.name, err))
		}
		return m, func() { c.set(b.name, b.add(m)) }
	}
	n := required(&c.object, b.name, "the id of an earlier message or a message", unsigned(31))
	if c.err == nil && (n < 1 || n > uint64(len(b.seen))) {
		c.fail(fmt.Errorf("%s is %d: there are %d so far, numbered from 1", b.name, n, len(b.seen)))
	}
	if c.err == nil {
		m = b.seen[n-1]
	}
	return m, func() {}
}
