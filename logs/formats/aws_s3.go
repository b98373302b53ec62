package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Columns of a server access log of S3.
const (
	s3Owner  = 0
	s3Time   = 2
	s3IP     = 3
	s3Status = 9
)

var s3Format = Format{
	Name:   "aws-s3",
	by:     "AWS S3 server access logging",
	shows:  "the bucket owner, 64 hex digits, a bucket and `[time]`",
	time:   "`[time]`, when S3 received the request",
	key:    "remote_ip",
	source: "https://docs.aws.amazon.com/AmazonS3/latest/userguide/LogFormat.html",
	columns: []column{
		{"bucket_owner", "", plain}, {"bucket", "", plain}, {"time", "timestamp time_local", plain}, {"remote_ip", "remote_addr client_ip ip", address},
		{"requester", "user remote_user", plain}, {"request_id", "", plain}, {"operation", "", plain}, {"key", "", plain},
		{"request_uri", "request", plain}, {"http_status", "status", plain}, {"error_code", "", plain}, {"bytes_sent", "bytes", plain},
		{"object_size", "", plain}, {"total_time", "", plain}, {"turn_around_time", "", plain}, {"referer", "", plain}, {"user_agent", "", plain},
	},
	request:  "request_uri",
	arrivals: []arrival{{stamp: "time"}},
	keys:     []string{"remote_ip"},
	cut:      cutS3,
}

func cutS3(line []byte, p [][]byte) text.Flaw {
	n, _, ok := cutSpaced(line, p)
	switch {
	case n > s3Owner && !isOwner(p[s3Owner]):
		return text.Flaw{Why: "field 1 is no bucket owner of 64 hex digits", Text: p[s3Owner]}
	case n > s3Time && bytes.IndexByte(p[s3Time], ':') < 0:
		return text.Flaw{Why: "field 3 is no [time]", Text: p[s3Time]}
	case n > s3IP && !IsIP(p[s3IP]) && Present(p[s3IP]):
		return text.Flaw{Why: "field 4 is no address", Text: p[s3IP]}
	case n > s3Status && !isStatus(p[s3Status]):
		return text.Flaw{Why: "field 10 is no status", Text: p[s3Status]}
	case !ok || n <= s3Status:
		return text.Flaw{Why: "cut short: no closed request and status"}
	}
	return text.Flaw{}
}

func isOwner(text []byte) bool {
	for _, c := range text {
		if !('0' <= c && c <= '9' || 'a' <= c && c <= 'f') {
			return false
		}
	}
	return len(text) == 64
}
