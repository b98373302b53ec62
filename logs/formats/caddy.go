package formats

var caddyFormat = Format{
	Name:   "caddy",
	By:     "Caddy",
	Shows:  "ts and an object request",
	Time:   "ts, when Caddy wrote the line",
	Key:    "request.client_ip, else request.remote_ip, else request.remote_addr without its port",
	Source: "https://caddyserver.com/docs/logging#structured-logs",
	columns: []column{
		{"request.client_ip", "client_ip ip", address},
		{"request.remote_ip", "remote_ip", address},
		{"request.remote_addr", "remote_addr", addressPort},
		{"request.method", "method", plain},
		{"request.uri", "path uri", plain},
		{"request.host", "host", plain},
		{"size", "bytes", plain},
	},
	arrivals: []arrival{{stamp: "ts"}},
	keys:     []string{"request.client_ip", "request.remote_ip", "request.remote_addr"},
	needs:    []string{"ts", "request.method"},
	kindOf:   "logger", // its own errors name the request too
	kindIs:   "http.log.access",
}
