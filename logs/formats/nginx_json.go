package formats

var nginxJSONFormat = Format{
	Name:   "nginx-json",
	By:     "nginx, with a log_format in JSON whose fields have the names of its variables",
	Shows:  "remote_addr and one of msec, time_iso8601 and time_local",
	Time:   "msec, else time_iso8601, else time_local",
	Key:    "remote_addr",
	Source: "https://nginx.org/en/docs/http/ngx_http_log_module.html#log_format",
	columns: []column{
		{"remote_addr", "client_ip ip", address},
		{"http_x_forwarded_for", "x_forwarded_for xff", forwarded},
		{"http_user_agent", "user_agent", plain},
		{"request_method", "method", plain},
		{"request_uri", "path uri", plain},
		{"body_bytes_sent", "bytes", plain},
	},
	arrivals: []arrival{{stamp: "msec", notation: "s"}, {stamp: "time_iso8601"}, {stamp: "time_local"}},
	keys:     []string{"remote_addr"},
	needs:    []string{"remote_addr"},
}
