// Package logs reads recorded traffic (access logs, CSV, JSON), sorts it by
// time and plays it. It reads each log once. The memory that it needs depends
// on the number of keys, not on the length of the log.
//
// All decisions use integers: a time stamp is an exact decimal rounded down to
// nanoseconds, a duration that is subtracted from it one rounded up. Lines that cannot be
// parsed are counted, and the first few are kept with their positions. A file of which
// more than half is malformed is an error unless the options allow it.
//
// The package makes no promise: it can change at any time.
package logs

import (
	"context"
	"io"

	"github.com/limitgauge/limitgauge/internal/tempfile"
	"github.com/limitgauge/limitgauge/logs/formats"
	"github.com/limitgauge/limitgauge/logs/kept"
	"github.com/limitgauge/limitgauge/scenarios/units"
)

// NoKey is the name of the key, or client, of a request whose record names none.
const NoKey = formats.Absent

// Recording is recorded traffic in time order. Requests with the same timestamp
// keep the order of the given files, then of their lines. Rows are packed, in
// memory or in a temporary file. Any number of cursors can play them.
type Recording struct {
	Facts Facts

	names   []Names // of the columns of codes
	shape   kept.Shape
	in      *kept.Spool
	run     kept.Run
	player  player
	weighed bool  // some cost is not 1
	largest int64 // cost

	largestEstimate int64
}

// Keys returns the names of the keys.
func (r *Recording) Keys() Names { return r.names[0] }

// Field returns the names of field i of Options.Fields.
func (r *Recording) Field(i int) Names { return r.names[1+i] }

// Clients returns the names of the clients. It is empty if no client field was
// requested.
func (r *Recording) Clients() Names {
	if !r.shape.Client {
		return Names{}
	}
	return r.names[len(r.names)-1]
}

// Weighed reports whether rows have costs. If not, every cost is 1.
func (r *Recording) Weighed() bool { return r.weighed }

// Estimated reports whether rows state what was known of their costs on arrival.
func (r *Recording) Estimated() bool { return r.shape.Estimate }

// Close releases the memory and the temporary file of the rows. No cursor may
// be used after it.
func (r *Recording) Close() { r.in.Close() }

// Options selects what Read reads and how. Only Files is required.
type Options struct {
	Files  []string // merged by time; "-" is Stdin; Expand turns globs into names
	Places *Places  // where the files are, if not under their names

	// Format is one of Names. auto and "" detect the format of each file by
	// its content; json reads lines or a document that holds an array of records.
	Format        string `option:"format"`
	formats.Asked        // what is asked of the records: the names of fields

	Rejected  []string // the values of Verdict that mean rejected; nil is DefaultRejected
	TimeZone  string   `option:"time_zone"` // of stamps without a zone: an IANA name or an offset such as +02:00; "" is UTC
	Malformed string   `option:"malformed"` // allow reads files that are malformed by more than half; "" and warn refuse them

	Start int64 `option:"start"` // ns: omit earlier requests
	Until int64 `option:"until"` // ns: omit requests at or after it; 0 is no end

	Rebase bool           `option:"rebase"` // shift the first request to 0
	Speed  units.Fraction // 2 replays twice as fast; the zero Fraction is 1
	Repeat int            `option:"repeat"` // play the recording this many times, one after the other, each in whole seconds; 0 is 1
	Copies int            `option:"copies"` // play each request this many times at its instant; 0 is 1
	Keep   units.Fraction `option:"keep"`   // the share of requests, copies included, that is played; the zero Fraction is 1

	Lines bool // keep the line of each row, for Cursor.Line; without Answer

	// SortMemory limits the memory for rows in bytes: half of it for rows that
	// are being sorted, half for sorted rows. More sorted rows are kept in a
	// temporary file. 0 is DefaultMemory.
	SortMemory int64

	Stdin    io.Reader
	Progress func(bytes, total int64) // bytes read so far; total is 0 when unknown

	room   *kept.Room                     // replaces the limits derived from SortMemory, in tests
	create func() (*tempfile.File, error) // replaces the creation of a temporary file, in tests
}

// Read reads all files and merges them by time. It returns an *Error or the
// context's error. The caller must close the recording.
func Read(ctx context.Context, o Options) (*Recording, error) {
	if err := o.Validate(); err != nil {
		return nil, err
	}
	o.WithGroups()
	b := newBuilder(ctx, &o)
	r, err := b.read()
	if err != nil {
		b.sorter.Close()
		return nil, err
	}
	return r, nil
}
