package formats

import "github.com/limitgauge/limitgauge/logs/text"

// Columns of the access log of an Application Load Balancer. Lines before 2018 end
// earlier.
const (
	albType   = 0
	albTime   = 1
	albClient = 3
	albTarget = 4
	albStatus = 8
	albAgent  = 13
)

var albFormat = Format{
	Name:   "aws-alb",
	by:     "AWS Application Load Balancer",
	shows:  "a type such as https or h2, an ISO time, and an address with a port in field 4",
	time:   "request_creation_time, else time - request_processing_time - target_processing_time - response_processing_time",
	key:    "client, without its port",
	source: "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html",
	columns: []column{
		{"type", "", plain}, {"time", "timestamp", plain}, {"elb", "", plain},
		{"client", "client_ip client_port remote_addr ip", addressPort}, {"target", "", plain},
		{"request_processing_time", "", plain}, {"target_processing_time", "", plain}, {"response_processing_time", "", plain},
		{"elb_status_code", "status", plain}, {"target_status_code", "", plain},
		{"received_bytes", "", plain}, {"sent_bytes", "bytes", plain},
		{"request", "", plain}, {"user_agent", "", plain}, {"ssl_cipher", "", plain}, {"ssl_protocol", "", plain},
		{"target_group_arn", "", plain}, {"trace_id", "", plain}, {"domain_name", "host", plain}, {"chosen_cert_arn", "", plain},
		{"matched_rule_priority", "", plain}, {"request_creation_time", "", plain},
	},
	request: "request",
	arrivals: []arrival{
		{stamp: "request_creation_time"},
		{stamp: "time", minus: []span{{"request_processing_time", "s", "-1"}, {"target_processing_time", "s", "-1"}, {"response_processing_time", "s", "-1"}}},
	},
	keys: []string{"client"},
	cut:  cutALB,
}

func cutALB(line []byte, p [][]byte) text.Flaw {
	n, _, ok := cutSpaced(line, p)
	switch {
	case n > albType && !isALBType(p[albType]):
		return text.Flaw{Why: "field 1 is no type of a request, such as https", Text: p[albType]}
	case n > albTime && !isDate(p[albTime]):
		return text.Flaw{Why: "field 2 is not an ISO time", Text: p[albTime]}
	case n > albClient && !isAddressPort(p[albClient]):
		return text.Flaw{Why: "field 4 is not address:port", Text: p[albClient]}
	case n > albTarget && Present(p[albTarget]) && !isAddressPort(p[albTarget]):
		return text.Flaw{Why: "field 5 is not address:port", Text: p[albTarget]}
	case n > albStatus && !isStatus(p[albStatus]):
		return text.Flaw{Why: "field 9 is no status", Text: p[albStatus]}
	case !ok || n <= albAgent:
		return text.Flaw{Why: "cut short: no closed request and user agent"}
	}
	return text.Flaw{}
}

func isALBType(text []byte) bool {
	switch string(text) {
	case "http", "https", "h2", "grpcs", "ws", "wss":
		return true
	}
	return false
}

// isAddressPort reports whether text is an address with a port.
func isAddressPort(text []byte) bool {
	return len(text) > 0 && text[len(text)-1] != ']' && len(addressPort.Clean(text)) < len(text) && IsIP(addressPort.Clean(text))
}
