package formats

var caddyFormat = Format{
	Name:   "caddy",
	by:     "Caddy",
	shows:  "ts and an object request",
	time:   "ts, when Caddy wrote the line",
	key:    "request.client_ip, else request.remote_ip, else request.remote_addr without its port",
	source: "https://caddyserver.com/docs/logging#structured-logs",
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
