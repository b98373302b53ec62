package formats

var traefikFormat = Format{
	Name:   "traefik-json",
	By:     "Traefik, with the access log in JSON",
	Shows:  "StartUTC and ClientHost",
	Time:   "StartUTC",
	Key:    "ClientHost",
	Source: "https://doc.traefik.io/traefik/observability/access-logs/",
	columns: []column{
		{"ClientHost", "remote_addr client_ip ip", address},
		{"ClientAddr", "", addressPort},
		{"DownstreamStatus", "status", plain},
		{"RequestMethod", "method", plain},
		{"RequestPath", "path uri", plain},
		{"request_User-Agent", "user_agent", plain},
		{"DownstreamContentSize", "bytes", plain},
	},
	arrivals: []arrival{{stamp: "StartUTC"}},
	keys:     []string{"ClientHost"},
	needs:    []string{"StartUTC", "ClientHost"},
}
