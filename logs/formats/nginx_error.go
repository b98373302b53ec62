package formats

import "github.com/limitgauge/limitgauge/logs/text"

var nginxErrorFormat = Format{
	Name:   "nginx-error",
	By:     "nginx in its error log, for the requests that limit_req refuses and no others",
	Shows:  "a time, `[error]`, `limiting requests`, a zone and `client:`",
	Time:   "the time of the line, without a zone",
	Key:    "client",
	Source: "https://nginx.org/en/docs/http/ngx_http_limit_req_module.html#limit_req_log_level",
	columns: []column{
		{"time", "timestamp", plain}, {"level", "", plain}, {"excess", "", plain}, {"zone", "", plain},
		{"client", "remote_addr client_ip ip", address}, {"server", "host", plain}, {"request", "", plain},
	},
	request:  "request",
	arrivals: []arrival{{stamp: "time"}},
	keys:     []string{"client"},
	cut:      cutNginxError,
}

// cutNginxError cuts
//
//	time [level] 7#7: *1 limiting requests, excess: 5.428 by zone "zone", client: address, server: name, request: "GET / HTTP/1.1", ...
func cutNginxError(line []byte, p [][]byte) text.Flaw {
	var f [8][]byte
	if !cutAt(line, f[:], " [", "] ", " limiting requests, excess: ", ` by zone "`, `", client: `, ", server: ", `, request: "`, `"`) || len(f[0]) != len("2006/01/02 15:04:05") || !hasIP(f[5]) {
		return text.Flaw{Why: "no line of limit_req: time, [level], limiting requests, excess, zone, client, server and request"}
	}
	p[0], p[1] = f[0], f[1]
	copy(p[2:], f[3:])
	return text.Flaw{}
}
