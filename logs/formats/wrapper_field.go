package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/internal/lists"
	"github.com/limitgauge/limitgauge/logs/jsontext"
)

// lineFields lists the fields in which collectors keep a line as it was written:
// Filebeat and CloudWatch, CloudWatch Logs Insights, Fluent Bit, journald, Google
// Cloud, GELF, Loki, Elasticsearch, Splunk, kcat, Azure App Service. Columns of CSV have these names in any case.
var lineFields = []string{"message", "@message", "log", "MESSAGE", "textPayload", "short_message", "line", "_source.message", "event.original", "_raw", "result._raw", "payload", "properties"}

// stampFields lists the fields that hold a collector's time.
var stampFields = []string{"@timestamp", "timestamp", "time", "date", "__REALTIME_TIMESTAMP", "_source.@timestamp", "_time", "result._time", "ts"}

// fieldWrappers are JSON objects with a line in one field. The record is read by
// itself if no format reads the line.
var fieldWrappers = lists.Map(lineFields, func(field string) *wrapper {
	return &wrapper{name: "JSON field " + field, record: "json", peel: func(line []byte, _ *[]byte) (p peeled, ok bool) {
		if line = jsontext.TrimSpace(line); len(line) == 0 || line[0] != '{' || !jsontext.Valid(line) {
			return p, false
		}
		text := jsontext.At(line, field)
		if len(text) == 0 || text[0] != '"' {
			return p, false
		}
		return lineIn(jsontext.Unquote(text), func(name string) []byte {
			stamp, _ := jsontext.Scalar(jsontext.At(line, name))
			return stamp
		}), true
	}}
})

// columnWrapper returns the same of a CSV file whose header, the first line of a
// sample, names such a column, or nil.
func columnWrapper(s *sample) *wrapper {
	header := s.Line(1).Text
	names, _ := headerColumns(header)
	number := map[string]int{}
	for i, own := range names {
		if _, twice := number[own]; twice || !isName([]byte(own)) {
			return nil
		}
		number[own] = i
	}
	find := known{names: names}.find
	for _, field := range lineFields {
		own, ok := find(field)
		if !ok || len(names) < 2 {
			continue
		}
		c, at := csvRecord{delimiter: delimiterOf(header)}, number[own]
		return &wrapper{name: "CSV column " + own, record: "csv", peel: func(line []byte, scratch *[]byte) (peeled, bool) {
			if bytes.Equal(line, header) || line[0] == '"' && (len(line) == 1 || line[1] == c.delimiter) {
				return peeled{}, true // no record, or the end of one with a line break
			}
			if c.split(line) == csvOpen { // the line ends inside quotes
				*scratch = append(append((*scratch)[:0], line...), '"')
				c.split(*scratch)
			} else if len(c.fields) < len(names) {
				return peeled{}, false
			}
			if at >= len(c.fields) {
				return peeled{}, false
			}
			return lineIn(c.fields[at], func(name string) []byte {
				if own, ok := find(name); ok && number[own] < len(c.fields) {
					return c.fields[number[own]]
				}
				return nil
			}), true
		}}
	}
	return nil
}

// lineIn returns the line that a field holds, with the time in the fields beside it.
func lineIn(text []byte, at func(field string) []byte) (p peeled) {
	p.inner = bytes.TrimRight(text, "\r\n")
	for _, name := range stampFields {
		if p.stamp = at(name); Present(p.stamp) {
			break
		}
	}
	return p
}
