package inputs

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
	"github.com/limitgauge/limitgauge/cmd/cli/usage"
	"github.com/limitgauge/limitgauge/report"
	"github.com/limitgauge/limitgauge/scenarios"
	"github.com/limitgauge/limitgauge/sim"
)

// detailFlags holds the file names for decisions, windows, keys, servers and reports.
type detailFlags struct{ decisions, windows, keys, servers, reports string }

// Flags adds the flags to a command.
func (t *detailFlags) Flags(c *cobra.Command) {
	f := c.Flags()
	f.StringVar(&t.decisions, "decisions", "", "write every decision of the first replication to `FILE` (.csv or .jsonl), once the run is complete")
	f.StringVar(&t.windows, "windows", "", "write every key's calendar windows with requests in the first replication to `FILE` (.csv or .jsonl), once the run is complete")
	f.StringVar(&t.keys, "keys", "", "write every key's totals of the first replication to `FILE` (.csv or .jsonl), once the run is complete")
	f.StringVar(&t.servers, "server-loads", "", "write the load of each server of a limiter in the first replication to `FILE` (.csv or .jsonl), once the run is complete")
	f.StringVar(&t.reports, "reports", "", "write every row of clients' batched reports (outstandingHits, rejectedHits) and of the answers (rejectTilTimestamp, rejectionRate) in the first replication to `FILE` (.csv or .jsonl), once the run is complete")
}

// Files returns the names of the files that the flags request.
func (t *detailFlags) Files() []string {
	return slices.DeleteFunc([]string{t.decisions, t.windows, t.keys, t.servers, t.reports}, func(name string) bool { return name == "" })
}

// Adds adds the files to those that a command writes, before any work starts.
func (t *detailFlags) Adds(files *FileSet) error {
	return cmp.Or(files.WritesRows("--decisions", t.decisions), files.WritesRows("--windows", t.windows), files.WritesRows("--keys", t.keys),
		files.WritesRows("--server-loads", t.servers), files.WritesRows("--reports", t.reports))
}

// WritesRows adds a file of rows to the outputs, if it has a name. It returns an error for a
// name that cannot be written. flag is what names it.
func (s *FileSet) WritesRows(flag, name string) error {
	if name == "" {
		return nil
	}
	if _, ok := rowFormat(name); !ok {
		return usage.Errorf("%s %s: want a name that ends in .csv or .jsonl", flag, name)
	}
	s.Writes(flag, name)
	return usage.NotDirectory(flag+" ", name)
}

// Reporting returns an error if --reports is given and no algorithm of a file reports.
func (t *detailFlags) Reporting(f *scenarios.File) error {
	if t.reports == "" || sim.Reporting(f) {
		return nil
	}
	return usage.Errorf("--reports: no algorithm here sends batched reports; those with enforcement %s do", strings.Join(sim.ReportingEnforcements(), ", "))
}

// rowFormat reports whether a file name selects JSON lines or CSV. ok is false
// for another extension.
func rowFormat(path string) (lines, ok bool) {
	switch strings.ToLower(filepath.Ext(path)) {
	case ".jsonl", ".ndjson":
		return true, true
	case ".csv":
		return false, true
	}
	return false, false
}

// Open runs work while rows are written to temporary files, which get their
// names only if work succeeds. several reports that a request may carry several
// keys.
func (t *detailFlags) Open(details *sim.Details, several bool, work func() error) error {
	work = WriteRows(t.keys, keyColumns, work, func(row RowWriter) {
		details.Keys = func(k *sim.Key) error {
			return row(k.Scenario, k.Algorithm, k.Key, k.Offered, k.Admitted, k.Rejected, k.Reference)
		}
	})
	work = WriteRows(t.servers, serverColumns, work, func(row RowWriter) {
		details.Servers = func(s *sim.Server) error {
			return row(s.Scenario, s.Algorithm, int64(s.Server), s.Calls, s.Entries, s.CallsPeak1s)
		}
	})
	work = WriteRows(t.windows, windowColumns, work, func(row RowWriter) {
		details.Windows = func(w *sim.Window) error {
			return row(w.Scenario, w.Algorithm, w.Key, w.StartNs, w.Offered, w.Admitted, w.Reference, w.Limit, w.Saturated)
		}
	})
	work = WriteRows(t.reports, reportColumns, work, func(row RowWriter) {
		details.Reports = func(r *sim.Report) error {
			return row(r.Scenario, r.Algorithm, int64(r.Replication), r.Report, int64(r.Client), int64(r.Server), r.Key, r.OutstandingHits, r.RejectedHits,
				r.SentNs, r.ClientClockNs, UnlessNegative(r.ArrivedNs), UnlessNegative(r.ComputedNs), UnlessNegative(r.AppliedNs),
				UnlessNegative(r.RejectTilNs), UnlessNegative(r.RejectForNs), rejectionRate(r.RejectionRate), r.Outcome, r.Duplicate, r.Resent)
		}
	})
	columns := decisionColumns
	if several {
		columns = append(slices.Clip(columns), "keys")
	}
	return WriteRows(t.decisions, columns, work, func(row RowWriter) {
		details.Decisions = func(d *sim.Decision) error {
			return row(d.Scenario, d.Algorithm, d.Attempt, d.Key, d.Tenant, int64(d.Client), d.Cost, d.ArrivalNs,
				UnlessNegative(d.DecidedNs), UnlessNegative(d.DispatchedNs), d.Verdict, d.Cause, orNothing(d.Level), UnlessNegative(d.RetryAfterNs), d.Fresh, int64(d.Try), d.Keys)
		}
	})()
}

