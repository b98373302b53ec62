package logs

import (
	"slices"
	"strings"
)

// Names that common loggers use, in order of priority. Case is ignored. They
// apply if the options name no field.
var (
	timeNames     = []string{"time", "timestamp", "@timestamp", "ts", "datetime", "date", "time_local", "time_iso8601", "start", "start_time", "start_timestamp", "starttime", "arrival", "arrival_time", "at", "msec", "t"}
	endNames      = []string{"end", "end_time", "end_timestamp", "endtime"}
	durationNames = []string{"duration", "request_time", "elapsed"}
	keyNames      = []string{"key", "remote_addr", "client_ip", "remote_ip", "ip"}
)

// layout states which field of a record is the time stamp, the key and so on.
// Its numbers are indices into the fields that a reader cuts out of each
// record; -1 is none.
type layout struct {
	names    []string // by index, in the format's own notation
	stamp    int
	duration int // if set, arrival is stamp - duration
	key      int
	client   int
	fields   []int
	costs    []int
}

// lookup finds a field by name and returns its name in the notation of the
// format. ok is false if there is none. wellKnown makes it ignore case.
type lookup func(name string, wellKnown bool) (own string, ok bool)

func (l *layout) add(name string) int {
	if i := slices.Index(l.names, name); i >= 0 {
		return i
	}
	l.names = append(l.names, name)
	return len(l.names) - 1
}

// fit computes the layout of a file. missing is the first field of the options
// that find does not find, or "time" if no well-known name is found.
func (o *Options) fit(find lookup) (l *layout, missing string) {
	l = &layout{stamp: -1, duration: -1, key: -1, client: -1}
	named := func(name string) int {
		own, ok := find(name, false)
		if !ok {
			if missing == "" {
				missing = name
			}
			return -1
		}
		return l.add(own)
	}
	wellKnown := func(names []string) int {
		for _, name := range names {
			if own, ok := find(name, true); ok {
				return l.add(own)
			}
		}
		return -1
	}
	switch {
	case o.Time != "":
		l.stamp = named(o.Time)
	case o.End != "":
		l.stamp = named(o.End)
	default:
		if l.stamp = wellKnown(timeNames); l.stamp < 0 {
			l.stamp = wellKnown(endNames)
			if o.Duration == "" && l.stamp >= 0 {
				l.duration = wellKnown(durationNames)
				if l.duration < 0 {
					l.stamp = -1
				}
			}
		}
		if l.stamp < 0 {
			return nil, "time"
		}
	}
	if o.Duration != "" {
		l.duration = named(o.Duration)
	}
	switch {
	case o.PerFile:
	case o.Key != "":
		l.key = named(o.Key)
	default:
		l.key = wellKnown(keyNames)
	}
	if o.Client != "" {
		l.client = named(o.Client)
	}
	for _, name := range o.Fields {
		l.fields = append(l.fields, named(name))
	}
	for _, name := range o.Cost {
		l.costs = append(l.costs, named(name))
	}
	if missing != "" {
		return nil, missing
	}
	return l, ""
}

// layoutOf computes the layout of a file whose fields have these names. what
// calls them in the error for a field that is missing.
func (o *Options) layoutOf(file, what string, names []string) (*layout, error) {
	lay, missing := o.fit(func(name string, wellKnown bool) (string, bool) {
		i := slices.IndexFunc(names, func(n string) bool { return n == name || wellKnown && strings.EqualFold(n, name) })
		if i < 0 {
			return "", false
		}
		return names[i], true
	})
	if missing != "" {
		return nil, misfit(file, missing, what, names)
	}
	return lay, nil
}

// misfit returns the error for a file that lacks a field.
func misfit(file, missing, what string, have []string) error {
	return &Error{Reason: BadOptions, File: file,
		Message: "no field \"" + missing + "\"; the " + what + " are " + strings.Join(have, ", ")}
}
