package formats

import "github.com/limitgauge/limitgauge/logs/text"

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
	var parts [4][]byte
	var f [9][]byte
	ok := len(line) > 22 && line[0] == '[' && line[3] == '/' && cutAt(line, parts[:], ` "`, `" [Client `, "] [Length ", "]")
	n, _, _ := cutSpaced(parts[0], f[:])
	if !ok || n != 6 && n != 8 || string(f[n-4]) != "-" || !isStatus(f[n-5]) || !IsIP(parts[2]) {
		return text.Flaw{Why: "no line of nginx proxy manager: [time], status, -, method, scheme, host, quoted uri, [Client address] and [Length bytes]"}
	}
	p[0], p[1] = f[0], f[n-5]
	copy(p[2:], f[n-3:n])
	copy(p[5:], parts[1:])
	return text.Flaw{}
}
