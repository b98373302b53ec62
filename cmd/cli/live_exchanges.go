package cli

import (
	"fmt"
	"slices"

	"github.com/limitgauge/limitgauge/cmd/cli/inputs"
	"github.com/limitgauge/limitgauge/live/exchange"
)

var exchangeColumns = []string{"number", "key", "tenant", "client", "try", "cost", "planned_ns", "sent_ns", "answered_ns",
	"verdict", "wait_ns", "retry_after_ns", "remaining", "reset_ns", "failure"}

// writeExchanges writes every request of a run with its answer to a file, if one is
// named and a request was sent.
func (a *app) writeExchanges(name string, all []exchange.Exchange) error {
	sent := func(x exchange.Exchange) bool { return x.Verdict != exchange.NotSent }
	if name == "" || !slices.ContainsFunc(all, sent) {
		return nil
	}
	var row inputs.RowWriter
	work := inputs.WriteRows(name, exchangeColumns, func() error {
		for i := range all {
			if err := row(exchangeFields(&all[i])...); err != nil {
				return err
			}
		}
		return nil
	}, func(r inputs.RowWriter) { row = r })
	if err := work(); err != nil {
		return err
	}
	fmt.Fprintf(a.Err, "wrote %s\n", name)
	return nil
}

var verdictNames = [...]string{exchange.NotSent: "not sent", exchange.Admitted: "admitted", exchange.Rejected: "rejected", exchange.Failed: "failed"}

// exchangeFields returns the fields of exchangeColumns.
func exchangeFields(x *exchange.Exchange) []any {
	fields := []any{x.Number, x.Key, x.Tenant, int64(x.Client), int64(x.Try), x.Cost, x.IntendedNs, inputs.UnlessNegative(x.SentNs), inputs.UnlessNegative(x.AnsweredNs), verdictNames[x.Verdict]}
	if x.Verdict != exchange.Admitted && x.Verdict != exchange.Rejected {
		return append(fields, nil, nil, nil, nil, x.Failure)
	}
	return append(fields, x.WaitNs, inputs.UnlessNegative(x.RetryAfterNs), inputs.UnlessNegative(x.Remaining), inputs.UnlessNegative(x.ResetNs), nil)
}
