//go:build unix

package sql

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/limitgauge/limitgauge/internal/testing/pgtest"
)

// postgres is a server of one test.
type postgres struct{ *pgtest.Server }

// published is the function in PL/pgSQL: one UPDATE, and one INSERT if the UPDATE finds no
// row, which stores the clock's time. The clock and the transaction's start are parameters,
// so that sequences can be repeated. The %s are replaced by the elapsed seconds and the
// stamp of the UPDATE.
const published = `
create function %s(k text, r int, w int, began timestamptz, clock timestamptz) returns numeric language plpgsql as $$
declare
  remaining numeric;
begin
  update %s b set
    tokens = %s,
    stamp = %s
  where b.key = k returning b.tokens into remaining;
  if not found then
    insert into %s values (k, r * w - 1, clock) returning tokens into remaining;
  end if;
  return remaining;
end $$;
`

// unwritten is the function that does not store rejections.
const unwritten = `
create function %s(k text, r int, w int, began timestamptz, clock timestamptz) returns numeric language plpgsql as $$
declare
  remaining %s%%type;
begin
  select %s into remaining from %s b where b.key = k;
  if not found then
    remaining := r * w - 1;
    insert into %s values (k, remaining, clock);
  elsif remaining >= 0 then
    update %s b set tokens = remaining, stamp = %s where b.key = k;
  end if;
  return remaining;
end $$;
`

// definition returns the table and the function for a rule's options.
func definition(name string, o Options) string {
	table := name + "_rows"
	kind := "bigint"
	if o.KeepFraction {
		kind = "numeric"
	}
	seconds, stamp := "extract(epoch from clock - b.stamp)", "began"
	if o.TiesToEven {
		seconds = "date_part('epoch', clock - b.stamp)" // double precision in every version
	}
	if o.StampCall {
		stamp = "clock"
	}
	level := "greatest(-1, least(r * w, b.tokens - 1 + r * " + seconds + "))"
	if o.CapBefore {
		level = "greatest(-1, least(r * w, b.tokens + r * " + seconds + ") - 1)"
	}
	create := fmt.Sprintf("create table %s (key text primary key, tokens %s not null, stamp timestamptz not null);", table, kind)
	if o.NoRefusal {
		return create + fmt.Sprintf(unwritten, name, table+".tokens", level, table, table, table, stamp)
	}
	return create + fmt.Sprintf(published, name, table, level, stamp, table)
}

// variants returns all combinations of a rule's options.
func variants() []Options {
	var all []Options
	for bits := range 32 {
		o := Options{KeepFraction: bits&1 != 0, TiesToEven: bits&2 != 0, StampCall: bits&4 != 0, NoRefusal: bits&8 != 0, CapBefore: bits&16 != 0}
		if o.KeepFraction && o.TiesToEven {
			continue // nothing is rounded
		}
		all = append(all, o)
	}
	return all
}

// called is one call of a random sequence, with times in us.
type called struct {
	key               int
	refill, window    int64
	began, at         int64
	sequence, ordinal int
}

// drawCalls draws calls with gaps worth about a token, exact halves of one, nothing or
// days. Some are in a transaction that began long before, some share one transaction.
func drawCalls(random *rand.Rand, sequence, n int) []called {
	refill := []int64{1, 2, 3, 5, 7, 10, 100, 1000, 999_983}[random.IntN(9)]
	window := []int64{1, 2, 10, 60}[random.IntN(4)]
	now := int64(1_640_000_000_000_000) + random.Int64N(1e12)
	began := now
	var calls []called
	for i := range n {
		half := max(1, 500_000/refill)
		switch random.IntN(10) {
		case 0:
		case 1, 2, 3:
			now += random.Int64N(4*half + 2)
		case 4, 5, 6:
			now += half * random.Int64N(8)
		case 7:
			now += 50_000 * random.Int64N(60) // twentieths of a second
		case 8:
			now += random.Int64N(1_000_000 * window)
		case 9:
			now += []int64{1, 3_600_000_000, 86_400_000_000, 31 * 86_400_000_000}[random.IntN(4)] * random.Int64N(3)
		}
		if random.IntN(3) > 0 {
			began = now // else still inside the transaction of the call before
			if random.IntN(3) == 0 {
				began -= random.Int64N(3 * half)
			}
		}
		calls = append(calls, called{random.IntN(2), refill, window, began, now, sequence, i})
	}
	return calls
}

// A real server is the specification.
func TestPostgres(t *testing.T) {
	p := &postgres{pgtest.Start(t, "fsync=off", "max_connections=20")}
	t.Run("computes the same", func(t *testing.T) { computesTheSame(t, p) })
	p.Do(t, definition("take", Options{})+wallClock)
	t.Run("transactions meet", func(t *testing.T) { transactionsMeet(t, p) })
	t.Run("lock waits are credited", func(t *testing.T) { lockWaitsAreCredited(t, p) })
	t.Run("first stamps", func(t *testing.T) { firstStamps(t, p) })
	t.Run("calls inside a transaction", func(t *testing.T) { callsInsideATransaction(t, p) })
}

// computesTheSame checks that every call leaves the same row on the server and in a
// Row.
func computesTheSame(t *testing.T, p *postgres) {
	seed := rand.Uint64()
	for i, o := range variants() {
		random := rand.New(rand.NewPCG(seed, uint64(i)))
		name := fmt.Sprintf("take_%d", i)
		var calls []called
		for sequence := range 8 {
			calls = append(calls, drawCalls(random, sequence, 60)...)
		}
		var script strings.Builder
		script.WriteString(definition(name, o))
		for _, c := range calls {
			fmt.Fprintf(&script, "select %s('%d-%d', %d, %d, timestamptz 'epoch' + %d * interval '1 us', timestamptz 'epoch' + %d * interval '1 us');\n",
				name, c.sequence, c.key, c.refill, c.window, c.began, c.at)
		}
		got := p.Do(t, script.String())
		if len(got) != len(calls) {
			t.Fatalf("%+v: %d answers to %d calls", o, len(got), len(calls))
		}
		rows := map[[2]int]Row{}
		for j, c := range calls {
			rule, err := NewRule(c.refill, 1e9, c.refill*c.window, o)
			if err != nil {
				t.Fatal(err)
			}
			id := [2]int{c.sequence, c.key}
			row, known := rows[id]
			if !known {
				row = Absent
			}
			before := row
			level, _ := rule.Call(&row, c.began*1000, c.at*1000, 1)
			rows[id] = row
			answer, ok := new(big.Rat).SetString(got[j])
			if !ok || answer.Cmp(big.NewRat(level, rule.Unit())) != 0 {
				t.Fatalf("seed %d: %+v: sequence %d, call %d (key %d, r %d, w %d, transaction from %d us, call at %d us, row before %+v): the server says %s, the rule %d/%d",
					seed, o, c.sequence, c.ordinal, c.key, c.refill, c.window, c.began, c.at, before, got[j], level, rule.Unit())
			}
		}
	}
}
