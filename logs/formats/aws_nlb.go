package formats

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
	cut: spaced(16, "cut short: fewer than 16 fields",
		shape{0, func(kind []byte) bool { return string(kind) == "tls" }, "field 1 is not tls"},
		shape{2, isoStamp, "field 3 is not an ISO time"},
		shape{5, isAddressPort, "field 6 is not address:port"},
		shape{6, isAddressPort, "field 7 is not address:port"},
		shape{7, func(ms []byte) bool { return isWhole(ms) || !Present(ms) }, "field 8 is no number of ms"}),
}
