// Package logs reads recorded traffic (access logs, CSV, JSON), brings it into
// order of time and plays it. Each log is read once; what memory that takes
// depends on how many keys it names and not on how long it is.
//
// Every decision is made in integers: a time stamp is read as an exact decimal
// and floored to nanoseconds once, at the end. A line that cannot be read is
// counted and the first few are kept with their place; only an input without a
// single usable request is an error.
package logs

import (
	"context"
	"io"
	"os"

	"github.com/limitgauge/limitgauge/scenarios/units"
)

// NoKey is the name of the key, or client, of a request whose record names none.
const NoKey = "-"

// Recording is recorded traffic in time order; requests of the same instant
// keep the order of the files given, then of their lines. Its rows are kept
// packed, in memory or in a temporary file, and played by any number of cursors.
type Recording struct {
	Facts Facts

	names   []Names // of the columns of codes
	shape   shape
	in      *spool
	run     run
	player  player
	weighed bool  // some cost is not 1
	largest int64 // cost
}

// Keys are the names of the keys.
func (r *Recording) Keys() Names { return r.names[0] }

// Field are the names of field i of Options.Fields.
func (r *Recording) Field(i int) Names { return r.names[1+i] }

// Clients are the names of the clients; none when no client field was asked for.
func (r *Recording) Clients() Names {
	if !r.shape.client {
		return Names{}
	}
	return r.names[len(r.names)-1]
}

// Weighed reports whether rows have costs. If not, every cost is 1.
func (r *Recording) Weighed() bool { return r.weighed }

// Close gives back the memory and the temporary file of the rows. No cursor
// may be used after it.
func (r *Recording) Close() { r.in.close() }

// Options say what to read and how. Only Files is required.
type Options struct {
	Files []string // merged by time; "-" is Stdin; Expand turns globs into names

	// Format is one of Formats. auto and "" detect the format of each file by
	// its content; json reads lines or a document that holds an array of records.
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
	Keep   units.Fraction // the share of them, copies included, that is sent; the zero Fraction is 1

	// SortMemory is how many bytes rows may take in memory: half of it while
	// they are sorted, half when they are kept. Beyond it they are kept in a
	// temporary file. 0 is DefaultSortMemory.
	SortMemory int64

	Stdin    io.Reader
	Progress func(bytes, total int64) // bytes read so far; total is 0 when unknown

	room   *room                    // in place of SortMemory's
	create func() (*os.File, error) // in place of a temporary file
}

// Read reads all files and merges them by time. Errors are *Error, or the
// context's. The recording is to be closed.
func Read(ctx context.Context, o Options) (*Recording, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	if o.Pattern != "" {
		o.withGroups()
	}
	b := newBuilder(ctx, &o)
	r, err := b.read()
	if err != nil {
		b.sorter.close()
		return nil, err
	}
	return r, nil
}
