package formats

var istioFormat = Format{
	Name:     "istio-json",
	By:       "Istio, with accessLogEncoding JSON",
	Shows:    "start_time, response_code and requested_server_name",
	Time:     "start_time",
	Key:      "x_forwarded_for, also with dashes, else downstream_remote_address without its port",
	Source:   "https://istio.io/latest/docs/tasks/observability/logs/access-log/",
	columns:  envoyJSONFormat.columns,
	arrivals: []arrival{{stamp: "start_time"}},
	keys:     envoyJSONFormat.keys,
	needs:    []string{"start_time", "response_code", "requested_server_name"},
}
