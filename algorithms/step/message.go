package step

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/limitgauge/limitgauge/algorithms/batchreported"
)

// most is the largest number in a message, except for times. Sums of many stay
// within 64 bits.
const most = 1 << 40

// keyNames numbers the keys of a session in the order of their first appearance.
type keyNames struct {
	ids   map[string]int32
	names []string
}

// number returns the number of a key, which it adds if it is new.
func (k *keyNames) number(name string) (int32, error) {
	id, known := k.ids[name]
	switch {
	case known:
		return id, nil
	case len(k.names) == maxKeys:
		return 0, fmt.Errorf("key %q is one too many: at most %d keys in a session", name, maxKeys)
	}
	if k.ids == nil {
		k.ids = map[string]int32{}
	}
	id = int32(len(k.names))
	k.ids[name] = id
	k.names = append(k.names, name)
	return id, nil
}

// readReport reads a report in full over the defaults that m has.
func (r *reporting) readReport(o *object, m *batchreported.Report) {
	m.Client = o.node("client", len(r.clients))
	m.Server = o.node("server", len(r.servers))
	m.SentAt = o.number("sent_ns", m.SentAt, -1<<62, 1<<62)
	m.Rows = rowsOf(o, func(row *object) batchreported.ReportRow {
		return batchreported.ReportRow{
			Key:      r.keyOf(row, row.text("key")),
			Hits:     row.number("outstanding_hits", 0, 0, most),
			Rejected: row.number("rejected_hits", 0, 0, most),
		}
	})
}

func (r *reporting) writeReport(out *reply, m *batchreported.Report) {
	out.set("client", m.Client)
	out.set("server", m.Server)
	out.set("sent_ns", m.SentAt)
	setRows(out, m.Rows, func(out *reply, row batchreported.ReportRow) {
		out.set("key", r.names[row.Key])
		out.set("outstanding_hits", row.Hits)
		out.set("rejected_hits", row.Rejected)
	})
}

// readAnswer reads an answer in full over the defaults that m has. It takes what the
// options let servers answer.
func (r *reporting) readAnswer(o *object, m *batchreported.Answer) {
	m.Server = o.node("server", len(r.servers))
	m.ComputedAt = o.number("computed_ns", m.ComputedAt, -1<<62, 1<<62)
	m.Rows = rowsOf(o, func(row *object) batchreported.AnswerRow {
		a := batchreported.AnswerRow{Key: r.keyOf(row, row.text("key"))}
		if r.config.RejectTil {
			name := r.rejectName()
			a.Reject = orNull(row, name, func() int64 { return row.number(name, 0, 0, 1<<62) })
		}
		if r.config.RejectionRate {
			a.RejectionRate = orNull(row, "rejection_rate", func() uint32 { return row.share("rejection_rate") })
		}
		return a
	})
}

func (r *reporting) writeAnswer(out *reply, m *batchreported.Answer) {
	out.set("server", m.Server)
	out.set("computed_ns", m.ComputedAt)
	setRows(out, m.Rows, func(out *reply, row batchreported.AnswerRow) {
		out.set("key", r.names[row.Key])
		if r.config.RejectTil {
			out.setUnless(r.rejectName(), row.Reject, 0)
		}
		if r.config.RejectionRate {
			out.setShare("rejection_rate", row.RejectionRate)
		}
	})
}

// rejectName returns the name of what an answer says about rejection, which is a time
// or a duration.
func (r *reporting) rejectName() string {
	if r.config.AsDuration {
		return "reject_for_ns"
	}
	return "reject_til_ns"
}

// rowsOf reads the required list of rows.
func rowsOf[R any](o *object, read func(row *object) R) []R {
	if !o.given("rows") {
		o.fail(errors.New("rows is missing"))
		return nil
	}
	var texts []json.RawMessage
	list, _ := o.fields["rows"].(json.RawMessage)
	if json.Unmarshal(list, &texts) != nil {
		got, _ := json.Marshal(o.fields["rows"])
		o.fail(fmt.Errorf("rows is %s: want a list of objects", got))
	}
	rows := make([]R, len(texts))
	for i, text := range texts {
		row, err := newObject(text)
		if err == nil {
			rows[i] = read(row)
			err = row.done(0)
		}
		if err != nil {
			o.fail(fmt.Errorf("rows[%d]: %w", i, err))
		}
	}
	return rows
}

func setRows[R any](out *reply, rows []R, write func(out *reply, row R)) {
	list := []json.RawMessage{}
	for _, r := range rows {
		var row reply
		write(&row, r)
		list = append(list, row.line())
	}
	out.set("rows", list)
}
