package formats

import "github.com/limitgauge/limitgauge/logs/text"

// Columns of Envoy's text format. Istio's has more fields before and behind the
// four numbers.
const (
	envoyStatus    = 2
	envoyReceived  = 4
	envoySent      = 5
	envoyDuration  = 6
	envoyForwarded = 8
	envoyHost      = 12
	envoyRemote    = 13
)

var envoyTextFormat = Format{
	Name:   "envoy-text",
	By:     "Envoy and Istio by default",
	Shows:  "`[time]` in ISO notation, a quoted request, a status and flags",
	Time:   "`[START_TIME]`",
	Key:    "X-FORWARDED-FOR, else DOWNSTREAM_REMOTE_ADDRESS where the line has it",
	Source: "https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#default-format-string",
	columns: []column{
		{"start_time", "time timestamp", plain}, {"request", "", plain}, {"response_code", "status", plain}, {"response_flags", "", plain},
		{"bytes_received", "", plain}, {"bytes_sent", "bytes", plain}, {"duration", "", plain}, {"upstream_service_time", "", plain},
		{"x_forwarded_for", "xff", forwarded}, {"user_agent", "", plain}, {"request_id", "", plain}, {"authority", "host", plain},
		{"upstream_host", "", plain}, {"downstream_remote_address", "remote_addr client_ip ip", addressPort},
	},
	request:  "request",
	arrivals: []arrival{{stamp: "start_time"}},
	keys:     []string{"x_forwarded_for", "downstream_remote_address"},
	cut:      cutEnvoy,
}

// cutEnvoy cuts
//
//	[time] "request" status flags bytes bytes duration upstream "xff" "agent" "id" "authority" "host"
//
// and Istio's line, which has one to three fields behind the flags, and five or six
// at its end, the fourth of which is the address of the caller.
func cutEnvoy(line []byte, p [][]byte) text.Flaw {
	clear(p)
	if len(line) < 21 || line[0] != '[' || !isoStamp(line[1:]) {
		return text.Flaw{Why: "the line does not begin with [time] in ISO notation"}
	}
	n, rest, _ := cutSpaced(line, p[:envoyReceived])
	switch {
	case n < envoyReceived:
		return text.Flaw{Why: "cut short: no closed request, status and flags behind the time"}
	case !isStatus(p[envoyStatus]) && string(p[envoyStatus]) != "0":
		return text.Flaw{Why: "no status behind the request", Text: p[envoyStatus]}
	}
	extra := 0
	var skipped [1][]byte
	for ; extra < 4; extra++ {
		var after []byte
		if n, after, _ = cutSpaced(rest, p[envoyReceived:envoyForwarded]); n == envoyForwarded-envoyReceived &&
			isWhole(p[envoyReceived]) && isWhole(p[envoySent]) && isWhole(p[envoyDuration]) && rest[0] != '"' {
			rest = after
			break
		}
		_, rest, _ = cutSpaced(rest, skipped[:])
	}
	if extra == 4 {
		return text.Flaw{Why: "cut short: no numbers of bytes and ms behind the flags"}
	}
	for i := envoyForwarded; i <= envoyHost; i++ {
		if len(rest) == 0 || rest[0] != '"' {
			return text.Flaw{Why: "cut short: not five quoted fields behind the numbers"}
		}
		var ok bool
		if _, rest, ok = cutSpaced(rest, p[i:i+1]); !ok {
			return text.Flaw{Why: "cut short: not five closed fields behind the numbers"}
		}
	}
	var last [7][]byte
	n, _, _ = cutSpaced(rest, last[:])
	switch {
	case extra == 0 && n > 0:
		return text.Flaw{Why: "more fields than Envoy writes", Text: rest}
	case extra > 0 && (n < 5 || n > 6):
		return text.Flaw{Why: "cut short: not the five or six fields that Istio writes at the end"}
	case extra > 0 && Present(last[3]) && !isAddressPort(last[3]):
		return text.Flaw{Why: "the address of the caller is no address:port", Text: last[3]}
	}
	p[envoyRemote] = last[3]
	return text.Flaw{}
}
