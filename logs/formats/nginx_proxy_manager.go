package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Columns of nginx proxy manager.
const (
	npmTime = iota
	npmStatus
	npmMethod
	npmScheme
	npmHost
	npmURI
	npmClient
	npmLength
)

var npmFormat = Format{
	Name:   "nginx-proxy-manager",
	By:     "nginx proxy manager",
	Shows:  "`[time]` first, and `[Client ...]`",
	Time:   "`[time]`",
	Key:    "Client",
	Source: "https://github.com/NginxProxyManager/nginx-proxy-manager/blob/develop/docker/rootfs/etc/nginx/conf.d/include/log-proxy.conf",
	columns: []column{
		{"time_local", "time timestamp", plain}, {"status", "", plain}, {"method", "request_method", plain}, {"scheme", "", plain}, {"host", "", plain},
		{"request_uri", "target uri path", plain}, {"client", "remote_addr client_ip ip", address}, {"length", "bytes body_bytes_sent", plain},
	},
	arrivals: []arrival{{stamp: "time_local"}},
	keys:     []string{"client"},
	cut:      cutNPM,
}

// cutNPM cuts
//
//	[time] cache upstream_status status - method scheme host "uri" [Client ip] [Length n] ...
//
// and the shorter line without a cache and an upstream.
func cutNPM(line []byte, p [][]byte) text.Flaw {
	clear(p)
	if len(line) < 22 || line[0] != '[' || line[3] != '/' {
		return text.Flaw{Why: "the line does not begin with [time]"}
	}
	begin := bytes.Index(line, []byte(` "`))
	if begin < 0 {
		return text.Flaw{Why: "cut short: no quoted uri"}
	}
	var fields [9][]byte
	n, _, _ := cutSpaced(line[:begin], fields[:])
	if n != 6 && n != 8 || string(fields[n-4]) != "-" || !isStatus(fields[n-5]) {
		return text.Flaw{Why: "not [time], status, -, method, scheme and host before the uri"}
	}
	uri, rest := quoted(line[begin+2:])
	client, ok := bytes.CutPrefix(rest, []byte(" [Client "))
	end := bytes.IndexByte(client, ']')
	switch {
	case !ok || end < 0:
		return text.Flaw{Why: "no [Client address] behind the uri"}
	case !IsIP(client[:end]):
		return text.Flaw{Why: "Client is no address", Text: client[:end]}
	}
	p[npmTime], p[npmStatus], p[npmURI], p[npmClient] = fields[0], fields[n-5], uri, client[:end:end]
	copy(p[npmMethod:npmURI], fields[n-3:n])
	length, ok := bytes.CutPrefix(client[end+1:], []byte(" [Length "))
	if end = bytes.IndexByte(length, ']'); !ok || end < 0 {
		return text.Flaw{Why: "cut short: no [Length bytes] behind the client"}
	}
	p[npmLength] = length[:end:end]
	return text.Flaw{}
}
