package formats

import (
	"cmp"
	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// Asked says what is asked of the records of a log: which fields are taken, and
// how they are written.
//
// Names of fields are for text formats their columns, for json paths such as
// request.headers.host or a.b[0].c, for csv the names in the header or, without
// a header, numbers from 1, for regex the groups. If a name is empty, the
// format's own field or a well-known name is used.
type Asked struct {
	Pattern string `option:"regex"`   // of regex: a regular expression with named groups
	Records string `option:"records"` // path of the array inside a JSON document; "" looks for it

	Time     string     `option:"time_field"`     // when the request arrived
	End      string     `option:"end_field"`      // when it ended: arrival is End minus Duration
	Duration string     `option:"duration_field"` // how long it took; without End, the time field is the end
	Key      string     `option:"key_field"`      // the key of the request; "" is the client's address
	Keys     []string   // in place of Key: fields whose values together are the key
	Client   string     `option:"client_field"` // the gateway or process that received it; "" is none
	Fields   []string   // further fields to keep
	Optional [][]string // and those that a file may lack, each by its names in order of priority; Recording.Field has them after Fields
	Cost     []string   // fields whose sum is the request's cost; without any, every cost is 1
	Estimate []string   // fields whose sum is what was known of the cost on arrival; needs Cost
	Answer   string     `option:"answer_field"` // time from the request to the end of its answer, in DurationUnit
	Where    []string   // conditions such as path=/login*: a record that does not fit is left out
	Verdict  string     `option:"verdict_field"` // what the limiter that wrote the log decided; "" keeps no verdicts

	// TimeFormat is auto, rfc3339, clf, epoch-s, -ms, -us, -ns (since 1970; s, ms,
	// us and ns are the same) or relative-s, -ms, -us, -ns (since the trace's
	// start).
	TimeFormat   string `option:"time_format"`
	TimeLayout   string `option:"time_layout"`   // of dates, in the words of Go or of strftime; "" is TimeFormat
	DurationUnit string `option:"duration_unit"` // s, ms, us or ns; "" is a numeric TimeFormat's unit, else s
	PerFile      bool   `option:"per_file"`      // the key is the file's name
	Shared       bool   // one limit for all requests: a log needs no field for a key
	Hide         bool   // no message quotes a value of a record
}

// KeyFields returns the fields that are asked for as the key.
func (a *Asked) KeyFields() []string {
	if a.Key != "" {
		return []string{a.Key}
	}
	return a.Keys
}

// stampField returns the field that is asked for as the time stamp, or "".
func (a *Asked) stampField() string {
	return cmp.Or(a.Time, a.End)
}

// DurationShift returns the power of ten from the unit of durations to ns.
func (a *Asked) DurationShift() int {
	unit := a.DurationUnit
	if unit == "" {
		unit = "s"
		if f := a.TimeFormat; f != "" && f != "auto" && f != "rfc3339" && f != "clf" {
			unit = f
		}
	}
	return times.UnitShift(unit)
}

// Shown returns a flaw as messages may show it.
func (a *Asked) Shown(f text.Flaw) text.Flaw {
	if a.Hide {
		f.Text = nil
	}
	return f
}
