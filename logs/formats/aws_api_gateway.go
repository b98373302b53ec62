package formats

var apiGatewayFormat = Format{
	Name:   "aws-api-gateway",
	By:     "AWS API Gateway, with the JSON format that its console offers",
	Shows:  "requestId, httpMethod and ip",
	Time:   "requestTimeEpoch (ms), else requestTime",
	Key:    "ip",
	Source: "https://docs.aws.amazon.com/apigateway/latest/developerguide/set-up-logging.html",
	columns: []column{
		{"ip", "remote_addr client_ip sourceIp", address},
		{"httpMethod", "method", plain},
		{"resourcePath", "path", plain},
		{"responseLength", "bytes", plain},
	},
	arrivals: []arrival{{stamp: "requestTimeEpoch", notation: "ms"}, {stamp: "requestTime"}},
	keys:     []string{"ip"},
	needs:    []string{"requestId", "httpMethod", "ip"},
}
