package logs

import (
	"strings"
)

// Names that common loggers use, in order of priority. Case is ignored. They
// apply to formats that declare no fields, such as csv and json, if the options
// name no field.
var (
	timeNames      = []string{"time", "timestamp", "@timestamp", "ts", "datetime", "date", "eventtime", "time_local", "time_iso8601", "start", "start_time", "start_timestamp", "starttime", "arrival", "arrival_time", "at", "msec", "t"}
	endNames       = []string{"end", "end_time", "end_timestamp", "endtime"}
	durationNames  = []string{"duration", "request_time", "elapsed"}
	addressNames   = []string{"client", "client_ip", "clientip", "client_addr", "ip", "ip_address", "remote_addr", "remote_ip", "remoteip", "remote_host", "source_ip", "src_ip"}
	forwardedNames = []string{"x_forwarded_for", "x-forwarded-for", "http_x_forwarded_for", "xff"}
	callerNames    = []string{"user", "user_id", "userid", "tenant", "tenant_id", "key", "api_key"}

	keyNames = append(append([]string{}, addressNames...), callerNames...)
)

// wellKnown returns the defaults of a file whose fields are found by name. find
// ignores case and returns the name as it is written in the file.
func wellKnown(o *Options, find func(name string) (own string, ok bool)) defaults {
	all := func(names []string) (found []string) {
		for _, n := range names {
			if own, ok := find(n); ok && own != o.Client {
				found = append(found, own)
			}
		}
		return found
	}
	var d defaults
	times, ends, spans := all(timeNames), all(endNames), all(durationNames)
	if len(times) > 0 {
		d.arrivals = []arrival{{stamp: times[0]}}
	} else if len(ends) > 0 {
		a := arrival{stamp: ends[0]}
		if len(spans) > 0 {
			a.minus = []span{{field: spans[0]}}
		}
		if len(spans) > 0 || o.Duration != "" {
			d.arrivals = []arrival{a}
		}
	}
	for _, name := range times {
		d.others = append(d.others, Candidate{"time", name, "--time-field " + name})
	}
	for i, name := range all(keyNames) {
		if i == 0 {
			d.keys = []string{name}
		}
		d.others = append(d.others, Candidate{"key", name, "--per " + name})
	}
	return d
}

// namedColumn returns the column of a field that no format declares. Its name
// says whether it holds an address.
func namedColumn(name string) column {
	last := name[strings.LastIndexByte(name, '.')+1:]
	for _, n := range addressNames {
		if strings.EqualFold(n, last) {
			return column{name: name, kind: address}
		}
	}
	for _, n := range forwardedNames {
		if strings.EqualFold(n, last) {
			return column{name: name, kind: forwarded}
		}
	}
	return column{name: name, kind: plain}
}
