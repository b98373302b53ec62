package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/text"
)

var uwsgiFormat = Format{
	Name:   "uwsgi",
	By:     "uWSGI by default",
	Shows:  "`[pid: ...]`, an address, `[time]`, a request and `=> generated`",
	Time:   "`[time]`, when the request began",
	Key:    "the address",
	Source: "https://uwsgi-docs.readthedocs.io/en/latest/LogFormat.html",
	columns: []column{
		{"addr", "remote_addr client client_ip ip", addresses}, {"user", "remote_user", plain}, {"ctime", "time timestamp", plain},
		{"request", "", plain}, {"rsize", "bytes size", plain}, {"status", "", plain},
	},
	request:  "request",
	arrivals: []arrival{{stamp: "ctime"}},
	keys:     []string{"addr"},
	cut:      cutUWSGI,
}

// cutUWSGI cuts
//
//	[pid: 8|app: 0|req: 1/1] addr (user) {38 vars in 696 bytes} [ctime] method uri => generated rsize bytes in 12 msecs (protocol status) ...
func cutUWSGI(line []byte, p [][]byte) text.Flaw {
	var f [11][]byte
	if !cutAt(line, f[:], "[pid: ", "] ", " (", ") {", "} [", "] ", " => generated ", " bytes in ", " (", " ", ")") || len(f[0]) > 0 || !hasIP(forwarded.Clean(f[2])) || !isStatus(f[10]) {
		return text.Flaw{Why: "no line of uWSGI: [pid: ...], address, (user), {vars}, [time], request and => generated"}
	}
	p[0], p[1], p[2], p[3], p[4], p[5] = f[2], f[3], f[5], f[6], f[7], f[10]
	return text.Flaw{}
}

// cutAt cuts a line at marks into the texts before each. It reports whether the line has all
// marks, in this order.
func cutAt(line []byte, before [][]byte, marks ...string) (ok bool) {
	for i, mark := range marks {
		if before[i], line, ok = bytes.Cut(line, []byte(mark)); !ok {
			break
		}
	}
	return ok
}
