package formats

import (
	"bytes"
	"cmp"
	"slices"
	"strings"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/times"
)

// Names that common loggers use, in order of priority. Case is ignored. They
// apply to formats that declare no fields, such as csv and json, if the options
// name no field.
var (
	timeNames      = []string{"request_creation_time", "time", "timestamp", "@timestamp", "ts", "datetime", "date", "eventtime", "time_local", "time_iso8601", "start", "start_time", "start_timestamp", "starttime", "arrival", "arrival_time", "at", "msec", "t", "created_at", "started_at", "_time", "timegenerated", "timegenerated [utc]", "timestamp [utc]", "time_start", "reqtimesec", "requestreceivedtimestamp"}
	endNames       = []string{"end", "end_time", "end_timestamp", "endtime"}
	durationNames  = []string{"duration", "request_time", "elapsed"}
	addressNames   = []string{"client", "client_ip", "clientip", "client_addr", "ip", "ip_address", "remote_addr", "remote_ip", "remoteip", "remote_host", "source_ip", "src_ip"}
	forwardedNames = []string{"x_forwarded_for", "x-forwarded-for", "http_x_forwarded_for", "xforwardedfor", "xff", "fwd"}
	callerNames    = []string{"user", "user_id", "userid", "tenant", "tenant_id", "key", "api_key"}
)

// known finds the fields of a file that have well-known names.
type known struct {
	names []string // of all fields that hold values: columns, groups or paths
	// values returns the values of a field in the sample.
	values func(own string) [][]byte
	// strict reports that a field with a well-known name is the client only if it has
	// addresses.
	strict bool
	host   string // the field that has the client's address although it is called host
}

// envelopes are the paths of records, with a dot: exports of Elasticsearch and Splunk have
// them in a member.
var envelopes = []string{"", "_source.", "result."}

// find ignores case and returns the name as it is written in the file.
func (k known) find(name string) (own string, ok bool) {
	for _, envelope := range envelopes {
		path := envelope + name
		if i := slices.IndexFunc(k.names, func(own string) bool { return strings.EqualFold(own, path) }); i >= 0 {
			return k.names[i], true
		}
	}
	return "", false
}

// layout returns the layout of a file whose columns or groups have names. what calls
// them in messages.
func (k known) layout(in *Input, d defaults, what string) (*Layout, error) {
	l, missing := in.Asked.fit(func(name string) (column, bool) {
		if !slices.Contains(k.names, name) {
			return column{}, false
		}
		return k.column(name), true
	}, d)
	if missing != "" {
		return nil, in.misfit(missing, what, k.names)
	}
	if status := k.status(); status != "" {
		l.Status = l.add(status)
	}
	return l, nil
}

// defaults returns what the fields offer. A field without a value in the sample
// is no candidate.
func (k known) defaults(o *Asked) defaults {
	all := func(names []string) (found []string) {
		for _, n := range names {
			if own, ok := k.find(n); ok && own != o.Client && k.filled(own) {
				found = append(found, own)
			}
		}
		slices.SortStableFunc(found, func(a, b string) int { return cmp.Compare(k.rarity(a), k.rarity(b)) })
		return found
	}
	d := defaults{part: k.part, values: k.values, has: func(name string) (string, bool) {
		own, ok := k.find(name)
		return own, ok && own != k.host
	}}
	stamps := all(timeNames)
	stamps = append(stamps, all(times.UnitTimeNames)...)
	if best := k.arrival(o, stamps); best.stamp != "" {
		d.arrivals = []arrival{best}
	} else if ends := all(endNames); len(ends) > 0 {
		a := arrival{stamp: ends[0]}
		spans := all(durationNames)
		if len(spans) > 0 {
			a.minus = []span{{field: spans[0]}}
		}
		if len(spans) > 0 || o.Duration != "" {
			d.arrivals = []arrival{a}
		}
	}
	keys := k.keys(o)
	d.keys = keys[:min(1, len(keys))]
	d.others = slices.Concat(
		lists.Map(stamps, func(name string) Candidate { return Candidate{"time", name, "--time-field " + name} }),
		lists.Map(keys, keyCandidate))
	return d
}

// rarity is 1 for a field that most records lack, else 0.
func (k known) rarity(own string) int {
	if present, all := k.presence(own); 2*present < all {
		return 1
	}
	return 0
}

// filled reports whether a field has a value in the sample.
func (k known) filled(own string) bool {
	present, all := k.presence(own)
	return all == 0 || present > 0
}

// arrival returns the time among fields with names of times: the first that
// holds dates, or numbers since 1970; else a date and a time of day in two
// fields; else the first one. A field such as time may also hold how long a
// request took.
func (k known) arrival(o *Asked, times []string) arrival {
	if len(times) == 0 {
		return arrival{}
	}
	if i := slices.IndexFunc(times, func(name string) bool { return absolute(o, k.values(name)) }); i >= 0 {
		return arrival{stamp: times[i]}
	}
	date, has := k.find("date")
	daytime, both := k.find("time")
	if has && both {
		dates, times := k.values(date), k.values(daytime)
		var joined [][]byte
		for i := range min(len(dates), len(times)) {
			joined = append(joined, slices.Concat(dates[i], []byte(" "), times[i]))
		}
		if absolute(o, joined) {
			return arrival{stamp: date, daytime: daytime}
		}
	}
	return arrival{stamp: times[0]}
}

// onlyDate returns the arrival of a file without a time of a known name: the one field
// with a date and a time of day that is not the same in all records, if there is one.
func (k known) onlyDate(o *Asked) (found []arrival) {
	for _, name := range k.names {
		values := k.values(name)
		daytimes := lists.Count(values, func(v []byte) bool { return bytes.IndexByte(v, ':') > 0 })
		if 2*daytimes >= len(values) && k.variety(name) > 1 && absolute(o, values) {
			found = append(found, arrival{stamp: name})
		}
	}
	if len(found) != 1 {
		return nil
	}
	return found
}

// absolute reports whether at least half of the values that are present are
// dates, or numbers that count from 1970.
func absolute(o *Asked, values [][]byte) bool {
	c := times.NewClock(o.TimeFormat, o.TimeLayout)
	has, fits := 0, 0
	for _, text := range values {
		if !Present(text) {
			continue
		}
		has++
		if at, why := c.Parse(text); why == "" && at >= times.RelativeBelow {
			fits++
		}
	}
	return has > 0 && 2*fits >= has
}

// namedColumn returns the column of a field that no format declares. Its name
// says whether it holds an address.
func namedColumn(name string) column {
	last := name[strings.LastIndexByte(name, '.')+1:]
	isLast := func(known string) bool { return strings.EqualFold(known, last) }
	switch {
	case slices.ContainsFunc(addressNames, isLast):
		return column{name: name, kind: address}
	case IsForwarded(name):
		return column{name: name, kind: forwarded}
	}
	return column{name: name, kind: plain}
}
