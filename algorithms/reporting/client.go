package reporting

import (
	"cmp"
	"fmt"
	"sync"
	"time"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
)

// Client decides the requests of one process. It admits a key's requests until an
// answer of the server, or its own bucket with [Config.Local], says otherwise. It is
// safe for concurrent use. Use NewClient: methods of the zero Client return errors or
// do nothing.
//
// A key without a request for a minute, or ten intervals if that is longer, that has
// nothing to report, that no answer rejects and whose bucket is full decides as a new
// one. It is forgotten to make room: each new key looks at two others. Of a
// thousand keys or more, each takes 70 to 175 bytes and its name, and 15 to 20 more with
// Local and with RejectionRate each. The largest report takes 20 to 40 for each of its
// rows, and so does the largest answer.
type Client struct {
	mu     sync.Mutex
	config Config
	clock  clock
	keys   keys
	half   *batchreported.Client
	report batchreported.Report // of the latest Flush
	answer batchreported.Answer // of the latest Apply
	latest int64                // when the latest report was sent
	most   int64                // cost of a request
}

// NewClient returns a client that has received no answers. It returns an error if
// config.Check does.
func NewClient(config Config, now time.Time) (*Client, error) {
	config, machine, err := config.machine()
	if err != nil {
		return nil, err
	}
	half := batchreported.NewClient(machine, 0)
	c := &Client{config: config, clock: clock{start: now}, keys: newKeys(&config, half.Idle, half.Forget), half: half, most: config.MaxCost}
	if machine.Local != nil {
		c.most = min(c.most, machine.Local.Burst)
	}
	return c, nil
}

// Decide reports whether a request is admitted, and counts the decision for the next
// report. Cost 0 is admitted and not counted. A request with an error is neither
// admitted nor counted: [ErrKeys], or one that says that the key has no byte or more
// than 1,024 bytes or is not UTF-8, that the cost is negative, above [Config.MaxCost],
// or with [Config.Local] deeper than the client's bucket, or that now is of another clock
// than the time of construction: over a minute before or 36 years after it.
func (c *Client) Decide(now time.Time, key string, cost int64) (admitted bool, err error) {
	if c.half == nil {
		return false, errZero
	}
	if cost < 0 || cost > c.most {
		return false, fmt.Errorf("reporting: cost of %d is outside 0 to %d", cost, c.most)
	}
	if err := checkKey(key); err != nil {
		return false, fmt.Errorf("reporting: %w", err)
	}
	at, err := c.clock.ns(now)
	if err != nil {
		return false, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.keys.number(key, at)
	if !ok {
		return false, ErrKeys
	}
	return c.half.Decide(at, n, cost, nil).Admitted(), nil // diffusion needs no coin
}

// RetryAfter returns for how long an answer lets the client reject all requests of a
// key. It returns 0 if none does, as when a share is rejected, when the client's own
// bucket is short, or if now is of another clock.
func (c *Client) RetryAfter(now time.Time, key string) time.Duration {
	c.mu.Lock()
	defer c.mu.Unlock()
	n, ok := c.keys.numbers[key]
	at, err := c.clock.ns(now)
	if !ok || err != nil {
		return 0
	}
	return time.Duration(max(c.half.RejectUntil(n)-at, 0))
}

// Flush returns what the client has counted since the previous call, and counts from 0
// again. ok is false if there is nothing to send. Counts above [Config.MaxCost] are cut
// to it. If the report cannot be delivered, call Resend.
func (c *Client) Flush(now time.Time) (r Report, ok bool) {
	if c.half == nil {
		return Report{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if at, err := c.clock.ns(now); err == nil {
		c.latest = max(c.latest, at)
	}
	c.report.Rows = c.report.Rows[:0]
	c.half.Flush(c.latest, nil, func(int32) *batchreported.Report { return &c.report })
	r = Report{Sent: c.latest, Rows: make([]ReportRow, len(c.report.Rows))}
	for i := range r.Rows {
		row := &c.report.Rows[i]
		r.Rows[i] = ReportRow{Key: c.keys.names[row.Key], Admitted: min(row.Hits, c.config.MaxCost), Rejected: min(row.Rejected, c.config.MaxCost)}
	}
	return r, len(r.Rows) > 0
}

// Resend adds the counts of a report of this client that was not delivered to the next
// report. If the server has counted it and only the answer was lost, it is counted twice.
// Resend returns an error if there is no room for one of its keys, which have been
// forgotten, or if no client sends such a report.
func (c *Client) Resend(r Report) error {
	if c.half == nil {
		return errZero
	}
	if err := r.check(&c.config); err != nil {
		return err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	var again batchreported.Report
	var err error
	for _, row := range r.Rows {
		n, ok := c.keys.number(row.Key, c.latest)
		if !ok {
			err = ErrKeys
			continue
		}
		again.Rows = append(again.Rows, batchreported.ReportRow{Key: n, Slot: n, Hits: row.Admitted, Rejected: row.Rejected})
	}
	c.half.Resend(&again)
	return err
}

// Apply applies a server's answer that arrives at now. It replaces what earlier answers
// said of its keys; an answer to an earlier report than that of the key's latest answer
// changes nothing. Keys that the client does not hold any more are ignored. If it
// returns an error, nothing is applied: the client has not sent such a report, no server
// answers so, or now is of another clock (see Decide).
func (c *Client) Apply(now time.Time, a Answer) error {
	if c.half == nil {
		return errZero
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	at, err := c.clock.ns(now)
	if err = cmp.Or(err, a.check(c.latest)); err != nil {
		return err
	}
	// The client's own time orders answers, so that no clock of a server matters.
	c.answer.ComputedAt, c.answer.Rows = a.Sent, c.answer.Rows[:0]
	for i := range a.Rows {
		row := &a.Rows[i]
		if n, ok := c.keys.numbers[row.Key]; ok {
			c.answer.Rows = append(c.answer.Rows, batchreported.AnswerRow{
				Key: n, Slot: n, Reject: min(int64(row.RejectFor), longest), RejectionRate: rateOf(row.RejectionRate)})
		}
	}
	c.half.Apply(max(at, a.Sent), &c.answer)
	return nil
}

// Forget drops all that the client holds of a key, also counts that are not reported
// yet, and reuses its memory for the next new key.
func (c *Client) Forget(key string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.keys.forget(key)
}

// Keys returns the number of keys that the client holds.
func (c *Client) Keys() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.keys.numbers)
}
