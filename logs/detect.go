package logs

import (
	"bytes"
	"slices"
	"strings"
)

// sampleSize is how much of a file's beginning decides its format, in bytes.
const sampleSize = 1 << 20

// detect names the format of the file that lines has just been opened on; ""
// is an empty file. A file that does not show its format has the one of the
// file before it.
func (b *builder) detect(lines *lineReader) (string, error) {
	o := b.o
	switch {
	case o.format() != "auto":
		return o.Format, nil
	case o.Pattern != "":
		return "regex", nil
	case o.Records != "":
		return "json", nil
	}
	sample, whole := lines.peek(sampleSize)
	if len(bytes.TrimSpace(sample)) == 0 && whole {
		return "", lines.err
	}
	if f := guess(o, sample, whole); f != "" {
		return f, nil
	}
	if b.format != "" {
		return b.format, nil
	}
	return "", &Error{Reason: BadInput, File: o.Files[b.file],
		Message: "cannot tell the format by its first lines: name it, and the field that holds the time"}
}

// guess looks at a file's beginning: a header line with a time column is CSV;
// otherwise the first lines that can be read decide, because logs may start
// with fragments.
func guess(o *Options, sample []byte, whole bool) string {
	rest := bytes.TrimLeft(sample, "\r\n")
	first, _, _ := bytes.Cut(rest, []byte("\n"))
	if looksLikeHeader(o, trimCR(first)) {
		return "csv"
	}
	found := ""
	for len(rest) > 0 {
		line, after, cut := bytes.Cut(rest, []byte("\n"))
		if !cut && !whole && len(after) == 0 && len(line) < len(sample) {
			break // the sample ends inside this line
		}
		rest = after
		line = trimCR(line)
		var parts clfLine
		if !parts.split(line, true).bad() {
			if parts[colReferer] != nil {
				return "combined"
			}
			found = "common" // unless a later line has a referer too
			continue
		}
		if t := bytes.TrimSpace(line); found == "" && len(t) > 0 && t[0] == '{' && validJSON(t) {
			return "json"
		}
	}
	if found != "" {
		return found
	}
	if t := bytes.TrimSpace(sample); len(t) > 0 && (t[0] == '{' || t[0] == '[') {
		return "json"
	}
	if numbered(o) && bytes.ContainsAny(first, csvDelimiters) {
		return "csv"
	}
	return ""
}

// looksLikeHeader reports whether a line names CSV columns of which one is the
// time.
func looksLikeHeader(o *Options, line []byte) bool {
	if len(line) > 64<<10 {
		return false
	}
	columns, ok := headerColumns(line)
	if !ok {
		return false
	}
	if stamp := o.stampField(); stamp != "" {
		return slices.Contains(columns, stamp)
	}
	for _, c := range columns {
		if slices.Contains(timeNames, strings.ToLower(c)) || slices.Contains(endNames, strings.ToLower(c)) {
			return true
		}
	}
	return false
}

// stampField is the field that the options name for the stamp, or "".
func (o *Options) stampField() string {
	if o.Time != "" {
		return o.Time
	}
	return o.End
}
