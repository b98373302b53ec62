package formats

var frontDoorFormat = Format{
	Name:   "azure-front-door",
	By:     "Azure Front Door, as a diagnostic log",
	Shows:  "time and properties.clientIp, on lines or in the array records",
	Time:   "time",
	Key:    "properties.clientIp",
	Source: "https://learn.microsoft.com/en-us/azure/frontdoor/monitor-front-door#access-log",
	columns: []column{
		{"properties.clientIp", "remote_addr client_ip ip clientIp", address},
		{"properties.httpStatusCode", "status", plain},
		{"properties.httpMethod", "method", plain},
		{"properties.requestUri", "path uri", plain},
		{"properties.hostName", "host", plain},
		{"properties.userAgent", "user_agent", plain},
		{"properties.responseBytes", "bytes", plain},
	},
	arrivals: []arrival{{stamp: "time"}},
	keys:     []string{"properties.clientIp"},
	needs:    []string{"time", "properties.clientIp"},
}
