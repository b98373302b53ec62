package formats

var cloudTrailFormat = Format{
	Name:   "aws-cloudtrail",
	by:     "AWS CloudTrail",
	shows:  "eventTime, eventSource and sourceIPAddress, one object on each line or in the array Records",
	time:   "eventTime",
	key:    "sourceIPAddress, which may be the name of an AWS service",
	source: "https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-record-contents.html",
	columns: []column{
		{"sourceIPAddress", "remote_addr client_ip ip", address},
		{"userAgent", "user_agent", plain},
		{"errorCode", "status", plain},
	},
	arrivals: []arrival{{stamp: "eventTime"}},
	keys:     []string{"sourceIPAddress"},
	needs:    []string{"eventTime", "eventSource", "sourceIPAddress"},
}
