package gauge

import (
	"fmt"
	"reflect"
	"time"

	"github.com/limitgauge/limitgauge/scenarios/catalog"
)

// Row is a limiter with a name: a row of tables and results documents beside those
// of the scenario file. Use makes rows.
type Row struct {
	name    string
	make    func(Policy) any
	kind    kind
	problem string // why the row cannot run; "" if it can
	settings
}

// Name returns the name of the row.
func (r Row) Name() string { return r.name }

// kind is the interface of a row's limiters.
type kind string

const (
	decides  kind = "Limiter"
	reserves kind = "Reserver"
	waits    kind = "Waiter"
	acquires kind = "Acquirer"
)

// Use returns a row of limiters that make returns. It calls make for each trial, and
// for each client or key that gets a limiter of its own. L is the type that says what
// the limiters are: Limiter, Reserver, Waiter or Acquirer, or a type that implements
// exactly one of them.
//
// By default all clients share one limiter, which is how a scenario tests the
// arithmetic alone. PerClient gives each client of the topology its own.
//
// If a limiter has a method Close or Stop without arguments, it is called at the end
// of a trial. Panics of a limiter end the run with an error.
func Use[L any](name string, make func(Policy) L, options ...Option) Row {
	r := Row{name: name, make: func(p Policy) any { return make(p) }}
	for _, o := range options {
		o(&r.settings)
	}
	r.kind, r.problem = kindOf(reflect.TypeFor[L]())
	switch {
	case name == "":
		r.problem = "gauge.Use: a row needs a name"
	case make == nil:
		r.problem = "gauge.Use: a row needs a function that makes limiters, not nil"
	case r.problem != "":
	case r.maxWait < 0:
		r.problem = "MaxWait is a time above 0, or 0 for none"
	case r.maxWait > 0 && (r.kind == decides || r.kind == acquires):
		r.problem = "MaxWait is for limiters that implement Reserver or Waiter"
	case r.kind == acquires && (r.as != "" || r.costs != [2]int64{} || r.turns != together):
		r.problem = "As, Costs and InTurn are not for limiters that implement Acquirer: no counter limits requests in flight, and calls take no time"
	case r.clock == argument && r.kind == waits:
		r.problem = "a Waiter gets no time as an argument: remove TakesNow"
	case r.costs != [2]int64{} && (r.costs[0] < 0 || r.costs[1] < max(1, r.costs[0])):
		r.problem = "Costs are a range of costs from 0 on, such as Costs(1, 1000)"
	case r.tolerance < 0 || r.tolerance > time.Second:
		r.problem = "Tolerance is a time from 0 to 1s"
	case r.tolerance > 0 && r.as == "":
		r.problem = "Tolerance needs As"
	}
	return r
}

// kindOf returns the kind of limiters of a type, or the problem.
func kindOf(t reflect.Type) (kind, string) {
	var kinds []kind
	for _, k := range []struct {
		kind kind
		of   reflect.Type
	}{
		{decides, reflect.TypeFor[Limiter]()}, {reserves, reflect.TypeFor[Reserver]()}, {waits, reflect.TypeFor[Waiter]()}, {acquires, reflect.TypeFor[Acquirer]()},
	} {
		if t.Implements(k.of) {
			kinds = append(kinds, k.kind)
		}
	}
	switch len(kinds) {
	case 0:
		return "", fmt.Sprintf("%v implements none of gauge.Limiter, gauge.Reserver, gauge.Waiter and gauge.Acquirer: return a gauge.Func, gauge.ReserveFunc, gauge.WaitFunc or gauge.AcquireFunc that calls it", t)
	case 1:
		return kinds[0], ""
	}
	return "", fmt.Sprintf("%v implements both gauge.%s and gauge.%s: let the function return the one that shall be tested", t, kinds[0], kinds[1])
}

// settings are what options set.
type settings struct {
	clock     clock
	perClient bool
	perKey    bool
	draws     bool
	leaves    bool
	turns     turns
	maxWait   time.Duration
	as        string
	asOptions []string       // NAME=VALUE
	asValues  catalog.Values // what asOptions say; set by presets
	tolerance time.Duration
	costs     [2]int64 // of Conform; the second is 0 for its own
	limits    []Policy // of Conform; empty for its own
}

// clock says where limiters have their time from.
type clock int

const (
	unknown  clock = iota // to be found out
	argument              // the argument now
	bubbled               // package time
)

// turns says which calls of a Waiter may overlap.
type turns int

const (
	together turns = iota
	inTurn
	inTurnByKey
)
