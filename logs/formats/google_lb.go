package formats

var googleLBFormat = Format{
	Name:   "google-lb",
	by:     "Google Cloud load balancers, exported from Cloud Logging",
	shows:  "timestamp and httpRequest.remoteIp, on lines or in an array",
	time:   "timestamp, when the load balancer received the request",
	key:    "httpRequest.remoteIp",
	source: "https://cloud.google.com/load-balancing/docs/https/https-logging-monitoring",
	columns: []column{
		{"httpRequest.remoteIp", "remote_addr client_ip ip remoteIp", address},
		{"httpRequest.status", "status", plain},
		{"httpRequest.requestMethod", "method", plain},
		{"httpRequest.requestUrl", "path uri", plain},
		{"httpRequest.userAgent", "user_agent", plain},
		{"httpRequest.responseSize", "bytes", plain},
	},
	arrivals: []arrival{{stamp: "timestamp"}},
	keys:     []string{"httpRequest.remoteIp"},
	needs:    []string{"timestamp", "httpRequest.remoteIp"},
}
