package formats

import (
	"bytes"

	"github.com/limitgauge/limitgauge/logs/text"
)

// Columns of the common and combined log formats
//
//	remote_addr ident remote_user [time_local] "request" status bytes
//	remote_addr ident remote_user [time_local] "request" status bytes "referer" "user_agent"
//
// and the parts of the request: method, target (path and query as sent), path
// (without the query), query, protocol. Of what follows, the first quoted field is
// X-Forwarded-For if it is an address, as in the format main of nginx, else the last
// one. Other fields are ignored.
const (
	colAddr = iota
	colIdent
	colUser
	colTime
	colRequest
	colStatus
	colBytes
	colReferer
	colAgent
	colForwarded
	clfColumns
)

// clfAll lists the columns of combined. common has those before the referer.
var clfAll = []column{
	colAddr:    {"remote_addr", "host remote_host ip client client_ip remote_ip", addresses},
	colIdent:   {"ident", "remote_logname", plain},
	colUser:    {"remote_user", "user", plain},
	colTime:    {"time_local", "time timestamp", plain},
	colRequest: {"request", "", plain},
	colStatus:  {"status", "", plain},
	colBytes:   {"bytes", "body_bytes_sent bytes_sent size", plain},
	colReferer: {"referer", "referrer http_referer", plain},
	colAgent:   {"user_agent", "http_user_agent agent", plain},

	colForwarded: {"x_forwarded_for", "http_x_forwarded_for xff", forwarded},
}

var (
	commonFormat = Format{
		Name:     "common",
		By:       "Apache, nginx, Tomcat and many others",
		Shows:    "an address or host name, two more fields, `[time]`, a quoted request, status and size",
		Time:     "`[time]`",
		Key:      "the first field",
		Source:   "https://httpd.apache.org/docs/2.4/logs.html#common",
		columns:  clfAll[:colReferer],
		request:  "request",
		arrivals: []arrival{{stamp: "time_local"}},
		keys:     []string{"remote_addr"},
		cut:      cutCommon,
	}
	combinedFormat = Format{
		Name:     "combined",
		By:       "Apache and nginx by default",
		Shows:    "common, with a quoted referer and user agent behind it",
		Time:     "`[time]`",
		Key:      "the first field",
		Source:   "https://httpd.apache.org/docs/2.4/logs.html#combined",
		columns:  clfAll,
		request:  "request",
		arrivals: []arrival{{stamp: "time_local"}},
		keys:     []string{"remote_addr"},
		cut:      cutCombined,
		refines:  "common",
		marked:   func(columns [][]byte) bool { return columns[colReferer] != nil },
	}
)

var (
	flawNoTime  = text.Flaw{Why: "not a log line: no host, user and [time]"}
	flawRequest = text.Flaw{Why: "cut short: no closed request, status and size after the time"}
	flawAgent   = text.Flaw{Why: "cut short: no closed referer and user agent"}
)

// cutCombined cuts a line into columns. A quoted referer must be followed by a
// quoted user agent.
func cutCombined(line []byte, p [][]byte) text.Flaw {
	rest, f := cutCommonPart(line, p)
	p[colReferer], p[colAgent], p[colForwarded] = nil, nil, nil
	if len(rest) < 2 || rest[1] != '"' {
		return f
	}
	if p[colReferer], rest = quoted(rest[2:]); rest == nil {
		return flawAgent
	}
	if len(rest) < 2 || rest[1] != '"' {
		return flawAgent
	}
	if p[colAgent], rest = quoted(rest[2:]); rest == nil {
		return flawAgent
	}
	if end := bytes.LastIndexByte(rest, '"'); end > 0 {
		p[colForwarded] = rest[bytes.LastIndexByte(rest[:end], '"')+1 : end]
		_, behind, _ := bytes.Cut(rest[:end], []byte{'"'})
		if list, _, more := bytes.Cut(behind, []byte{'"'}); more && hasIP(forwarded.Clean(list)) {
			p[colForwarded] = list
		}
	}
	return text.Flaw{}
}

// cutCommon cuts a line into columns. What follows the size is ignored.
func cutCommon(line []byte, p [][]byte) text.Flaw {
	_, f := cutCommonPart(line, p)
	return f
}

