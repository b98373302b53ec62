package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Columns of HAProxy's logs. That of TCP ends before the cookies.
const (
	haClient = iota
	haTime
	haFrontend
	haServer
	haTimers
	haStatus
	haBytes
	haState
	haConnections
	haQueues
	haRequest
	haCaptured
	haForwarded
)

const haSource = "https://docs.haproxy.org/3.0/configuration.html#8.2"

var (
	haproxyHTTPFormat = Format{
		Name:   "haproxy-http",
		By:     "HAProxy with option httplog",
		Shows:  "an address with a port, `[accept date]` with milliseconds, five timers, a status and a quoted request",
		Time:   "the accept date",
		Key:    "the client's address, without its port",
		Source: haSource + ".3",
		columns: []column{
			{"client", "client_ip remote_addr ip", addressPort}, {"accept_date", "time timestamp", plain}, {"frontend", "", plain}, {"server", "backend", plain},
			{"timers", "", plain}, {"status", "status_code", plain}, {"bytes_read", "bytes", plain}, {"termination_state", "", plain},
			{"connections", "", plain}, {"queues", "", plain}, {"request", "", plain},
			{"captured", "", plain}, {"x_forwarded_for", "xff", forwarded}, // the header of the request that alone has an address
		},
		request:  "request",
		arrivals: []arrival{{stamp: "accept_date"}},
		keys:     []string{"client"},
		cut:      cutHAProxyHTTP,
	}
	haproxyTCPFormat = Format{
		Name:   "haproxy-tcp",
		By:     "HAProxy with option tcplog",
		Shows:  "an address with a port, `[accept date]` with milliseconds and three timers",
		Time:   "the accept date",
		Key:    "the client's address, without its port",
		Source: haSource + ".2",
		columns: []column{
			{"client", "client_ip remote_addr ip", addressPort}, {"accept_date", "time timestamp", plain}, {"frontend", "", plain}, {"server", "backend", plain},
			{"timers", "", plain}, {"bytes_read", "bytes", plain}, {"termination_state", "status", plain},
		},
		arrivals: []arrival{{stamp: "accept_date"}},
		keys:     []string{"client"},
		cut:      cutHAProxyTCP,
	}
)

// cutHAProxy cuts what both logs begin with into fields: client, accept date,
// frontend, server, timers and the fields behind them. rest is what is left.
func cutHAProxy(line []byte, fields [][]byte, timers int) (rest []byte, f text.Flaw) {
	if rest, ok := bytes.CutPrefix(line, []byte("haproxy[")); ok { // without a syslog header
		if _, behind, ok := bytes.Cut(rest, []byte("]: ")); ok {
			line = behind
		}
	}
	n, rest, _ := cutSpaced(line, fields)
	switch {
	case n < haServer:
		return nil, text.Flaw{Why: "cut short: not an address with a port, [accept date], frontend and server"}
	case !isAddressPort(fields[haClient]) && !bytes.HasPrefix(fields[haClient], []byte("unix:")):
		return nil, text.Flaw{Why: "field 1 is not address:port", Text: fields[haClient]}
	case len(fields[haTime]) < 24 || fields[haTime][2] != '/' || fields[haTime][20] != '.':
		return nil, text.Flaw{Why: "field 2 is no [accept date] with milliseconds", Text: fields[haTime]}
	case n > haTimers && !isParts(fields[haTimers], timers):
		return nil, text.Flaw{Why: "field 5 has not the timers of this log", Text: fields[haTimers]}
	case n < len(fields):
		return nil, text.Flaw{Why: "cut short: no connections and queues behind the state"}
	}
	return rest, text.Flaw{}
}

func cutHAProxyHTTP(line []byte, p [][]byte) text.Flaw {
	clear(p)
	var fields [12][]byte
	rest, f := cutHAProxy(line, fields[:], 5)
	switch {
	case f.Bad():
		return f
	case !isStatus(fields[haStatus]):
		return text.Flaw{Why: "field 6 is no status", Text: fields[haStatus]}
	}
	if len(rest) > 0 && rest[0] == '{' { // captured headers, which may hold anything
		p[haCaptured], rest, _ = bytes.Cut(rest[1:], []byte(`} "`))
		request, _, _ := bytes.Cut(p[haCaptured], []byte("}"))
		with := 0
		for header := range bytes.SplitSeq(request, []byte("|")) {
			if hasIP(forwarded.Clean(header)) {
				with, p[haForwarded] = with+1, header
			}
		}
		if with != 1 {
			p[haForwarded] = nil
		}
	} else {
		rest = bytes.TrimPrefix(rest, []byte(`"`))
	}
	request, behind := quoted(rest)
	if behind == nil {
		return text.Flaw{Why: "cut short: no closed request"}
	}
	copy(p[:haState], fields[:7])
	p[haState], p[haConnections], p[haQueues], p[haRequest] = fields[9], fields[10], fields[11], request
	return text.Flaw{}
}

func cutHAProxyTCP(line []byte, p [][]byte) text.Flaw {
	clear(p)
	var fields [9][]byte
	if _, f := cutHAProxy(line, fields[:], 3); f.Bad() {
		return f
	}
	copy(p, fields[:len(p)])
	return text.Flaw{}
}
