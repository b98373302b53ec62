package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/jsontext"
)

// lineFields lists the fields in which collectors keep a line as it was written:
// Filebeat and CloudWatch, Fluent Bit, journald, Google Cloud, GELF, Loki, Elasticsearch.
var lineFields = []string{"message", "log", "MESSAGE", "textPayload", "short_message", "line", "_source.message", "event.original"}

// stampFields lists the fields that hold a collector's time.
var stampFields = []string{"@timestamp", "timestamp", "time", "date", "__REALTIME_TIMESTAMP", "_source.@timestamp"}

// fieldWrappers are JSON objects with a line in one field. The record is read by
// itself if no format reads the line.
var fieldWrappers = lists.Map(lineFields, func(field string) *wrapper {
	return &wrapper{name: "JSON field " + field, object: true, peel: func(line []byte, _ *[]byte) (p peeled, ok bool) {
		if line = jsontext.TrimSpace(line); len(line) == 0 || line[0] != '{' || !jsontext.Valid(line) {
			return p, false
		}
		text := jsontext.At(line, field)
		if len(text) == 0 || text[0] != '"' {
			return p, false
		}
		p.inner = bytes.TrimRight(jsontext.Unquote(text), "\r\n")
		for _, name := range stampFields {
			if p.stamp, _ = jsontext.Scalar(jsontext.At(line, name)); p.stamp != nil {
				break
			}
		}
		return p, true
	}}
})
