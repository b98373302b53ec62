package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/text"
	"github.com/limitgauge/limitgauge/logs/times"
)

// syslogNewWrapper is the header of RFC 5424:
// <34>1 2003-10-11T22:14:15.003Z host app 1234 ID47 [a@1 b="c"] message.
var syslogNewWrapper = wrapper{name: "syslog (RFC 5424)", peel: peelSyslogNew}

func peelSyslogNew(line []byte, _ *[]byte) (p peeled, ok bool) {
	if n := text.Digits(line); n > 0 && n < len(line) && line[n] == ' ' {
		line = line[n+1:] // the length of RFC 6587
	}
	rest, ok := afterPriority(line)
	if !ok || len(rest) < 2 || text.Digits(rest) == 0 || text.Digits(rest) > 3 {
		return p, false
	}
	for i := range 6 { // version, time, host, app, process, message id
		end := bytes.IndexByte(rest, ' ')
		if end < 1 || i == 0 && end != text.Digits(rest) {
			return p, false
		}
		if i == 1 && string(rest[:end]) != "-" {
			if p.stamp = rest[:end:end]; !isoStamp(p.stamp) {
				return p, false
			}
		}
		rest = rest[end+1:]
	}
	if after, ok := afterElements(rest); ok {
		rest = after
	} else if len(rest) == 0 || rest[0] == '[' { // Heroku leaves the structured data out
		return p, false
	}
	rest = bytes.TrimPrefix(rest, []byte(" "))
	p.inner = bytes.TrimPrefix(rest, []byte("\xef\xbb\xbf"))
	return p, true
}

// afterElements returns what follows the structured data.
func afterElements(b []byte) (rest []byte, ok bool) {
	if len(b) > 0 && b[0] == '-' {
		return b[1:], len(b) == 1 || b[1] == ' '
	}
	for len(b) > 0 && b[0] == '[' {
		quotes := false
		i := 1
		for ; i < len(b) && (quotes || b[i] != ']'); i++ {
			switch {
			case b[i] == '\\' && quotes:
				i++
			case b[i] == '"':
				quotes = !quotes
			}
		}
		if i >= len(b) {
			return nil, false
		}
		b, ok = b[i+1:], true
	}
	return b, ok && (len(b) == 0 || b[0] == ' ')
}

// syslogWrapper is the header of RFC 3164, and the one with an ISO time that
// rsyslog and journalctl write to files:
// <34>Oct 11 22:14:15 host app[1234]: message. Any part but the time may be
// missing. The time has no year, so it is of no use as the time of a request.
var syslogWrapper = wrapper{name: "syslog (RFC 3164)", peel: peelSyslog}

func peelSyslog(line []byte, _ *[]byte) (p peeled, ok bool) {
	rest := line
	if len(line) > 0 && line[0] == '<' {
		if rest, ok = afterPriority(line); !ok {
			return p, false
		}
	}
	switch {
	case oldStamp(rest) > 0:
		rest = rest[oldStamp(rest):]
	case len(rest) > 20 && rest[10] == 'T':
		end := bytes.IndexByte(rest, ' ')
		if end < 0 || !isoStamp(rest[:end]) {
			return p, false
		}
		p.stamp, rest = rest[:end:end], rest[end+1:]
	default:
		return p, false
	}
	first, after, ok := bytes.Cut(rest, []byte(" "))
	if !ok {
		return p, false
	}
	if isTag(first) {
		p.inner = after
		return p, true
	}
	second, message, ok := bytes.Cut(after, []byte(" "))
	if !ok || !isTag(second) || !isHost(first) && !IsIP(first) {
		return p, false
	}
	p.inner = message
	return p, true
}

// afterPriority returns what follows <PRI>.
func afterPriority(line []byte) (rest []byte, ok bool) {
	if len(line) < 4 || line[0] != '<' {
		return nil, false
	}
	n := text.Digits(line[1:])
	if n == 0 || n > 3 || n+1 >= len(line) || line[n+1] != '>' {
		return nil, false
	}
	return line[n+2:], true
}

// oldStamp returns the length of a time such as "Oct  1 22:14:15 ", with or without a
// fraction, that b begins with, or 0.
func oldStamp(b []byte) int {
	if len(b) < 17 || b[3] != ' ' || b[6] != ' ' {
		return 0
	}
	switch string(b[:3]) {
	case "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec":
	default:
		return 0
	}
	n := 15
	if b[n] == '.' {
		n += 1 + text.Digits(b[n+1:])
	}
	_, ok := times.DaySeconds(b[7:15])
	if !ok || n >= len(b) || b[n] != ' ' || b[4] != ' ' && (b[4] < '0' || b[4] > '9') || b[5] < '0' || b[5] > '9' {
		return 0
	}
	return n + 1
}

// isoStamp reports whether text is a time such as 2006-01-02T15:04:05.1+02:00.
func isoStamp(text []byte) bool {
	if len(text) < len("2006-01-02T15:04:05") || text[4] != '-' || text[7] != '-' || text[10] != 'T' {
		return false
	}
	_, ok := times.DaySeconds(text[11:19])
	return ok
}

// isTag reports whether text is the name of a program, with or without its
// process id, and a colon.
func isTag(text []byte) bool {
	n := len(text)
	if n < 2 || text[n-1] != ':' || bytes.ContainsAny(text, `#{"`) { // such as #Fields: and JSON
		return false
	}
	name, id, has := bytes.Cut(text[:n-1], []byte("["))
	if has && (len(id) < 2 || id[len(id)-1] != ']') {
		return false
	}
	return len(name) > 0 && bytes.IndexByte(name, ':') < 0
}
