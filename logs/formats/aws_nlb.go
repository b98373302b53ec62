package formats

import "github.com/limitgauge/limitgauge/logs/text"

// Columns of the access log of a Network Load Balancer.
const (
	nlbType       = 0
	nlbTime       = 2
	nlbClient     = 5
	nlbConnection = 7
	nlbDomain     = 16
)

var nlbFormat = Format{
	Name:   "aws-nlb",
	By:     "AWS Network Load Balancer, for TLS listeners",
	Shows:  "tls, a version, a time, and an address with a port in field 6",
	Time:   "time, which is the end of the connection, - connection_time (ms)",
	Key:    "client, without its port",
	Source: "https://docs.aws.amazon.com/elasticloadbalancing/latest/network/load-balancer-access-logs.html",
	columns: []column{
		{"type", "", plain}, {"version", "", plain}, {"time", "timestamp", plain}, {"elb", "", plain}, {"listener", "", plain},
		{"client", "client_ip client_port remote_addr ip", addressPort}, {"destination", "", plain},
		{"connection_time", "", plain}, {"tls_handshake_time", "", plain}, {"received_bytes", "", plain}, {"sent_bytes", "bytes", plain},
		{"incoming_tls_alert", "", plain}, {"chosen_cert_arn", "", plain}, {"chosen_cert_serial", "", plain},
		{"tls_cipher", "", plain}, {"tls_protocol_version", "", plain}, {"tls_named_group", "", plain}, {"domain_name", "host", plain},
	},
	arrivals: []arrival{{stamp: "time", zone: "UTC", minus: []span{{"connection_time", "ms", "-"}}}},
	keys:     []string{"client"},
	cut:      cutNLB,
}

func cutNLB(line []byte, p [][]byte) text.Flaw {
	n, _, ok := cutSpaced(line, p)
	switch {
	case n > nlbType && string(p[nlbType]) != "tls":
		return text.Flaw{Why: "field 1 is not tls", Text: p[nlbType]}
	case n > nlbTime && !isDate(p[nlbTime]):
		return text.Flaw{Why: "field 3 is not an ISO time", Text: p[nlbTime]}
	case n > nlbClient && !isAddressPort(p[nlbClient]):
		return text.Flaw{Why: "field 6 is not address:port", Text: p[nlbClient]}
	case n > nlbConnection && !isAddressPort(p[nlbClient+1]):
		return text.Flaw{Why: "field 7 is not address:port", Text: p[nlbClient+1]}
	case n > nlbConnection && !isWhole(p[nlbConnection]) && Present(p[nlbConnection]):
		return text.Flaw{Why: "field 8 is no number of ms", Text: p[nlbConnection]}
	case !ok || n < nlbDomain:
		return text.Flaw{Why: "cut short: fewer than 16 fields"}
	}
	return text.Flaw{}
}
