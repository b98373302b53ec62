package formats

var cloudflareFormat = Format{
	Name:   "cloudflare",
	By:     "Cloudflare Logpush, for HTTP requests",
	Shows:  "EdgeStartTimestamp and ClientIP",
	Time:   "EdgeStartTimestamp: RFC 3339, or seconds or nanoseconds since 1970",
	Key:    "ClientIP",
	Source: "https://developers.cloudflare.com/logs/logpush/logpush-job/datasets/zone/http_requests/",
	columns: []column{
		{"ClientIP", "remote_addr client_ip ip", address},
		{"EdgeResponseStatus", "status", plain},
		{"ClientRequestMethod", "method", plain},
		{"ClientRequestPath", "path", plain},
		{"ClientRequestURI", "uri", plain},
		{"ClientRequestUserAgent", "user_agent", plain},
		{"EdgeResponseBytes", "bytes", plain},
	},
	arrivals: []arrival{{stamp: "EdgeStartTimestamp"}},
	keys:     []string{"ClientIP"},
	needs:    []string{"EdgeStartTimestamp", "ClientIP"},
}
