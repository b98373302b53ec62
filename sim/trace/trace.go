// Package trace reads recorded traffic (access logs, CSV, JSON) into memory as
// columns in time order, ready to be replayed.
//
// Every decision is made in integers: a time stamp is read as an exact decimal
// and floored to nanoseconds once, at the end. A line that cannot be read is
// counted and the first few are kept with their place; only an input without a
// single usable request is an error.
package trace

import (
	"context"
	"io"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// NoKey is the name of the key, or client, of a request whose record names none.
const NoKey = "-"

// Recording is recorded traffic in time order; requests of the same instant
// keep the order of the files given, then of their lines. Columns have equal
// length.
type Recording struct {
	Time        []int64 // ns since 1970, or since the trace's start (Facts.Relative, Options.Rebase)
	Key         []int32 // index into KeyNames
	Client      []int32 // index into ClientNames; nil when no client field was asked for
	Cost        []int64 // >= 0; nil when every cost is 1
	KeyNames    []string
	ClientNames []string
	Fields      []Column // of Options.Fields
	Facts       Facts
}

// Column is one field of every request.
type Column struct {
	Value []int32  // index into Names
	Names []string // NoKey is the value of a request whose record names none
}

// Options say what to read and how. Only Files is required.
type Options struct {
	Files []string // merged by time; "-" is Stdin; Expand turns globs into names

	// Format is auto (by each file's content), common, combined, json (lines,
	// or a document that holds an array of records), csv or regex.
	Format  string
	Pattern string // of regex: a regular expression with named groups
	Records string // path of the array inside a JSON document; "" looks for it

	// Field names. For common and combined the columns of clf.go, for json
	// paths such as request.headers.host or a.b[0].c, for csv the header's
	// names or, without a header, numbers from 1, for regex the groups. Empty
	// names fall back to the format's own or to well-known ones.
	Time     string   // when the request arrived
	End      string   // when it ended: arrival is End minus Duration
	Duration string   // how long it took; without End, the time field is the end
	Key      string   // which key it falls under; without one, NoKey
	Client   string   // which gateway or process it came through; "" is none
	Fields   []string // further fields to keep, as they are
	Cost     []string // added up to the request's cost; none makes every cost 1

	// TimeFormat is auto, rfc3339, clf, s, ms, us, ns (since 1970) or
	// relative-s, -ms, -us, -ns (since the trace's start).
	TimeFormat   string
	DurationUnit string // s, ms, us or ns; "" is a numeric TimeFormat's unit, else s
	PerFile      bool   // the key is the file's name

	Start int64 // ns: leave out requests before it
	Until int64 // ns: leave out requests at or after it; 0 is no end

	Rebase bool           // shift the first request to 0
	Speed  units.Fraction // 2 replays twice as fast; the zero Fraction is 1
	Repeat int            // play the recording this often, end to end in whole seconds; 0 is 1
	Copies int            // each request this many times at its instant; 0 is 1

	Stdin    io.Reader
	Progress func(bytes, total int64) // bytes read so far; total is 0 when unknown
}

// Read reads all files, merges them by time and applies the options. Errors
// are *Error, or the context's.
func Read(ctx context.Context, o Options) (*Recording, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Pattern != "" {
		o.withGroups()
	}
	b := newBuilder(ctx, &o)
	for i := range o.Files {
		if err := b.readFile(i); err != nil {
			return nil, err
		}
	}
	rec, err := b.finish()
	if err != nil {
		return nil, err
	}
	if err := rec.replay(&o); err != nil {
		return nil, err
	}
	return rec, nil
}
