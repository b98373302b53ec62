package reporting

import (
	"fmt"
	"math"
	"time"
	"unicode/utf8"
)

// Report holds what a client has counted since its previous report. A server that
// receives a report twice counts it twice.
type Report struct {
	Sent int64       `json:"sent_ns"` // time since the client's construction, in ns; of use to this client alone
	Rows []ReportRow `json:"rows"`
}

// ReportRow holds the counts of one key.
type ReportRow struct {
	Key      string `json:"key"`                // 1 to 1,024 bytes of UTF-8
	Admitted int64  `json:"admitted,omitempty"` // cost, 0 to Config.MaxCost
	Rejected int64  `json:"rejected,omitempty"` // cost, 0 to Config.MaxCost
}

// Answer is a server's response to one report, with a row for each of its rows that
// the server has counted.
type Answer struct {
	Sent      int64       `json:"sent_ns"`             // that of the report
	Uncounted int         `json:"uncounted,omitempty"` // rows that are not counted, because their keys are new and the server holds Config.MaxKeys keys
	Rows      []AnswerRow `json:"rows"`
}

// AnswerRow tells a client what to do with one key's requests from the time at which
// it applies the answer.
type AnswerRow struct {
	Key           string        `json:"key"`
	RejectFor     time.Duration `json:"reject_for_ns,omitempty"`  // reject all requests for this time; 0 means none
	RejectionRate float64       `json:"rejection_rate,omitempty"` // share of the other requests to reject, from 0 to below 1, in units of 2^-32
}

// check returns an error if no client sends such a report.
func (r *Report) check(c *Config) error {
	if len(r.Rows) > c.MaxKeys {
		return fmt.Errorf("reporting: a report has %d rows, more than %d keys", len(r.Rows), c.MaxKeys)
	}
	for i := range r.Rows {
		row := &r.Rows[i]
		if err := checkKey(row.Key); err != nil {
			return fmt.Errorf("reporting: row %d of a report: %w", i+1, err)
		}
		if uint64(row.Admitted) > uint64(c.MaxCost) || uint64(row.Rejected) > uint64(c.MaxCost) {
			return fmt.Errorf("reporting: row %d of a report: cost of %d admitted, %d rejected: want 0 to %d", i+1, row.Admitted, row.Rejected, c.MaxCost)
		}
	}
	return nil
}

// check returns an error if no server sends such an answer to a client whose latest
// report was sent at that time.
func (a *Answer) check(latest int64) error {
	if a.Sent < 0 || a.Sent > latest {
		return fmt.Errorf("reporting: an answer to a report of %d ns, which this client has not sent: its latest is of %d ns", a.Sent, latest)
	}
	for i := range a.Rows {
		row := &a.Rows[i]
		if row.RejectFor < 0 || !(row.RejectionRate >= 0 && row.RejectionRate < 1) {
			return fmt.Errorf("reporting: row %d of an answer: reject for %v, share %v: want at least 0, and 0 to below 1", i+1, row.RejectFor, row.RejectionRate)
		}
	}
	return nil
}

func checkKey(key string) error {
	if len(key) < 1 || len(key) > maxKeyBytes {
		return fmt.Errorf("key of %d bytes: want 1 to %d", len(key), maxKeyBytes)
	}
	if !utf8.ValidString(key) {
		return fmt.Errorf("key %q is not UTF-8, so JSON would change it", key)
	}
	return nil
}

// rateUnits is the number of units of a rejection rate in a whole.
const rateUnits = 1 << 32

func rateOf(share float64) uint32 { return uint32(min(math.Round(share*rateUnits), rateUnits-1)) }
