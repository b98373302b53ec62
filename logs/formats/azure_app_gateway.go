package formats

var appGatewayFormat = Format{
	Name:   "azure-app-gateway",
	By:     "Azure Application Gateway, as a diagnostic log",
	Shows:  "properties.clientIP, on lines or in the array records",
	Time:   "timeStamp, else time",
	Key:    "properties.clientIP",
	Source: "https://learn.microsoft.com/en-us/azure/application-gateway/monitor-application-gateway-reference#access-log-category",
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