// cutCommonPart cuts a line up to the size and returns what follows.
func cutCommonPart(line []byte, p [][]byte) (rest []byte, f text.Flaw) {
	_ = p[colBytes]
	i := bytes.IndexByte(line, ' ')
	if i < 0 || i > 0 && !beginsAddress[line[0]] || bytes.IndexByte(line[:i], '\t') >= 0 {
		return nil, flawNoTime
	}
	for i > 0 && line[i-1] == ',' { // a list in X-Forwarded-For
		n := bytes.IndexByte(line[i+1:], ' ')
		if n < 0 {
			return nil, flawNoTime
		}
		i += n + 1
	}
	p[colAddr] = line[:i]
	if quotes := bytes.Count(line[:i], []byte{'"'}); quotes == 2 && i > 2 && line[0] == '"' && line[i-1] == '"' {
		p[colAddr] = line[1 : i-1]
	} else if quotes > 0 {
		return nil, flawNoTime
	}
	k := i + 4 // of " [" in the usual `- - [`
	if k+2 < len(line) && string(line[i:k+2]) == " - - [" && text.IsDigit(line[k+2]) {
		p[colIdent], p[colUser] = line[i+1:i+2], line[i+3:k]
	} else if k, f = cutUser(line, i, p); f.Bad() {
		return nil, f
	}
	end := bytes.IndexByte(line[k:], ']')
	if end < 0 {
		return nil, flawNoTime
	}
	end += k
	p[colTime] = line[k+2 : end]
	rest = line[end+1:]
	if len(rest) > 1 && rest[0] == ' ' && rest[1] == '"' {
		rest = rest[2:]
	} else {
		rest = unusualRequest(rest)
	}
	rest = cutRequest(rest, p)
	if rest == nil {
		return nil, flawRequest
	}
	return rest, text.Flaw{}
}

// unusualRequest returns what follows the quote of a request without a space before it,
// as API Gateway writes it, or with a host there, as APISIX does; else nothing.
func unusualRequest(rest []byte) []byte {
	host, request, ok := bytes.Cut(rest, []byte{'"'})
	if n := len(host); ok && (n == 0 || n > 2 && host[0] == ' ' && host[n-1] == ' ' && isHost(host[1:n-1])) {
		return request
	}
	return nil
}

// cutUser cuts the two fields between the space at i and the time, and returns
// where " [" begins. The user may hold spaces and brackets: the time is the first
// bracket that opens with a digit.
func cutUser(line []byte, i int, p [][]byte) (k int, f text.Flaw) {
	j := bytes.IndexByte(line[i+1:], ' ')
	if j < 0 {
		return 0, flawNoTime
	}
	j += i + 1
	for k = j; ; k++ {
		n := bytes.Index(line[k:], []byte(" ["))
		if n < 0 || k+n+2 >= len(line) {
			return 0, flawNoTime
		}
		if k += n; k > j && text.IsDigit(line[k+2]) {
			break
		}
	}
	p[colIdent], p[colUser] = line[i+1:j], bytes.Trim(line[j+1:k], " ") // Jetty has two spaces
	if client, user, ok := bytes.Cut(p[colUser], []byte("] - ")); ok && string(client) == "["+string(line[:i]) {
		p[colUser] = user // ingress-nginx writes the client twice
	}
	if why := prefixed(p[colIdent], p[colUser]); why != "" {
		return 0, text.Flaw{Why: why, Text: line[:k]}
	}
	return k, text.Flaw{}
}

// beginsAddress marks the characters that an address or a host name begins with,
// or the "-" of a missing one, or quotes around it.
var beginsAddress = func() (marks [256]bool) {
	for _, c := range []byte("0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ:[-._\"") {
		marks[c] = true
	}
	return marks
}()

// prefixed returns why the first field of a line is something in front of the
// client's address, such as the name of a container, and not the address. A
// user's name may hold spaces, but then no field is an address or "-".
func prefixed(ident, user []byte) string {
	const second = "the second field is an address: something stands before the client's"
	if hasIP(ident) {
		return second
	}
	if bytes.IndexByte(user, ' ') < 0 {
		return ""
	}
	if len(ident) != 1 || ident[0] != '-' {
		return "more than three fields before the time"
	}
	for part := range bytes.SplitSeq(user, []byte(" ")) {
		if hasIP(part) || string(part) == "-" {
			return "more than three fields before the time"
		}
	}
	return ""
}
