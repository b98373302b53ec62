package formats

import (
	"bytes"
	"strconv"
	"strings"
)

var cloudFrontFormat = Format{
	Name:   "aws-cloudfront",
	By:     "AWS CloudFront standard logging",
	Shows:  "a line `#Fields:` with x-edge-location",
	Time:   "date and time, UTC, when CloudFront finished responding; stamps are whole seconds, so time-taken is not subtracted",
	Key:    "c-ip",
	Source: "https://docs.aws.amazon.com/AmazonCloudFront/latest/DeveloperGuide/standard-logs-reference.html",
	open:   func(in *Input) (Splitter, error) { return openW3C(in, "x-edge-location") },
}

// cloudFrontFields are the fields of records in a file whose header was cut off.
var cloudFrontFields = strings.Fields("date time x-edge-location sc-bytes c-ip cs-method cs(Host) cs-uri-stem sc-status cs(Referer) cs(User-Agent) " +
	"cs-uri-query cs(Cookie) x-edge-result-type x-edge-request-id x-host-header cs-protocol cs-bytes time-taken x-forwarded-for")

// headless returns the fields of a record without a header, nil if it is not
// CloudFront's.
func (s *w3cSplitter) headless(line []byte) []string {
	s.cut(line)
	r := s.record
	if len(r) < 14 || bytes.IndexByte(line, '\t') < 0 || len(r[0]) != len("2006-01-02") || len(r[2]) < 4 || !isWhole(r[2][3:4]) || !IsIP(r[4]) || !isStatus(r[8]) {
		return nil
	}
	names := cloudFrontFields[:min(len(r), len(cloudFrontFields)):min(len(r), len(cloudFrontFields))]
	for i := len(names); i < len(r); i++ {
		names = append(names, strconv.Itoa(i+1))
	}
	return names
}
