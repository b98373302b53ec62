package formats

var googleLBFormat = Format{
	Name:   "google-lb",
	By:     "Google Cloud load balancers, exported from Cloud Logging",
	Shows:  "timestamp and httpRequest.remoteIp, on lines or in an array",
	Time:   "timestamp, when the load balancer received the request",
	Key:    "httpRequest.remoteIp",
	Source: "https://cloud.google.com/load-balancing/docs/https/https-logging-monitoring",
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
