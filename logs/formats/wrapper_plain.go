package formats

import (
	"bytes"
	"unicode"

	"github.com/limitgauge/limitgauge/logs/jsontext"
)

// quotesWrapper is a pair of quotes around the whole line. Quotes inside it are
// escaped by a backslash or doubled, or not escaped at all.
var quotesWrapper = wrapper{name: "quotes", peel: peelQuotes, shows: inQuotes, optional: true}

func inQuotes(line []byte) bool {
	n := len(line)
	return n >= 3 && line[0] == '"' && line[n-1] == '"'
}

// Unquoted takes quotes around a whole line off, where only some lines have them.
func (f *Format) Unquoted(line []byte, scratch *[]byte) (inner []byte, ok bool) {
	p, ok := peelQuotes(line, scratch)
	return p.inner, ok && !f.bare
}

func peelQuotes(line []byte, scratch *[]byte) (peeled, bool) {
	if !inQuotes(line) {
		return peeled{}, false
	}
	inside := line[1 : len(line)-1]
	escapedAll, doubledAll, any := true, true, false
	for i := 0; i < len(inside); i++ {
		if inside[i] != '"' {
			continue
		}
		any = true
		if !escaped(inside, i) {
			escapedAll = false
		}
		if i+1 < len(inside) && inside[i+1] == '"' {
			i++
		} else {
			doubledAll = false
		}
	}
	switch {
	case !any:
		return peeled{inner: inside}, true
	case escapedAll:
		*scratch = jsontext.AppendUnescaped((*scratch)[:0], inside)
		return peeled{inner: *scratch}, true
	case doubledAll:
		*scratch = appendUndoubled((*scratch)[:0], inside)
		return peeled{inner: *scratch}, true
	}
	return peeled{inner: inside}, true
}

// vhostWrapper is the name of a virtual host in front of a common or combined
// line: example.com:443 192.0.2.1 - - [...
//
// Some hosts are named by an address. But if most of them are, the first address
// may be that of the client and the second that of a proxy.
var vhostWrapper = wrapper{name: "vhost", peel: peelHost, shows: namesHost, only: []*Format{&commonFormat, &combinedFormat}}

// namesHost reports whether a line begins with a name.
func namesHost(line []byte) bool {
	host, _, _ := bytes.Cut(line, []byte(" "))
	return !hasIP(host) && bytes.ContainsFunc(host, unicode.IsLetter)
}

func peelHost(line []byte, _ *[]byte) (peeled, bool) {
	i := bytes.IndexByte(line, ' ')
	if i < 1 {
		return peeled{}, false
	}
	inner := line[i+1:]
	j := bytes.IndexByte(inner, ' ')
	if j < 1 || !isHost(line[:i]) || !hasIP(bytes.TrimSuffix(inner[:j], []byte(","))) {
		return peeled{}, false
	}
	return peeled{inner: inner, host: line[:i:i]}, true
}

// isHost reports whether text may be the name of a virtual host, with or without
// a port.
func isHost(text []byte) bool {
	if i := bytes.LastIndexByte(text, ':'); i > 0 && isPort(text[i:]) {
		text = text[:i]
	}
	if len(text) == 1 && (text[0] == '*' || text[0] == '-') {
		return true
	}
	if IsIP(address.Clean(text)) {
		return true
	}
	for _, c := range text {
		if c != '.' && c != '-' && c != '_' && !('0' <= c && c <= '9' || 'a' <= c|0x20 && c|0x20 <= 'z') {
			return false
		}
	}
	return len(text) > 0
}
