package formats

var albFormat = Format{
	Name:   "aws-alb",
	By:     "AWS Application Load Balancer",
	Shows:  "a type such as https or h2, an ISO time, and an address with a port in field 4",
	Time:   "request_creation_time, else time - request_processing_time - target_processing_time - response_processing_time",
	Key:    "client, without its port",
	Source: "https://docs.aws.amazon.com/elasticloadbalancing/latest/application/load-balancer-access-logs.html",
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
	cut: spaced(14, "cut short: no closed request and user agent",
		shape{0, isALBType, "field 1 is no type of a request, such as https"},
		shape{1, isoStamp, "field 2 is not an ISO time"},
		shape{3, isAddressPort, "field 4 is not address:port"},
		shape{4, mayBeAddressPort, "field 5 is not address:port"},
		shape{8, isStatus, "field 9 is no status"}),
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

// mayBeAddressPort reports whether text is an address with a port, or is absent.
func mayBeAddressPort(text []byte) bool { return !Present(text) || isAddressPort(text) }
