package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/text"
)

var squidFormat = Format{
	Name:   "squid",
	By:     "Squid by default",
	Shows:  "seconds since 1970, ms, an address, a result code with a status, a size, a method and a URL",
	Time:   "time, when Squid wrote the line, - elapsed (ms)",
	Key:    "client",
	Source: "https://wiki.squid-cache.org/Features/LogFormat",
	columns: []column{
		{"time", "timestamp", plain}, {"elapsed", "duration", plain}, {"client", "client_ip remote_addr ip", address}, {"result", "", plain}, {"bytes", "size", plain},
		{"method", "", plain}, {"url", "path uri", plain}, {"user", "remote_user", plain}, {"status", "", plain},
	},
	arrivals: []arrival{{stamp: "time", notation: "epoch-s", minus: []span{{field: "elapsed", unit: "ms"}}}},
	keys:     []string{"client"},
	cut:      cutSquid,
}

var flawSquid = text.Flaw{Why: "no line of Squid: seconds, ms, address, CODE/status, size, method and URL"}

// cutSquid cuts a line into columns. Spaces pad the second one.
func cutSquid(line []byte, p [][]byte) text.Flaw {
	clear(p)
	i := bytes.IndexByte(line, ' ')
	if i < 0 {
		return flawSquid
	}
	p[0] = line[:i:i]
	n, _, ok := cutSpaced(bytes.TrimLeft(line[i:], " "), p[1:8])
	seconds, ms, _ := bytes.Cut(p[0], []byte("."))
	_, status, _ := bytes.Cut(p[3], []byte("/"))
	if !ok || n < 7 || !isWhole(seconds) || !isWhole(ms) || !isWhole(bytes.TrimPrefix(p[1], []byte("-"))) || !hasIP(p[2]) || !isStatus(status) {
		return flawSquid
	}
	p[8] = status
	return text.Flaw{}
}
