package formats

import "github.com/limitgauge/limitgauge/logs/text"

// Columns of the access log of a Classic Load Balancer.
const (
	elbTime    = 0
	elbClient  = 2
	elbStatus  = 7
	elbRequest = 11
)

// elbFormat takes the time as it is: AWS documents it as the time at which the load
// balancer received the request, unlike the time of the newer load balancers.
var elbFormat = Format{
	Name:   "aws-elb",
	by:     "AWS Classic Load Balancer",
	shows:  "an ISO time, and an address with a port in field 3",
	time:   "time, which is when the load balancer received the request",
	key:    "client, without its port",
	source: "https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html",
	columns: []column{
		{"time", "timestamp", plain}, {"elb", "", plain}, {"client", "client_ip client_port remote_addr ip", addressPort}, {"backend", "", plain},
		{"request_processing_time", "", plain}, {"backend_processing_time", "", plain}, {"response_processing_time", "", plain},
		{"elb_status_code", "status", plain}, {"backend_status_code", "", plain},
		{"received_bytes", "", plain}, {"sent_bytes", "bytes", plain},
		{"request", "", plain}, {"user_agent", "", plain}, {"ssl_cipher", "", plain}, {"ssl_protocol", "", plain},
	},
	request:  "request",
	arrivals: []arrival{{stamp: "time"}},
	keys:     []string{"client"},
	cut:      cutELB,
}

func cutELB(line []byte, p [][]byte) text.Flaw {
	n, _, ok := cutSpaced(line, p)
	switch {
	case n > elbTime && !isDate(p[elbTime]):
		return text.Flaw{Why: "field 1 is not an ISO time", Text: p[elbTime]}
	case n > elbClient && !isAddressPort(p[elbClient]):
		return text.Flaw{Why: "field 3 is not address:port", Text: p[elbClient]}
	case n > elbClient+1 && Present(p[elbClient+1]) && !isAddressPort(p[elbClient+1]):
		return text.Flaw{Why: "field 4 is not address:port", Text: p[elbClient+1]}
	case n > elbStatus && !isStatus(p[elbStatus]):
		return text.Flaw{Why: "field 8 is no status", Text: p[elbStatus]}
	case !ok || n <= elbRequest:
		return text.Flaw{Why: "cut short: no closed request"}
	}
	return text.Flaw{}
}
