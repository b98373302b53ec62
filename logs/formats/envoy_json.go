package formats

var envoyJSONFormat = Format{
	Name:   "envoy-json",
	By:     "Envoy, with a json_format whose fields have the names of its operators",
	Shows:  "start_time and response_code",
	Time:   "start_time",
	Key:    "x_forwarded_for, also with dashes, else downstream_remote_address without its port",
	Source: "https://www.envoyproxy.io/docs/envoy/latest/configuration/observability/access_log/usage#format-dictionaries",
	columns: []column{
		{"x_forwarded_for", "xff", forwarded},
		{"x-forwarded-for", "", forwarded},
		{"downstream_remote_address", "remote_addr client_ip ip", addressPort},
		{"response_code", "status", plain},
		{"authority", "host", plain},
		{"bytes_sent", "bytes", plain},
	},
	arrivals: []arrival{{stamp: "start_time"}},
	keys:     []string{"x_forwarded_for", "x-forwarded-for", "downstream_remote_address"},
	needs:    []string{"start_time", "response_code"},
}