var (
	decisionColumns = []string{"scenario", "algorithm", "attempt", "key", "tenant", "client", "cost", "arrival_ns",
		"decided_ns", "dispatched_ns", "verdict", "cause", "level", "retry_after_ns", "fresh", "try"}
	windowColumns = []string{"scenario", "algorithm", "key", "start_ns", "offered", "admitted", "reference", "limit", "saturated"}
	keyColumns    = []string{"scenario", "algorithm", "key", "offered", "admitted", "rejected", "reference"}
	serverColumns = []string{"scenario", "algorithm", "server", "calls", "entries", "calls_peak_1s"}
	reportColumns = []string{"scenario", "algorithm", "replication", "report", "client", "server", "key", "outstanding_hits", "rejected_hits",
		"sent_ns", "client_clock_ns", "arrived_ns", "computed_ns", "applied_ns", "reject_til_ns", "reject_for_ns", "rejection_rate", "outcome", "duplicate", "resent"}
)

// RowWriter writes one row. It ignores fields beyond the columns.
type RowWriter func(fields ...any) error

// Several reports whether a request of the file may carry several keys.
func Several(f *scenarios.File) bool {
	return slices.ContainsFunc(f.Scenarios, func(s scenarios.Scenario) bool { return s.MultiPolicy() })
}

// UnlessNegative returns nil, an empty field, for an instant that did not
// occur.
func UnlessNegative(ns int64) any {
	if ns < 0 {
		return nil
	}
	return ns
}

// orNothing returns nil, an empty field, for an unknown number.
func orNothing(n *int64) any {
	if n == nil {
		return nil
	}
	return *n
}

// rejectionRate returns a share in units of 2^-32 as a number, or nil for none.
func rejectionRate(n int64) any {
	if n < 0 {
		return nil
	}
	return json.Number(batchreported.RateText(uint32(n)))
}

// WriteRows returns work that also writes its rows to a file, as JSON lines or
// CSV according to the file's extension. Before work starts, attach receives the
// writer of rows. Without a path it returns work itself. An error of work names the file
// only if it is that of a row which could not be written.
func WriteRows(path string, columns []string, work func() error, attach func(row RowWriter)) func() error {
	if path == "" {
		return work
	}
	lines, _ := rowFormat(path)
	var failed, unwritten error
	note := func(err error) error {
		unwritten = cmp.Or(unwritten, err)
		return err
	}
	write := func(w io.Writer) error {
		if lines {
			attach(func(fields ...any) error { return note(writeJSONLine(w, columns, fields[:len(columns)])) })
			failed = work()
			return failed
		}
		c, record := csv.NewWriter(w), make([]string, len(columns))
		c.Write(columns) // an error stays until Flush
		attach(func(fields ...any) error {
			for i, f := range fields[:len(columns)] {
				record[i] = csvField(f)
			}
			return note(c.Write(record))
		})
		failed = work()
		c.Flush()
		return cmp.Or(failed, note(c.Error()))
	}
	return func() error {
		err := report.WriteFile(path, write)
		if failed != nil && !errors.Is(failed, unwritten) {
			return failed
		}
		return err
	}
}

func csvField(f any) string {
	switch f := f.(type) {
	case nil:
		return ""
	case string:
		return f
	case json.Number:
		return f.String()
	case int64:
		return strconv.FormatInt(f, 10)
	case []string:
		return strings.Join(f, "|")
	case bool:
		return strconv.FormatBool(f)
	}
	panic("csvField: a type no table holds")
}

// writeJSONLine writes one object with its members in column order.
func writeJSONLine(w io.Writer, columns []string, fields []any) error {
	line := []byte{'{'}
	for i, f := range fields {
		if i > 0 {
			line = append(line, ',')
		}
		line = strconv.AppendQuote(line, columns[i])
		line = append(line, ':')
		value, err := json.Marshal(f)
		if err != nil {
			return err
		}
		line = append(line, value...)
	}
	_, err := w.Write(append(line, '}', '\n'))
	return err
}
