package formats

// elbFormat takes the time as it is: AWS documents it as the time at which the load
// balancer received the request, unlike the time of the newer load balancers.
var elbFormat = Format{
	Name:   "aws-elb",
	By:     "AWS Classic Load Balancer",
	Shows:  "an ISO time, and an address with a port in field 3",
	Time:   "time, which is when the load balancer received the request",
	Key:    "client, without its port",
	Source: "https://docs.aws.amazon.com/elasticloadbalancing/latest/classic/access-log-collection.html",
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
	cut: spaced(12, "cut short: no closed request",
		shape{0, isoStamp, "field 1 is not an ISO time"},
		shape{2, isAddressPort, "field 3 is not address:port"},
		shape{3, mayBeAddressPort, "field 4 is not address:port"},
		shape{7, isStatus, "field 8 is no status"}),
}
