package cli

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/algorithms/step"
	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
)

// maxCall is the longest line of calls, in bytes.
const maxCall = 1 << 20

func (a *app) stepCommand() *cobra.Command {
	var limit string
	var sets []string
	c := &cobra.Command{
		Use:   "step COUNTER|PRESET [CALLS.jsonl | -]",
		Short: "apply calls to one counter, or to clients and servers, and print the state after each",
		Long: `Step reads calls, one JSON object per line, applies each to one counter, and
prints the result and the counter's state as one JSON line per call. Use it to
compare a counter with another implementation. Levels are exact integers:
level_units counts units of 1/units_per_token of a token. The page docs/step.md
lists every member of a reply.

Of the enforcement batch-reported, whose clients and servers exchange messages,
step applies the calls to these halves: replies show the messages that a half sends,
and calls give them to another half. A preset selects its counter and its options.

Every call has at_ns and op:
  plain counters  take {cost, key}, level {key}, retry_at {cost, key}
  rover           grab {n}, deficiency {ticket}, replenish, release {n}, refund {n},
                  duration_for {n}, update_rate {rate},
                  preset {tail, head, ceil, stamp_ns}, take {cost}; a rate is a whole
                  number of tokens per period of the --limit
  sql-token-bucket  call {start_ns, key, refill, window_s}, take {cost, key}, level {key},
                  retry_at {cost, key}, preset {level_units, key}; start_ns is the
                  start of the call's transaction, at_ns the time of the call

and of halves:
  batch-reported  decide {client, key, cost, coin}, flush {client}, receive {report},
                  answer {report}, apply {answer, client}, give_up {report}; a report
                  and an answer are the id of an earlier one, or the message itself:
                  {"rows": [{"key": "a", "outstanding_hits": 624, "rejected_hits": 857}]}

--set NAME.OPTION=VALUE sets an option of the counter or preset, as in a scenario.
limitgauge explain NAME lists them. Halves also have --set topology.clients=N and
--set topology.servers=N.`,
		Example: `  echo '{"at_ns": 0, "op": "take", "cost": 3}' | limitgauge step token-bucket --limit 10/s
  limitgauge step rover --limit 100/s --set rover.burst=50 --set rover.stamp=now calls.jsonl
  limitgauge step rejection-rate --limit 1000/s --set topology.clients=2 calls.jsonl`,
		Args:              usage.Arguments(1, 2),
		ValidArgsFunction: stepArguments,
	}
	f := c.Flags()
	f.StringVar(&limit, "limit", "", "the `LIMIT`, such as 10/s or 100/min; for a rover tokens per period (default 100/s; sql-token-bucket 2/s, with a window of 60s, as published)")
	f.StringArrayVar(&sets, "set", nil, "set an option: `PATH=VALUE`, such as rover.burst=50 or topology.clients=2; may be given again")
	c.RegisterFlagCompletionFunc("set", cobra.NoFileCompletions)
	c.RunE = func(c *cobra.Command, args []string) error {
		given, err := stepSets(args[0], sets)
		if err != nil {
			return err
		}
		session, err := newSession(args[0], limit, given)
		if err != nil {
			return err
		}
		name, in := "-", a.In
		if len(args) == 2 && args[1] != "-" {
			name = args[1]
			f, err := inputs.OpenInput(name)
			if err != nil {
				return err
			}
			defer f.Close()
			in = f
		}
		return stepCalls(session, name, in, a.Out)
	}
	return c
}

// stepCalls prints each result before it reads the next line, so that the
// caller can wait for it.
func stepCalls(s *step.Session, name string, in io.Reader, out io.Writer) error {
	lines := bufio.NewScanner(in)
	lines.Buffer(make([]byte, 0, 64<<10), maxCall)
	number := 0
	for lines.Scan() {
		number++
		line := bytes.TrimSpace(lines.Bytes())
		if len(line) == 0 {
			continue
		}
		reply, err := s.Apply(line)
		if err != nil {
			return usage.Errorf("%s:%d: %w", name, number, err)
		}
		if _, err := fmt.Fprintf(out, "%s\n", reply); err != nil {
			return err
		}
	}
	if errors.Is(lines.Err(), bufio.ErrTooLong) {
		return usage.Errorf("%s:%d: longer than %d bytes", name, number+1, maxCall)
	}
	return lines.Err()
}
