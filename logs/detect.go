package logs

import (
	"bytes"
	"slices"
	"strings"
)

// sampleSize is the number of bytes at the start of a file that decide its
// format.
const sampleSize = 1 << 20

// detect returns the name of the format of the file that lines has just been
// opened on, or "" if the file is empty. A file whose format cannot be detected
// is read in the format of the previous file.
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

// guess detects the format by a file's beginning, or returns "". A header line
// with a time column is CSV. Otherwise it uses the first line that matches a
// format, because a log may start with a fragment of a line.
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
		i := slices.IndexFunc(registry, func(f *format) bool { return f.matches != nil && f.matches(trimCR(line)) })
		switch {
		case i < 0:
		case registry[i].name == found || found != "" && registry[i].refines != found:
		case slices.ContainsFunc(registry, func(f *format) bool { return f.refines == registry[i].name }):
			found = registry[i].name // a later line may show the format that refines it
		default:
			return registry[i].name
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

// looksLikeHeader reports whether a line names CSV columns, one of which holds
// the time.
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

// stampField returns the field that the options name for the time stamp, or "".
func (o *Options) stampField() string {
	if o.Time != "" {
		return o.Time
	}
	return o.End
}
