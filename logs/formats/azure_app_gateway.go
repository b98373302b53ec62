package formats

var appGatewayFormat = Format{
	Name:   "azure-app-gateway",
	by:     "Azure Application Gateway, as a diagnostic log",
	shows:  "properties.clientIP, on lines or in the array records",
	time:   "timeStamp, else time",
	key:    "properties.clientIP",
	source: "https://learn.microsoft.com/en-us/azure/application-gateway/monitor-application-gateway-reference#access-log-category",
	columns: []column{
		{"properties.clientIP", "remote_addr client_ip ip clientIP", address},
		{"properties.httpStatus", "status", plain},
		{"properties.httpMethod", "method", plain},
		{"properties.requestUri", "path uri", plain},
		{"properties.userAgent", "user_agent", plain},
		{"properties.sentBytes", "bytes", plain},
	},
	arrivals: []arrival{{stamp: "timeStamp"}, {stamp: "time"}},
	keys:     []string{"properties.clientIP"},
	needs:    []string{"properties.clientIP", "properties.httpMethod"},
}
