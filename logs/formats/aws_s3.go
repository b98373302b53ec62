package formats

import (
	"bytes"
)

var s3Format = Format{
	Name:   "aws-s3",
	By:     "AWS S3 server access logging",
	Shows:  "the bucket owner, 64 hex digits, a bucket and `[time]`",
	Time:   "`[time]`, when S3 received the request",
	Key:    "remote_ip",
	Source: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html",
	columns: []column{
		{"bucket_owner", "", plain}, {"bucket", "", plain}, {"time", "timestamp time_local", plain}, {"remote_ip", "remote_addr client_ip ip", address},
		{"requester", "user remote_user", plain}, {"request_id", "", plain}, {"operation", "", plain}, {"key", "", plain},
		{"request_uri", "request", plain}, {"http_status", "status", plain}, {"error_code", "", plain}, {"bytes_sent", "bytes", plain},
		{"object_size", "", plain}, {"total_time", "", plain}, {"turn_around_time", "", plain}, {"referer", "", plain}, {"user_agent", "", plain},
	},
	request:  "request_uri",
	arrivals: []arrival{{stamp: "time"}},
	keys:     []string{"remote_ip"},
	cut: spaced(10, "cut short: no closed request and status",
		shape{0, isOwner, "field 1 is no bucket owner of 64 hex digits"},
		shape{2, func(time []byte) bool { return bytes.IndexByte(time, ':') >= 0 }, "field 3 is no [time]"},
		shape{3, func(ip []byte) bool { return IsIP(ip) || !Present(ip) }, "field 4 is no address"},
		shape{9, isStatus, "field 10 is no status"}),
}

func isOwner(text []byte) bool {
	return len(text) == 64 && len(bytes.Trim(text, "0123456789abcdef")) == 0
}
