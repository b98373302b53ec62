package formats

var cloudTrailFormat = Format{
	Name:   "aws-cloudtrail",
	By:     "AWS CloudTrail",
	Shows:  "eventTime, eventSource and sourceIPAddress, one object on each line or in the array Records",
	Time:   "eventTime",
	Key:    "sourceIPAddress, which may be the name of an AWS service",
	Source: "https://docs.aws.amazon.com/awscloudtrail/latest/userguide/cloudtrail-event-reference-record-contents.html",
	columns: []column{
		{"sourceIPAddress", "remote_addr client_ip ip", address},
		{"userAgent", "user_agent", plain},
		{"errorCode", "status", plain},
	},
	arrivals: []arrival{{stamp: "eventTime"}},
	keys:     []string{"sourceIPAddress"},
	needs:    []string{"eventTime", "eventSource", "sourceIPAddress"},
}
