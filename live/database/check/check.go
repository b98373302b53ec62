// Package check compares the functions of package functions on a PostgreSQL
// server with the simulated row, call by call.
//
// The package makes no promise: it can change at any time.
package check

import (
	"context"
	"errors"
	"fmt"
	"math/big"

	"github.com/limitgauge/limitgauge/algorithms/sql"
	"github.com/limitgauge/limitgauge/live/database/functions"
	"github.com/limitgauge/limitgauge/live/database/postgres"
)

// clock has the functions read a clock that each call sets: in the scratch schema,
// which sessions search first, functions of these names hide the system's.
const clock = `
create function clock_timestamp() returns timestamptz language sql volatile as $$
  select timestamptz 'epoch' + current_setting('limitgauge.at')::bigint * interval '1 us'
$$;
create function now() returns timestamptz language sql volatile as $$
  select timestamptz 'epoch' + current_setting('limitgauge.began')::bigint * interval '1 us'
$$;
create function replay(k text, r int, w int, began bigint, at bigint) returns numeric language plpgsql volatile as $$
begin
  perform set_config('limitgauge.at', at::text, false), set_config('limitgauge.began', began::text, false);
  return take_token(k, r, w);
end $$;
`

// Outcome is the result of a comparison.
type Outcome struct {
	Calls      int    // whose replies were equal
	Difference string // the first call whose reply differs, or ""
}

// Check installs a function in a scratch schema of a server, which it removes, and
// compares the replies to the calls of all sequences.
func Check(ctx context.Context, server *postgres.Server, i functions.Install) (o Outcome, err error) {
	script, err := i.Script()
	if err != nil {
		return o, err
	}
	scratch, err := server.NewScratch(ctx)
	if err != nil {
		return o, err
	}
	defer func() { err = errors.Join(err, scratch.Drop()) }()
	session, err := scratch.Connect(ctx, "serializable")
	if err != nil {
		return o, err
	}
	defer session.Close()
	if err := session.Exec(ctx, clock); err != nil {
		return o, fmt.Errorf("install the clock of the check: %w", err)
	}
	if err := session.Exec(ctx, script); err != nil {
		return o, fmt.Errorf("install %s: %w", i.Variant, err)
	}
	return compare(ctx, session, i)
}

// compare makes the calls and stops at the first reply that differs.
func compare(ctx context.Context, session *postgres.Session, i functions.Install) (o Outcome, err error) {
	options, err := i.Rule()
	if err != nil {
		return o, err
	}
	all := draw()
	rows := map[string]*sql.Row{}
	for len(all) > 0 {
		calls := all[:length]
		all = all[length:]
		replies, err := session.Rows(ctx, query(calls))
		if err != nil {
			return o, fmt.Errorf("%s: %w", calls[0], err)
		}
		if len(replies) != len(calls) {
			return o, fmt.Errorf("%d replies to %d calls", len(replies), len(calls))
		}
		for j, c := range calls {
			rule, err := sql.NewRule(c.refill, 1e9, c.refill*c.window, options)
			if err != nil {
				return o, err
			}
			row := rows[c.name()]
			if row == nil {
				row = new(sql.Row)
				*row = sql.Absent
				rows[c.name()] = row
			}
			level, _ := rule.Call(row, c.began*1000, c.at*1000, 1)
			want := big.NewRat(level, rule.Unit())
			if got, ok := new(big.Rat).SetString(replies[j]); !ok || got.Cmp(want) != 0 {
				o.Difference = fmt.Sprintf("%s: the server replies %s, the counter %s", c, replies[j], want.RatString())
				return o, nil
			}
			o.Calls++
		}
	}
	return o, nil
}
